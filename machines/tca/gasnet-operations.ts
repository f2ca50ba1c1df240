import { z } from 'zod';
import { barrierFlags } from '../../actors/tca/gasnet/barrier.ts';
import type { MessageKind, Status } from '../../actors/tca/gasnet/calls.ts';
import type { Gasnet, GasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Handle } from '../../actors/tca/gasnet/handle.ts';
import type { Handler } from '../../actors/tca/gasnet/handler.ts';
import type { Task } from '../../actors/tca/gasnet/task.ts';

const node = z.int().min(0).max(15);
const place = z
  .tuple([node, z.enum(['cpu', 'gpu', 'private']), z.int().min(0)])
  .readonly()
  .describe('node, its segment or its private memory, offset in bytes');
const size = z.int().min(0);
const form = z.enum(['blocking', 'nb', 'nbi']).default('blocking').describe('how it is waited for');
const distance = z.int().default(0);
const blocks = {
  size: size.describe('bytes of a block'),
  count: z
    .int()
    .min(1)
    .default(1)
    .describe('blocks at equal distances; of more than one the form is not nbi'),
  fromStride: distance,
  toStride: distance,
};
const extents = z.array(z.tuple([place, size]).readonly());
const strided = z.strictObject({ at: place, strides: z.array(z.int()) });
const levels = z.array(z.int().min(0)).min(1).describe('bytes, then how often at each level');
const shared = {
  root: node.default(0),
  to: place,
  from: place,
  size,
  synchronised: z.boolean().default(false),
};

