import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { type Claim, kindOf } from '../../kernel/explore/claim.ts';
import {
  type Exploration,
  type ExploreFigures,
  explorationOf,
  foundAt,
  keyOf,
  type ShownFinding,
} from '../../kernel/explore/explorer.ts';
import { journalMemory } from '../../kernel/explore/journal.ts';
import {
  controlMemory,
  type RankedFinding,
  type SearchEnd,
  stopAll,
  stoppedBy,
} from '../../kernel/explore/shared-search.ts';
import type { Shown } from '../../kernel/explore/shown.ts';
import { startThread } from '../threads/thread.ts';
import type { ProgressOptions } from '../with-progress.ts';
import { barrierWords } from './barrier.ts';
import { NotExplorable } from './not-explorable.ts';
import type { CheckOrder } from './order.ts';
import { makePieces } from './pooled-memory.ts';
import { doubtOf } from './symmetry-doubt.ts';
import { leftOpen } from './unreached.ts';

/** What a thread begins with. */
export interface WorkerOrder {
  readonly order: CheckOrder;
  readonly index: number;
  readonly count: number;
  readonly journal: SharedArrayBuffer;
  /** Where the parts of the exploration agree, where the threads wait for one another, and where they tell how far they are: `figureWords` of each. */
  readonly control: SharedArrayBuffer;
  readonly meeting: SharedArrayBuffer;
  readonly progress: SharedArrayBuffer;
  /** Where a thread asks for memory, and by thread the piece that it got. */
  readonly memoryPort: MessagePort;
  readonly made: SharedArrayBuffer;
}

/** What a thread is asked. */
export type Asked =
  | { readonly kind: 'explore' }
  | { readonly kind: 'show'; readonly found: RankedFinding }
  | { readonly kind: 'verifySymmetry' }
  | { readonly kind: 'countExchanged' };

/** What a thread tells. */
export type Told =
  | { readonly kind: 'begun' }
  /** `seconds` it took, of which it has `waited` for others. */
  | { readonly kind: 'end'; readonly end: SearchEnd; readonly seconds: number; readonly waited: number }
  | { readonly kind: 'shown'; readonly shown: Shown }
  | { readonly kind: 'symmetryVerified' }
  | { readonly kind: 'exchanged'; readonly exchanged: number }
  | {
      readonly kind: 'error';
      readonly error: unknown;
      /** The actor that asks for the time, where the tick was no part of the states. */
      readonly readsTime: string | undefined;
      readonly explorable: boolean;
    };

/** What threads found out together. */
export interface PooledExploration {
  readonly exploration: Exploration;
  /** The findings with the ways to them. */
  readonly shown: readonly ShownFinding[];
  /** Ends of ticks for which another state stands; absent where no actors are exchanged. */
  readonly exchanged?: number;
  /** Why there may be more than what was found: the exchanged actors cannot be exchanged. */
  readonly doubt?: string;
  readonly interrupted: boolean;
}

/** Figures that a thread tells of itself: states, transitions, bytes. */
export const figureWords = 3;

/** Milliseconds between two looks at how far the threads are. */
const lookEvery = 100;

/** An actor asks for the time, and the present tick was no part of the states. */
class ClockMissing extends Error {
  override readonly name = 'ClockMissing';

  constructor(
    message: string,
    readonly actor: string,
  ) {
    super(message);
  }
}

/**
 * Explores with threads beside this one, level by level, which take states from one level and add what they find to one table in shared memory.
 *
 * Details: states, transitions, depth, witnesses and, of a run that fails, the way to it are those of one thread; but a level in which something is found is gone through to its end, and a
 * limit on states is seen a moment late. `reachable` are the sentences of which some run must be shown. Errors: `NotExplorable`, and what a thread throws.
 */
