import { hashOf } from '../../kernel/hash.ts';
import type { Shard } from '../../properties/explore/campaign.ts';

/** How far a row has come: something that is run under numbered schedules until one is wrong. */
export interface RowTally {
  /** Its name. */
  readonly row: string;
  /** Schedules in which nothing was wrong, from the first one that is dealt to the shard on. */
  readonly schedules: number;
  /** What is wrong in the schedule behind them, and the number of that schedule. */
  readonly found?: string;
  readonly at?: number;
}

/** The rows of a campaign, and what is wrong with the row of an index under the schedule of a number: nothing when undefined. */
export interface Rows {
  readonly names: readonly string[];
  tried(row: number, schedule: number): string | undefined | Promise<string | undefined>;
}

/** Schedules of the row of an index, by their places among those that are dealt to the shard. */
export interface RowsBatch {
  readonly row: number;
  readonly first: number;
  readonly count: number;
}

const whole: Shard = { number: 1, of: 1 };

/** Which of the schedules of a row is the first of a shard: rows begin with different shards, so that rows of one schedule are dealt out, too. */
const firstOf = (row: string, { number, of }: Shard): number => {
  const turn = Number.parseInt(hashOf(row).slice(0, 8), 16) % of;
  return (number - 1 + of - turn) % of;
};

/** The number of the schedule in a place of those that are dealt to a shard. */
export const scheduleNumber = (row: string, place: number, shard: Shard = whole): number =>
  firstOf(row, shard) + place * shard.of;

/** How many of the first `each` schedules of a row are dealt to a shard. */
export const dealtSchedules = (row: string, each: number, shard: Shard = whole): number =>
  Math.max(0, Math.ceil((each - firstOf(row, shard)) / shard.of));

/** Schedules of a batch at most: so often somebody can tell how far a row is. */
const batchMost = 30;

/**
 * The batches of a campaign, in the order in which they are to be run: every row once, then every row up to ten times, and from then on all of them
 * by turns.
 *
 * Why: what comes to an end early has seen all rows alike. Details: `from` says how many schedules of a row are run already; those are in no batch.
 */
export function* batchesOf(
  names: readonly string[],
  each: number,
  shard: Shard | undefined,
  from: (row: string) => number,
): Generator<RowsBatch> {
  const last = names.map((name) => dealtSchedules(name, each, shard));
  const most = Math.max(0, ...last);
  const next = (end: number): number => Math.min(10 * end, end + batchMost, most);
  for (let begin = 0, end = Math.min(1, most); begin < most; begin = end, end = next(end))
    for (const [row, name] of names.entries()) {
      const first = Math.max(begin, from(name));
      const count = Math.min(end, last[row]!) - first;
      if (count > 0) yield { row, first, count };
    }
}

/** Carries out a batch until something is wrong, or all of it is run. */
export async function runBatch(
  { names, tried }: Rows,
  shard: Shard | undefined,
  { row, first, count }: RowsBatch,
): Promise<RowTally> {
  const name = names[row]!;
  for (let place = first; place < first + count; place++) {
    const at = scheduleNumber(name, place, shard);
    const found = await tried(row, at);
    if (found !== undefined) return { row: name, schedules: place, found, at };
  }
  return { row: name, schedules: first + count };
}

/** What the rows of all shards of a campaign come to together: the schedules from the first one on that are right, and the first one that is not. */
export function mergedRows(
  parts: readonly { readonly shard: Shard; readonly rows: readonly RowTally[] }[],
): readonly RowTally[] {
  const names = [...new Set(parts.flatMap(({ rows }) => rows.map(({ row }) => row)))];
  return names.map((name) => {
    const own = parts.map(({ shard, rows }) => {
      const row = rows.find((one) => one.row === name);
      return { next: scheduleNumber(name, row?.schedules ?? 0, shard), row };
    });
    const wrong = own
      .flatMap(({ row }) => (row?.found === undefined ? [] : [row]))
      .sort((one, other) => one.at! - other.at!)[0];
    const schedules = Math.min(...own.map(({ next }) => next));
    return { row: name, schedules, ...(wrong && { found: wrong.found!, at: wrong.at! }) };
  });
}
