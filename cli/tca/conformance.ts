import { existsSync, readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { z } from 'zod';
import { tcaMachine } from '../../machines/tca.ts';
import { propertiesOf } from '../../properties/properties.ts';
import { writeFileAtomically } from '../../scenarios/atomic-file.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { conformanceCases } from '../../scenarios/tca/conformance/cases.ts';
import { rowName } from '../../scenarios/tca/conformance/row.ts';
import { type RowTally, rowsOf, runSuite, type SuiteOrder } from '../../scenarios/tca/conformance/suite.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { naturalOption } from '../natural-option.ts';
import { Progress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';

interface ConformanceWords {
  readonly case?: SuiteOrder['cases'];
  readonly nodes: readonly number[];
  readonly mode: SuiteOrder['modes'];
  readonly channels: SuiteOrder['channels'];
  readonly schedules: number;
  readonly seed: number;
  readonly mutant: readonly string[];
  readonly mandatory?: boolean;
  readonly watch: boolean;
  readonly ledger?: string;
  readonly json?: boolean;
}

const nodeCounts = [2, 4, 8, 16];
const modes = ['auto', 'BtoB', 'MtoM', 'BtoM', 'MtoB'] as const;
/** Runs between two writings of the ledger. */
const ledgerEvery = 50;

/** `lockstep tca conformance`: what the public tests of GASNet assert, under settings, topologies and schedules (TCA specification 20). */
export function declareConformance(command: Command, session: Session): void {
  command
    .option('--case <list>', 'cases: C05,C10; all when not given', casesOption)
    .option('--nodes <list>', 'nodes, of 2,4,8,16', nodesOption, [2, 4])
    .option('--mode <list>', 'modes of transfers: auto,BtoB', modesOption, ['auto', 'BtoB'])
    .option('--channels <list>', 'sets of channels: 0,0123', setsOption, [[0], [0, 1, 2, 3]])
    .option(
      '--schedules <n>',
      'schedules of each row beside the default one',
      naturalOption('--schedules'),
      0,
    )
    .option('--seed <n>', 'decides what the cases draw', naturalOption('--seed'), 1)
    .option('--mutant <list>', 'planted faults: T-18,T-20', mutantsOption, [])
    .option('--mandatory', 'the mandatory cases only')
    .option(
      '--no-watch',
      'without the properties of the machine: the values of the programs alone are judged',
    )
    .option('--ledger <file>', 'keep what has been run; the same command goes on from there')
    .option('--json', 'one JSON object {rows, passed, failed} on standard output')
    .action(async (options: ConformanceWords) => {
      session.exitCode = await conformance(options, session);
    });
}

async function conformance(options: ConformanceWords, { terminal }: Session): Promise<number> {
  const { schedules, seed, mutant: mutants, ledger, json } = options;
  const properties = propertiesOf('tca');
  const order: SuiteOrder = {
    cases: (options.case ?? conformanceCases).filter(({ mandatory }) => mandatory || !options.mandatory),
    nodes: options.nodes,
    modes: options.mode,
    channels: options.channels,
    schedules,
    seed,
    mutants,
    ...(options.watch &&
      properties && {
        watch: (run, given, assembly) => properties.watch(run, given, assembly),
      }),
  };
  const kept = new Map<string, RowTally>();
  if (ledger !== undefined) for (const row of rowsKept(ledger, seed, mutants)) kept.set(row.row, row);
  const wanted = rowsOf(order).length * (schedules + 1);
  const interrupt = new Interrupt(terminal);
  const progress = new Progress(terminal, 'schedules', wanted);
  let runs = 0;
  try {
    for (const tally of runSuite(order, (row) => kept.get(row)?.schedules ?? 0)) {
      kept.set(tally.row, tally);
      progress.update(++runs, runs);
      if (ledger !== undefined && (tally.done || runs % ledgerEvery === 0)) keep(ledger, seed, mutants, kept);
      await new Promise((resolve) => setImmediate(resolve));
      if (interrupt.asked) break;
    }
  } finally {
    progress.end();
    interrupt.release();
  }
  if (ledger !== undefined) keep(ledger, seed, mutants, kept);
  const rows = rowsOf(order).flatMap((row) => kept.get(rowName(row)) ?? []);
  const failed = rows.filter(({ found }) => found !== undefined);
  const passed = rows.filter(({ found, schedules: run }) => found === undefined && run > schedules).length;
  if (json) terminal.out(`${JSON.stringify({ rows, passed, failed: failed.length })}\n`);
  else terminal.out(table(rows, passed, failed.length));
  if (interrupt.asked) return exitCodes.interrupted;
  return failed.some(({ mandatory }) => mandatory) ? exitCodes.failed : exitCodes.ok;
}

const tallySchema = z.strictObject({
  row: z.string(),
  case: z.string(),
  topology: z.string(),
  mode: z.string(),
  channels: z.string(),
  mandatory: z.boolean(),
  schedules: z.int().min(1),
  done: z.boolean(),
  found: z.string().optional(),
  schedule: z.string().optional(),
});
const ledgerSchema = z.strictObject({
  format: z.literal('tca-conformance/1'),
  seed: z.int(),
  mutants: z.array(z.string()),
  rows: z.array(tallySchema),
});

function keep(
  file: string,
  seed: number,
  mutants: readonly string[],
  kept: ReadonlyMap<string, RowTally>,
): void {
  const rows = [...kept.values()];
  writeFileAtomically(
    file,
    `${JSON.stringify({ format: 'tca-conformance/1', seed, mutants, rows }, null, 1)}\n`,
  );
}

/** What a ledger holds; nothing when there is none. What was wrong is tried again. Errors: `UsageError`. */
function rowsKept(file: string, seed: number, mutants: readonly string[]): readonly RowTally[] {
  if (!existsSync(file)) return [];
  const read = ledgerSchema.safeParse(parsed(file));
  if (!read.success)
    throw new UsageError(
      `${file}: found something else, expected a ledger of this command`,
      'name another file, or remove this one',
    );
  const { data } = read;
  if (data.seed !== seed || data.mutants.join() !== mutants.join())
    throw new UsageError(
      `${file}: found a ledger of seed ${data.seed}${data.mutants.length > 0 ? ` with ${data.mutants.join()}` : ''}, expected one of the same order`,
      `go on with --seed ${data.seed}, or name another file`,
    );
  return data.rows.filter(({ found }) => found === undefined) as readonly RowTally[];
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Cases by their ids. Errors: `UsageError`. */
function casesOption(text: string): SuiteOrder['cases'] {
  const ids = conformanceCases.map(({ id }) => id);
  return text.split(',').map((word) => {
    const found = conformanceCases.find(({ id }) => id === word);
    if (found) return found;
    throw new UsageError(`--case: found "${word}", expected cases`, didYouMean(word, ids, 'cases'));
  });
}

function nodesOption(text: string): readonly number[] {
  const counts = text.split(',').map(Number);
  if (counts.every((count) => nodeCounts.includes(count))) return counts;
  throw new UsageError(
    `--nodes: found "${text}", expected some of ${nodeCounts.join(', ')}`,
    'for example --nodes 2,4',
  );
}

function modesOption(text: string): SuiteOrder['modes'] {
  return text.split(',').map((word) => {
    const found = modes.find((mode) => mode === word);
    if (found) return found;
    throw new UsageError(`--mode: found "${word}", expected modes`, didYouMean(word, modes, 'modes'));
  });
}

function setsOption(text: string): SuiteOrder['channels'] {
  const sets = text.split(',');
  if (sets.every((set) => set !== '' && /^0?1?2?3?$/.test(set)))
    return sets.map((set) => [...set].map(Number));
  throw new UsageError(
    `--channels: found "${text}", expected sets of the channels 0 to 3`,
    'for example --channels 0,0123',
  );
}

function mutantsOption(text: string): readonly string[] {
  const known = [...tcaMachine.mutants.keys()];
  const ids = text.split(',');
  const other = ids.find((id) => !known.includes(id));
  if (other === undefined) return ids;
  throw new UsageError(
    `--mutant: found "${other}", expected planted faults`,
    didYouMean(other, known, 'faults'),
  );
}

/** Lines for people. */
function table(rows: readonly RowTally[], passed: number, failed: number): string {
  const head = ['case', 'topology', 'mode', 'channels', 'schedules', 'result'];
  const lines = rows.map(
    ({ case: id, topology, mode, channels, schedules, found, schedule, done, mandatory }) => [
      id,
      topology,
      mode,
      channels,
      String(schedules),
      found === undefined
        ? done
          ? 'ok'
          : 'ok so far'
        : `${mandatory ? 'WRONG' : 'wrong, not mandatory'} (${schedule}): ${found.split('\n')[0]}`,
    ],
  );
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]!.length)),
  );
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
    .concat(`${passed} of ${rows.length} rows passed, ${failed} failed\n`);
}
