import { coverageKinds } from '../kernel/coverage.ts';
import { bugOf } from '../properties/explore/bug.ts';
import { plannedRun } from '../properties/explore/campaign.ts';
import type { FailureKind } from '../properties/explore/trial.ts';
import type { FarmCampaign } from './campaign.ts';
import type { Database, Sql } from './database.ts';
import type { Job, Queue, Range, Simplification } from './queue.ts';
import type { TalliedFailure, Tally } from './tally.ts';

/** What became of a range. */
export interface Outcome {
  readonly tally: Tally;
  /** Why what is left cannot be carried out; without a reason it goes back. */
  readonly refused?: string;
}

/** Kind of the rows of `lockstep.coverage` that say in how many runs a property had something to judge. */
export const judgedKind = 'judged';
/** What counts of runs that were cut are called there. */
export const cutKind = 'cut';

/** Kinds of failures of a campaign that are made simple; further ones are counted. */
const simplifiedMax = 100;

/**
 * Writes what became of a range, all or nothing, and what is left of it goes back to the queue.
 *
 * Details: false when another worker was first, since the lease had ended, or when it was cancelled; then nothing is written.
 */
export function takeIn(
  database: Database,
  queue: Queue,
  campaign: FarmCampaign,
  job: Job<Range>,
  { tally, refused }: Outcome,
  worker: string,
): Promise<boolean> {
  return database.transaction(async (sql) => {
    if (!(await queue.isOpen(sql, job))) return false;
    if (tally.runs > 0) {
      await sql.query(
        'INSERT INTO lockstep.result (campaign, first, runs, deliveries, ends, worker, milliseconds) VALUES ($1, $2, $3, $4, $5, $6, $7)',
        [campaign.id, tally.first, tally.runs, tally.deliveries, tally.ends, worker, tally.milliseconds],
      );
      for (const [bug, failure] of tally.failures) await addFailure(sql, queue, campaign, bug, failure);
      await addCounts(sql, campaign.id, tally);
    }
    const { first, runs, generation } = job.work;
    const rest: Range = {
      ...job.work,
      first: first + tally.runs,
      runs: runs - tally.runs,
      generation: generation + 1,
    };
    if (rest.runs > 0 && refused === undefined) await queue.add(sql, [rest], campaign.leaseSeconds);
    if (rest.runs > 0 && refused !== undefined)
      await sql.query(
        'INSERT INTO lockstep.refused (campaign, first, runs, generation, message) VALUES ($1, $2, $3, $4, $5)',
        [campaign.id, rest.first, rest.runs, rest.generation, refused],
      );
    await sql.query('DELETE FROM lockstep.attempt WHERE campaign = $1 AND first = $2', [campaign.id, first]);
    await queue.done(sql, job);
    return true;
  });
}

async function addFailure(
  sql: Sql,
  queue: Queue,
  campaign: FarmCampaign,
  bug: string,
  { kind, first, smallest, by }: TalliedFailure,
): Promise<void> {
  const finding = await upsertFinding(sql, campaign.id, bug, kind, first, smallest);
  for (const [strategy, detection] of by)
    await sql.query(
      `INSERT INTO lockstep.detection AS old VALUES ($1, $2, $3, $4)
       ON CONFLICT (finding, strategy) DO UPDATE SET first = least(old.first, excluded.first), failures = old.failures + excluded.failures`,
      [finding.id, strategy, detection.first, detection.failures],
    );
  if (finding.smallest === smallest.run && finding.among <= simplifiedMax)
    await queue.simplify(sql, { campaign: campaign.id, finding: finding.id, bundle: campaign.bundle });
}

/** Adds a finding, or what is new of it: the words of its first run, and its smallest run. */
async function upsertFinding(
  sql: Sql,
  campaign: number,
  bug: string,
  { verdict, what }: FailureKind,
  first: number,
  smallest: TalliedFailure['smallest'],
): Promise<{ readonly id: number; readonly smallest: number; readonly among: number }> {
  const [finding] = await sql.query<{ id: number; smallest: number; among: number }>(
    `INSERT INTO lockstep.finding AS old (campaign, bug, verdict, what, first, smallest, size) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (campaign, bug) DO UPDATE SET
       what = CASE WHEN excluded.first < old.first THEN excluded.what ELSE old.what END,
       first = least(old.first, excluded.first),
       smallest = CASE WHEN (excluded.size, excluded.smallest) < (old.size, old.smallest) THEN excluded.smallest ELSE old.smallest END,
       size = least(old.size, excluded.size)
     RETURNING id, smallest::float8 AS smallest, (SELECT count(*)::float8 FROM lockstep.finding WHERE campaign = $1) AS among`,
    [campaign, bug, verdict, what, first, smallest.run, smallest.size],
  );
  return finding!;
}

/** Adds what runs have covered, and in how many each property had something to judge; in one order, so that nobody waits for each other. */
async function addCounts(sql: Sql, campaign: number, { coverage, judged, cut }: Tally): Promise<void> {
  const counts = Object.entries(judged).map(([name, runs]) => ({
    kind: judgedKind,
    type: '',
    name,
    times: runs,
    runs,
  }));
  const covered = coverageKinds.flatMap((kind) =>
    Object.entries(coverage[kind]).flatMap(([type, names]) => [
      // So that a type is known that has nothing of a kind.
      { kind, type, name: '', times: 0, runs: 0 },
      ...Object.entries(names).map(([name, [times, runs]]) => ({ kind, type, name, times, runs })),
    ]),
  );
  const cuts = { kind: cutKind, type: '', name: '', times: cut, runs: cut };
  const rows = [...(coverage.runs === 0 ? [] : covered), ...counts, ...(cut > 0 ? [cuts] : [])];
  if (rows.length === 0) return;
  await sql.query(
    `INSERT INTO lockstep.coverage AS old
     SELECT $1, kind, type, name, times, runs
     FROM jsonb_to_recordset($2::jsonb) AS seen (kind text, type text, name text, times bigint, runs bigint)
     ORDER BY kind, type, name
     ON CONFLICT (campaign, kind, type, name) DO UPDATE SET times = old.times + excluded.times, runs = old.runs + excluded.runs
     WHERE excluded.times > 0`,
    [campaign, JSON.stringify(rows)],
  );
}

