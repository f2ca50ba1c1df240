import type { Worker } from 'node:worker_threads';
import { type Claim, kindOf } from '../../kernel/explore/claim.ts';
import type { Spotted } from '../../kernel/explore/expansion.ts';
import {
  type Exploration,
  type ExploreFigures,
  explorationOf,
  foundAt,
  keyOf,
  type ShownFinding,
} from '../../kernel/explore/explorer.ts';
import { journalMemory } from '../../kernel/explore/journal.ts';
import type { LevelEnd, RankedFinding, RankedState } from '../../kernel/explore/partition.ts';
import type { Shown } from '../../kernel/explore/shown.ts';
import { startThread } from '../threads/thread.ts';
import type { ProgressOptions } from '../with-progress.ts';
import { NotExplorable } from './not-explorable.ts';
import type { CheckOrder } from './order.ts';

/** What a thread begins with. */
export interface WorkerOrder {
  readonly order: CheckOrder;
  readonly index: number;
  readonly count: number;
  readonly journal: SharedArrayBuffer;
  /** A word that is not 0 when everybody is to stop. */
  readonly stop: SharedArrayBuffer;
}

/** What a thread is asked. */
export type Asked =
  /** Go through a level: the next one when there are keys of the last. */
  | { readonly kind: 'goOn'; readonly keys?: readonly Float64Array[] }
  | { readonly kind: 'receive'; readonly records: Uint32Array<ArrayBuffer> }
  | { readonly kind: 'endLevel' }
  | { readonly kind: 'stateOf'; readonly level: number; readonly rank: number }
  | {
      readonly kind: 'show';
      readonly start: number;
      readonly chain: readonly Uint32Array[];
      readonly spotted: Spotted;
    }
  | { readonly kind: 'verifySymmetry' }
  | { readonly kind: 'countExchanged' };

/** What a thread tells. */
export type Told =
  | { readonly kind: 'begun' }
  | { readonly kind: 'pass'; readonly to: number; readonly records: Uint32Array<ArrayBuffer> }
  | { readonly kind: 'figures'; readonly figures: ExploreFigures }
  | { readonly kind: 'done' }
  | { readonly kind: 'levelEnd'; readonly levelEnd: LevelEnd; readonly figures: ExploreFigures }
  | { readonly kind: 'state'; readonly state: RankedState | undefined }
  | { readonly kind: 'shown'; readonly shown: Shown }
  | { readonly kind: 'symmetryVerified' }
  | { readonly kind: 'exchanged'; readonly exchanged: number }
  | { readonly kind: 'error'; readonly error: unknown; readonly explorable: boolean };

/** What threads found out together. */
export interface PooledExploration {
  readonly exploration: Exploration;
  /** The findings with the ways to them. */
  readonly shown: readonly ShownFinding[];
  /** Ends of ticks for which another state stands; absent where no actors are exchanged. */
  readonly exchanged?: number;
  readonly interrupted: boolean;
}

/**
 * Explores with threads beside this one, level by level, each with the states that belong to its partition.
 *
 * Details: states, transitions, depth and, of a run that fails, the way to it are those of one thread; but a level in which something is found is gone through to its end, and a
 * limit on states is seen a moment late. Errors: `NotExplorable`, and what a thread throws.
 */
export async function exploreWithWorkers(
  order: CheckOrder,
  size: number,
  progress: Pick<ProgressOptions, 'onProgress' | 'shouldStop'>,
): Promise<PooledExploration> {
  const workerPool = new WorkerPool(order, size, progress);
  try {
    await workerPool.begun();
    return await workerPool.explore();
  } finally {
    await workerPool.end();
  }
}