/** Whether messages can name a handler. */
function isRegistered(gasnet: Gasnet, handler: Handler): boolean {
  try {
    gasnet.indexOf(handler);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with calls that are refused (TCA specification 17), or about no bytes. */
export const refusedCalls = [
  'rank',
  'source',
  'target',
  'size',
  'begun',
  'attached',
  'region',
  'handler',
  'arguments',
  'payload',
  'empty',
] as const;

const operation = z.discriminatedUnion('op', [
  z
    .strictObject({ op: z.literal('write'), to: place, bytes: z.array(z.int().min(0).max(255)) })
    .describe('changes bytes of its own memories'),
  z
    .strictObject({ op: z.literal('fill'), to: place, size, seed: z.int().min(0) })
    .describe('changes bytes of its own memories: byte k becomes 41 seed + 7 k + k / 32, without carry'),
  z
    .strictObject({
      op: z.literal('put'),
      from: place,
      to: place,
      ...blocks,
      form,
      bulk: z.boolean().default(false),
    })
    .describe('puts bytes into a segment'),
  z
    .strictObject({ op: z.literal('get'), from: place, to: place, ...blocks, form })
    .describe('gets bytes out of a segment'),
  z
    .strictObject({ op: z.literal('memset'), to: place, value: z.int().min(0).max(255), size, form })
    .describe('fills bytes of a segment'),
  z
    .strictObject({
      op: z.literal('putValue'),
      to: place,
      value: z.int().min(0),
      size: z.int().min(1).max(8),
      form,
    })
    .describe('puts the low bytes of a number'),
  z
    .strictObject({
      op: z.literal('getValue'),
      from: place,
      to: place,
      size: z.int().min(1).max(8),
      form: z.enum(['blocking', 'nb']).default('blocking'),
    })
    .describe('gets a number, and writes it into its own memory in 8 bytes'),
  z
    .strictObject({ op: z.enum(['putVector', 'getVector']), from: extents, to: extents })
    .describe('moves lists of pieces, as many bytes at both ends'),
  z
    .strictObject({ op: z.enum(['putStrided', 'getStrided']), from: strided, to: strided, levels })
    .describe('moves a block with levels of strides'),
  z
    .strictObject({
      op: z.literal('message'),
      kind: z.enum(['short', 'medium', 'long']),
      to: place.describe('where the bytes of a medium or long message go, and the arguments of a short one'),
      from: place.optional(),
      size: size.default(0),
      args: z.array(z.int()).max(12).default([]),
      reply: z.enum(['short', 'medium']).default('short'),
      locked: z.boolean().default(false).describe('its handler takes a lock of its node, and gives it back'),
      mistaken: z
        .boolean()
        .default(false)
        .describe('its handler answers to a handler that cannot be, which is refused, and then as it should'),
    })
    .describe('sends an active message whose handler keeps what it brings, and answers'),
  z
    .strictObject({
      op: z.literal('sync'),
      of: z.enum(['handles', 'some', 'puts', 'gets', 'all', 'replies']),
      tries: z.int().min(0).default(0),
    })
    .describe('waits; before that it asks so often whether it would have to'),
  z
    .strictObject({ op: z.enum(['beginRegion', 'endRegion']) })
    .describe('nbi operations between share a handle'),
  z
    .strictObject({
      op: z.literal('barrier'),
      id: z.int().default(0),
      named: z.boolean().default(false),
      tries: z.int().min(0).default(0),
    })
    .describe('waits for all nodes'),
  z
    .strictObject({
      op: z.enum(['broadcast', 'gather', 'scatter', 'gatherAll', 'exchange', 'reduce', 'scan']),
      ...shared,
    })
    .describe('a collective operation; reduce and scan add bytes without carry'),
  z.strictObject({ op: z.literal('copy'), from: place, to: place, size }).describe('copies inside the node'),
  z.strictObject({ op: z.literal('poll') }).describe('handles messages that are there'),
  z.strictObject({ op: z.literal('compute'), ns: z.number().min(0).max(1e9) }).describe('works so long'),
  z
    .strictObject({ op: z.literal('locked'), ns: z.number().min(0).max(1e9) })
    .describe('works so long while it holds a handler-safe lock'),
  z
    .strictObject({ op: z.literal('refused'), what: z.enum(refusedCalls) })
    .describe('calls that must be refused, or that do nothing because they are about no bytes'),
  z
    .strictObject({ op: z.literal('exit'), code: z.int().min(0).max(254).default(0) })
    .describe('ends the job on all nodes'),
]);

/** Schema of a program of GASNet as data: what a node does between `attach` and a last barrier. */
export const gasnetOperations = z.strictObject({
  gasnet: z.array(operation).describe('calls of GASNet, in order'),
  early: z
    .boolean()
    .default(false)
    .describe('calls GASNet before `init` and before `attach` as well, which is refused'),
});

/** Calls of GASNet as a scenario has them. */
export type GasnetOperations = z.output<typeof gasnetOperations>;
/** One of them. */
export type GasnetOperation = GasnetOperations['gasnet'][number];
type Place = z.output<typeof place>;

/** Memories by the number that a message names them with. */
const regions = ['cpu', 'gpu', 'private'] as const;

/** Bytes added one by one, without carry. */
const added = (left: Uint8Array, right: Uint8Array): Uint8Array => left.map((byte, k) => byte + right[k]!);

/** A program that begins, does these calls, waits for what it has begun, and ends with a barrier. */
export function programOfGasnet({ gasnet: list, early }: GasnetOperations): GasnetProgram {
  return function* (gasnet) {
    const state = new Calling(gasnet);
    if (early) yield* gasnet.poll();
    yield* gasnet.init();
    if (early) {
      yield* gasnet.poll();
      // A segment is in whole pages.
      yield* state.mustBe('BAD_ARG', gasnet.attach([], { cpu: 1 }));
      yield* state.mustBe('BAD_ARG', gasnet.attach([{ index: 1, handler: state.handlers[0]! }]));
    }
    yield* gasnet.attach(state.handlers.map((handler) => ({ handler })));
    yield* gasnet.barrier();
    for (const one of list) yield* state.carryOut(one);
    yield* state.settle();
    yield* gasnet.barrier();
  };
}

/** Bits of the argument that tells a handler of what kind its message is, and its reply. */
const shortMessage = 1;
const shortReply = 2;
const lockedHandler = 4;
const mistakenReply = 8;
/** One more than the largest number of a handler (TCA specification 12.1). */
const handlersMax = 256;

/** Handler-safe locks of a node: of its program, and of its handlers. */
const locks = { program: 1, handlers: 2 } as const;

/** A node at its calls: handles that are not waited for, and replies that have not come. */
class Calling {
  readonly #gasnet: Gasnet;
  #handles: Handle[] = [];
  #values: { readonly handle: Handle; readonly to: Place }[] = [];
  #asked = 0;
  readonly #locks = new Set<number>();
  #replies = 0;
  readonly handlers: readonly Handler[];

  constructor(gasnet: Gasnet) {
    this.#gasnet = gasnet;
    const keep: Handler = (one, token, message) => this.#keep(one, token, message);
    const answered: Handler = () => {
      this.#replies++;
    };
    this.handlers = [keep, answered];
  }

  /** Arguments 0 to 2 say where things go, and how to answer; further ones are kept after a short message. */
  *#keep(...[gasnet, token, { args, payload }]: Parameters<Handler>): Task<void> {
    const [region, offset, how] = args as [number, number, number];
    const at = this.#at([gasnet.rank, regions[region]!, offset]);
    if ((how & lockedHandler) !== 0) {
      yield* this.#lock(locks.handlers);
      yield* gasnet.hsl('unlock', locks.handlers);
    }
    if (payload.length > 0) yield* gasnet.write(at, payload);
    // A message of another kind may be empty as well.
    else if ((how & shortMessage) !== 0 && args.length > 3) yield* gasnet.write(at, words(args.slice(3)));
    if ((how & mistakenReply) !== 0) yield* token.reply('short', handlersMax);
    if ((how & shortReply) !== 0) yield* token.reply('short', 129);
    else yield* token.reply('medium', 129, { src: at, bytes: Math.min(8, payload.length) });
  }

  #at([rank, region, offset]: Place): number {
    return region === 'private'
      ? this.#gasnet.privateMemory.base + offset
      : this.#gasnet.segment(rank, region).base + offset;
  }

  *carryOut(one: GasnetOperation): Task<void> {
    const gasnet = this.#gasnet;
    switch (one.op) {
      case 'write':
        yield* gasnet.write(this.#at(one.to), Uint8Array.from(one.bytes));
        return;
      case 'fill':
        yield* gasnet.write(
          this.#at(one.to),
          Uint8Array.from({ length: one.size }, (_, k) => 41 * one.seed + 7 * k + (k >> 5)),
        );
        return;
      case 'put':
      case 'get':
        yield* this.#move(one);
        return;
      case 'memset': {
        const to = this.#at(one.to);
        if (one.form === 'blocking') yield* gasnet.memset(to, one.value, one.size);
        else if (one.form === 'nb') this.#handles.push(yield* gasnet.memsetNb(to, one.value, one.size));
        else yield* gasnet.memsetNbi(to, one.value, one.size);
        return;
      }
      case 'putValue': {
        const to = this.#at(one.to);
        if (one.form === 'blocking') yield* gasnet.putValue(to, one.value, one.size);
        else if (one.form === 'nb') this.#handles.push(yield* gasnet.putValueNb(to, one.value, one.size));
        else yield* gasnet.putValueNbi(to, one.value, one.size);
        return;
      }
      case 'getValue': {
        const from = this.#at(one.from);
        if (one.form === 'nb')
          this.#values.push({ handle: yield* gasnet.getValueNb(from, one.size), to: one.to });
        else yield* gasnet.write(this.#at(one.to), numberBytes(yield* gasnet.getValue(from, one.size)));
        return;
      }
      case 'putVector':
      case 'getVector': {
        const [to, from] = [one.to, one.from].map((list) =>
          list.map(([at, bytes]) => ({ address: this.#at(at), bytes })),
        );
        if (one.op === 'putVector') yield* gasnet.putVector(to!, from!);
        else yield* gasnet.getVector(to!, from!);
        return;
      }
      case 'putStrided':
      case 'getStrided': {
        const [to, from] = [one.to, one.from].map(({ at, strides }) => ({ address: this.#at(at), strides }));
        if (one.op === 'putStrided') yield* gasnet.putStrided(to!, from!, one.levels);
        else yield* gasnet.getStrided(to!, from!, one.levels);
        return;
      }
      case 'message':
        yield* this.#send(one);
        return;
      case 'sync':
        yield* this.#sync(one.of, one.tries);
        return;
      case 'beginRegion':
        yield* gasnet.beginRegion();
        return;
      case 'endRegion':
        this.#handles.push(yield* gasnet.endRegion());
        return;
      case 'barrier': {
        const flags = one.named ? barrierFlags.named : barrierFlags.anonymous;
        yield* gasnet.barrierNotify(one.id, flags);
        for (let tries = one.tries; tries > 0; tries--)
          if ((yield* gasnet.barrierTry(one.id, flags)) !== 'NOT_READY') return;
        yield* gasnet.barrierWait(one.id, flags);
        return;
      }
      case 'copy':
        yield* gasnet.copy(this.#at(one.to), this.#at(one.from), one.size);
        return;
      case 'poll':
        yield* gasnet.poll();
        return;
      case 'compute':
        yield* gasnet.compute(one.ns);
        return;
      case 'locked':
        yield* this.#lock(locks.program);
        yield* gasnet.compute(one.ns);
        yield* gasnet.hsl('unlock', locks.program);
        return;
      case 'refused':
        yield* this.#refused(one.what);
        return;
      case 'exit':
        yield* gasnet.exit(one.code);
        return;
      default:
        yield* this.#together(one);
    }
  }

  /** A call that must come to a status. Errors: throws when it comes to another one. */
  *mustBe(expected: Status, call: Task<Status>): Task<void> {
    const found = yield* call;
    if (found !== expected)
      throw new Error(`rank ${this.#gasnet.rank}: found ${found}, expected ${expected}`);
  }

  *#refused(what: (typeof refusedCalls)[number]): Task<void> {
    const gasnet = this.#gasnet;
    const { base, bytes } = gasnet.segment(gasnet.rank, 'gpu');
    const { arguments: most, mediumBytes } = gasnet.limits;
    const next = (gasnet.rank + 1) % gasnet.nodes;
    const there = gasnet.segment(next, 'gpu').base;
    const handler = gasnet.indexOf(this.handlers[0]!);
    const wrong = (call: Task<Status>): Task<void> => this.mustBe('BAD_ARG', call);
    switch (what) {
      case 'rank': {
        const nowhere = gasnet.segment(gasnet.nodes, 'gpu').base;
        yield* wrong(gasnet.put(nowhere, base, 4));
        yield* wrong(gasnet.get(base, nowhere, 4));
        yield* wrong(gasnet.memset(nowhere, 0, 4));
        yield* wrong(gasnet.putValue(nowhere, 0, 4));
        yield* wrong(gasnet.request(gasnet.nodes, 'short', handler));
        yield* wrong(gasnet.awaitPuts(gasnet.nodes, 1));
        return;
      }
      case 'source':
        // In front of the memory of programs lie the rings of the runtime.
        yield* wrong(gasnet.put(there, gasnet.scratch - 4, 4));
        yield* wrong(gasnet.put(there, base + bytes - 4, 8));
        yield* wrong(gasnet.put(there, there, 4));
        yield* wrong(gasnet.putBlocks(there, base, { size: 4, count: 2, srcStride: bytes, dstStride: 4 }));
        yield* wrong(gasnet.copy(base, gasnet.scratch - 4, 4));
        return;
      case 'target':
        yield* wrong(gasnet.get(base + bytes - 4, there, 8));
        yield* wrong(gasnet.copy(base + bytes - 4, base, 8));
        yield* wrong(gasnet.copy(there, base, 4));
        return;
      case 'size':
        yield* wrong(gasnet.put(there, base, 0.5));
        yield* wrong(gasnet.get(base, there, -4));
        yield* wrong(gasnet.memset(there, 0, -1));
        yield* wrong(gasnet.copy(base, base, -4));
        yield* wrong(gasnet.awaitPuts(next, -1));
        return;
      case 'begun':
        yield* this.mustBe('RESOURCE', gasnet.init());
        return;
      case 'attached': {
        const late: Handler = () => {};
        const all = [...this.handlers, late].map((one) => ({ handler: one }));
        yield* this.mustBe('RESOURCE', gasnet.attach(all));
        if (isRegistered(gasnet, late))
          throw new Error(`rank ${gasnet.rank}: an attach that was refused has registered a handler`);
        return;
      }
      case 'region':
        // Inside of a region there is none to be begun, nor anything implicit to be waited for.
        if ((yield* gasnet.beginRegion()) === 'OK') this.#handles.push(yield* gasnet.endRegion());
        else yield* wrong(gasnet.waitImplicit());
        return;
      case 'handler':
        yield* wrong(gasnet.request(next, 'short', handlersMax));
        yield* wrong(gasnet.request(next, 'short', 127));
        return;
      case 'arguments':
        yield* wrong(gasnet.request(next, 'short', handler, { args: new Array<number>(most + 1).fill(0) }));
        yield* wrong(gasnet.request(next, 'short', handler, { args: [0.5] }));
        return;
      case 'payload':
        yield* wrong(gasnet.request(next, 'medium', handler, { src: base, bytes: mediumBytes + 1 }));
        yield* wrong(gasnet.request(next, 'short', handler, { src: base, bytes: 4 }));
        yield* wrong(gasnet.request(next, 'medium', handler, { src: there, bytes: 4 }));
        return;
      case 'empty':
        yield* this.mustBe('OK', gasnet.put(there, 0, 0));
        yield* this.mustBe('OK', gasnet.get(0, there, 0));
        yield* this.mustBe('OK', gasnet.memset(there, 1, 0));
        yield* this.mustBe('OK', gasnet.copy(base, base, 0));
    }
  }

  /** Takes a lock, which is made before its first use. */
  *#lock(lock: number): Task<void> {
    if (!this.#locks.has(lock)) yield* this.#gasnet.hsl('init', lock);
    this.#locks.add(lock);
    yield* this.#gasnet.hsl('lock', lock);
  }

  /** Waits for everything that was begun. */
  *settle(): Task<void> {
    for (const of of ['handles', 'all', 'replies'] as const) yield* this.#sync(of, 0);
  }

  *#move(one: Extract<GasnetOperation, { op: 'put' | 'get' }>): Task<void> {
    const gasnet = this.#gasnet;
    const [to, from] = [this.#at(one.to), this.#at(one.from)];
    const { size: bytes, count, fromStride: srcStride, toStride: dstStride, form: how } = one;
    const shape = { size: bytes, count, srcStride, dstStride };
    if (one.op === 'put') {
      const { bulk } = one;
      if (how === 'nb')
        this.#handles.push(
          count > 1
            ? yield* gasnet.putBlocksNb(to, from, shape, { bulk })
            : yield* gasnet.putNb(to, from, bytes, { bulk }),
        );
      else if (count > 1) yield* gasnet.putBlocks(to, from, shape);
      else if (how === 'nbi') yield* gasnet.putNbi(to, from, bytes, { bulk });
      else yield* gasnet.put(to, from, bytes);
      return;
    }
    if (how === 'nb')
      this.#handles.push(
        count > 1 ? yield* gasnet.getBlocksNb(to, from, shape) : yield* gasnet.getNb(to, from, bytes),
      );
    else if (count > 1) yield* gasnet.getBlocks(to, from, shape);
    else if (how === 'nbi') yield* gasnet.getNbi(to, from, bytes);
    else yield* gasnet.get(to, from, bytes);
  }

  *#send({
    kind,
    to,
    from,
    size: bytes,
    args,
    reply,
    locked,
    mistaken,
  }: Extract<GasnetOperation, { op: 'message' }>): Task<void> {
    const [at, src] = [this.#at(to), from ? this.#at(from) : 0];
    this.#asked++;
    const how =
      (kind === 'short' ? shortMessage : 0) +
      (reply === 'short' ? shortReply : 0) +
      (locked ? lockedHandler : 0) +
      (mistaken ? mistakenReply : 0);
    const first = [regions.indexOf(to[1]), to[2], how];
    const options = { args: [...first, ...args], src, bytes, ...(kind === 'long' && { dst: at }) };
    yield* this.#gasnet.request(to[0], kind satisfies MessageKind, 128, options);
  }

  *#sync(of: Extract<GasnetOperation, { op: 'sync' }>['of'], tries: number): Task<void> {
    const gasnet = this.#gasnet;
    switch (of) {
      case 'handles': {
        let isDone = false;
        for (let left = tries; left > 0 && !isDone; left--) isDone = yield* gasnet.testAll(this.#handles);
        if (!isDone) yield* gasnet.waitAll(this.#handles);
        this.#handles = [];
        for (const { handle, to } of this.#values)
          yield* gasnet.write(this.#at(to), numberBytes(yield* gasnet.waitValue(handle)));
        this.#values = [];
        return;
      }
      case 'some': {
        if (this.#handles.length === 0) return;
        const done = yield* gasnet.waitSome(this.#handles);
        this.#handles = this.#handles.filter((_, k) => !done[k]);
        return;
      }
      case 'replies':
        yield* gasnet.waitUntil(() => this.#replies === this.#asked);
        return;
      default:
        for (let left = tries; left > 0; left--) if (yield* gasnet.testImplicit(of)) return;
        yield* gasnet.waitImplicit(of);
    }
  }

  *#together(one: Extract<GasnetOperation, { synchronised: boolean }>): Task<void> {
    const all = this.#gasnet.collectives;
    const [to, from, bytes] = [this.#at(one.to), this.#at(one.from), one.size];
    const options = one.synchronised ? ({ in: 'all', out: 'all' } as const) : {};
    switch (one.op) {
      case 'broadcast':
      case 'gather':
      case 'scatter':
        yield* all[one.op](one.root, to, from, bytes, options);
        return;
      case 'gatherAll':
      case 'exchange':
        yield* all[one.op](to, from, bytes, options);
        return;
      case 'reduce':
        yield* all.reduce(one.root, to, from, bytes, added, options);
        return;
      case 'scan':
        yield* all.scan(to, from, bytes, added, options);
    }
  }
}

function numberBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

function words(args: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * args.length);
  const view = new DataView(bytes.buffer);
  for (const [k, one] of args.entries()) view.setInt32(4 * k, one, true);
  return bytes;
}
