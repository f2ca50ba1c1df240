import type { Database, Sql } from './database.ts';

/** A range of runs that somebody is to carry out. */
export interface Range {
  readonly campaign: number;
  /** Number of the first run. */
  readonly first: number;
  readonly runs: number;
  /** How often what is left of a range has become a new one. */
  readonly generation: number;
  /** Hash of the modules that it needs; null when none. */
  readonly bundle: string | null;
}

/** A finding whose smallest run is to be made simple. */
export interface Simplification {
  readonly campaign: number;
  readonly finding: number;
  readonly bundle: string | null;
}

/** Something that somebody has taken on, under a lease. */
export interface Job<Work> {
  /** Its queue, in which `id` is one of a kind. */
  readonly queue: string;
  readonly id: string;
  readonly work: Work;
  /** From 0: how often it was given back before. */
  readonly attempt: number;
  /** How it ended before, in words; absent when it was not given back. */
  readonly ended?: string;
}

/** Kinds of jobs: each has a queue for each version of Lockstep, so that nobody is given what he cannot carry out. */
type Kind = 'ranges' | 'simplify' | 'dead';

/** A range that its worker dies of is tried so often. */
export const attemptsMax = 3;

/** Seconds: jobs are kept for as long as anybody may want them. */
const keepSeconds = 20 * 365 * 24 * 3600;
/** Seconds until a finding is made simple, so that one that is found again and again is not made simple each time. */
const simplifyAfterSeconds = 10;
/** Seconds that a simplification is leased for: it takes a minute at most, and shows nothing meanwhile. */
export const simplifyLeaseSeconds = 180;

const schema = 'lockstep_queue';

/** The jobs of a farm; the queue itself is pg-boss. */
export class Queue {
  readonly #boss: PgBossLike;
  readonly #database: Database;
  readonly #version: string;
  private constructor(boss: PgBossLike, database: Database, version: string) {
    this.#boss = boss;
    this.#database = database;
    this.#version = version;
  }

  /** `version` is that of Lockstep. */
  static async open(database: Database, version: string): Promise<Queue> {
    const { default: PgBoss } = await import('pg-boss');
    const boss = new PgBoss({
      db: executor(database),
      schema,
      schedule: false,
      supervise: false,
      archiveCompletedAfterSeconds: keepSeconds,
      deleteAfterSeconds: keepSeconds,
    });
    // Without a listener an error ends the process; each is told by whoever does something.
    boss.on('error', () => {});
    await boss.start();
    const queue = new Queue(boss, database, version);
    await queue.#make();
    return queue;
  }

  async #make(): Promise<void> {
    const there = new Set((await this.#boss.getQueues()).map(({ name }) => name));
    const make = async (kind: Kind, options: object) => {
      const name = this.#name(kind);
      if (!there.has(name)) await this.#boss.createQueue(name, { name, ...options });
    };
    await make('dead', { retryLimit: 1_000_000, expireInSeconds: simplifyLeaseSeconds });
    await make('ranges', {});
    await make('simplify', { policy: 'short' });
  }

  #name(kind: Kind): string {
    return `${kind}-${this.#version}`;
  }