/** Threads that explore one scenario, once. */
export class WorkerPool {
  readonly #order: CheckOrder;
  readonly #workers: readonly Worker[];
  readonly #figures: ExploreFigures[] = [];
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  readonly #progress: Pick<ProgressOptions, 'onProgress' | 'shouldStop'>;
  /** What is being waited for: one answer of this kind from each of so many threads. */
  #waiting:
    | { readonly kind: Told['kind']; readonly answers: Map<number, Told>; readonly all: number }
    | undefined;
  #resolve: (answers: Map<number, Told>) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #broken: { readonly error: unknown } | undefined;
  #interrupted = false;

  constructor(order: CheckOrder, size: number, progress: Pick<ProgressOptions, 'onProgress' | 'shouldStop'>) {
    this.#order = order;
    this.#progress = progress;
    const shared = { order, count: size, journal: journalMemory(), stop: this.#stop.buffer };
    this.#workers = Array.from({ length: size }, (_, index) => {
      const worker = startThread('cli/check/serve', { ...shared, index });
      worker.on('message', (told: Told) => this.#hear(index, told));
      worker.on('error', (error) => this.#break(error));
      worker.on('exit', (code) => this.#break(new Error(`a thread of the check ended with code ${code}`)));
      return worker;
    });
  }

  /** Waits until everybody has made a partition. Errors: as `exploreWithWorkers`. */
  async begun(): Promise<void> {
    await this.#askAll(undefined, 'begun');
  }

  /** Explores, when everybody has begun. Errors: as `exploreWithWorkers`. */
  async explore(): Promise<PooledExploration> {
    const all: (RankedFinding & { readonly level: number })[] = [];
    let keys: readonly Float64Array[] | undefined;
    let level = 0;
    for (; ; level++) {
      await this.#askAll({ kind: 'goOn', ...(keys && { keys }) }, 'done');
      const ends = (await this.#askAll({ kind: 'endLevel' }, 'levelEnd')).map(({ levelEnd }) => levelEnd);
      // Within one rank they come from one thread, in the order in which they were found.
      const found = ends.flatMap((end) => end.findings).sort((one, other) => one.rank - other.rank);
      for (const one of found) all.push({ ...one, level });
      keys = ends.map((end) => end.keys);
      const { keepGoing = false, depth = Number.POSITIVE_INFINITY, statesMax } = this.#order;
      const enough = (all.length > 0 && !keepGoing) || level + 1 >= depth || this.#sum.states >= statesMax;
      if (enough || this.#stopped || keys.every(({ length }) => length === 0)) break;
    }
    const interrupted = this.#interrupted;
    if (all.length === 0) await this.#askOne({ kind: 'verifySymmetry' }, 'symmetryVerified');
    const exchanged = await this.#exchanged();
    const shown: ShownFinding[] = [];
    for (const { first, alike } of this.#order.keepGoing ? byKind(all) : all.slice(0, 1).map(alone)) {
      const { spotted, route, tape } = await this.#show(first.level, first.rank, first);
      const finding = { ...foundAt(spotted, first.rank), tape, ...(alike > 0 && { alike }) };
      shown.push({ finding, route });
    }
    const exploration = explorationOf(
      this.#sum,
      shown.map(({ finding }) => finding),
    );
    return { exploration, shown, exchanged, interrupted };
  }

  async #exchanged(): Promise<number> {
    const answers = await this.#askAll({ kind: 'countExchanged' }, 'exchanged');
    return answers.reduce((sum, { exchanged }) => sum + exchanged, 0);
  }

  /** Sends everybody home. */
  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  async #show(level: number, rank: number, spotted: Spotted): Promise<Shown> {
    const chain: Uint32Array[] = [];
    let at: number | undefined = rank;
    let start = rank;
    for (let here = level; at !== undefined; here--) {
      const answers: readonly Extract<Told, { kind: 'state' }>[] = await this.#askAll(
        { kind: 'stateOf', level: here, rank: at },
        'state',
      );
      const state: RankedState | undefined = answers.find((answer) => answer.state)?.state;
      if (!state) throw new Error(`Lockstep defect: no thread has state ${at} of level ${here}`);
      chain.unshift(state.words);
      start = at;
      at = state.before;
    }
    return (await this.#askOne({ kind: 'show', start, chain, spotted }, 'shown')).shown;
  }

  get #stopped(): boolean {
    return Atomics.load(this.#stop, 0) !== 0;
  }

  get #sum(): ExploreFigures {
    const sum = (figure: (figures: ExploreFigures) => number) =>
      this.#figures.reduce((total, figures) => total + figure(figures), 0);
    const most = (figure: (figures: ExploreFigures) => number) => Math.max(0, ...this.#figures.map(figure));
    return {
      states: sum(({ states }) => states),
      transitions: sum(({ transitions }) => transitions),
      depth: most(({ depth }) => depth),
      unexplored: sum(({ unexplored }) => unexplored),
      quiet: sum(({ quiet }) => quiet),
      cut: sum(({ cut }) => cut),
      postponed: sum(({ postponed }) => postponed),
      merged: sum(({ merged }) => merged),
      locals: most(({ locals }) => locals),
    };
  }

  async #askOne<K extends Told['kind']>(asked: Asked, kind: K): Promise<Extract<Told, { kind: K }>> {
    return (await this.#ask([this.#workers[0]!], asked, kind))[0]!;
  }

  #askAll<K extends Told['kind']>(asked: Asked | undefined, kind: K): Promise<Extract<Told, { kind: K }>[]> {
    return this.#ask(this.#workers, asked, kind);
  }

  /** Asks some threads, or nothing, and waits until each has told this. The answers are in the order of the threads. */
  async #ask<K extends Told['kind']>(
    workers: readonly Worker[],
    asked: Asked | undefined,
    kind: K,
  ): Promise<Extract<Told, { kind: K }>[]> {
    if (this.#broken) throw this.#broken.error;
    const answered = new Promise<Map<number, Told>>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#waiting = { kind, answers: new Map(), all: workers.length };
    if (asked) for (const worker of workers) worker.postMessage(asked);
    const answers = await answered;
    // The kind was looked at when they came.
    return [...answers].sort(([one], [other]) => one - other).map(([, told]) => told) as Extract<
      Told,
      { kind: K }
    >[];
  }

  #hear(index: number, told: Told): void {
    if (told.kind === 'error') {
      this.#break(told.explorable ? told.error : new NotExplorable((told.error as Error).message));
      return;
    }
    if (told.kind === 'pass') {
      const asked: Asked = { kind: 'receive', records: told.records };
      this.#workers[told.to]!.postMessage(asked, [told.records.buffer]);
      return;
    }
    if (told.kind === 'figures' || told.kind === 'levelEnd') this.#note(index, told.figures);
    if (told.kind !== this.#waiting?.kind) return;
    const { answers, all } = this.#waiting;
    answers.set(index, told);
    if (answers.size === all) this.#resolve(answers);
  }

  #note(index: number, figures: ExploreFigures): void {
    this.#figures[index] = figures;
    const { states, transitions } = this.#sum;
    this.#progress.onProgress(states, transitions);
    this.#interrupted ||= this.#progress.shouldStop();
    if (this.#interrupted || states >= this.#order.statesMax) Atomics.store(this.#stop, 0, 1);
  }

  #break(error: unknown): void {
    this.#broken ??= { error };
    this.#reject(this.#broken.error);
  }
}

const alone = <F>(first: F): { readonly first: F; readonly alike: number } => ({ first, alike: 0 });

/** The first of each kind of finding, and how many different others there are of it. */
function byKind<F extends Claim>(all: readonly F[]): { readonly first: F; readonly alike: number }[] {
  const kinds = new Map<string, { readonly first: F; readonly known: Set<string> }>();
  for (const finding of all) {
    const kind = kindOf(finding);
    const known = kinds.get(kind);
    if (known) known.known.add(keyOf(finding));
    else kinds.set(kind, { first: finding, known: new Set([keyOf(finding)]) });
  }
  return [...kinds.values()].map(({ first, known }) => ({ first, alike: known.size - 1 }));
}
