import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import { type Fixed, fixed } from '../../kernel/resource.ts';
import { memberOf } from '../../kernel/wiring.ts';
import { ByteMemory } from '../common/byte-memory.ts';
import { coreOfTransfer } from './descriptor.ts';
import { type Jittered, jitterCount, keepJitter } from './jitter.ts';
import { takeMember } from './members.ts';
import { changeBytes, memoryAt, showVisible, touched } from './memory/access.ts';
import { blocksPerTurn, type WholeMemoryCtrlInput } from './memory/controller-input.ts';
import type { JobEvent, JobKind, JobNoted } from './memory/within.ts';
import { gather, overlaps, scatter, shapeOf } from './memory-pieces.ts';
import type {
  MemoryAccess,
  MemoryAnswer,
  MemoryClaim,
  MemoryRead,
  MemoryTurn,
  MemoryWrite,
} from './messages.ts';
import type { MemoryVisible } from './probes.ts';
import { controllerPut } from './timing/dma-time.ts';
import { thousandths, wholeCycles } from './timing/thousandths.ts';
import { blocksTouched, type PutShape, putShape, type Shape } from './transfer/strided.ts';

/** What the server keeps of a transfer until it is answered. */
interface Job {
  readonly member: number;
  readonly transfer: number;
  readonly core: number;
  readonly shape: Shape;
  /** What a put means for the server; null for a get. */
  readonly put: PutShape | null;
  readonly blocks: number;
  /** Earlier puts to the same bytes that were not written when it came: it is served behind them (specification 7.1, rule 6). */
  readonly behind: readonly number[];
  /** Blocks that have not been admitted. */
  left: number;
  /** When its last block is through, in thousandths; -1 before that is known. */
  finish: number;
  /** The bytes of a put, once they came and until they are written. */
  data: Uint8Array | null;
  written: boolean;
}

/** An access of a core that waits for puts that came before it. */
interface HeldAccess {
  readonly member: number;
  readonly behind: readonly number[];
  readonly access: MemoryAccess;
}

/** A memory controller with its DRAM: one server for the blocks of all jobs. */
export interface MemoryCtrlContext extends Jittered {
  readonly spec: Fixed<WholeMemoryCtrlInput>;
  /** Bytes by range. */
  readonly bytes: readonly ByteMemory[];
  /** By transfer. */
  jobs: Map<number, Job>;
  /** Transfers with blocks that are not admitted, by core, in the order of arrival. */
  queues: Map<number, number[]>;
  /** Cores in the order in which they are served next. */
  turns: number[];
  /** Blocks that were admitted and may not be through: how many, and when they are, in thousandths. */
  admitted: { readonly blocks: number; readonly finish: number }[];
  /** When the server has served all that was admitted, in thousandths. */
  freeAt: number;
  /** Gets that are admitted and not answered, and puts that are not told to be written, in the order of arrival. */
  gets: number[];
  puts: number[];
  held: HeldAccess[];
  /** Members of the family of jobs that are in use, ascending. */
  used: number[];
  /** The next turn that was asked for; -1 for none. */
  turnAt: number;
}

type MemoryCtrlEvent = MemoryRead | MemoryClaim | MemoryWrite | MemoryAccess | MemoryTurn | JobNoted;
type MemoryCtrlSends = MemoryAnswer | MemoryTurn | JobEvent;

const { act, choose, post, update, when } = component<
  MemoryCtrlContext,
  MemoryCtrlEvent,
  MemoryCtrlSends,
  MemoryVisible
>();

const jobOf = (c: MemoryCtrlContext, transfer: number): Job => c.jobs.get(transfer)!;
const actorOf = (c: MemoryCtrlContext, { member }: { readonly member: number }): Address =>
  memberOf(c.spec.value.jobs, member);

/** Puts to some of these bytes that are not written yet. */
const putsBefore = (c: MemoryCtrlContext, shape: Shape): readonly number[] =>
  c.puts.filter((put) => !jobOf(c, put).written && overlaps(jobOf(c, put).shape, shape));
/** Whether one of these puts is not written yet. */
const isBehind = (c: MemoryCtrlContext, behind: readonly number[]): boolean =>
  behind.some((put) => c.jobs.get(put)?.written === false);
