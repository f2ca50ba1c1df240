import { type Database, explained } from './database.ts';
import { FarmError, noFarmIn } from './farm-error.ts';

/** Steps from an empty database to the tables of this version; a step that was published is never changed. */
const steps: readonly string[] = [
  `
  CREATE TABLE lockstep.bundle (
    hash text PRIMARY KEY,
    files jsonb NOT NULL
  );
  COMMENT ON TABLE lockstep.bundle IS 'modules of users that campaigns need, by the hash that their jobs name';

  CREATE TABLE lockstep.campaign (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    what text NOT NULL,
    version text NOT NULL,
    identity jsonb NOT NULL,
    subject jsonb NOT NULL,
    bundle text REFERENCES lockstep.bundle,
    runs bigint NOT NULL CHECK (runs > 0),
    lease_seconds integer NOT NULL,
    first_end text NOT NULL,
    added_at timestamptz NOT NULL DEFAULT now()
  );
  COMMENT ON COLUMN lockstep.campaign.identity IS 'what a ledger says of its campaign';
  COMMENT ON COLUMN lockstep.campaign.first_end IS 'fingerprint of the end of run 0: a worker in which it ends otherwise has another machine';

  CREATE TABLE lockstep.result (
    campaign integer NOT NULL REFERENCES lockstep.campaign ON DELETE CASCADE,
    first bigint NOT NULL,
    runs integer NOT NULL CHECK (runs > 0),
    deliveries bigint NOT NULL,
    ends bytea NOT NULL,
    worker text NOT NULL,
    milliseconds double precision NOT NULL,
    done_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign, first)
  );
  COMMENT ON TABLE lockstep.result IS 'ranges of runs that are done, each once';
  COMMENT ON COLUMN lockstep.result.ends IS 'fingerprints of the ends of the runs, 8 bytes each, in their order; none for a run in which the process died';

  CREATE TABLE lockstep.finding (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    campaign integer NOT NULL REFERENCES lockstep.campaign ON DELETE CASCADE,
    bug text NOT NULL,
    verdict text NOT NULL,
    what text NOT NULL,
    first bigint NOT NULL,
    smallest bigint NOT NULL,
    size integer NOT NULL,
    recorded bigint,
    record jsonb,
    note text,
    UNIQUE (campaign, bug)
  );
  COMMENT ON TABLE lockstep.finding IS 'kinds of failures, each once';
  COMMENT ON COLUMN lockstep.finding.smallest IS 'number of the failing run with the smallest scenario and tape: what is made simple';
  COMMENT ON COLUMN lockstep.finding.size IS 'characters of its scenario and picks of its tape; of two of a size the one with the lower number';
  COMMENT ON COLUMN lockstep.finding.recorded IS 'number of the run that the record was made of';

  CREATE TABLE lockstep.detection (
    finding integer NOT NULL REFERENCES lockstep.finding ON DELETE CASCADE,
    strategy text NOT NULL,
    first bigint NOT NULL,
    failures bigint NOT NULL,
    PRIMARY KEY (finding, strategy)
  );
  COMMENT ON TABLE lockstep.detection IS 'what each strategy saw of a finding';

  CREATE TABLE lockstep.coverage (
    campaign integer NOT NULL REFERENCES lockstep.campaign ON DELETE CASCADE,
    kind text NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    times bigint NOT NULL,
    runs bigint NOT NULL,
    PRIMARY KEY (campaign, kind, type, name)
  ) WITH (fillfactor = 50);
  COMMENT ON TABLE lockstep.coverage IS 'how often each state, transition, guard and order was seen, and in how many runs; without a name of a type that is there';

  CREATE TABLE lockstep.refused (
    campaign integer NOT NULL REFERENCES lockstep.campaign ON DELETE CASCADE,
    first bigint NOT NULL,
    runs integer NOT NULL,
    generation integer NOT NULL,
    message text NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign, first)
  );
  COMMENT ON TABLE lockstep.refused IS 'ranges that could not be carried out, until they are tried again';

  CREATE TABLE lockstep.attempt (
    campaign integer NOT NULL REFERENCES lockstep.campaign ON DELETE CASCADE,
    first bigint NOT NULL,
    generation integer NOT NULL,
    attempt integer NOT NULL,
    run bigint NOT NULL,
    PRIMARY KEY (campaign, first, generation, attempt)
  );
  COMMENT ON TABLE lockstep.attempt IS 'which run was under way when a range that its worker has died of was tried again';

  CREATE TABLE lockstep.worker (
    name text PRIMARY KEY,
    version text NOT NULL,
    seen_at timestamptz NOT NULL DEFAULT now(),
    runs bigint NOT NULL DEFAULT 0
  );
  `,
  `
  CREATE VIEW lockstep.jobs AS
    SELECT (data->>'campaign')::integer AS campaign,
      coalesce(sum((data->>'runs')::bigint) FILTER (WHERE state IN ('created', 'retry')), 0)::bigint AS waiting,
      coalesce(sum((data->>'runs')::bigint) FILTER (WHERE state = 'active'), 0)::bigint AS under_way,
      coalesce(sum((data->>'runs')::bigint) FILTER (WHERE state = 'cancelled'), 0)::bigint AS cancelled,
      coalesce(sum(retry_count), 0)::bigint AS given_back
    FROM lockstep_queue.job WHERE name LIKE 'ranges-%' GROUP BY 1;
  COMMENT ON VIEW lockstep.jobs IS 'how many runs wait, are under way, are cancelled; how often a range was given back';

  CREATE VIEW lockstep.progress AS
    SELECT campaign.id AS campaign, campaign.what, campaign.version, campaign.runs,
      coalesce(done.runs, 0)::bigint AS done,
      coalesce(done.deliveries, 0)::bigint AS deliveries,
      coalesce(jobs.waiting, 0)::bigint AS waiting,
      coalesce(jobs.under_way, 0)::bigint AS under_way,
      coalesce(jobs.cancelled, 0)::bigint AS cancelled,
      coalesce(jobs.given_back, 0)::bigint AS given_back,
      coalesce(refused.runs, 0)::bigint AS refused,
      coalesce(found.findings, 0)::bigint AS findings,
      coalesce(found.failures, 0)::bigint AS failures,
      coalesce(done.lately, 0) / least(60, greatest(1, extract(epoch FROM now() - done.began)))::double precision AS runs_per_second,
      campaign.added_at
    FROM lockstep.campaign
    LEFT JOIN (
      SELECT campaign, sum(runs) AS runs, sum(deliveries) AS deliveries,
        min(done_at - milliseconds * interval '1 millisecond') AS began,
        sum(runs) FILTER (WHERE done_at > now() - interval '60 seconds') AS lately
      FROM lockstep.result GROUP BY 1
    ) done ON done.campaign = campaign.id
    LEFT JOIN lockstep.jobs ON jobs.campaign = campaign.id
    LEFT JOIN (SELECT campaign, sum(runs) AS runs FROM lockstep.refused GROUP BY 1) refused ON refused.campaign = campaign.id
    LEFT JOIN (
      SELECT campaign, count(DISTINCT finding.id) AS findings, sum(failures) AS failures
      FROM lockstep.finding JOIN lockstep.detection ON detection.finding = finding.id GROUP BY 1
    ) found ON found.campaign = campaign.id;
  COMMENT ON VIEW lockstep.progress IS 'how far is each campaign?';

  CREATE VIEW lockstep.findings AS
    SELECT finding.id, finding.campaign, finding.verdict, finding.what, finding.first, finding.smallest,
      finding.recorded IS NOT DISTINCT FROM finding.smallest AS simplified,
      (SELECT sum(failures)::bigint FROM lockstep.detection WHERE detection.finding = finding.id) AS failures
    FROM lockstep.finding;
  COMMENT ON VIEW lockstep.findings IS 'what was found, how often, first in which run?';

  CREATE VIEW lockstep.covered AS
    SELECT campaign, kind, count(*)::bigint AS items, count(*) FILTER (WHERE times > 0)::bigint AS seen
    FROM lockstep.coverage WHERE name <> '' GROUP BY 1, 2;
  COMMENT ON VIEW lockstep.covered IS 'how much is covered?';

  CREATE VIEW lockstep.workers AS
    SELECT name, version, runs, seen_at, seen_at > now() - interval '60 seconds' AS at_work FROM lockstep.worker;
  COMMENT ON VIEW lockstep.workers IS 'who is at work?';

  CREATE VIEW lockstep.miscounted AS
    SELECT campaign, first, runs, next FROM (
      SELECT campaign, first, runs, lead(first) OVER (PARTITION BY campaign ORDER BY first) AS next FROM lockstep.result
    ) beside WHERE next < first + runs;
  COMMENT ON VIEW lockstep.miscounted IS 'is a run counted twice? There must be no row';
  `,
];

