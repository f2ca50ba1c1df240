import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { standardInput } from '../scenarios/input-file.ts';
import { standardOutput } from './output.ts';
import { UsageError } from './usage-error.ts';

/** Options of all commands whose value is a file that is read. */
const inputOptions = ['tape', 'case', 'config', 'refines', 'I', 'G', 'C'];
/** Options of all commands whose value is a file that is written, or a list of such. */
const outputOptions = [
  'record',
  'export',
  'plot',
  'coverage',
  'mermaid',
  'svg',
  'object',
  'header',
  'source',
  'types',
  'power',
  'D',
  'out',
  'trace',
  'graph',
  'simplified',
  'ledger',
  'junit',
  'sarif',
];

interface NamedFile {
  readonly option: string;
  readonly file: string;
}

/**
 * Refuses what a command cannot do with the files that it is given: two outputs in one, an output in place of an input, two of standard input or output.
 *
 * Errors: `UsageError`, before anything is read or written.
 */
export function refuseConflicts(command: Command): void {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const outputs = filesOf(options, outputOptions);
  const inputs = [
    ...command.args.map((file) => ({ option: command.name(), file })),
    ...filesOf(options, inputOptions),
  ];
  const toStandard = outputs.find(({ file }) => file === standardOutput);
  if (options['json'] === true && toStandard)
    throw new UsageError(
      `found --json and ${toStandard.option} ${standardOutput}, expected one of them on standard output`,
      `give ${toStandard.option} a file, or leave --json out`,
    );
  const fromStandard = inputs.filter(({ file }) => file === standardInput);
  if (fromStandard.length > 1)
    throw new UsageError(
      `found ${fromStandard.length} inputs ${standardInput}, expected at most one`,
      'standard input can be read once: give files for the others',
    );
  for (const [index, { option, file }] of outputs.entries()) {
    const other = outputs.slice(0, index).find((one) => resolve(one.file) === resolve(file));
    if (other)
      throw new UsageError(
        `found ${file} for ${other.option} and for ${option}, expected a file for each`,
        'name another file for one of them',
      );
    const read = inputs.find((one) => isOneFile(one.file, file));
    if (read)
      throw new UsageError(
        `${option}: found ${file}, which is read, expected another file`,
        'it would be replaced: name another file',
      );
  }
}

function filesOf(options: Readonly<Record<string, unknown>>, names: readonly string[]): readonly NamedFile[] {
  return names.flatMap((name) => {
    const option = name.length === 1 ? `-${name}` : `--${name}`;
    const values = Array.isArray(options[name]) ? options[name] : [options[name]];
    return values.flatMap((value: unknown) => {
      const file = typeof value === 'object' && value !== null && 'file' in value ? value.file : value;
      return typeof file === 'string' ? [{ option, file }] : [];
    });
  });
}

/** True for two names of one plain file that is there. */
export function isOneFile(one: string, other: string): boolean {
  if (one === standardInput || other === standardOutput) return false;
  try {
    const [a, b] = [statSync(one), statSync(other)];
    return a.isFile() && a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}
