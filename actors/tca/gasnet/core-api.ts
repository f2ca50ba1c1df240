import { addressOf } from '../address-map.ts';
import { longBytesMax, mediumBytesMax } from './active-messages.ts';
import type { Delivery, GasnetAnswer, GasnetCall, MessageKind, Status } from './calls.ts';
import type { Gasnet } from './gasnet.ts';
import type { Done } from './handle.ts';
import { type Handler, type HandlerTable, type MessageOptions, messageOf, type Token } from './handler.ts';
import type { LockAction } from './handler-locks.ts';
import {
  type LayoutInput,
  pageBytes,
  runtimeBytes,
  type SegmentBytes,
  scratchBytes,
  segmentBase,
  segmentBytesMax,
} from './layout.ts';
import { argumentsMax } from './packet.ts';
import type { Task } from './task.ts';

const firstClientHandler = 128;

/**
 * The Core API of GASNet as a program of a node sees it (TCA specification 12.1, 12.2): its life cycle, its memories, active messages, locks.
 *
 * Details: every call is a generator, used with `yield*`. Handlers run inside of calls, on behalf of the program, and nowhere else.
 */
export abstract class CoreApi {
  readonly #layout: LayoutInput;
  readonly #handlers = new Map<number, Handler>();
  #segments: SegmentBytes;

  constructor(
    readonly rank: number,
    layout: LayoutInput,
    /** What the configuration tells programs: names and values. */
    readonly environment: Readonly<Record<string, string>>,
  ) {
    this.#layout = layout;
    this.#segments = segmentBytesMax(layout);
  }

  /** Handlers of the library itself. */
  protected abstract readonly library: ReadonlyMap<number, Handler>;
  /** All that handlers are given. */
  protected abstract readonly whole: Gasnet;

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
  *init(): Task<Status> {
    return (yield* this.ask({ call: 'init' })).status;
  }

  /**
   * Registers handlers and segments; returns when all nodes have.
   *
   * Details: segments are in whole pages, as large as can be when not given. Errors: NOT_INIT, BAD_ARG, RESOURCE when attached already.
   */
  *attach(handlers: HandlerTable = [], segments: Partial<SegmentBytes> = {}): Task<Status> {
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
    const { status } = yield* this.ask({ call: 'attach', handlers: indices, cpuBytes: cpu, gpuBytes: gpu });
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
  *exit(code: number): Task<never> {
    yield* this.ask({ call: 'exit', code });
    throw new Error('the runtime let a program go on that has ended the job');
  }

  /** Bytes of this node's memories. */
  *read(address: number, bytes: number): Task<Uint8Array> {
    return (yield { op: 'read', address, bytes }) as Uint8Array;
  }

  /** Changes bytes of this node's memories. */
  *write(address: number, data: Uint8Array): Task<void> {
    yield { op: 'write', address, data };
  }

  /** Copies inside the node: through its own chip where the GPU takes part and the addresses allow it. */
  *copy(dst: number, src: number, bytes: number): Task<Status> {
    return (yield* this.ask({ call: 'copy', src, dst, bytes })).status;
  }

  /** Works for so many nanoseconds, without a look at what comes. */
  *compute(ns: number): Task<void> {
    yield { op: 'compute', ns };
  }

  /** Has the GPU work for so many nanoseconds, and waits for it. */
  *kernel(ns: number): Task<void> {
    yield { op: 'launch', ns };
    yield { op: 'join' };
  }

  /** Nanoseconds since the beginning of the run. */
  *now(): Task<number> {
    return (yield { op: 'now' }) as number;
  }

  /** Looks at the rings: runs the handlers of messages that are there. */
  *poll(): Task<Status> {
    return (yield* this.ask({ call: 'poll' })).status;
  }

  /** Waits until `condition` holds, which handlers can change; it is asked again after each message. */
  *waitUntil(condition: () => boolean): Task<void> {
    while (!condition()) yield* this.ask({ call: 'await' });
  }

  /**
   * Waits until `count` puts of a node have come since the beginning, whole and visible: what a notification tells the one who is put to
   * (TCA specification 9). Errors: BAD_ARG.
   */
  *awaitPuts(source: number, count: number): Task<Status> {
    return (yield* this.ask({ call: 'awaitPuts', source, count })).status;
  }

  /** Sends an active message. Errors: BAD_ARG; EHANDLER and ESEGMENT end the job. */
  *request(target: number, kind: MessageKind, handler: number, options: MessageOptions = {}): Task<Status> {
    if (handler < firstClientHandler) return 'BAD_ARG';
    return (yield* this.ask({ call: 'request', target, ...messageOf(kind, handler, options) })).status;
  }

  /** A medium message of the library itself. */
  *sendBytes(target: number, handler: number, args: readonly number[], payload: Uint8Array): Task<Status> {
    const src = this.scratch;
    yield* this.write(src, payload);
    const options = { args, src, bytes: payload.length };
    return (yield* this.ask({ call: 'request', target, ...messageOf('medium', handler, options) })).status;
  }

  /** A short message of the library itself. */
  *sendShort(target: number, handler: number, args: readonly number[]): Task<Status> {
    return (yield* this.ask({ call: 'request', target, ...messageOf('short', handler, { args }) })).status;
  }

  /** A handler-safe lock of this node by its number. Errors: EHSL ends the job at any use that is not allowed (TCA specification 20, C17). */
  *hsl(action: LockAction, lock = 0): Task<void> {
    yield* this.ask({ call: 'hsl', action, lock });
  }

  /** Calls the runtime, and runs the handlers that it asks for meanwhile. */
  protected *ask(call: GasnetCall): Task<Done> {
    let answer = (yield { op: 'gasnet', call }) as GasnetAnswer;
    while (answer.answer === 'handler') {
      yield* this.#handle(answer.delivery);
      answer = (yield { op: 'gasnet', call: { call: 'handled' } }) as GasnetAnswer;
    }
    return answer;
  }

  *#handle({ handler, source, args, payload, address, bytes }: Delivery): Task<void> {
    const call = (reply: GasnetCall) => this.ask(reply);
    const token: Token = {
      source,
      *reply(kind, index, options = {}) {
        return (yield* call({ call: 'reply', ...messageOf(kind, index, options) })).status;
      },
    };
    const doing = (this.library.get(handler) ?? this.#handlers.get(handler))!(this.whole, token, {
      args,
      payload,
      address,
      bytes,
    });
    if (doing) yield* doing;
  }
}