/** Number of a lock that two who migrate at once wait for. */
const lockNumber = 0x10c5_7e90;

/** The version of the tables that this Lockstep works with. */
export const schemaVersion = steps.length;

/**
 * Makes the tables of a farm, or brings older ones up to `version`; what is in them is kept. `jobs` makes those of the queue, which views read.
 *
 * Errors: `FarmError` when the tables are of a newer Lockstep, or nobody may make them.
 */
export async function migrate(
  database: Database,
  jobs: () => Promise<void>,
  version = schemaVersion,
): Promise<void> {
  try {
    const present = await versionOf(database);
    if (present === 0) await demandRoom(database);
    if (present < version) {
      await jobs();
      await database.transaction(async (sql) => {
        await sql.query('SELECT pg_advisory_xact_lock($1)', [lockNumber]);
        await sql.query('CREATE SCHEMA IF NOT EXISTS lockstep');
        await sql.query('CREATE TABLE IF NOT EXISTS lockstep.version (version integer NOT NULL)');
        const [found] = await sql.query<{ version: number }>('SELECT version FROM lockstep.version');
        const before = found?.version ?? 0;
        for (const step of steps.slice(before, version)) await sql.script(step);
        if (found) await sql.query('UPDATE lockstep.version SET version = greatest(version, $1)', [version]);
        else await sql.query('INSERT INTO lockstep.version VALUES ($1)', [version]);
      });
    }
    if (version === schemaVersion) await demandVersion(database);
  } catch (error) {
    throw explained(error, database.place);
  }
}