export async function exploreWithWorkers(
  order: CheckOrder,
  size: number,
  progress: Pick<ProgressOptions, 'onProgress' | 'shouldStop'>,
  reachable: readonly string[] = [],
): Promise<PooledExploration> {
  const workerPool = new WorkerPool(order, size, progress, reachable);
  try {
    await workerPool.begun();
    return await workerPool.explore();
  } catch (error) {
    if (!(error instanceof ClockMissing)) throw error;
    const explored = await exploreWithWorkers({ ...order, clock: true }, size, progress, reachable);
    return { ...explored, exploration: { ...explored.exploration, readsTime: error.actor } };
  } finally {
    await workerPool.end();
  }
}

/** Threads that explore one scenario, once. */
export class WorkerPool {
  /** Seconds of all threads together, and those of them in which they waited for others; when they have explored. */
  busy: { readonly seconds: number; readonly waited: number } = { seconds: 0, waited: 0 };
  readonly #order: CheckOrder;
  readonly #reachable: readonly string[];
  readonly #workers: readonly Worker[];
  readonly #ports: readonly MessagePort[];
  readonly #control = controlMemory();
  readonly #figures: Float64Array;
  readonly #progress: Pick<ProgressOptions, 'onProgress' | 'shouldStop'>;
  /** What is being waited for: one answer of this kind from each of so many threads. */
  #waiting:
    | { readonly kind: Told['kind']; readonly answers: Map<number, Told>; readonly all: number }
    | undefined;
  #resolve: (answers: Map<number, Told>) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #broken: { readonly error: unknown } | undefined;