/** Whether the server has served all blocks of a transfer; `now` in cycles. */
const isThrough = ({ finish }: Job, now: number): boolean => finish >= 0 && finish <= now * 1000;

/** Cores with puts at this controller that are not told to be written (specification 9.1, N). */
const puttingCores = (c: MemoryCtrlContext): number => new Set(c.puts.map((put) => jobOf(c, put).core)).size;

/** The job whose turn it is, and how many of its blocks the server takes in this turn. */
function nextTurn(c: MemoryCtrlContext): { readonly job: Job; readonly blocks: number } | undefined {
  const [core] = c.turns;
  if (core === undefined) return undefined;
  const job = jobOf(c, c.queues.get(core)![0]!);
  const blocks = Math.min(blocksPerTurn, job.left);
  const inside = c.admitted.reduce((sum, one) => sum + one.blocks, 0);
  return inside > 0 && inside + blocks > c.spec.value.timing.mc.writeBuffer ? undefined : { job, blocks };
}

/** How long so many blocks of a job occupy the server, in thousandths (specification 9.2). */
function serviceTime(c: MemoryCtrlContext, { put, blocks: all, left }: Job, blocks: number): number {
  const { timing } = c.spec.value;
  if (put) return Math.round((controllerPut(timing, put, puttingCores(c)) * blocks) / all);
  const descriptor = left === all ? thousandths(timing.mc.getDescCost) : 0;
  return descriptor + thousandths(timing.mc.getBlockCost) * blocks;
}

/** The first put whose bytes are there and that is behind nobody. */
const writable = (c: MemoryCtrlContext): number | undefined =>
  c.puts.find((put) => {
    const { written, data, behind } = jobOf(c, put);
    return !written && data !== null && !isBehind(c, behind);
  });
const freeAccess = (c: MemoryCtrlContext): HeldAccess | undefined =>
  c.held.find(({ behind }) => !isBehind(c, behind));
const answerableGet = (c: MemoryCtrlContext, now: number): number | undefined =>
  c.gets.find((get) => isThrough(jobOf(c, get), now) && !isBehind(c, jobOf(c, get).behind));
const answerablePut = (c: MemoryCtrlContext, now: number): number | undefined =>
  c.puts.find((put) => jobOf(c, put).written && isThrough(jobOf(c, put), now));

/** When the next of what is under way is through, in thousandths; Infinity when nothing is. */
function nextTime(c: MemoryCtrlContext, now: number): number {
  const times = c.gets.map((get) => jobOf(c, get).finish);
  for (const put of c.puts) if (jobOf(c, put).written) times.push(jobOf(c, put).finish);
  const later = times.filter((time) => time > now * 1000);
  const [first] = c.admitted;
  return Math.min(...later, c.turns.length > 0 && first ? first.finish : Number.POSITIVE_INFINITY);
}

/** Carries out an access of a core: what it read, and the cycles to the answer: one block of work for the server, and the latency that the core asked for. */
function carryOut(
  c: MemoryCtrlContext,
  access: MemoryAccess,
  out: Outbox<MemoryCtrlSends, MemoryVisible>,
): { readonly before: Uint8Array; readonly cycles: number } {
  const before = changeBytes(c, access, out);
  c.freeAt = Math.max(c.freeAt, out.now * 1000) + thousandths(c.spec.value.timing.mc.getBlockCost);
  return { before, cycles: Math.max(access.answerDelay, wholeCycles(c.freeAt) - out.now, 1) + c.jitter };
}

/** A job for a request, of which the server knows. */
function take(c: MemoryCtrlContext, event: MemoryRead | MemoryClaim, put: PutShape | null): void {
  const { transfer } = event;
  const shape = shapeOf(event);
  const blocks = put ? put.blocks : blocksTouched(shape);
  const core = coreOfTransfer(transfer);
  const behind = putsBefore(c, shape);
  const member = takeMember(c.used);
  const rest = { left: blocks, finish: -1, data: null, written: false };
  c.jobs.set(transfer, { member, transfer, core, shape, put, blocks, behind, ...rest });
  const waiting = c.queues.get(core);
  if (waiting === undefined) {
    c.queues.set(core, [transfer]);
    c.turns.push(core);
  } else waiting.push(transfer);
}

