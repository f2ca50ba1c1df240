/**
 * Everything a scenario file or a recording is refused for, with its cause and its cure (design, section 4).
 */
export const scenarioErrors = {
  SCN001: { cause: 'a scenario file cannot be read', cure: 'check the path and the rights of the file' },
  SCN002: { cause: 'the text is not YAML', cure: 'mend the syntax at this place' },
  SCN003: { cause: 'a mapping has the same key twice', cure: 'keep one of the two' },
  SCN004: { cause: 'the file is empty or holds no mapping', cure: 'begin with "name:" and "machine:"' },
  SCN005: { cause: 'a text is too large or too deep to be read', cure: 'make it smaller' },
  SCN010: { cause: 'a key is not known here', cure: 'take it out, or use a known key' },
  SCN011: { cause: 'a key that must be there is not', cure: 'add it' },
  SCN012: { cause: 'a value is of the wrong kind', cure: 'write a value of the expected kind' },
  SCN013: {
    cause: 'a number, or the size of a list or text, is out of range',
    cure: 'stay within the range',
  },
  SCN014: { cause: 'a value is none of the known ones', cure: 'use a known value' },
  SCN015: { cause: 'a value breaks a rule of the machine', cure: 'write a value that keeps the rule' },
  SCN020: { cause: 'no machine has this name', cure: 'see `lockstep list` for the machines' },
  SCN021: {
    cause: 'a reference to a program is not of the form file.ts#export',
    cure: 'write the path of a module relative to the scenario file, "#", and the name of its export',
  },
  SCN022: {
    cause: 'the module of a program does not exist',
    cure: 'paths are relative to the folder of the scenario file',
  },
  SCN023: {
    cause: 'the module of a program has no such export',
    cure: 'use the name of an export of the module',
  },
  SCN024: {
    cause: 'the module of a program cannot be loaded',
    cure: 'mend the module: it must load on its own',
  },
  SCN025: {
    cause: 'the export a program refers to is not a function',
    cure: 'export the program as a function',
  },
  SCN030: { cause: 'keys that are right alone do not fit together', cure: 'change one of them' },
  SCN031: { cause: 'nothing produces this kind of schedule', cure: 'use a schedule that has a producer' },
  SCN032: {
    cause: 'a fault is for an actor, a channel or a type of message that the machine does not have',
    cure: 'use names of the machine; * stands for any characters but a dot, ** for any characters',
  },
  SCN033: {
    cause: 'a fault crashes an actor that may not crash',
    cure: 'crash an actor of which the machine says that it may',
  },
  SCN040: { cause: 'a recording cannot be read', cure: 'check the path and the rights of the file' },
  SCN041: { cause: 'a file is not JSON', cure: 'give a file that `lockstep run --record` wrote' },
  SCN042: {
    cause: 'a file is not a recording of this format',
    cure: 'give a file that `lockstep run --record` wrote',
  },
  SCN043: { cause: 'a part of a recording is damaged', cure: 'record the run again' },
} as const;

/** Code of an entry of the catalogue of scenario errors. */
export type ScenarioErrorCode = keyof typeof scenarioErrors;

/** A place in a file; lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A mistake in a scenario or a recording: where, what was found and expected, and what helps. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  readonly what: string;
  readonly help: string;
  constructor(
    readonly code: ScenarioErrorCode,
    readonly at: Place,
    what: string,
    help: string = scenarioErrors[code].cure,
  ) {
    const [told, cure] = [short(what), short(help)];
    super(`${at.file}:${at.line}:${at.column} ${code} ${told}\n  help: ${cure}`);
    this.what = told;
    this.help = cure;
  }
}

/** Characters of a sentence: what was written may be of any length. */
const sentenceMax = 1000;

const short = (sentence: string): string =>
  sentence.length > sentenceMax ? `${sentence.slice(0, sentenceMax)}…` : sentence;

/** How many mistakes of one file are reported at once. */
export const reportedErrorsMax = 20;
/** Characters of their messages, behind which no further one is shown. */
const reportedCharsMax = 2500;

/** All mistakes of one file in the order of their places; the message shows the first `reportedErrorsMax`, fewer where they are long. */
export class ScenarioErrors extends Error {
  override readonly name = 'ScenarioErrors';
  readonly errors: readonly ScenarioError[];
  /** How many more there are that `errors` does not hold. */
  readonly more: number;

  constructor(found: readonly ScenarioError[]) {
    const sorted = [...found].sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
    let chars = 0;
    const errors = sorted.slice(0, reportedErrorsMax).filter(({ message }, index) => {
      chars += message.length;
      return index === 0 || chars <= reportedCharsMax;
    });
    const more = sorted.length - errors.length;
    const tail = more > 0 ? [`and ${more} more`] : [];
    super([...errors.map((error) => error.message), ...tail].join('\n'));
    this.errors = errors;
    this.more = more;
  }
}
