import type { Command } from 'commander';
import { sourceMutants } from '../../machines/chiplet/source-mutants.ts';
import { systemMutants } from '../../machines/chiplet/system-mutants.ts';
import { didYouMean } from '../../scenarios/nearest.ts';
import { type CampaignWords, carryOutSchedules, declareCampaign } from '../campaign/carry-out.ts';
import type { Session } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { naturalOption } from '../natural-option.ts';
import { grouped } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import { schedulesMax, systemName, systemRows } from './schedules-rows.ts';

interface SchedulesWords extends CampaignWords {
  readonly systems: number;
  readonly schedules: number;
  readonly only?: number;
  readonly seed: number;
  readonly mutant: readonly string[];
  readonly json?: boolean;
}

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
    .option(
      '--mutant <list>',
      'planted faults, with commas between them; may be repeated',
      mutantsOption,
      [],
    );
  declareCampaign(command)
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
  const plain = { numbers, seed, mutants };
  const carriedOut = await carryOutSchedules(
    {
      campaign: 'chiplet schedules',
      order: { seed, mutant: mutants },
      each,
      plain,
      open: systemRows,
      serve: 'cli/chiplet/schedules-serve',
    },
    words,
    terminal,
  );
  const rows = await Promise.all(
    carriedOut.rows.map(async ({ schedules: right, found, at }, index) => ({
      system: numbers[index]!,
      name: await systemName(plain, numbers[index]!),
      schedules: right + (found === undefined ? 0 : 1),
      ...(found !== undefined && { found, at: at! }),
    })),
  );
  const failed = rows.filter(({ found }) => found !== undefined);
  const total = rows.reduce((sum, one) => sum + one.schedules, 0);
  const { run, seconds } = carriedOut;
  if (json) terminal.out(`${JSON.stringify({ rows, schedules: total, failed: failed.length })}\n`);
  for (const { system, name, at, found } of failed)
    terminal.err(`system ${system} (${name}), schedule ${at}: ${found}\n`);
  terminal.err(
    `${grouped(total)} schedules of ${rows.length} systems, ${failed.length} systems failed; ${grouped(run)} of them now, ${Math.round(run / seconds)} a second\n`,
  );
  if (failed.length > 0) return exitCodes.failed;
  return carriedOut.interrupted ? exitCodes.interrupted : exitCodes.ok;
}
