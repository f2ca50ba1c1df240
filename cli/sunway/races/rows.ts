import { programsOf, type RaceEdition, wrongInSchedule } from '../../../properties/sunway/race-campaign.ts';
import type { Rows } from '../../campaign/schedules.ts';

/** What makes the rows of a campaign of races, as plain data. */
export interface RaceOrder {
  /** Programs by name. */
  readonly programs: readonly string[];
  readonly edition: RaceEdition;
  readonly seed: number;
}

/** The programs of an order, each a row. */
export async function raceRows({ programs: names, edition, seed }: RaceOrder): Promise<Rows> {
  const programs = names.map((name) => programsOf(edition).find((one) => one.name === name)!);
  return { names, tried: (row, schedule) => wrongInSchedule(programs[row]!, schedule, seed) };
}