/** How a run fails whose process dies. */
export const died: FailureKind = { verdict: 'error', what: 'the process died' };

/** Notes which run is under way, in case that the process dies of it; it need not outlive the database. */
export async function noteRun(sql: Sql, { work, attempt }: Job<Range>, run: number): Promise<void> {
  await sql.query(
    `WITH fast AS (SELECT set_config('synchronous_commit', 'off', true))
     INSERT INTO lockstep.attempt SELECT $1, $2, $3, $4, $5 FROM fast
     ON CONFLICT (campaign, first, generation, attempt) DO UPDATE SET run = excluded.run`,
    [work.campaign, work.first, work.generation, attempt, run],
  );
}

/**
 * Decides about a range that three workers have died of.
 *
 * Details: when it was the same run twice, or the range has one run only, that run is a finding, and what is left of the range goes back. Else the range is divided where a
 * worker died last, since they may have died of something else; the pieces begin anew.
 */
export function takeDeadRange(
  database: Database,
  queue: Queue,
  campaign: FarmCampaign,
  job: Job<Range>,
  worker: string,
): Promise<void> {
  const { first, runs, generation } = job.work;
  const end = first + runs;
  const pieces = (...cuts: readonly number[]): Range[] =>
    cuts.slice(1).flatMap((cut, index) => {
      const begin = cuts[index]!;
      return cut > begin
        ? [{ ...job.work, first: begin, runs: cut - begin, generation: generation + 1 }]
        : [];
    });
  return database.transaction(async (sql) => {
    if (!(await queue.isOpen(sql, job))) return;
    const noted = await sql.query<{ run: number }>(
      'SELECT run::float8 AS run FROM lockstep.attempt WHERE campaign = $1 AND first = $2 AND generation = $3 ORDER BY attempt DESC LIMIT 2',
      [campaign.id, first, generation],
    );
    const [last, before] = noted.map(({ run }) => run);
    const run = runs === 1 ? first : last !== undefined && last === before ? last : undefined;
    let back: Range[];
    if (run !== undefined) {
      back = pieces(first, run).concat(pieces(run + 1, end));
      await sql.query(
        "INSERT INTO lockstep.result (campaign, first, runs, deliveries, ends, worker, milliseconds) VALUES ($1, $2, 1, 0, '', $3, 0)",
        [campaign.id, run, worker],
      );
      const finding = await upsertFinding(sql, campaign.id, bugOf(died), died, run, { run, size: 0 });
      await sql.query('UPDATE lockstep.finding SET recorded = smallest, note = $2 WHERE id = $1', [
        finding.id,
        `three processes died of it: at last ${job.ended ?? 'without a word'}`,
      ]);
      await sql.query(
        `INSERT INTO lockstep.detection AS old VALUES ($1, $2, $3, 1)
         ON CONFLICT (finding, strategy) DO UPDATE SET first = least(old.first, excluded.first), failures = old.failures + 1`,
        [finding.id, plannedRun(campaign.identity, run).strategy, run],
      );
    } else if (last !== undefined) back = pieces(first, last, last + 1, end);
    else back = pieces(first, first + Math.floor(runs / 2), end);
    if (back.length > 0) await queue.add(sql, back, campaign.leaseSeconds);
    await sql.query('DELETE FROM lockstep.attempt WHERE campaign = $1 AND first = $2', [campaign.id, first]);
    await queue.done(sql, job);
  });
}

/** The record of a finding: its smallest run made simple, as files. */
export interface FindingRecord {
  /** The explanation. */
  readonly page: string;
  /** Texts of the recording and of a generated scenario, by their names. */
  readonly files: readonly (readonly [name: string, text: string])[];
  readonly picks: { readonly found: number; readonly left: number };
  readonly attempts: number;
  readonly complete: boolean;
}

/** What is to be made simple: the smallest run of a finding as it stands; undefined when that has a record. */
export async function toSimplify(
  sql: Sql,
  { finding }: Simplification,
): Promise<{ readonly run: number; readonly kind: FailureKind } | undefined> {
  const [found] = await sql.query<{ run: number } & FailureKind>(
    `SELECT smallest::float8 AS run, verdict, what FROM lockstep.finding WHERE id = $1 AND recorded IS DISTINCT FROM smallest`,
    [finding],
  );
  return found && { run: found.run, kind: { verdict: found.verdict, what: found.what } };
}

/** Keeps the record of a finding, or notes why it has none. */
export function takeRecord(
  database: Database,
  queue: Queue,
  job: Job<Simplification>,
  run: number | undefined,
  record: FindingRecord | string | undefined,
): Promise<void> {
  return database.transaction(async (sql) => {
    if (!(await queue.isOpen(sql, job))) return;
    if (run !== undefined)
      await sql.query(
        'UPDATE lockstep.finding SET recorded = $2, record = $3::jsonb, note = $4 WHERE id = $1',
        [
          job.work.finding,
          run,
          typeof record === 'object' ? JSON.stringify(record) : null,
          typeof record === 'string' ? record : null,
        ],
      );
    await queue.done(sql, job);
  });
}
