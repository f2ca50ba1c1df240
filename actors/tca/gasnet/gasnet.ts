import type { NodeProgram } from '../node-program.ts';
import { barrierFlags } from './barrier.ts';
import type { Form, Status } from './calls.ts';
import { Collectives } from './collectives.ts';
import { CoreApi } from './core-api.ts';
import { type Done, GasnetError, type Handle, handleOf } from './handle.ts';
import type { Handler } from './handler.ts';
import { contiguous, type Shape } from './job.ts';
import type { LayoutInput } from './layout.ts';
import { Mailbox } from './mailbox.ts';
import {
  blocksOf,
  type Extent,
  type Moves,
  nodeOfAll,
  ScatteredMoves,
  type Strided,
} from './scattered-moves.ts';
import type { Task } from './task.ts';
import { valueBytes, wholeOf } from './value-bytes.ts';

/** Settings of a put or a get. */
export interface MoveOptions {
  /** The source must stay as it is until the operation is done; else it may be changed when the call returns. */
  readonly bulk?: boolean;
}

/** How a barrier came out. */
export interface BarrierResult {
  readonly status: Status;
  /** The name that all agreed on; undefined when nobody gave one. */
  readonly id: number | undefined;
}

/**
 * GASNet as a program of a node sees it (TCA specification 12).
 *
 * Details: every call is a generator, used with `yield*`. Handlers run inside of calls, on behalf of the program, and nowhere else. Addresses are those
 * of the window over all nodes: `segment(rank, kind)` says where a segment begins. Calls that return a `Status` say what was wrong; fatal errors end the
 * job on all nodes.
 *
 * @example
 * ```ts
 * export const hello = gasnetProgram(function* (gasnet) {
 *   yield* gasnet.init();
 *   yield* gasnet.attach();
 *   const next = (gasnet.rank + 1) % gasnet.nodes;
 *   const own = gasnet.segment(gasnet.rank, 'cpu').base;
 *   yield* gasnet.write(own, Uint8Array.of(gasnet.rank));
 *   yield* gasnet.put(gasnet.segment(next, 'gpu').base, own, 1);
 *   yield* gasnet.barrier();
 *   const [left] = yield* gasnet.read(gasnet.segment(gasnet.rank, 'gpu').base, 1);
 *   yield* gasnet.exit(left === (gasnet.rank + gasnet.nodes - 1) % gasnet.nodes ? 0 : 1);
 * });
 * ```
 */
export class Gasnet extends CoreApi {
  #barrier: BarrierResult | undefined;
  readonly #scattered: ScatteredMoves;
  protected readonly library: ReadonlyMap<number, Handler>;
  protected readonly whole: Gasnet = this;
  /** Broadcast, gather, scatter, reduce and their like, of all nodes; `collectives.split` gives those of teams. */
  readonly collectives: Collectives;

