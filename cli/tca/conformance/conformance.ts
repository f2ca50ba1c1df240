import type { Command } from 'commander';
import { conformanceCases } from '../../../scenarios/tca/conformance/cases.ts';
import { rowName } from '../../../scenarios/tca/conformance/row.ts';
import {
  batchesOf,
  type RowTally,
  rowsOf,
  type SuiteOrder,
} from '../../../scenarios/tca/conformance/suite.ts';
import type { Session } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Interrupt } from '../../interrupt.ts';
import { naturalOption } from '../../natural-option.ts';
import { Progress } from '../../progress.ts';
import { RowsLedger } from '../../rows-ledger.ts';
import { ownThread, threadPool } from '../../threads/worker-pool.ts';
import { UsageError } from '../../usage-error.ts';
import { conformanceLedger } from './ledger.ts';
import { casesOption, modesOption, mutantsOption, nodesOption, setsOption } from './options.ts';
import { type PlainOrder, type SuitePool, suiteOrder, suiteWork } from './order.ts';
import { table } from './table.ts';

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
  readonly workers: number;
  readonly ledger?: string;
  readonly json?: boolean;
}

const workersMax = 256;

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
    .option('--mutant <list>', 'planted faults, with commas between them; may be repeated', mutantsOption, [])
    .option('--mandatory', 'the mandatory cases only')
    .option(
      '--no-watch',
      'without the properties of the machine: the values of the programs alone are judged',
    )
    .option(
      '--workers <n>',
      'threads; what is found does not depend on them',
      naturalOption('--workers', workersMax),
      1,
    )
    .option('--ledger <file>', 'keep what has been run; the same command goes on from there')
    .option('--json', 'one JSON object {rows, passed, failed} on standard output')
    .action(async (options: ConformanceWords) => {
      session.exitCode = await conformance(options, session);
    });
}

async function conformance(options: ConformanceWords, { terminal }: Session): Promise<number> {
  const { schedules, seed, mutant: mutants, workers, json } = options;
  if (workers === 0)
    throw new UsageError('--workers: found "0", expected at least 1', 'for example --workers 2');
  const plain: PlainOrder = {
    cases: (options.case ?? conformanceCases)
      .filter(({ mandatory }) => mandatory || !options.mandatory)
      .map(({ id }) => id),
    nodes: options.nodes,
    modes: options.mode,
    channels: options.channels,
    schedules,
    seed,
    mutants,
    watch: options.watch,
  };
  const order = await suiteOrder(plain);
  const names = rowsOf(order).map(rowName);
  const ledger =
    options.ledger === undefined
      ? undefined
      : new RowsLedger(options.ledger, conformanceLedger, { seed, mutants });
  const kept = new Map(
    (ledger?.read() ?? []).filter(({ found }) => found === undefined).map((tally) => [tally.row, tally]),
  );
  const before = names.reduce((sum, name) => sum + (kept.get(name)?.schedules ?? 0), 0);
  const workerPool: SuitePool =
    workers === 1 ? ownThread(suiteWork(order)) : threadPool('cli/tca/conformance/serve', plain, workers);
  const interrupt = new Interrupt(terminal);
  const progress = new Progress(terminal, 'schedules', names.length * (schedules + 1) - before);
  let run = 0;
  try {
    for await (const { tally, more } of tallies(order, workerPool, names, kept, () => interrupt.asked)) {
      kept.set(tally.row, tally);
      run += more;
      progress.update(run, run);
      ledger?.keep(kept.values());
    }
  } finally {
    progress.end();
    interrupt.release();
    await workerPool.end();
  }
  ledger?.write(kept.values());
  const rows = names.flatMap((name) => kept.get(name) ?? []);
  const failed = rows.filter(({ found }) => found !== undefined);
  const passed = rows.filter(({ found, schedules: many }) => found === undefined && many > schedules).length;
  if (json) terminal.out(`${JSON.stringify({ rows, passed, failed: failed.length })}\n`);
  else terminal.out(table(rows, passed, failed.length));
  if (interrupt.asked) return exitCodes.interrupted;
  return failed.some(({ mandatory }) => mandatory) ? exitCodes.failed : exitCodes.ok;
}

interface Told {
  readonly tally: RowTally;
  /** Schedules run since the last tally of the row. */
  readonly more: number;
}

/** What comes of the batches, in their order, whoever runs them; a row in which something is wrong is left. */
async function* tallies(
  order: SuiteOrder,
  workerPool: SuitePool,
  names: readonly string[],
  kept: ReadonlyMap<string, RowTally>,
  enough: () => boolean,
): AsyncGenerator<Told> {
  const begun = new Map(names.map((name, row) => [name, { row, from: kept.get(name)?.schedules ?? 0 }]));
  const batches = batchesOf(order, (name) => begun.get(name)!.from);
  const underWay: { readonly name: string; readonly first: number; readonly tally: Promise<RowTally> }[] = [];
  for (;;) {
    while (underWay.length < workerPool.underWayMax && !enough()) {
      const { value: batch } = batches.next();
      if (!batch) break;
      const name = rowName(batch.row);
      if (kept.get(name)?.found !== undefined) continue;
      const tally = workerPool.run({ row: begun.get(name)!.row, first: batch.first, count: batch.count });
      // It is waited for in its turn; until then its failure is nobody's.
      tally.catch(() => {});
      underWay.push({ name, first: batch.first, tally });
    }
    const next = underWay.shift();
    // What is under way when somebody asks to stop is given up.
    if (next === undefined || enough()) return;
    const tally = await next.tally;
    if (kept.get(next.name)?.found === undefined) yield { tally, more: tally.schedules - next.first };
  }
}