/** A job is answered: its place is free again. */
function release(c: MemoryCtrlContext, transfer: number): Job {
  const job = jobOf(c, transfer);
  c.jobs.delete(transfer);
  c.used = c.used.filter((one) => one !== job.member);
  return job;
}

const opening = (c: MemoryCtrlContext, kind: JobKind, { transfer, requester }: MemoryRead | MemoryClaim) =>
  ({
    to: actorOf(c, jobOf(c, transfer)),
    type: 'job.open',
    kind,
    transfer,
    requester,
    jitter: c.jitter,
  }) as const;

/**
 * The memory controller of one core group (specification 8.9, 9.2): one server for the blocks of gets and puts, in turns of the cores. What a request goes through is told
 * by `memory/memory-job.ts`, one actor each.
 *
 * Details: what touches bytes of a put that came before it and is not written yet is served behind it, so that requests to one block keep their order. The window of the
 * server is the write buffer: a put has all its slots when its last block is admitted (specification 9.2). Blocks are served in the order of admission, so the time at which
 * each is through is known then.
 */
export const memoryCtrl = setup({
  types: {} as { context: MemoryCtrlContext; events: MemoryCtrlEvent; input: WholeMemoryCtrlInput },
  guards: {
    isHeldBack: when<'memory.access'>((c, access) => putsBefore(c, touched(access)).length > 0),
    canWrite: when((c) => writable(c) !== undefined),
    canRelease: when((c) => freeAccess(c) !== undefined),
    canAdmitLast: when((c) => {
      const turn = nextTurn(c);
      return turn !== undefined && turn.job.left === turn.blocks;
    }),
    canAdmit: when((c) => nextTurn(c) !== undefined),
    getIsThrough: when((c, _event, { now }) => answerableGet(c, now) !== undefined),
    putIsThrough: when((c, _event, { now }) => answerablePut(c, now) !== undefined),
    hasMore: when((c, _event, { now }) => nextTime(c, now) < Number.POSITIVE_INFINITY),
  },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    takeGet: update<'memory.read'>((c, event) => take(c, event, null)),
    takePut: update<'memory.claim'>((c, event) => {
      take(c, event, putShape(shapeOf(event)));
      c.puts.push(event.transfer);
    }),
    openGet: post<'memory.read'>((c, event) => opening(c, 'get', event)),
    openPut: post<'memory.claim'>((c, event) => opening(c, 'put', event)),
    takeData: act<'memory.write'>((c, { transfer, data }, out) => {
      const job = c.jobs.get(transfer);
      if (job === undefined) throw new Error(`found bytes for put ${transfer}, which claims nothing here`);
      job.data = data;
      out.post({ to: actorOf(c, job), type: 'job.bytes' });
    }),
    writePut: act((c, _event, out) => {
      const job = jobOf(c, writable(c)!);
      const { bytes, base } = memoryAt(c, job.shape.memory);
      scatter(bytes, base, job.shape, job.data!);
      job.written = true;
      job.data = null;
      if (out.observed) showVisible(job.shape, job.transfer, job.core, out);
      out.post({ to: actorOf(c, job), type: 'job.written' });
    }),
    hold: act<'memory.access'>((c, access, out) => {
      const member = takeMember(c.used);
      c.held.push({ member, behind: putsBefore(c, touched(access)), access });
      const { requester } = access;
      out.post({
        to: actorOf(c, { member }),
        type: 'job.open',
        kind: 'access',
        transfer: -1,
        requester,
        jitter: 0,
      });
    }),
    releaseAccess: act((c, _event, out) => {
      const { member, access } = freeAccess(c)!;
      c.held = c.held.filter((one) => one.member !== member);
      c.used = c.used.filter((one) => one !== member);
      const { before: data, cycles } = carryOut(c, access, out);
      out.post({ to: actorOf(c, { member }), type: 'job.answer', data, cycles });
    }),
    carryOut: act<'memory.access'>((c, access, out) => {
      const { before: data, cycles: delay } = carryOut(c, access, out);
      out.post({ to: access.requester, type: 'memory.answer', data, delay });
    }),
    freeSlots: update((c, _event, { now }) => {
      while (c.admitted.length > 0 && c.admitted[0]!.finish <= now * 1000) c.admitted.shift();
    }),
    admit: update((c, _event, { now }) => {
      const { job, blocks } = nextTurn(c)!;
      c.freeAt = Math.max(c.freeAt, now * 1000) + serviceTime(c, job, blocks);
      c.admitted.push({ blocks, finish: c.freeAt });
      job.left -= blocks;
      const waiting = c.queues.get(job.core)!;
      c.turns.shift();
      if (job.left === 0) waiting.shift();
      if (waiting.length > 0) c.turns.push(job.core);
      else c.queues.delete(job.core);
    }),
    admitLast: act((c, _event, out) => {
      const { job, blocks } = nextTurn(c)!;
      job.finish = Math.max(c.freeAt, out.now * 1000) + serviceTime(c, job, blocks);
      if (!job.put) c.gets.push(job.transfer);
      out.post({ to: actorOf(c, job), type: 'job.admitted', finish: job.finish });
    }),
    respondToGet: act((c, _event, out) => {
      const transfer = answerableGet(c, out.now)!;
      const { bytes, base } = memoryAt(c, jobOf(c, transfer).shape.memory);
      const data = gather(bytes, base, jobOf(c, transfer).shape);
      c.gets = c.gets.filter((one) => one !== transfer);
      out.post({ to: actorOf(c, release(c, transfer)), type: 'job.through', data });
    }),
    respondToPut: act((c, _event, out) => {
      const transfer = answerablePut(c, out.now)!;
      c.puts = c.puts.filter((one) => one !== transfer);
      out.post({ to: actorOf(c, release(c, transfer)), type: 'job.through', data: null });
    }),
    askForTurn: act((c, _event, out) => {
      const due = Math.max(out.now + 1, wholeCycles(nextTime(c, out.now)));
      if (c.turnAt > out.now && c.turnAt <= due) return;
      c.turnAt = due;
      out.post({ to: c.spec.value.self, type: 'memory.turn', delay: due - out.now });
    }),
  },
}).createMachine({
  id: 'memoryCtrl',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    bytes: input.ranges.map(({ bytes }) => new ByteMemory(bytes)),
    jobs: new Map(),
    queues: new Map(),
    turns: [],
    admitted: [],
    freeAt: 0,
    gets: [],
    puts: [],
    held: [],
    used: [],
    turnAt: -1,
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'memory.read': { target: 'opening', actions: ['drawJitter', 'takeGet', 'openGet'] },
        'memory.claim': { target: 'opening', actions: ['drawJitter', 'takePut', 'openPut'] },
        'memory.write': { target: 'storing', actions: 'takeData' },
        'memory.access': [
          { guard: 'isHeldBack', target: 'holding', actions: ['drawJitter', 'hold'] },
          { actions: ['drawJitter', 'carryOut'] },
        ],
        'memory.turn': { target: 'admitting', actions: 'freeSlots' },
      },
    },
    opening: { on: { 'job.noted': { target: 'admitting', actions: 'freeSlots' } } },
    holding: { on: { 'job.noted': 'idle' } },
    storing: { on: { 'job.noted': 'writing' } },
    writing: {
      always: [
        { guard: 'canWrite', target: 'storing', actions: 'writePut' },
        { guard: 'canRelease', target: 'storing', actions: 'releaseAccess' },
        { target: 'admitting', actions: 'freeSlots' },
      ],
    },
    admitting: {
      always: [
        { guard: 'canAdmitLast', target: 'concluding', actions: ['admitLast', 'admit'] },
        { guard: 'canAdmit', target: 'admitting', reenter: true, actions: 'admit' },
        { target: 'responding' },
      ],
    },
    concluding: { on: { 'job.noted': 'admitting' } },
    responding: {
      always: [
        { guard: 'getIsThrough', target: 'answering', actions: 'respondToGet' },
        { guard: 'putIsThrough', target: 'answering', actions: 'respondToPut' },
        { guard: 'hasMore', target: 'idle', actions: 'askForTurn' },
        { target: 'idle' },
      ],
    },
    answering: { on: { 'job.noted': 'responding' } },
  },
});
