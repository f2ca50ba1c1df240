import { lockstepVersion } from '../scenarios/version.ts';
import { type Outputs, writeOutput } from './output.ts';
import { plainText } from './tellable.ts';
import type { Terminal } from './terminal.ts';

/*
 * What a command came to in the forms that services of continuous integration read: JUnit, which they show as tests, and SARIF 2.1.0, which they show as findings.
 */

/** One thing that was judged. */
export interface JudgedCase {
  /** The sentence, or what else was judged. */
  readonly name: string;
  /** The scenario, machine or reference file that it is about. */
  readonly file: string;
  /** What is wrong; absent when nothing is. */
  readonly failure?: {
    /** Violated, deadlock …: names the rule. */
    readonly kind: string;
    readonly message: string;
    /** Lines that say more, a recording for example. */
    readonly detail?: string;
  };
  /** Why it is not judged to its end. */
  readonly open?: string;
}

/** The files that are asked for. */
export interface CiFiles {
  readonly junit?: string;
  readonly sarif?: string;
}

/** The options of commands that write such files, as commander takes them. */
export const ciOptions = [
  ['--junit <file>', 'write what was judged as JUnit, for continuous integration'],
  ['--sarif <file>', 'write what was found as SARIF, for code scanning'],
] as const;

/** Writes the files that are asked for; `-` is standard output. */
export function writeCiFiles(
  { junit, sarif }: CiFiles,
  command: string,
  cases: readonly JudgedCase[],
  seconds: number,
  outputs: Outputs,
  terminal: Pick<Terminal, 'out'>,
): void {
  if (junit !== undefined)
    outputs.attempt(() => writeOutput(terminal, junit, junitXml(command, cases, seconds)));
  if (sarif !== undefined) outputs.attempt(() => writeOutput(terminal, sarif, sarifText(cases)));
}

/** All that is told of a failure. */
const wordsOf = ({ kind, message, detail }: NonNullable<JudgedCase['failure']>): string =>
  [`${kind}: ${message}`, ...(detail === undefined ? [] : [detail])].join('\n');

/** One suite; what is open is skipped in it. */
export function junitXml(command: string, cases: readonly JudgedCase[], seconds: number): string {
  const failures = cases.filter(({ failure }) => failure).length;
  const skipped = cases.filter(({ failure, open }) => !failure && open !== undefined).length;
  const counts = `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${seconds.toFixed(3)}"`;
  const rows = cases.map(({ name, file, failure, open }) => {
    const head = `    <testcase name="${attribute(name)}" classname="${attribute(file)}" time="0"`;
    if (failure)
      return `${head}>\n      <failure type="${attribute(failure.kind)}" message="${attribute(failure.message)}">${escaped(wordsOf(failure))}</failure>\n    </testcase>\n`;
    if (open !== undefined)
      return `${head}>\n      <skipped message="${attribute(open)}"/>\n    </testcase>\n`;
    return `${head}/>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="lockstep ${command}" ${counts}>\n${rows.join('')}  </testsuite>\n</testsuites>\n`;
}

/** What fails, as results; each name is a rule. */
export function sarifText(cases: readonly JudgedCase[]): string {
  const failed = cases.filter(({ failure }) => failure);
  const rules = [...new Set(failed.map(({ name }) => name))];
  const run = {
    tool: {
      driver: {
        name: 'lockstep',
        version: lockstepVersion,
        rules: rules.map((name) => ({ id: name, shortDescription: { text: name } })),
      },
    },
    results: failed.map(({ name, file, failure }) => ({
      ruleId: name,
      ruleIndex: rules.indexOf(name),
      level: 'error',
      message: { text: wordsOf(failure!) },
      locations: [
        { physicalLocation: { artifactLocation: { uri: encodeURI(file) }, region: { startLine: 1 } } },
      ],
    })),
  };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${JSON.stringify(log, null, 1)}\n`;
}

/** A text in XML. */
const escaped = (text: string): string =>
  plainText(text)
    .replace(/[\ufffe\uffff]/g, '')
    .replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one]!);

/** The same where a line end would be a blank. */
const attribute = (text: string): string => escaped(text).replace(/\n/g, '&#10;').replace(/\t/g, '&#9;');
