import type { Command } from 'commander';
import {
  programsOf,
  type RaceBatch,
  type RaceOrder,
  type RaceRow,
  raceBatches,
  runRaceBatch,
  schedulesMax,
} from '../../../properties/sunway/race-campaign.ts';
import type { Session } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { Interrupt } from '../../interrupt.ts';
import { naturalOption } from '../../natural-option.ts';
import { Progress } from '../../progress.ts';
import { RowsLedger } from '../../rows-ledger.ts';
import { ownThread, threadPool, type WorkerPool } from '../../threads/worker-pool.ts';
import { UsageError } from '../../usage-error.ts';
import { goneOnWith, raceLedger } from './ledger.ts';

interface RacesWords {
  readonly only?: string;
  readonly full?: boolean;
  readonly schedules: number;
  readonly seed: number;
  readonly workers: number;
  readonly ledger?: string;
  readonly json?: boolean;
}

const workersMax = 256;
/** The part of a seed that a schedule's number does not take. */
const seedMax = 1_000_000;

/** `lockstep sunway races`: programs that are right under schedules at random, of which the race detector may report none (Sunway specification 7.3). */
export function declareRaces(command: Command, session: Session): void {
  command
    .option('--only <text>', 'programs whose name has this in it')
    .option('--full', 'programs as they are specified; with few CPEs and elements when not given')
    .option('--schedules <n>', 'schedules of each program', naturalOption('--schedules', schedulesMax), 100)
    .option('--seed <n>', 'decides what the schedules draw', naturalOption('--seed', seedMax), 1)
    .option(
      '--workers <n>',
      'threads; what is found does not depend on them',
      naturalOption('--workers', workersMax),
      1,
    )
    .option('--ledger <file>', 'keep what has been run; the same command goes on from there')
    .option('--json', 'one JSON object {rows, schedules, failed} on standard output')
    .action(async (options: RacesWords) => {
      session.exitCode = await races(options, session);
    });
}

async function races(options: RacesWords, { terminal }: Session): Promise<number> {
  const { schedules, seed, workers, json } = options;
  if (workers === 0)
    throw new UsageError('--workers: found "0", expected at least 1', 'for example --workers 2');
  const edition = options.full ? 'full' : 'small';
  const order: RaceOrder = { programs: chosen(edition, options.only), edition, schedules, seed };
  const ledger = options.ledger === undefined ? undefined : new RowsLedger(options.ledger, raceLedger, order);
  const rows = new Map<string, RaceRow>(
    (ledger?.read() ?? []).map(goneOnWith).map((row) => [row.program, row]),
  );
  const doneOf = (program: string): number => rows.get(program)?.schedules ?? 0;
  const left = order.programs.reduce((sum, program) => sum + Math.max(0, schedules - doneOf(program)), 0);
  const workerPool: RacePool =
    workers === 1
      ? ownThread((batch) => runRaceBatch(order, batch))
      : threadPool('cli/sunway/races/serve', order, workers);
  const interrupt = new Interrupt(terminal);
  const progress = new Progress(terminal, 'schedules', left);
  let run = 0;
  try {
    for await (const row of rowsOf(order, workerPool, doneOf, () => interrupt.asked)) {
      if (rows.get(row.program)?.found !== undefined) continue;
      run += row.schedules - doneOf(row.program);
      rows.set(row.program, row);
      progress.update(run, run);
      ledger?.keep(rows.values());
    }
  } finally {
    progress.end();
    interrupt.release();
    await workerPool.end();
  }
  ledger?.write(rows.values());
  const told = order.programs.map((program) => rows.get(program) ?? { program, schedules: 0 });
  const failed = told.filter(({ found }) => found !== undefined).length;
  if (json) terminal.out(`${JSON.stringify({ rows: told, schedules, failed })}\n`);
  else terminal.out(table(told, order, failed));
  if (interrupt.asked) return exitCodes.interrupted;
  return failed > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Programs by name. Errors: `UsageError`. */
function chosen(edition: RaceOrder['edition'], only = ''): readonly string[] {
  const names = programsOf(edition).map(({ name }) => name);
  const found = names.filter((name) => name.includes(only));
  if (found.length > 0) return found;
  throw new UsageError(
    `--only: found "${only}", expected something that is in the name of a program`,
    `programs: ${names.join(', ')}`,
  );
}

type RacePool = WorkerPool<RaceBatch, RaceRow>;

/** What comes of the batches, in their order, whoever runs them; what is under way when somebody asks to stop is given up. */
async function* rowsOf(
  order: RaceOrder,
  workerPool: RacePool,
  doneOf: (program: string) => number,
  enough: () => boolean,
): AsyncGenerator<RaceRow> {
  const wrong = new Set<string>();
  const underWay: Promise<RaceRow>[] = [];
  const batches = raceBatches(order, doneOf);
  for (;;) {
    while (underWay.length < workerPool.underWayMax && !enough()) {
      const { value: batch } = batches.next();
      if (!batch) break;
      if (wrong.has(batch.program)) continue;
      const row = workerPool.run(batch);
      // It is waited for in its turn; until then its failure is nobody's.
      row.catch(() => {});
      underWay.push(row);
    }
    const next = underWay.shift();
    if (next === undefined || enough()) return;
    const row = await next;
    if (row.found !== undefined) wrong.add(row.program);
    yield row;
  }
}

/** Rows for people. */
function table(rows: readonly RaceRow[], { schedules }: RaceOrder, failed: number): string {
  const cells = rows.map(({ program, schedules: done, found }) => [
    program,
    String(done),
    found === undefined ? (done >= schedules ? 'ok' : 'ok so far') : `WRONG in schedule ${done}: ${found}`,
  ]);
  const lines = [['program', 'schedules', 'result'], ...cells];
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map(
    ([program, done, result]) => `${program!.padEnd(widths[0]!)}  ${done!.padStart(widths[1]!)}  ${result}`,
  );
  const whole = rows.filter(({ schedules: done, found }) => found === undefined && done >= schedules).length;
  return `${[...text, `${whole} of ${rows.length} programs are right in all schedules, ${failed} are not`].join('\n')}\n`;
}
