import type { Command } from 'commander';
import { sourceMutants } from '../../machines/chiplet/source-mutants.ts';
import { systemMutants } from '../../machines/chiplet/system-mutants.ts';
import { ComparedSystems, schedulesOf } from '../../properties/chiplet/system/schedules.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupt } from '../interrupt.ts';
import { naturalOption } from '../natural-option.ts';
import { grouped, Progress } from '../progress.ts';
import { projectFile } from '../project.ts';
import { RowsLedger } from '../rows-ledger.ts';
import { UsageError } from '../usage-error.ts';
import { goneOnWith, type SystemTally, schedulesLedger } from './schedules-ledger.ts';

interface SchedulesWords {
  readonly systems: number;
  readonly schedules: number;
  readonly only?: number;
  readonly seed: number;
  readonly mutant: readonly string[];
  readonly ledger?: string;
  readonly json?: boolean;
}

/** Numbers of schedules that a system may have: those of two systems are never the same. */
const schedulesMax = 1_000_000;

/** `lockstep chiplet schedules`: no schedule changes what the programs of a system compute (chiplet specification 12, 14). */
export function declareSchedules(command: Command, session: Session): void {
  command
    .option(
      '--systems <n>',
      'scenarios in each mode, then generated systems',
      naturalOption('--systems'),
      400,
    )
    .option('--schedules <n>', 'schedules of each', naturalOption('--schedules', schedulesMax), 250)
    .option('--only <n>', 'the system of this number alone', naturalOption('--only'))
    .option('--seed <n>', 'decides which systems are generated', naturalOption('--seed', 2 ** 32 - 1), 41)
    .option('--mutant <list>', 'planted faults, with commas between them; may be repeated', mutantsOption, [])
    .option('--ledger <file>', 'keep what has been run; the same command goes on from there')
    .option('--json', 'one JSON object {rows, schedules, failed} on standard output')
    .action(async (words: SchedulesWords) => {
      session.exitCode = await schedules(words, session);
    });
}

/** Planted faults of systems by their ids. Errors: `UsageError`. */
function mutantsOption(text: string, before: readonly string[]): readonly string[] {
  const ids = [...systemMutants.keys(), ...sourceMutants.keys()];
  const words = text.split(',');
  const unknown = words.find((word) => !ids.includes(word));
  if (unknown === undefined) return [...before, ...words];
  throw new UsageError(
    `--mutant: found "${unknown}", expected faults of systems`,
    didYouMean(unknown, ids, 'faults'),
  );
}

async function schedules(words: SchedulesWords, { terminal }: Session): Promise<number> {
  const { schedules: each, only, seed, mutant: mutants, json } = words;
  const numbers = only === undefined ? Array.from({ length: words.systems }, (_, one) => one) : [only];
  const systems = new ComparedSystems(seed, mutants, projectFile('scenarios/chiplet'));
  const ledger =
    words.ledger === undefined
      ? undefined
      : new RowsLedger(words.ledger, schedulesLedger(each), { seed, mutants });
  const kept = new Map((ledger?.read() ?? []).map(goneOnWith).map((tally) => [tally.system, tally]));
  const before = numbers.reduce((sum, one) => sum + Math.min(each, kept.get(one)?.schedules ?? 0), 0);
  const interrupt = new Interrupt(terminal);
  const progress = new Progress(terminal, 'schedules', numbers.length * each - before);
  const began = performance.now();
  let run = 0;
  try {
    for (const number of numbers) {
      if (interrupt.asked) break;
      for await (const tally of tallies(systems, number, kept.get(number)?.schedules ?? 0, each)) {
        kept.set(number, tally);
        progress.update(++run, run);
        ledger?.keep(kept.values());
        // Signals are heard only when the event loop turns.
        await new Promise((resolve) => setImmediate(resolve));
        if (interrupt.asked) break;
      }
    }
  } finally {
    progress.end();
    interrupt.release();
    ledger?.write(kept.values());
  }
  const rows = numbers.flatMap((one) => kept.get(one) ?? []);
  const failed = rows.filter(({ found }) => found !== undefined);
  const total = rows.reduce((sum, one) => sum + one.schedules, 0);
  const seconds = (performance.now() - began) / 1000;
  if (json) terminal.out(`${JSON.stringify({ rows, schedules: total, failed: failed.length })}\n`);
  for (const { system, name, schedules: last, found } of failed)
    terminal.err(`system ${system} (${name}), schedule ${last - 1}: ${found}\n`);
  terminal.err(
    `${grouped(total)} schedules of ${rows.length} systems, ${failed.length} systems failed; ${grouped(run)} of them now, ${Math.round(run / seconds)} a second\n`,
  );
  if (failed.length > 0) return exitCodes.failed;
  return interrupt.asked ? exitCodes.interrupted : exitCodes.ok;
}

/** The schedules of a system from one on, one after the other; none after the first that is wrong. */
async function* tallies(
  systems: ComparedSystems,
  number: number,
  from: number,
  each: number,
): AsyncGenerator<SystemTally> {
  if (from >= each) return;
  const system = await systems.system(number);
  const compared = schedulesOf(system);
  const name = `${system.name}, ${system.config.mode}`;
  for (let schedule = from; schedule < each; schedule++) {
    const found = compared.differs(schedulesMax * number + schedule);
    const tally = { system: number, name, schedules: schedule + 1 };
    yield found === undefined ? tally : { ...tally, found };
    if (found !== undefined) return;
  }
}
