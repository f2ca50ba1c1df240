/** A file that was not there before. */
export interface MadeFile {
  readonly name: string;
  readonly bytes: number;
  /** True when it ends in `.json` and is none. */
  readonly damaged: boolean;
}

/** What came of a case. */
export interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
  /** Seconds of processor time that it took, and the most of these without a word of progress. */
  readonly seconds: number;
  readonly silentSeconds: number;
  /** It told of progress until the watch ended it: a long run is no fault. */
  readonly cut: boolean;
  readonly made: readonly MadeFile[];
  /** Files of the case that are no longer what they were. */
  readonly changed: readonly string[];
}

/** What a case was given, as far as a judge needs it. */
export interface GivenCase {
  readonly args: readonly string[];
  /** The file that was damaged, when one was. */
  readonly target?: string;
  /** All of its files, by name. */
  readonly names?: readonly string[];
  /** The files, as text. */
  readonly input?: string;
}

/** Seconds of processor time that may pass without a word. */
export const silentSecondsMax = 30;

/** Characters of an error: who gets more reads none of it. */
const errorCharsMax = 4000;

/** Verbs that make or show something and judge nothing: an end is 0 or 2. */
const judgingNothing = new Set([
  'coverage',
  'list',
  'schema',
  'diagram',
  'help',
  'explain',
  'cell arb',
  'chiplet combine',
  'chiplet curve',
  'chiplet process',
  'grape asm',
  'grape disasm',
  'grape leapfrog',
  'sunway bsignal',
  'tca bench',
]);

/** Exit codes that a verb may end with (docs/exit-codes.md). */
function codesOf(args: readonly string[]): readonly number[] {
  const [one = '', two = ''] = args.filter((word) => !word.startsWith('-'));
  const verb = `${one} ${two}`;
  if (verb === 'cell check') return [0, 1, 2, 3, 4, 64];
  if (judgingNothing.has(verb) || judgingNothing.has(one)) return [0, 2];
  return ['check', 'trace', 'merge', 'fuzz'].includes(one) ? [0, 1, 2, 4] : [0, 1, 2];
}

