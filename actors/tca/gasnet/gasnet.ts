import { addressOf } from '../address-map.ts';
import type { NodeAnswer, NodeOperation, NodeProgram } from '../cpu.ts';
import { longBytesMax, mediumBytesMax } from './active-messages.ts';
import { barrierFlags } from './barrier.ts';
import type { Delivery, Form, GasnetAnswer, GasnetCall, MessageCall, MessageKind, Status } from './calls.ts';
import { Collectives } from './collectives.ts';
import type { LockAction } from './handler-locks.ts';
import { contiguous, type Shape } from './job.ts';
import {
  type LayoutInput,
  pageBytes,
  runtimeBytes,
  type SegmentBytes,
  scratchBytes,
  segmentBase,
  segmentBytesMax,
} from './layout.ts';
import { Mailbox } from './mailbox.ts';
import { argumentsMax } from './packet.ts';
import {
  blocksOf,
  type Extent,
  type Moves,
  nodeOfAll,
  ScatteredMoves,
  type Strided,
} from './scattered-moves.ts';

/** What a program or a handler yields from: `yield*` gives its result. */
export type Doing<Result> = Generator<NodeOperation, Result, NodeAnswer>;

/** A call that could not be carried out, in a form that has no status to return (TCA specification 17). */
export class GasnetError extends Error {
  constructor(
    readonly code: Status,
    rank: number,
    call: string,
  ) {
    super(`${code}: rank ${rank}: ${call}`);
  }
}

/** An operation under way; 0 stands for one that is done. */
export type Handle = number & { readonly __brand: 'Handle' };

/** Settings of a put or a get. */
export interface MoveOptions {
  /** The source must stay as it is until the operation is done; else it may be changed when the call returns. */
  readonly bulk?: boolean;
}

/** What an active message brings: bytes of this node's memory, and where the bytes of a long one go. */
export interface MessageOptions {
  readonly args?: readonly number[];
  readonly src?: number;
  readonly bytes?: number;
  readonly dst?: number;
}

/** What a handler may do beside looking at its node: reply once, if the message was a request. */
export interface Token {
  readonly source: number;
  reply(kind: MessageKind, handler: number, options?: MessageOptions): Doing<Status>;
}

/** Handles a message, as a generator if it replies or looks at memory: `payload` of a medium one is a copy, of a long one `address` and `bytes` say where it lies. */
export type Handler = (
  gasnet: Gasnet,
  token: Token,
  message: Pick<Delivery, 'args' | 'payload' | 'address' | 'bytes'>,
) => Doing<void> | undefined | void;

/** Handlers by index 128 to 255; those without an index get the first ones that are free, the same on all nodes. */
export type HandlerTable = readonly { readonly index?: number; readonly handler: Handler }[];

/** How a barrier came out. */
export interface BarrierResult {
  readonly status: Status;
  /** The name that all agreed on; undefined when nobody gave one. */
  readonly id: number | undefined;
}

const firstClientHandler = 128;
const noBytes = { src: 0, bytes: 0, dst: 0 };
type Done = Extract<GasnetAnswer, { readonly answer: 'done' }>;

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
export class Gasnet {
  readonly #layout: LayoutInput;
  readonly #handlers = new Map<number, Handler>();
  #segments: SegmentBytes;
  #barrier: BarrierResult | undefined;
  readonly #scattered: ScatteredMoves;
  readonly #library: ReadonlyMap<number, Handler>;
  /** Broadcast, gather, scatter, reduce and their like, of all nodes; `collectives.split` gives those of teams. */
  readonly collectives: Collectives;

  constructor(
    readonly rank: number,
    layout: LayoutInput,
    /** What the configuration tells programs: names and values. */
    readonly environment: Readonly<Record<string, string>>,
  ) {
    this.#layout = layout;
    this.#segments = segmentBytesMax(layout);
    const mailbox = new Mailbox(this);
    this.collectives = Collectives.ofAll(this, mailbox);
    this.#scattered = new ScatteredMoves(this, layout.options.minHwBlock);
    this.#library = new Map([...mailbox.handlers, ...this.#scattered.handlers]);
  }

