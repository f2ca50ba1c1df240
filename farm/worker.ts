import { createHash } from 'node:crypto';
import { type BundleFiles, bundleFilesOf, campaignOf, type FarmCampaign } from './campaign.ts';
import { type Database, patiently } from './database.ts';
import { FarmError } from './farm-error.ts';
import { type Job, type Queue, type Range, type Simplification, simplifyLeaseSeconds } from './queue.ts';
import { type Runner, RunnerDied, type StartRunner } from './runner.ts';
import { type FindingRecord, noteRun, takeDeadRange, takeIn, takeRecord, toSimplify } from './take-in.ts';
import { type FarmBatch, Tally } from './tally.ts';

/** How somebody works for a farm. */
export interface WorkOptions {
  /** How the worker is called, in results and in `status`. */
  readonly name: string;
  readonly version: string;
  /** Processes that carry out runs. */
  readonly runners: number;
  readonly startRunner: StartRunner;
  /** Seconds that a database which is gone is waited for. */
  readonly patienceSeconds: number;
  /** Waits for further campaigns when nothing is left. */
  readonly stay: boolean;
  /** Asked before each batch: then the present run is finished, and the rest goes back. */
  readonly shouldStop: () => boolean;
  /** Something that a person should know. */
  readonly tell: (words: string) => void;
  /** Called after each batch with what this worker has carried out so far. */
  readonly onProgress: (runs: number, deliveries: number) => void;
}

/** What a worker did. */
export interface Worked {
  readonly runs: number;
  readonly deliveries: number;
  /** Ranges that were taken away, since their lease had ended or they were cancelled. */
  readonly lost: number;
  /** Campaigns that it worked on. */
  readonly campaigns: readonly number[];
}

/** Milliseconds that a batch should take. */
const batchMilliseconds = 100;
/** Batches that a runner has at once, so that it never waits for the next. */
const underWayMax = 2;
/** Seconds after which what is done of a range is taken in and the rest goes back, so that whoever dies loses no more. */
const takeInSeconds = 10;
/** Milliseconds between two looks for something to do. */
const idleMilliseconds = 500;
/** Seconds between two signs that a worker is there. */
const showSeconds = 15;
/** So many times within its lease a worker shows that it goes on; at least after so many seconds. */
const [renewals, renewSecondsMax] = [4, 15];
/** Seconds between two looks for leases that have ended. */
const expireSeconds = 2;
/** Seconds after which a process that shows nothing is taken for dead: it starts slowly where many do, and a step of a module has a limit of its own. */
const silenceSecondsMax = 300;

/** The hash that a job names its modules by. */
export const hashOfBundle = (files: BundleFiles): string =>
  createHash('sha256')
    .update(JSON.stringify([files.folder, files.texts]))
    .digest('hex');

/** Works for a farm until nothing is left to do, or it is to stop. Errors: `FarmError` when the database is gone for too long; what is under way goes back when its lease ends. */
export async function work(database: Database, queue: Queue, options: WorkOptions): Promise<Worked> {
  const shared: Shared = {
    runs: 0,
    deliveries: 0,
    lost: 0,
    campaigns: new Map(),
    told: new Set(),
    failed: false,
  };
  const places = Array.from({ length: options.runners }, () => new Place(database, queue, options, shared));
  const show = () => showWorker(database, options, shared).catch(() => {});
  await show();
  const expire = () => queue.expire().catch(() => {});
  const timers = [setInterval(show, 1000 * showSeconds), setInterval(expire, 1000 * expireSeconds)];
  const ends = await Promise.allSettled(places.map((place) => place.work()));
  for (const timer of timers) clearInterval(timer);
  await database.query('DELETE FROM lockstep.worker WHERE name = $1', [options.name]).catch(() => {});
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  const { runs, deliveries, lost, campaigns } = shared;
  return { runs, deliveries, lost, campaigns: [...campaigns.keys()] };
}

/** Lets `status` show that a worker is there. */
async function showWorker(
  database: Database,
  { name, version }: WorkOptions,
  { runs }: Shared,
): Promise<void> {
  await database.query(
    `INSERT INTO lockstep.worker (name, version, runs) VALUES ($1, $2, $3)
     ON CONFLICT (name) DO UPDATE SET seen_at = now(), runs = excluded.runs`,
    [name, version, runs],
  );
}

interface Shared {
  runs: number;
  deliveries: number;
  lost: number;
  readonly campaigns: Map<number, FarmCampaign>;
  /** What was told already. */
  readonly told: Set<string>;
  /** One place has given up: the others stop. */
  failed: boolean;
}

/** One runner and whoever gives it its work. */
class Place {
  #runner: Runner | undefined;
  /** What it carries out. */
  #of: FarmCampaign | undefined;
  readonly #database: Database;
  readonly #queue: Queue;
  readonly #options: WorkOptions;
  readonly #shared: Shared;

