import type { Sql } from './database.ts';
import type { FindingRecord } from './take-in.ts';

/** How far a campaign is: numbers are runs unless they say otherwise. */
export interface FarmProgress {
  readonly campaign: number;
  readonly what: string;
  readonly version: string;
  readonly runs: number;
  readonly done: number;
  readonly deliveries: number;
  readonly waiting: number;
  readonly underWay: number;
  readonly cancelled: number;
  /** How often a range was given back by a worker that died. */
  readonly givenBack: number;
  readonly refused: number;
  readonly findings: number;
  readonly failures: number;
  /** Of the last minute. */
  readonly runsPerSecond: number;
}

/** How far all campaigns are. */
export const progressOf = (sql: Sql): Promise<readonly FarmProgress[]> =>
  sql.query(
    `SELECT campaign, what, version, runs::float8 AS runs, done::float8 AS done, deliveries::float8 AS deliveries, waiting::float8 AS waiting,
       under_way::float8 AS "underWay", cancelled::float8 AS cancelled, given_back::float8 AS "givenBack", refused::float8 AS refused,
       findings::float8 AS findings, failures::float8 AS failures, runs_per_second AS "runsPerSecond"
     FROM lockstep.progress ORDER BY campaign`,
  );

/** One kind of failure of a campaign. */
export interface FarmFinding {
  readonly id: number;
  readonly campaign: number;
  readonly verdict: string;
  readonly what: string;
  /** Number of the first run that failed so, and of the smallest one. */
  readonly first: number;
  readonly smallest: number;
  readonly simplified: boolean;
  readonly failures: number;
}

/** The findings of all campaigns. */
export const findingsOf = (sql: Sql): Promise<readonly FarmFinding[]> =>
  sql.query(
    `SELECT id, campaign, verdict, what, first::float8 AS first, smallest::float8 AS smallest, simplified, failures::float8 AS failures
     FROM lockstep.findings ORDER BY campaign, first, id`,
  );

/** Somebody who was at work in the last minute. */
export interface FarmWorker {
  readonly name: string;
  readonly version: string;
  readonly runs: number;
}

export const workersOf = (sql: Sql): Promise<readonly FarmWorker[]> =>
  sql.query('SELECT name, version, runs::float8 AS runs FROM lockstep.workers WHERE at_work ORDER BY name');

/** A reason why ranges were refused. */
export interface Refusal {
  readonly campaign: number;
  readonly message: string;
  readonly ranges: number;
}

export const refusalsOf = (sql: Sql): Promise<readonly Refusal[]> =>
  sql.query(
    'SELECT campaign, message, count(*)::float8 AS ranges FROM lockstep.refused GROUP BY 1, 2 ORDER BY 1, min(first)',
  );

/** A finding with what a worker made of its smallest run. */
export interface RecordedFinding extends FarmFinding {
  readonly record: FindingRecord | null;
  /** Why it has none. */
  readonly note: string | null;
}

export async function recordedFindingOf(sql: Sql, id: number): Promise<RecordedFinding | undefined> {
  const found = (await findingsOf(sql)).find((one) => one.id === id);
  const [more] = await sql.query<Pick<RecordedFinding, 'record' | 'note'>>(
    'SELECT record, note FROM lockstep.finding WHERE id = $1',
    [id],
  );
  return found && more && { ...found, ...more };
}