  get nodes(): number {
    return this.#layout.nodes;
  }

  /** Limits of active messages and segments (TCA specification 12.1). */
  get limits() {
    return {
      arguments: argumentsMax,
      mediumBytes: mediumBytesMax(this.#layout.options.slotBytes),
      longBytes: longBytesMax,
      segmentBytes: segmentBytesMax(this.#layout),
      pageBytes,
    };
  }

  /** A name of the environment of the job (TCA specification 20, C24). */
  getenv(name: string): string | undefined {
    return this.environment[name];
  }

  /** Where the segment of a rank begins, and how long it is, if all ranks attached as this one did. */
  segment(rank: number, kind: 'cpu' | 'gpu'): { readonly base: number; readonly bytes: number } {
    return { base: segmentBase(this.#layout, rank, kind), bytes: this.#segments[kind] };
  }

  /** Memory of this node behind its segment, of which no other node knows. */
  get privateMemory(): { readonly base: number; readonly bytes: number } {
    const base = this.segment(this.rank, 'cpu').base + this.#segments.cpu;
    return { base, bytes: addressOf(this.rank, 'cpu', this.#layout.cpuBytes) - base };
  }

  /** Registered memory before the segment in which the library itself prepares what it sends; handlers have their own part. */
  get scratch(): number {
    return addressOf(this.rank, 'cpu', runtimeBytes(this.#layout));
  }
  get handlerScratch(): number {
    return this.scratch + this.#scratchBytes;
  }
  get #scratchBytes(): number {
    return scratchBytes(this.#layout);
  }

  /** Begins: what comes before is NOT_INIT. */
  *init(): Doing<Status> {
    return (yield* this.#call({ call: 'init' })).status;
  }

  /**
   * Registers handlers and segments; returns when all nodes have.
   *
   * Details: segments are in whole pages, as large as can be when not given. Errors: NOT_INIT, BAD_ARG, RESOURCE when attached already.
   */
  *attach(handlers: HandlerTable = [], segments: Partial<SegmentBytes> = {}): Doing<Status> {
    const { cpu, gpu } = { ...segmentBytesMax(this.#layout), ...segments };
    const taken = new Set(
      handlers.flatMap(({ index }) => (index === undefined || index === 0 ? [] : [index])),
    );
    const indices: number[] = [];
    const named = new Map<number, Handler>();
    let free = firstClientHandler;
    for (const { index, handler } of handlers) {
      while (taken.has(free)) free++;
      const own = index === undefined || index === 0 ? free++ : index;
      indices.push(own);
      named.set(own, handler);
    }
    // Handlers may run before the call returns.
    const before = new Map(this.#handlers);
    for (const [index, handler] of named) this.#handlers.set(index, handler);
    const { status } = yield* this.#call({ call: 'attach', handlers: indices, cpuBytes: cpu, gpuBytes: gpu });
    if (status === 'OK') this.#segments = { cpu, gpu };
    else {
      this.#handlers.clear();
      for (const [index, handler] of before) this.#handlers.set(index, handler);
    }
    return status;
  }

  /** The index under which a handler was registered; the first one when there are several. */
  indexOf(handler: Handler): number {
    for (const [index, one] of this.#handlers) if (one === handler) return index;
    throw new Error(`the handler "${handler.name}" is not registered: give it to attach`);
  }

  /** Ends the job on all nodes; the program goes no further. */
  *exit(code: number): Doing<never> {
    yield* this.#call({ call: 'exit', code });
    throw new Error('the runtime let a program go on that has ended the job');
  }

  /** Bytes of this node's memories. */
  *read(address: number, bytes: number): Doing<Uint8Array> {
    return (yield { op: 'read', address, bytes }) as Uint8Array;
  }

  /** Changes bytes of this node's memories. */
  *write(address: number, data: Uint8Array): Doing<void> {
    yield { op: 'write', address, data };
  }

  /** Copies inside the node: through its own chip where the GPU takes part and the addresses allow it. */
  *copy(dst: number, src: number, bytes: number): Doing<Status> {
    return (yield* this.#call({ call: 'copy', src, dst, bytes })).status;
  }

  /** Works for so many nanoseconds, without a look at what comes. */
  *compute(ns: number): Doing<void> {
    yield { op: 'compute', ns };
  }

  /** Has the GPU work for so many nanoseconds, and waits for it. */
  *kernel(ns: number): Doing<void> {
    yield { op: 'launch', ns };
    yield { op: 'join' };
  }

  /** Nanoseconds since the beginning of the run. */
  *now(): Doing<number> {
    return (yield { op: 'now' }) as number;
  }

  /** Looks at the rings: runs the handlers of messages that are there. */
  *poll(): Doing<Status> {
    return (yield* this.#call({ call: 'poll' })).status;
  }

  /** Waits until `condition` holds, which handlers can change; it is asked again after each message. */
  *waitUntil(condition: () => boolean): Doing<void> {
    while (!condition()) yield* this.#call({ call: 'await' });
  }

  /**
   * Waits until `count` puts of a node have come since the beginning, whole and visible: what a notification tells the one who is put to
   * (TCA specification 9). Errors: BAD_ARG.
   */
  *awaitPuts(source: number, count: number): Doing<Status> {
    return (yield* this.#call({ call: 'awaitPuts', source, count })).status;
  }

  /** Sends an active message. Errors: BAD_ARG; EHANDLER and ESEGMENT end the job. */
  *request(target: number, kind: MessageKind, handler: number, options: MessageOptions = {}): Doing<Status> {
    if (handler < firstClientHandler) return 'BAD_ARG';
    return (yield* this.#call({ call: 'request', target, ...messageOf(kind, handler, options) })).status;
  }

  /** A medium message of the library itself. */
  *sendBytes(target: number, handler: number, args: readonly number[], payload: Uint8Array): Doing<Status> {
    const src = this.scratch;
    yield* this.write(src, payload);
    const options = { args, src, bytes: payload.length };
    return (yield* this.#call({ call: 'request', target, ...messageOf('medium', handler, options) })).status;
  }

  /** A short message of the library itself. */
  *sendShort(target: number, handler: number, args: readonly number[]): Doing<Status> {
    return (yield* this.#call({ call: 'request', target, ...messageOf('short', handler, { args }) })).status;
  }

  /** Begins to put lists of bytes, as many at both ends, into the segment of one node; sources may overlap, targets not. */
  *putVectorNb(targets: readonly Extent[], sources: readonly Extent[]): Doing<Moves> {
    const target = nodeOfAll(targets);
    if (target === undefined) return { handles: [], asked: [] };
    return yield* this.#scattered.put(target, sources, targets);
  }

  /** Waits for moves that a call has begun. */
  *waitMoves(moves: Moves): Doing<void> {
    yield* this.#scattered.wait(moves);
  }

  /** Puts lists of bytes. */
  *putVector(targets: readonly Extent[], sources: readonly Extent[]): Doing<void> {
    yield* this.waitMoves(yield* this.putVectorNb(targets, sources));
  }

  /** Gets lists of bytes, as many at both ends, out of the segment of one node. */
  *getVector(targets: readonly Extent[], sources: readonly Extent[]): Doing<void> {
    const owner = nodeOfAll(sources);
    if (owner !== undefined) yield* this.#scattered.get(owner, sources, targets);
  }

  /** Puts pieces of one length at each end. */
  *putIndexed(
    targets: readonly number[],
    targetBytes: number,
    sources: readonly number[],
    sourceBytes: number,
  ): Doing<void> {
    yield* this.putVector(extentsOf(targets, targetBytes), extentsOf(sources, sourceBytes));
  }

  /** Gets pieces of one length at each end. */
  *getIndexed(
    targets: readonly number[],
    targetBytes: number,
    sources: readonly number[],
    sourceBytes: number,
  ): Doing<void> {
    yield* this.getVector(extentsOf(targets, targetBytes), extentsOf(sources, sourceBytes));
  }

  /** Puts a block with levels of strides: `count[0]` bytes, `count[k]` times at the distance of level k at each end. */
  *putStrided(target: Strided, source: Strided, count: readonly number[]): Doing<void> {
    yield* this.putVector(blocksOf(target, count), blocksOf(source, count));
  }

  /** Gets a block with levels of strides. */
  *getStrided(target: Strided, source: Strided, count: readonly number[]): Doing<void> {
    yield* this.getVector(blocksOf(target, count), blocksOf(source, count));
  }

  /** Puts bytes into the segment of a node; done when it returns. */
  *put(dst: number, src: number, bytes: number): Doing<Status> {
    return (yield* this.#put('blocking', dst, src, contiguous(bytes), true)).status;
  }

  /** Begins a put. */
  *putNb(dst: number, src: number, bytes: number, { bulk = false }: MoveOptions = {}): Doing<Handle> {
    return handleOf(yield* this.#put('nb', dst, src, contiguous(bytes), bulk), this.rank, 'putNb');
  }

  /** Begins a put that is waited for with all others of its kind. */
  *putNbi(dst: number, src: number, bytes: number, { bulk = false }: MoveOptions = {}): Doing<Status> {
    return (yield* this.#put('nbi', dst, src, contiguous(bytes), bulk)).status;
  }

  /** Puts equal blocks at equal distances: by the block-stride engine where the addresses allow it. */
  *putBlocks(dst: number, src: number, shape: Shape): Doing<Status> {
    return (yield* this.#put('blocking', dst, src, shape, true)).status;
  }

  /** Begins to put equal blocks at equal distances. */
  *putBlocksNb(dst: number, src: number, shape: Shape, { bulk = false }: MoveOptions = {}): Doing<Handle> {
    return handleOf(yield* this.#put('nb', dst, src, shape, bulk), this.rank, 'putBlocksNb');
  }

  /** Gets bytes out of the segment of a node. */
  *get(dst: number, src: number, bytes: number): Doing<Status> {
    return (yield* this.#get('blocking', dst, src, contiguous(bytes))).status;
  }

  /** Begins a get. */
  *getNb(dst: number, src: number, bytes: number): Doing<Handle> {
    return handleOf(yield* this.#get('nb', dst, src, contiguous(bytes)), this.rank, 'getNb');
  }

  /** Begins a get that is waited for with all others of its kind. */
  *getNbi(dst: number, src: number, bytes: number): Doing<Status> {
    return (yield* this.#get('nbi', dst, src, contiguous(bytes))).status;
  }

  /** Gets equal blocks at equal distances. */
  *getBlocks(dst: number, src: number, shape: Shape): Doing<Status> {
    return (yield* this.#get('blocking', dst, src, shape)).status;
  }

  /** Begins to get equal blocks at equal distances. */
  *getBlocksNb(dst: number, src: number, shape: Shape): Doing<Handle> {
    return handleOf(yield* this.#get('nb', dst, src, shape), this.rank, 'getBlocksNb');
  }

  /** Puts the low bytes of a value, 1 to 8 of them, little endian. */
  *putValue(dst: number, value: bigint | number, bytes: number): Doing<Status> {
    const data = valueBytes(value, bytes);
    return (yield* this.#call({ call: 'putValue', form: 'blocking', dst, data })).status;
  }

  /** Begins to put a value. */
  *putValueNb(dst: number, value: bigint | number, bytes: number): Doing<Handle> {
    const data = valueBytes(value, bytes);
    const done = yield* this.#call({ call: 'putValue', form: 'nb', dst, data });
    return handleOf(done, this.rank, 'putValueNb');
  }

  /** Begins to put a value, which is waited for with all other puts. */
  *putValueNbi(dst: number, value: bigint | number, bytes: number): Doing<Status> {
    const data = valueBytes(value, bytes);
    return (yield* this.#call({ call: 'putValue', form: 'nbi', dst, data })).status;
  }

  /** Gets 1 to 8 bytes as a value, little endian, the rest zero. */
  *getValue(src: number, bytes: number): Doing<bigint> {
    const done = yield* this.#call({ call: 'getValue', form: 'blocking', src, bytes });
    if (done.status !== 'OK') throw new GasnetError(done.status, this.rank, 'getValue');
    return wholeOf(done.data);
  }

  /** Begins to get a value, which `waitValue` gives. */
  *getValueNb(src: number, bytes: number): Doing<Handle> {
    return handleOf(yield* this.#call({ call: 'getValue', form: 'nb', src, bytes }), this.rank, 'getValueNb');
  }

  /** Waits for a value. */
  *waitValue(handle: Handle): Doing<bigint> {
    return wholeOf((yield* this.#sync([handle], true, true)).data);
  }

  /** Fills bytes of the segment of a node. */
  *memset(dst: number, value: number, bytes: number): Doing<Status> {
    return (yield* this.#call({ call: 'memset', form: 'blocking', dst, bytes, value })).status;
  }

  /** Begins to fill bytes. */
  *memsetNb(dst: number, value: number, bytes: number): Doing<Handle> {
    const done = yield* this.#call({ call: 'memset', form: 'nb', dst, bytes, value });
    return handleOf(done, this.rank, 'memsetNb');
  }

  /** Begins to fill bytes, which is waited for with all puts. */
  *memsetNbi(dst: number, value: number, bytes: number): Doing<Status> {
    return (yield* this.#call({ call: 'memset', form: 'nbi', dst, bytes, value })).status;
  }

  /** Waits for an operation. */
  *wait(handle: Handle): Doing<void> {
    yield* this.#sync([handle], true, true);
  }

  /** Waits for operations. */
  *waitAll(handles: readonly Handle[]): Doing<void> {
    yield* this.#sync(handles, true, true);
  }

  /** Waits until one of the operations is done; tells which ones are, whose handles are dead from then on. */
  *waitSome(handles: readonly Handle[]): Doing<readonly boolean[]> {
    const { data } = yield* this.#sync(handles, true, false);
    return handles.map((handle, k) => (handles.length === 1 ? true : handle === 0 || data[k] === 1));
  }

  /** True when the operation is done; its handle is dead then. */
  *test(handle: Handle): Doing<boolean> {
    return (yield* this.#sync([handle], false, true)).status === 'OK';
  }

  /** True when all are done; their handles are dead then. */
  *testAll(handles: readonly Handle[]): Doing<boolean> {
    return (yield* this.#sync(handles, false, true)).status === 'OK';
  }

  /** Waits for implicit operations outside of access regions. */
  *waitImplicit(of: 'puts' | 'gets' | 'all' = 'all'): Doing<Status> {
    return (yield* this.#call({ call: 'syncImplicit', of, wait: true })).status;
  }

  /** True when implicit operations outside of access regions are done. */
  *testImplicit(of: 'puts' | 'gets' | 'all' = 'all'): Doing<boolean> {
    return (yield* this.#call({ call: 'syncImplicit', of, wait: false })).status === 'OK';
  }

  /** Begins an access region: implicit operations up to its end share a handle. Errors: BAD_ARG inside of another one. */
  *beginRegion(): Doing<Status> {
    return (yield* this.#call({ call: 'beginRegion' })).status;
  }

  /** Ends the access region. */
  *endRegion(): Doing<Handle> {
    return handleOf(yield* this.#call({ call: 'endRegion' }), this.rank, 'endRegion');
  }

  /** Says that this node has come to the barrier of a name, or to one without. */
  *barrierNotify(id: number, flags: number = barrierFlags.named): Doing<void> {
    yield* this.#call({ call: 'barrierNotify', id, flags });
  }

  /** Waits until all nodes have notified. Errors: BARRIER_MISMATCH. */
  *barrierWait(id: number, flags: number = barrierFlags.named): Doing<Status> {
    return this.#barrierDone(yield* this.#call({ call: 'barrierFinish', id, flags, wait: true }));
  }

  /** As `barrierWait` when all nodes have notified. Errors: NOT_READY, BARRIER_MISMATCH. */
  *barrierTry(id: number, flags: number = barrierFlags.named): Doing<Status> {
    const done = yield* this.#call({ call: 'barrierFinish', id, flags, wait: false });
    return done.status === 'NOT_READY' ? done.status : this.#barrierDone(done);
  }

  /** Notifies and waits; without a name it goes along with any. */
  *barrier(id = 0, flags: number = id === 0 ? barrierFlags.anonymous : barrierFlags.named): Doing<Status> {
    yield* this.barrierNotify(id, flags);
    return yield* this.barrierWait(id, flags);
  }

  /** How the last barrier came out; undefined before the first. */
  get barrierResult(): BarrierResult | undefined {
    return this.#barrier;
  }

  /** A handler-safe lock of this node by its number. Errors: EHSL ends the job at any use that is not allowed (TCA specification 20, C17). */
  *hsl(action: LockAction, lock = 0): Doing<void> {
    yield* this.#call({ call: 'hsl', action, lock });
  }

  #barrierDone({ status, value, data }: Done): Status {
    this.#barrier = { status, id: status === 'OK' && data[0] === 0 ? value : undefined };
    return status;
  }

  #put(form: Form, dst: number, src: number, shape: Shape, bulk: boolean): Doing<Done> {
    return this.#call({ call: 'put', form, bulk, src, dst, shape });
  }

  #get(form: Form, dst: number, src: number, shape: Shape): Doing<Done> {
    return this.#call({ call: 'get', form, src, dst, shape });
  }

  #sync(handles: readonly Handle[], wait: boolean, all: boolean): Doing<Done> {
    return this.#call({ call: 'sync', handles, wait, all });
  }

  /** Calls the runtime, and runs the handlers that it asks for meanwhile. */
  *#call(call: GasnetCall): Doing<Done> {
    let answer = (yield { op: 'gasnet', call }) as GasnetAnswer;
    while (answer.answer === 'handler') {
      yield* this.#handle(answer.delivery);
      answer = (yield { op: 'gasnet', call: { call: 'handled' } }) as GasnetAnswer;
    }
    return answer;
  }

  *#handle({ handler, source, args, payload, address, bytes }: Delivery): Doing<void> {
    const call = (reply: GasnetCall) => this.#call(reply);
    const token: Token = {
      source,
      *reply(kind, index, options = {}) {
        return (yield* call({ call: 'reply', ...messageOf(kind, index, options) })).status;
      },
    };
    const doing = (this.#library.get(handler) ?? this.#handlers.get(handler))!(this, token, {
      args,
      payload,
      address,
      bytes,
    });
    if (doing) yield* doing;
  }
}

const extentsOf = (addresses: readonly number[], bytes: number): readonly Extent[] =>
  addresses.map((address) => ({ address, bytes }));

function messageOf(kind: MessageKind, handler: number, options: MessageOptions): MessageCall {
  const { args = [], ...rest } = options;
  return { kind, handler, args, ...noBytes, ...rest };
}

function handleOf({ status, value }: Done, rank: number, call: string): Handle {
  if (status !== 'OK') throw new GasnetError(status, rank, call);
  return value as Handle;
}

function valueBytes(value: bigint | number, bytes: number): Uint8Array {
  const whole = new DataView(new ArrayBuffer(8));
  whole.setBigUint64(0, BigInt.asUintN(64, BigInt(value)), true);
  // More than 8 bytes are for the runtime to refuse.
  return bytes <= 8 ? new Uint8Array(whole.buffer, 0, bytes).slice() : new Uint8Array(bytes);
}

function wholeOf(data: Uint8Array): bigint {
  const whole = new DataView(new ArrayBuffer(8));
  for (const [k, byte] of data.entries()) whole.setUint8(k, byte);
  return whole.getBigUint64(0, true);
}

/** The program of a node under GASNet. */
export type GasnetProgram = (gasnet: Gasnet) => Doing<void>;

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
