import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { standardInput } from '../../scenarios/input-file.ts';
import { type CiFiles, ciOptions, type JudgedCase, writeCiFiles } from '../ci-report.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { filesBelow } from '../files-below.ts';
import { Interrupt } from '../interrupt.ts';
import { knownMachines } from '../known-machines.ts';
import { Outputs } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { type VerifiedFile, verifyFile } from '../verify/verify-file.ts';

interface VerifyOptions extends CiFiles {
  readonly json?: boolean;
  readonly explicit?: boolean;
}

/** `lockstep verify FILE…`: compares with reference data, recognised by its format. */
export function declareVerify(command: Command, session: Session): void {
  command
    .argument('<file...>', 'files or folders with reference data')
    .option(...ciOptions[0])
    .option(...ciOptions[1])
    .option('--explicit', 'state machines for all parts, also where plain code does the same faster')
    .option('--json', 'one JSON object on standard output')
    .addHelpText(
      'after',
      `
Examples:
  lockstep verify properties/cell/golden/machine
  lockstep verify results.json --junit out/results.xml`,
    )
    .action(async (paths: readonly string[], options: VerifyOptions) => {
      session.exitCode = await verify(paths, options, session);
    });
}

async function verify(
  paths: readonly string[],
  options: VerifyOptions,
  { terminal }: Session,
): Promise<number> {
  const began = performance.now();
  const known = (await Promise.all((await knownMachines()).map((one) => one.verifies()))).flat();
  const files: VerifiedFile[] = [];
  /** Files that the user named and that gave nothing to compare. */
  const empty: VerifiedFile[] = [];
  const interrupt = new Interrupt(terminal);
  const heed = async (): Promise<boolean> => {
    await new Promise((resolve) => setImmediate(resolve));
    return !interrupt.asked;
  };
  try {
    for (const { path, named } of paths.flatMap(filesOf)) {
      if (!(await heed())) break;
      const file = await verifyFile(path, known, heed, options.explicit);
      files.push(file);
      if (named && file.rows === 0) empty.push(file);
      terminal.err(fileText(file));
    }
  } finally {
    interrupt.release();
  }
  const outputs = new Outputs();
  const seconds = (performance.now() - began) / 1000;
  writeCiFiles(options, 'verify', files.map(caseOf), seconds, outputs, terminal);
  if (options.json)
    terminal.out(
      `${JSON.stringify({ files, ...(interrupt.asked && { interrupted: true }), ...outputs.json })}\n`,
    );
  terminal.err(`${totalText(files)}\n`);
  outputs.settle();
  if (interrupt.asked) return exitCodes.interrupted;
  if (files.some(({ failed }) => failed.length > 0)) return exitCodes.failed;
  const [first] = empty;
  if (first || files.every(({ rows }) => rows === 0)) {
    const what = first
      ? `${first.file}: found ${first.skipped ?? 'no rows'}`
      : `found nothing in ${paths.join(', ')}`;
    terminal.err(
      `lockstep: ${what}, expected reference data\n  help: nothing compared is no pass; known are ${known.map(({ name }) => name).join(', ')}\n`,
    );
    return exitCodes.usage;
  }
  return exitCodes.ok;
}

function filesOf(path: string): readonly { readonly path: string; readonly named: boolean }[] {
  if (path === standardInput) return [{ path, named: true }];
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new UsageError(`found no file or folder "${path}"`, 'check the path');
  if (!found.isDirectory()) return [{ path, named: true }];
  return filesBelow(path).map((file) => ({ path: file, named: false }));
}

function caseOf({ file, kind, rows, passed, failed, skipped }: VerifiedFile): JudgedCase {
  const name = kind ?? 'reference data';
  if (skipped !== null) return { name, file, open: skipped };
  if (failed.length === 0) return { name, file };
  const detail = failed.map(
    ({ id, what, expected, found }) => `${id} (${what}): expected ${plain(expected)}, found ${plain(found)}`,
  );
  return {
    name,
    file,
    failure: { kind: 'differs', message: `${passed} of ${rows} rows passed`, detail: detail.join('\n') },
  };
}

const failedShown = 12;

function fileText(verified: VerifiedFile): string {
  const { file, kind, rows, passed, failed, notCompared = [], skipped, verdicts = {} } = verified;
  if (skipped !== null) return `skipped  ${file}: ${skipped}\n`;
  const shown = failed.slice(0, failedShown).map(({ id, what, expected, found, tolerance }) => {
    const within = tolerance === null || tolerance === 0 ? '' : ` within ${tolerance * 100} %`;
    return `  ${id} (${what}): expected ${plain(expected)}${within}, found ${plain(found)}\n`;
  });
  const more = failed.length > failedShown ? `  and ${failed.length - failedShown} more\n` : '';
  const unheld = notCompared.map(({ id, reason }) => `  skipped ${id}: ${reason}\n`).join('');
  const judged = Object.entries(verdicts).map(([verdict, count]) => `${count} ${verdict}`);
  const byVerdict = judged.length === 0 ? '' : `  ${judged.sort().join('; ')}\n`;
  return `${failed.length === 0 ? 'passed ' : 'FAILED '}  ${file} (${kind}): ${passed} of ${rows} rows\n${byVerdict}${shown.join('')}${more}${unheld}`;
}

function plain(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function totalText(files: readonly VerifiedFile[]): string {
  const sum = (of: (file: VerifiedFile) => number) => files.reduce((total, file) => total + of(file), 0);
  const skipped = files.filter((file) => file.skipped !== null).length;
  const failed = sum((file) => file.failed.length);
  return `${files.length - skipped} files compared, ${skipped} skipped: ${sum((file) => file.passed)} rows passed, ${failed} failed`;
}