  constructor(database: Database, queue: Queue, options: WorkOptions, shared: Shared) {
    this.#database = database;
    this.#queue = queue;
    this.#options = options;
    this.#shared = shared;
  }

  async work(): Promise<void> {
    try {
      while (!this.#stopping) {
        if (await this.#workOnce()) continue;
        if (!this.#options.stay && (await this.#patiently(() => this.#queue.left())) === 0) return;
        await new Promise((resolve) => setTimeout(resolve, idleMilliseconds));
      }
    } catch (error) {
      this.#shared.failed = true;
      throw error;
    } finally {
      this.#end();
    }
  }

  get #stopping(): boolean {
    return this.#shared.failed || this.#options.shouldStop();
  }

  #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { patienceSeconds: seconds, tell } = this.#options;
    return patiently(this.#database, { seconds, tell: (words) => this.#tellOnce(words, tell) }, work);
  }

  /** Several places lose the same database at the same time. */
  #tellOnce(words: string, tell: (words: string) => void): void {
    const about = words.replace(/ for \d+ s;/, '');
    if (about.endsWith('it goes on')) this.#shared.told.clear();
    else if (this.#shared.told.has(about)) return;
    else this.#shared.told.add(about);
    tell(words);
  }

  /** Does one thing; false when there is nothing to do. */
  async #workOnce(): Promise<boolean> {
    const queue = this.#queue;
    const dead = await this.#patiently(() => queue.nextDead());
    if (dead) {
      await this.#bury(dead);
      return true;
    }
    const urgent = await this.#patiently(() => queue.nextSimplification(false));
    if (urgent) {
      await this.#simplify(urgent);
      return true;
    }
    const range = await this.#patiently(() => queue.nextRange());
    if (range) {
      await this.#carryOut(range);
      return true;
    }
    const early = await this.#patiently(() => queue.nextSimplification(true));
    if (early) await this.#simplify(early);
    return early !== undefined;
  }