/** What no user should see: stacks, and messages that speak of the program instead of what it was given. */
const leaks: readonly RegExp[] = [
  /^\s+at .+[:(].+:\d+:\d+\)?$/m,
  /defect of Lockstep/i,
  /Maximum call stack/,
  /Cannot read propert|is not a function|is not iterable|of undefined|of null \(/,
  /(?<!")\[object \w+\]/,
  /9007199254740991/,
  /(?<![\w"'.])(?:undefined|NaN)(?![\w"'])/,
  /(?<![\w"'.])-?Infinity(?![\w"'])/,
  /\w*(?:Zod|Type|Range|Reference|Syntax|Assertion)Error\b|Invariant/,
  /Invalid (?:input|option|array length|string length)|Too (?:small|big):|Unrecognized key/,
  /Array buffer allocation|heap out of memory/,
  /ERR_[A-Z_]+|\b(?:ENOENT|EISDIR|ENOTDIR|EEXIST|EINVAL|ELOOP|ENAMETOOLONG)\b/,
  /the system answers/,
];

/** What a text tells that no user should see, unless the user wrote it. */
export function leaksIn(told: string, given: string): readonly string[] {
  // What the user wrote may be told again.
  const written = given.toLowerCase();
  const ownWords = `${written}\n${written.replace(/\.inf\b|\d{309,}|e[+]?\d{3,}/g, 'infinity')}`;
  return leaks.flatMap((leak) => {
    const found = leak.exec(told)?.[0].trim();
    return found !== undefined && !ownWords.includes(found.toLowerCase())
      ? [`tells "${found.slice(0, 60)}"`]
      : [];
  });
}

/** What is wrong with how a case ended; nothing when it ended as documented. */
export function faultsOf(
  { args, target, names = [], input = '' }: GivenCase,
  ended: Ended,
): readonly string[] {
  const { exitCode, out, err, silentSeconds, cut, made, changed } = ended;
  const faults: string[] = [];
  if (silentSeconds > silentSecondsMax)
    faults.push(`${silentSeconds.toFixed(0)} s of processor time without progress`);
  if (cut && faults.length === 0) return [];
  if (exitCode === null || !codesOf(args).includes(exitCode)) faults.push(`exit code ${exitCode}`);
  // An object for scripts holds numbers as they are.
  const isJson = args.includes('--json') || args[0] === 'schema';
  // An interpreter of macros tells what it is told to.
  const told = (isJson ? err : `${out}\n${err}`)
    .replace(/E_MACRO .*/g, '')
    // A modifier of PTX is called so.
    .replaceAll('full, NaN', 'full')
    // Which integers a number holds (SCN013).
    .replace(/from -9007199254740991 to 9007199254740991 every integer is held/g, '')
    // What a function of the user returned is told as it is.
    .replaceAll('boundary: it returned undefined', 'boundary')
    // So does the engine of a module that was given: the place in it is told with it.
    .replace(/ does not load: .*(?=, at (?!\.\.|\/)\S+:\d+:\d+)/g, '')
    .replace(/ threw: .*(?=(?:\n.*)*\n {2}thrown in .* \((?!\.\.|\/)\S+:\d+\))/g, '')
    .replace(/ threw: .*(?=\n.*\n {2}thrown at (?!\.\.|\/))/g, '');
  faults.push(...leaksIn(told, `${args.join('\n')}\n${input}`));
  // A terminal obeys them.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for.
  const control = /[\0-\x08\x0b-\x1f\x7f-\x9f]/.exec(err)?.[0];
  if (control !== undefined) faults.push(`tells the character ${JSON.stringify(control)}`);
  const isHelp = args.some((word) => /^(--help|-h|help|--version)$/.test(word));
  if (exitCode === 2 || exitCode === 64) {
    // A log out of step is a verdict, which has this code, too.
    const isVerdict = args[0] === 'cell' && args[1] === 'check' && /^\S+: SYNC; /m.test(err);
    if (!isVerdict && !/\n {2}help: \S|^usage: /im.test(err))
      faults.push(`exit code ${exitCode} without a cure`);
    // A ledger of other scenarios is blamed by its own name, a machine of the user's by its state and action, one with another name by who asks for it; of two files that do not fit either may be.
    const isNamed = (name: string): boolean =>
      new RegExp(`${name.replace(/[^\\w/-]/g, '\\$&')}:\\d+:\\d+`).test(err);
    if (
      target !== undefined &&
      !err.includes(target) &&
      !names.some(isNamed) &&
      !/ledger of another campaign|KRN\d{3} |SCN020 machine/.test(err)
    )
      faults.push(`exit code ${exitCode} without a place`);
    if (err.length > errorCharsMax && !/cannot be written/.test(err))
      faults.push(`an error of ${err.length} characters`);
    // What cannot be written is told after what was carried out.
    if (!/cannot be written/.test(err))
      for (const { name } of made) faults.push(`makes ${name}, though it refuses what it is given`);
  }
  if (exitCode === 1 && out.trim() === '' && err.trim() === '') faults.push('exit code 1 without a word');
  if (args.includes('--json') && !isHelp) faults.push(...faultsOfJson(out, exitCode));
  for (const { name, bytes, damaged } of made) {
    if (name.endsWith('.part')) faults.push(`leaves ${name}`);
    // A table or a trace of nothing, or what a process said that said nothing, is a file without lines.
    if ((bytes === 0 && !/\.(?:txt|log)$|\bbench$/.test(name)) || damaged)
      faults.push(`${name} is ${damaged ? 'half a file' : 'empty'}`);
  }
  for (const name of changed) faults.push(`changes ${name}`);
  return faults;
}

/** What is wrong with what a script gets: one object, with an error or with a result, as the exit code says. */
function faultsOfJson(out: string, exitCode: number | null): readonly string[] {
  const value = objectIn(out);
  if (!value) return [`--json gives ${out === '' ? 'nothing' : 'something else than one JSON object'}`];
  const error = value['error'] as { kind?: unknown; message?: unknown } | string | undefined;
  const isRefusal = typeof error === 'object' && error !== null;
  if (!isRefusal) return [];
  if (exitCode !== 2 && exitCode !== 64) return [`--json gives an error with exit code ${exitCode}`];
  const faults: string[] = [];
  if (value['exitCode'] !== exitCode)
    faults.push(`--json says exit code ${value['exitCode']}, it is ${exitCode}`);
  if (!['usage', 'input', 'output', 'system'].includes(String(error.kind)))
    faults.push(`--json gives an error of kind ${error.kind}`);
  if (typeof error.message !== 'string' || error.message === '')
    faults.push('--json gives an error without a message');
  return faults;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
