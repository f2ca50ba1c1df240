import type { Command } from 'commander';
import { programsOf, type RaceEdition, schedulesMax } from '../../../properties/sunway/race-campaign.ts';
import {
  type CampaignWords,
  type CarriedOut,
  carryOutSchedules,
  declareCampaign,
} from '../../campaign/carry-out.ts';
import type { Session } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { naturalOption } from '../../natural-option.ts';
import { UsageError } from '../../usage-error.ts';
import { raceRows } from './rows.ts';

interface RacesWords extends CampaignWords {
  readonly only?: string;
  readonly full?: boolean;
  readonly schedules: number;
  readonly seed: number;
  readonly json?: boolean;
}

/** The part of a seed that a schedule's number does not take. */
const seedMax = 1_000_000;

/** `lockstep sunway races`: programs that are right under schedules at random, of which the race detector may report none (Sunway specification 7.3). */
export function declareRaces(command: Command, session: Session): void {
  command
    .option('--only <text>', 'programs whose name has this in it')
    .option('--full', 'programs as they are specified; with few CPEs and elements when not given')
    .option('--schedules <n>', 'schedules of each program', naturalOption('--schedules', schedulesMax), 100)
    .option('--seed <n>', 'decides what the schedules draw', naturalOption('--seed', seedMax), 1);
  declareCampaign(command)
    .option('--json', 'one JSON object {rows, schedules, failed} on standard output')
    .action(async (options: RacesWords) => {
      session.exitCode = await races(options, session);
    });
}

async function races(words: RacesWords, { terminal }: Session): Promise<number> {
  const { schedules, seed, json } = words;
  const edition = words.full ? 'full' : 'small';
  const carriedOut = await carryOutSchedules(
    {
      campaign: 'sunway races',
      order: { seed, edition },
      each: schedules,
      plain: { programs: chosen(edition, words.only), edition, seed },
      open: raceRows,
      serve: 'cli/sunway/races/serve',
    },
    words,
    terminal,
  );
  const { rows } = carriedOut;
  const failed = rows.filter(({ found }) => found !== undefined).length;
  const told = rows.map(({ row, schedules: right, found }) => ({
    program: row,
    schedules: right,
    ...(found !== undefined && { found }),
  }));
  if (json) terminal.out(`${JSON.stringify({ rows: told, schedules, failed })}\n`);
  else terminal.out(table(carriedOut, failed));
  if (carriedOut.interrupted) return exitCodes.interrupted;
  return failed > 0 ? exitCodes.failed : exitCodes.ok;
}

/** Programs by name. Errors: `UsageError`. */
function chosen(edition: RaceEdition, only = ''): readonly string[] {
  const names = programsOf(edition).map(({ name }) => name);
  const found = names.filter((name) => name.includes(only));
  if (found.length > 0) return found;
  throw new UsageError(
    `--only: found "${only}", expected something that is in the name of a program`,
    `programs: ${names.join(', ')}`,
  );
}

/** Rows for people. */
function table({ rows, isDone }: CarriedOut, failed: number): string {
  const cells = rows.map((one) => [
    one.row,
    String(one.schedules),
    one.found === undefined
      ? isDone(one)
        ? 'ok'
        : 'ok so far'
      : `WRONG in schedule ${one.at}: ${one.found}`,
  ]);
  const lines = [['program', 'schedules', 'result'], ...cells];
  const widths = [0, 1].map((column) => Math.max(...lines.map((line) => line[column]!.length)));
  const text = lines.map(
    ([program, done, result]) => `${program!.padEnd(widths[0]!)}  ${done!.padStart(widths[1]!)}  ${result}`,
  );
  const right = rows.filter((one) => one.found === undefined && isDone(one)).length;
  return `${[...text, `${right} of ${rows.length} programs are right in all schedules, ${failed} are not`].join('\n')}\n`;
}