  constructor(
    order: CheckOrder,
    size: number,
    progress: Pick<ProgressOptions, 'onProgress' | 'shouldStop'>,
    reachable: readonly string[] = [],
  ) {
    this.#order = order;
    this.#progress = progress;
    this.#reachable = reachable;
    const channels = Array.from({ length: size }, () => new MessageChannel());
    const made = new SharedArrayBuffer(4 * size);
    const counts = new SharedArrayBuffer(8 * figureWords * size);
    this.#figures = new Float64Array(counts);
    this.#ports = channels.map(({ port1 }) => port1);
    makePieces(this.#ports, new Int32Array(made));
    const shared = {
      order,
      count: size,
      journal: journalMemory(),
      control: this.#control,
      meeting: new SharedArrayBuffer(4 * barrierWords),
      progress: counts,
      made,
    };
    this.#workers = channels.map(({ port2: memoryPort }, index) => {
      const worker = startThread<WorkerOrder>('cli/check/serve', { ...shared, index, memoryPort }, [
        memoryPort,
      ]);
      worker.on('message', (told: Told) => this.#hear(index, told));
      worker.on('error', (error) => this.#break(error));
      worker.on('exit', (code) => this.#break(new Error(`a thread of the check ended with code ${code}`)));
      return worker;
    });
  }

  /** Waits until everybody is ready. Errors: as `exploreWithWorkers`. */
  async begun(): Promise<void> {
    await this.#askAll(undefined, 'begun');
  }

  /** Explores, when everybody has begun. Errors: as `exploreWithWorkers`. */
  async explore(): Promise<PooledExploration> {
    const looking = setInterval(() => this.#look(), lookEvery);
    const told = await this.#askAll({ kind: 'explore' }, 'end').finally(() => clearInterval(looking));
    const sum = (figure: (one: (typeof told)[number]) => number) =>
      told.reduce((total, one) => total + figure(one), 0);
    this.busy = { seconds: sum(({ seconds }) => seconds), waited: sum(({ waited }) => waited) };
    const ends = told.map(({ end }) => end);
    const figures = together(ends);
    const found = firsts(
      ends.flatMap(({ findings }) => findings),
      keyOf,
    );
    const witnesses = firsts(
      ends.flatMap((end) => end.witnesses),
      ({ what }) => what,
    );
    this.#progress.onProgress(figures.states, figures.transitions);
    const reason = figures.unexplored > 0 ? stoppedBy(this.#control) : undefined;
    const interrupted = stoppedBy(this.#control) === 'interrupted';
    const limit = reason === 'interrupted' ? undefined : reason;
    const exchanged = await this.#exchanged();
    const shown: ShownFinding[] = [];
    for (const { first, alike } of this.#order.keepGoing ? byKind(found) : found.slice(0, 1).map(alone)) {
      const { spotted, route, tape } = (await this.#askOne({ kind: 'show', found: first }, 'shown')).shown;
      const finding = { ...foundAt(spotted, first.rank), tape, ...(alike > 0 && { alike }) };
      shown.push({ finding, route });
    }
    const verify = () => this.#askOne({ kind: 'verifySymmetry' }, 'symmetryVerified');
    const isWhole = shown.length === 0 || this.#order.keepGoing;
    const doubt = isWhole ? await doubtOf(verify, shown.length > 0) : undefined;
    const unreached = this.#reachable.filter((sentence) => !witnesses.some(({ what }) => what === sentence));
    const waiting = new Map(ends.flatMap((end) => end.waiting));
    const { findings, open } = leftOpen(
      figures,
      unreached,
      waiting,
      found.length > 0 && !this.#order.keepGoing,
    );
    const exploration = explorationOf(
      figures,
      [...shown.map(({ finding }) => finding), ...findings],
      open,
      witnesses.map((one) => foundAt(one, one.rank)),
      limit,
      // Who has seen something has seen it for all.
      ends.map((end) => end.idle).reduce((all, some) => all.filter((one) => some.includes(one))),
    );
    return { exploration, shown, exchanged, ...(doubt !== undefined && { doubt }), interrupted };
  }

  async #exchanged(): Promise<number> {
    const answers = await this.#askAll({ kind: 'countExchanged' }, 'exchanged');
    return answers.reduce((sum, { exchanged }) => sum + exchanged, 0);
  }

  /** Sends everybody home. */
  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    for (const port of this.#ports) port.close();
  }

  /** Looks how far the threads are, and whether they are to stop. */
  #look(): void {
    const sum = (first: number) =>
      this.#figures.reduce((total, figure, at) => total + (at % figureWords === first ? figure : 0), 0);
    this.#progress.onProgress(sum(0), sum(1));
    if (this.#progress.shouldStop()) stopAll(this.#control, 'interrupted');
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
      const { error, readsTime, explorable } = told;
      const { message } = error as Error;
      if (readsTime !== undefined) this.#break(new ClockMissing(message, readsTime));
      else this.#break(explorable ? error : new NotExplorable(message));
      return;
    }
    if (told.kind !== this.#waiting?.kind) return;
    const { answers, all } = this.#waiting;
    answers.set(index, told);
    if (answers.size === all) this.#resolve(answers);
  }

  #break(error: unknown): void {
    this.#broken ??= { error };
    this.#reject(this.#broken.error);
  }
}

/** The figures of all threads together. */
function together(ends: readonly SearchEnd[]): ExploreFigures {
  const all = ends.map(({ figures }) => figures);
  const sum = (figure: (figures: ExploreFigures) => number) =>
    all.reduce((total, figures) => total + figure(figures), 0);
  const most = (figure: (figures: ExploreFigures) => number) => Math.max(0, ...all.map(figure));
  const states = sum((figures) => figures.states);
  return {
    states,
    transitions: sum(({ transitions }) => transitions),
    depth: most(({ depth }) => depth),
    unexplored: states - ends.reduce((total, { explored }) => total + explored, 0),
    quiet: sum(({ quiet }) => quiet),
    cut: sum(({ cut }) => cut),
    outside: sum(({ outside }) => outside),
    postponed: sum(({ postponed }) => postponed),
    merged: sum(({ merged }) => merged),
    locals: most(({ locals }) => locals),
  };
}

/** The first of each different thing, in the order of one thread. What is of one rank comes from one thread, in the order in which it was found. */
function firsts(
  all: readonly RankedFinding[],
  keyOfOne: (one: RankedFinding) => string,
): readonly RankedFinding[] {
  const kept = new Map<string, RankedFinding>();
  for (const one of [...all].sort((first, second) => first.rank - second.rank))
    if (!kept.has(keyOfOne(one))) kept.set(keyOfOne(one), one);
  return [...kept.values()];
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