/** Errors: `FarmError` for a database in which somebody else has tables in the schemas of a farm. */
async function demandRoom(database: Database): Promise<void> {
  const [other] = await database.query<{ schema: string; name: string }>(
    `SELECT schemaname AS schema, tablename AS name FROM pg_catalog.pg_tables WHERE schemaname = 'lockstep' ORDER BY tablename LIMIT 1`,
  );
  if (other)
    throw new FarmError(
      `${database.place}: found the table ${other.schema}.${other.name} of another tool, expected a schema lockstep that is free`,
      'use a database of its own for the farm: createdb NAME',
    );
}

/** Errors: `FarmError` when there are no tables, or those of another version. */
export async function demandVersion(database: Database): Promise<void> {
  const found = await versionOf(database);
  if (found === schemaVersion) return;
  if (found === 0) throw noFarmIn(database.place);
  throw new FarmError(
    `${database.place}: found tables of version ${found}, expected version ${schemaVersion}`,
    found > schemaVersion
      ? 'they are of a newer Lockstep: update this one, npm install lockstep@latest'
      : '`lockstep farm add` and `lockstep farm work` bring them up to date, by a user who may change them',
  );
}

/** Version of the tables; 0 where there are none. */
async function versionOf(database: Database): Promise<number> {
  const [there] = await database.query<{ there: boolean }>(
    "SELECT to_regclass('lockstep.version') IS NOT NULL AS there",
  );
  if (!there?.there) return 0;
  const [found] = await database.query<{ version: number }>('SELECT version FROM lockstep.version');
  return found?.version ?? 0;
}