  constructor(rank: number, layout: LayoutInput, environment: Readonly<Record<string, string>>) {
    super(rank, layout, environment);
    const mailbox = new Mailbox(this);
    this.collectives = Collectives.ofAll(this, mailbox);
    this.#scattered = new ScatteredMoves(this, layout.options.minHwBlock);
    this.library = new Map([...mailbox.handlers, ...this.#scattered.handlers]);
  }

  /** Puts bytes into the segment of a node; done when it returns. */
  *put(dst: number, src: number, bytes: number): Task<Status> {
    return (yield* this.#put('blocking', dst, src, contiguous(bytes), true)).status;
  }

  /** Begins a put. */
  *putNb(dst: number, src: number, bytes: number, { bulk = false }: MoveOptions = {}): Task<Handle> {
    return handleOf(yield* this.#put('nb', dst, src, contiguous(bytes), bulk), this.rank, 'putNb');
  }

  /** Begins a put that is waited for with all others of its kind. */
  *putNbi(dst: number, src: number, bytes: number, { bulk = false }: MoveOptions = {}): Task<Status> {
    return (yield* this.#put('nbi', dst, src, contiguous(bytes), bulk)).status;
  }

  /** Puts equal blocks at equal distances: by the block-stride engine where the addresses allow it. */
  *putBlocks(dst: number, src: number, shape: Shape): Task<Status> {
    return (yield* this.#put('blocking', dst, src, shape, true)).status;
  }

  /** Begins to put equal blocks at equal distances. */
  *putBlocksNb(dst: number, src: number, shape: Shape, { bulk = false }: MoveOptions = {}): Task<Handle> {
    return handleOf(yield* this.#put('nb', dst, src, shape, bulk), this.rank, 'putBlocksNb');
  }

  /** Gets bytes out of the segment of a node. */
  *get(dst: number, src: number, bytes: number): Task<Status> {
    return (yield* this.#get('blocking', dst, src, contiguous(bytes))).status;
  }

  /** Begins a get. */
  *getNb(dst: number, src: number, bytes: number): Task<Handle> {
    return handleOf(yield* this.#get('nb', dst, src, contiguous(bytes)), this.rank, 'getNb');
  }

  /** Begins a get that is waited for with all others of its kind. */
  *getNbi(dst: number, src: number, bytes: number): Task<Status> {
    return (yield* this.#get('nbi', dst, src, contiguous(bytes))).status;
  }

  /** Gets equal blocks at equal distances. */
  *getBlocks(dst: number, src: number, shape: Shape): Task<Status> {
    return (yield* this.#get('blocking', dst, src, shape)).status;
  }

  /** Begins to get equal blocks at equal distances. */
  *getBlocksNb(dst: number, src: number, shape: Shape): Task<Handle> {
    return handleOf(yield* this.#get('nb', dst, src, shape), this.rank, 'getBlocksNb');
  }

  /** Puts the low bytes of a value, 1 to 8 of them, little endian. */
  *putValue(dst: number, value: bigint | number, bytes: number): Task<Status> {
    const data = valueBytes(value, bytes);
    return (yield* this.ask({ call: 'putValue', form: 'blocking', dst, data })).status;
  }

  /** Begins to put a value. */
  *putValueNb(dst: number, value: bigint | number, bytes: number): Task<Handle> {
    const data = valueBytes(value, bytes);
    const done = yield* this.ask({ call: 'putValue', form: 'nb', dst, data });
    return handleOf(done, this.rank, 'putValueNb');
  }

  /** Begins to put a value, which is waited for with all other puts. */
  *putValueNbi(dst: number, value: bigint | number, bytes: number): Task<Status> {
    const data = valueBytes(value, bytes);
    return (yield* this.ask({ call: 'putValue', form: 'nbi', dst, data })).status;
  }

  /** Gets 1 to 8 bytes as a value, little endian, the rest zero. */
  *getValue(src: number, bytes: number): Task<bigint> {
    const done = yield* this.ask({ call: 'getValue', form: 'blocking', src, bytes });
    if (done.status !== 'OK') throw new GasnetError(done.status, this.rank, 'getValue');
    return wholeOf(done.data);
  }

  /** Begins to get a value, which `waitValue` gives. */
  *getValueNb(src: number, bytes: number): Task<Handle> {
    return handleOf(yield* this.ask({ call: 'getValue', form: 'nb', src, bytes }), this.rank, 'getValueNb');
  }

  /** Waits for a value. */
  *waitValue(handle: Handle): Task<bigint> {
    return wholeOf((yield* this.#sync([handle], true, true)).data);
  }

  /** Fills bytes of the segment of a node. */
  *memset(dst: number, value: number, bytes: number): Task<Status> {
    return (yield* this.ask({ call: 'memset', form: 'blocking', dst, bytes, value })).status;
  }

  /** Begins to fill bytes. */
  *memsetNb(dst: number, value: number, bytes: number): Task<Handle> {
    const done = yield* this.ask({ call: 'memset', form: 'nb', dst, bytes, value });
    return handleOf(done, this.rank, 'memsetNb');
  }

  /** Begins to fill bytes, which is waited for with all puts. */
  *memsetNbi(dst: number, value: number, bytes: number): Task<Status> {
    return (yield* this.ask({ call: 'memset', form: 'nbi', dst, bytes, value })).status;
  }

  /** Waits for an operation. */
  *wait(handle: Handle): Task<void> {
    yield* this.#sync([handle], true, true);
  }

  /** Waits for operations. */
  *waitAll(handles: readonly Handle[]): Task<void> {
    yield* this.#sync(handles, true, true);
  }

  /** Waits until one of the operations is done; tells which ones are, whose handles are dead from then on. */
  *waitSome(handles: readonly Handle[]): Task<readonly boolean[]> {
    const { data } = yield* this.#sync(handles, true, false);
    return handles.map((handle, k) => (handles.length === 1 ? true : handle === 0 || data[k] === 1));
  }

  /** True when the operation is done; its handle is dead then. */
  *test(handle: Handle): Task<boolean> {
    return (yield* this.#sync([handle], false, true)).status === 'OK';
  }

  /** True when all are done; their handles are dead then. */
  *testAll(handles: readonly Handle[]): Task<boolean> {
    return (yield* this.#sync(handles, false, true)).status === 'OK';
  }

  /** Waits for implicit operations outside of access regions. */
  *waitImplicit(of: 'puts' | 'gets' | 'all' = 'all'): Task<Status> {
    return (yield* this.ask({ call: 'syncImplicit', of, wait: true })).status;
  }

  /** True when implicit operations outside of access regions are done. */
  *testImplicit(of: 'puts' | 'gets' | 'all' = 'all'): Task<boolean> {
    return (yield* this.ask({ call: 'syncImplicit', of, wait: false })).status === 'OK';
  }

  /** Begins an access region: implicit operations up to its end share a handle. Errors: BAD_ARG inside of another one. */
  *beginRegion(): Task<Status> {
    return (yield* this.ask({ call: 'beginRegion' })).status;
  }

  /** Ends the access region. */
  *endRegion(): Task<Handle> {
    return handleOf(yield* this.ask({ call: 'endRegion' }), this.rank, 'endRegion');
  }

  /** Begins to put lists of bytes, as many at both ends, into the segment of one node; sources may overlap, targets not. */
  *putVectorNb(targets: readonly Extent[], sources: readonly Extent[]): Task<Moves> {
    const target = nodeOfAll(targets);
    if (target === undefined) return { handles: [], asked: [] };
    return yield* this.#scattered.put(target, sources, targets);
  }

  /** Waits for moves that a call has begun. */
  *waitMoves(moves: Moves): Task<void> {
    yield* this.#scattered.wait(moves);
  }

  /** Puts lists of bytes. */
  *putVector(targets: readonly Extent[], sources: readonly Extent[]): Task<void> {
    yield* this.waitMoves(yield* this.putVectorNb(targets, sources));
  }

  /** Gets lists of bytes, as many at both ends, out of the segment of one node. */
  *getVector(targets: readonly Extent[], sources: readonly Extent[]): Task<void> {
    const owner = nodeOfAll(sources);
    if (owner !== undefined) yield* this.#scattered.get(owner, sources, targets);
  }

  /** Puts pieces of one length at each end. */
  *putIndexed(
    targets: readonly number[],
    targetBytes: number,
    sources: readonly number[],
    sourceBytes: number,
  ): Task<void> {
    yield* this.putVector(extentsOf(targets, targetBytes), extentsOf(sources, sourceBytes));
  }

  /** Gets pieces of one length at each end. */
  *getIndexed(
    targets: readonly number[],
    targetBytes: number,
    sources: readonly number[],
    sourceBytes: number,
  ): Task<void> {
    yield* this.getVector(extentsOf(targets, targetBytes), extentsOf(sources, sourceBytes));
  }

  /** Puts a block with levels of strides: `count[0]` bytes, `count[k]` times at the distance of level k at each end. */
  *putStrided(target: Strided, source: Strided, count: readonly number[]): Task<void> {
    yield* this.putVector(blocksOf(target, count), blocksOf(source, count));
  }

  /** Gets a block with levels of strides. */
  *getStrided(target: Strided, source: Strided, count: readonly number[]): Task<void> {
    yield* this.getVector(blocksOf(target, count), blocksOf(source, count));
  }

  /** Says that this node has come to the barrier of a name, or to one without. */
  *barrierNotify(id: number, flags: number = barrierFlags.named): Task<void> {
    yield* this.ask({ call: 'barrierNotify', id, flags });
  }

  /** Waits until all nodes have notified. Errors: BARRIER_MISMATCH. */
  *barrierWait(id: number, flags: number = barrierFlags.named): Task<Status> {
    return this.#barrierDone(yield* this.ask({ call: 'barrierFinish', id, flags, wait: true }));
  }

  /** As `barrierWait` when all nodes have notified. Errors: NOT_READY, BARRIER_MISMATCH. */
  *barrierTry(id: number, flags: number = barrierFlags.named): Task<Status> {
    const done = yield* this.ask({ call: 'barrierFinish', id, flags, wait: false });
    return done.status === 'NOT_READY' ? done.status : this.#barrierDone(done);
  }

  /** Notifies and waits; without a name it goes along with any. */
  *barrier(id = 0, flags: number = id === 0 ? barrierFlags.anonymous : barrierFlags.named): Task<Status> {
    yield* this.barrierNotify(id, flags);
    return yield* this.barrierWait(id, flags);
  }

  /** How the last barrier came out; undefined before the first. */
  get barrierResult(): BarrierResult | undefined {
    return this.#barrier;
  }

  #barrierDone({ status, value, data }: Done): Status {
    this.#barrier = { status, id: status === 'OK' && data[0] === 0 ? value : undefined };
    return status;
  }

  #put(form: Form, dst: number, src: number, shape: Shape, bulk: boolean): Task<Done> {
    return this.ask({ call: 'put', form, bulk, src, dst, shape });
  }

  #get(form: Form, dst: number, src: number, shape: Shape): Task<Done> {
    return this.ask({ call: 'get', form, src, dst, shape });
  }

  #sync(handles: readonly Handle[], wait: boolean, all: boolean): Task<Done> {
    return this.ask({ call: 'sync', handles, wait, all });
  }
}

const extentsOf = (addresses: readonly number[], bytes: number): readonly Extent[] =>
  addresses.map((address) => ({ address, bytes }));

/** The program of a node under GASNet. */
export type GasnetProgram = (gasnet: Gasnet) => Task<void>;

/** What a machine tells a program about GASNet on its nodes. */
export interface GasnetSetting {
  readonly layout: LayoutInput;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A program under GASNet as the program of a node: what a scenario names.
 *
 * Gotchas: a node whose program has ended answers nobody any more. End with a barrier, or with `exit`.
 */
export function gasnetProgram(program: GasnetProgram): NodeProgram {
  return function* (rank, _nodes, setting) {
    if (setting === undefined)
      throw new Error(
        'found a program of GASNet on nodes without it, expected "gasnet: {}" in the configuration of the machine',
      );
    yield* program(new Gasnet(rank, setting.layout, setting.environment));
  };
}