  async #campaign(id: number): Promise<FarmCampaign> {
    const known = this.#shared.campaigns.get(id);
    if (known) return known;
    const campaign = await this.#patiently(() => campaignOf(this.#database, id));
    this.#shared.campaigns.set(id, campaign);
    return campaign;
  }

  async #bury(dead: Job<Range | Simplification>): Promise<void> {
    const { work } = dead;
    if ('finding' in work) {
      const job = { ...dead, work };
      const asked = await this.#patiently(() => toSimplify(this.#database, work));
      const note = 'the process died while its run was made simple';
      await this.#patiently(() => takeRecord(this.#database, this.#queue, job, asked?.run, note));
      return;
    }
    const campaign = await this.#campaign(work.campaign);
    await this.#patiently(() =>
      takeDeadRange(this.#database, this.#queue, campaign, { ...dead, work }, this.#options.name),
    );
  }

  /** The runner of a campaign, which is started unless it is there. Errors: what is wrong with the campaign here; `RunnerDied`. */
  async #runnerOf(campaign: FarmCampaign, bundle: string | null): Promise<Runner> {
    if (this.#runner && this.#of?.id === campaign.id) return this.#runner;
    this.#end();
    let files: BundleFiles | undefined;
    if (bundle !== null) {
      files = await this.#patiently(() => bundleFilesOf(this.#database, bundle));
      const found = hashOfBundle(files);
      if (found !== bundle)
        throw new FarmError(
          `${this.#database.place}: found modules of the hash ${found.slice(0, 16)}…, expected ${bundle.slice(0, 16)}…, which the job of campaign ${campaign.id} names: they were changed`,
          `add the campaign anew, and cancel this one: lockstep farm cancel ${campaign.id}`,
        );
    }
    this.#runner = this.#options.startRunner(campaign, files);
    this.#of = campaign;
    const firstEnd = await this.#runner.firstEnd;
    if (firstEnd !== campaign.firstEnd) {
      this.#end();
      throw new FarmError(
        `campaign ${campaign.id}, ${campaign.what}: found that its run 0 ends in ${firstEnd} here, expected ${campaign.firstEnd}: this worker has another machine`,
        'give it the same files of Lockstep as the computer that added the campaign; the range went back',
      );
    }
    return this.#runner;
  }

  #end(): void {
    this.#runner?.end();
    this.#runner = undefined;
  }

  /** Does something under the lease of a job: while the runner shows that it goes on the lease is renewed, and one that does not is ended. */
  async #leased<T>(
    job: Job<object>,
    seconds: number,
    work: (isOurs: () => boolean) => Promise<T>,
  ): Promise<T> {
    let ours = true;
    const began = performance.now();
    const timer = setInterval(
      () => {
        const { lastSign = began } = this.#runner ?? {};
        if (performance.now() - Math.max(began, lastSign) > 1000 * silenceSecondsMax) this.#end();
        else
          this.#queue.renew(job).then(
            (still) => {
              ours &&= still;
            },
            // A database that is gone is waited for by whoever has something to write.
            () => {},
          );
      },
      1000 * Math.min(seconds / renewals, renewSecondsMax),
    );
    try {
      return await work(() => ours);
    } finally {
      clearInterval(timer);
    }
  }

  async #carryOut(job: Job<Range>): Promise<void> {
    const campaign = await this.#campaign(job.work.campaign);
    const tally = new Tally(job.work.first, campaign.identity);
    let refused: string | undefined;
    try {
      await this.#leased(job, campaign.leaseSeconds, (isOurs) =>
        this.#carryOutRuns(job, campaign, tally, isOurs),
      );
    } catch (error) {
      if (error instanceof RunnerDied) {
        this.#end();
        await this.#patiently(() => this.#queue.died(job, error.message));
        return;
      }
      // What is wrong with this worker is not wrong with the range.
      if (error instanceof FarmError) {
        await takeIn(this.#database, this.#queue, campaign, job, { tally }, this.#options.name);
        throw error;
      }
      refused = error instanceof Error ? error.message : String(error);
      this.#options.tell(`campaign ${campaign.id}, ${campaign.what}: ${refused}`);
    }
    const taken = await this.#patiently(() =>
      takeIn(
        this.#database,
        this.#queue,
        campaign,
        job,
        { tally, ...(refused !== undefined && { refused }) },
        this.#options.name,
      ),
    );
    if (!taken) this.#shared.lost++;
  }

  /** Carries out the runs of a range until they are done, enough time has passed, somebody asks to stop, or the range is taken away. A range that a worker has died of goes run by run, each noted before. */
  async #carryOutRuns(
    job: Job<Range>,
    campaign: FarmCampaign,
    tally: Tally,
    isOurs: () => boolean,
  ): Promise<void> {
    const runner = await this.#runnerOf(campaign, job.work.bundle);
    const end = job.work.first + job.work.runs;
    const careful = job.attempt > 0;
    const began = performance.now();
    const isEnough = () => tally.runs > 0 && performance.now() - began > 1000 * takeInSeconds;
    const underWay: Promise<FarmBatch>[] = [];
    const take = (batch: FarmBatch) => {
      tally.add(batch);
      this.#shared.runs += batch.runs;
      this.#shared.deliveries += batch.deliveries;
      this.#options.onProgress(this.#shared.runs, this.#shared.deliveries);
    };
    let next = job.work.first;
    let count = 1;
    for (;;) {
      while (
        underWay.length < (careful ? 1 : underWayMax) &&
        next < end &&
        !this.#stopping &&
        isOurs() &&
        !isEnough()
      ) {
        const asked = careful ? 1 : Math.min(count, end - next);
        const run = next;
        if (careful) await this.#patiently(() => noteRun(this.#database, job, run));
        const batch = runner.batch(run, asked);
        // Whatever goes wrong in it is heard of when its turn comes.
        batch.catch(() => {});
        underWay.push(batch);
        next += asked;
      }
      const oldest = underWay.shift();
      if (!oldest) return;
      try {
        const batch = await oldest;
        take(batch);
        count = fittingCount(batch);
      } catch (error) {
        if (error instanceof RunnerDied) throw error;
        // The runs before the one that threw count. What it has left behind may be half done, so that another process does them.
        this.#end();
        const another = await this.#runnerOf(campaign, job.work.bundle);
        try {
          for (let run = job.work.first + tally.runs; run < end; run++) take(await another.batch(run, 1));
        } finally {
          this.#end();
        }
        throw error;
      }
    }
  }

  async #simplify(job: Job<Simplification>): Promise<void> {
    const campaign = await this.#campaign(job.work.campaign);
    const asked = await this.#patiently(() => toSimplify(this.#database, job.work));
    let record: FindingRecord | string | undefined;
    try {
      if (asked)
        record = await this.#leased(job, simplifyLeaseSeconds, async () => {
          const runner = await this.#runnerOf(campaign, job.work.bundle);
          return runner.simplify(job.work.finding, asked.run, asked.kind);
        });
    } catch (error) {
      if (error instanceof RunnerDied) {
        this.#end();
        await this.#patiently(() => this.#queue.died(job, error.message));
        return;
      }
      if (error instanceof FarmError) throw error;
      record = error instanceof Error ? error.message : String(error);
    }
    await this.#patiently(() => takeRecord(this.#database, this.#queue, job, asked?.run, record));
  }
}

const fittingCount = ({ runs, milliseconds }: FarmBatch): number =>
  Math.max(1, Math.min(4 * runs, Math.round((runs * batchMilliseconds) / Math.max(milliseconds, 0.01))));