  /** Adds ranges. */
  async add(sql: Sql, ranges: readonly Range[], leaseSeconds: number): Promise<void> {
    await this.#boss.insert(
      ranges.map((range) => ({
        id: idOf(range),
        name: this.#name('ranges'),
        data: range,
        retryLimit: attemptsMax - 1,
        expireInSeconds: leaseSeconds,
        keepUntil: kept(),
        deadLetter: this.#name('dead'),
      })),
      { db: executor(sql) },
    );
  }

  /** Asks for a finding to be made simple; once while it waits. */
  async simplify(sql: Sql, simplification: Simplification): Promise<void> {
    await this.#boss.insert(
      [
        {
          name: this.#name('simplify'),
          data: simplification,
          singletonKey: String(simplification.finding),
          startAfter: String(simplifyAfterSeconds),
          retryLimit: attemptsMax - 1,
          expireInSeconds: simplifyLeaseSeconds,
          keepUntil: kept(),
          deadLetter: this.#name('dead'),
        },
      ],
      { db: executor(sql) },
    );
  }

  /** Takes the next range on; undefined when none waits. */
  nextRange(): Promise<Job<Range> | undefined> {
    return this.#next('ranges');
  }

  /** Takes the next finding on; one that was found just now only with `early`. */
  nextSimplification(early: boolean): Promise<Job<Simplification> | undefined> {
    return this.#next('simplify', early);
  }

  /** Takes on what its workers have died of three times. */
  nextDead(): Promise<Job<Range | Simplification> | undefined> {
    return this.#next('dead');
  }

  async #next<Work extends object>(kind: Kind, ignoreStartAfter = false): Promise<Job<Work> | undefined> {
    let refused: unknown;
    // pg-boss takes each error of this statement for one that does not matter.
    const db: PgBossDb = {
      executeSql: async (text, values) => {
        try {
          return await executor(this.#database).executeSql(text, values);
        } catch (error) {
          refused = error;
          throw error;
        }
      },
    };
    const [job] = await this.#boss.fetch<Work>(this.#name(kind), {
      includeMetadata: true,
      ignoreStartAfter,
      db,
    });
    if (refused !== undefined) throw refused;
    if (!job) return undefined;
    const ended = endedOf(job.output);
    return {
      queue: job.name,
      id: job.id,
      work: job.data,
      attempt: job.retryCount,
      ...(ended !== undefined && { ended }),
    };
  }

  /**
   * Whether a job is still to be done: then nobody else ends it before the transaction does.
   *
   * Details: also when its lease has ended and another worker has it by now, since both come to the same: who is first is counted.
   */
  async isOpen(sql: Sql, { queue, id }: Job<object>): Promise<boolean> {
    const found = await sql.query(
      `SELECT 1 FROM ${schema}.job WHERE name = $1 AND id = $2 AND state < 'completed' FOR UPDATE`,
      [queue, id],
    );
    return found.length > 0;
  }

  /** Lets the lease of a job begin anew; false when it is no longer ours. */
  async renew({ queue, id, attempt }: Job<object>): Promise<boolean> {
    const found = await this.#database.query(
      `UPDATE ${schema}.job SET started_on = now() WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 RETURNING 1`,
      [queue, id, attempt],
    );
    return found.length > 0;
  }

  /** Ends a job that is open; whoever else has it finds that out. */
  async done(sql: Sql, { queue, id }: Job<object>): Promise<void> {
    // pg-boss ends a job only for who has it.
    await sql.query(
      `UPDATE ${schema}.job SET state = 'completed', completed_on = now() WHERE name = $1 AND id = $2`,
      [queue, id],
    );
  }

  async #isOurs(sql: Sql, { queue, id, attempt }: Job<object>): Promise<boolean> {
    const found = await sql.query(
      `SELECT 1 FROM ${schema}.job WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 FOR UPDATE`,
      [queue, id, attempt],
    );
    return found.length > 0;
  }

  /** Gives a job back whose worker has died: it is tried again, the third time it is dead. */
  async died(job: Job<object>, how: string): Promise<void> {
    await this.#database.transaction(async (sql) => {
      if (await this.#isOurs(sql, job))
        await this.#boss.fail(job.queue, job.id, { message: how }, { db: executor(sql) });
    });
  }

  /**
   * Gives back what is leased by workers that no longer show anything.
   *
   * Details: not while the database has just started: those who wait for it could not show anything.
   */
  async expire(): Promise<void> {
    const [found] = await this.#database.query<{ settled: boolean }>(
      `SELECT now() - pg_postmaster_start_time() > least(30, max(lease_seconds) / 2.0) * interval '1 second' AS settled FROM lockstep.campaign`,
    );
    if (found?.settled) await this.#boss.expire();
  }

  /** How many jobs wait or are under way. */
  async left(): Promise<number> {
    const [found] = await this.#database.query<{ jobs: number }>(
      `SELECT count(*)::float8 AS jobs FROM ${schema}.job WHERE name = ANY($1) AND state < 'completed'`,
      [(['ranges', 'simplify', 'dead'] as const).map((kind) => this.#name(kind))],
    );
    return found!.jobs;
  }

  /** Cancels what is open of a campaign; gives the number of runs. */
  cancel(campaign: number): Promise<number> {
    return this.#change(campaign, "state < 'completed'", (name, ids, db) =>
      this.#boss.cancel(name, ids, { db }),
    );
  }

  /** Takes up what was cancelled; gives the number of runs. */
  resume(campaign: number): Promise<number> {
    return this.#change(campaign, "state = 'cancelled'", (name, ids, db) =>
      this.#boss.resume(name, ids, { db }),
    );
  }

  #change(
    campaign: number,
    which: string,
    change: (name: string, ids: string[], db: PgBossDb) => Promise<void>,
  ): Promise<number> {
    return this.#database.transaction(async (sql) => {
      const jobs = await sql.query<{ id: string; name: string; runs: number }>(
        `SELECT id::text, name, coalesce((data->>'runs')::float8, 0) AS runs FROM ${schema}.job
         WHERE (data->>'campaign')::integer = $1 AND name NOT LIKE 'dead-%' AND ${which} ORDER BY id FOR UPDATE`,
        [campaign],
      );
      for (const name of new Set(jobs.map((job) => job.name)))
        await change(
          name,
          jobs.filter((job) => job.name === name).map(({ id }) => id),
          executor(sql),
        );
      return jobs.reduce((sum, { runs }) => sum + runs, 0);
    });
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false }).catch(() => {});
  }
}

type PgBossLike = import('pg-boss');
type PgBossDb = import('pg-boss').Db;

/** How pg-boss speaks to a database. */
const executor = (sql: Sql): PgBossDb => ({
  executeSql: async (text: string, values: unknown[] = []) => {
    if (values.length > 0) return { rows: [...(await sql.query(text, values))] };
    if (!/;\s*\S/.test(text)) return { rows: [...(await sql.query(text))] };
    await sql.script(text);
    return { rows: [] };
  },
});

/** How a job ended, as `died` says it, or as pg-boss says that its lease has ended. */
function endedOf(output: unknown): string | undefined {
  const { message, value } = (output ?? {}) as { readonly message?: string; readonly value?: object };
  return value === undefined ? message : 'nothing was heard of it for the time of its lease';
}

const kept = (): string => new Date(Date.now() + 1000 * keepSeconds).toISOString();

/** A range has one identity wherever it is asked for, and ranges of a campaign are taken on in their order. */
const idOf = ({ campaign, first, generation }: Range): string =>
  `${hex(campaign, 8)}-${hex(generation & 0xffff, 4)}-4000-8000-${hex(first, 12)}`;

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
