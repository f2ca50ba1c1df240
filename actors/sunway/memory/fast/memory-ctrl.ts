import { setup } from 'xstate';
import { component, type Outbox } from '../../../../kernel/kit.ts';
import type { Address } from '../../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../../kernel/resource.ts';
import { ByteMemory } from '../../../common/byte-memory.ts';
import { arrayCpes } from '../../array/identity.ts';
import { coreOfTransfer } from '../../descriptor.ts';
import { type Jittered, jitterCount, keepJitter } from '../../jitter.ts';
import { gather, overlaps, scatter, shapeOf } from '../../memory-pieces.ts';
import type {
  MemoryAccess,
  MemoryAnswer,
  MemoryClaim,
  MemoryGrant,
  MemoryRead,
  MemoryResponse,
  MemoryTurn,
  MemoryWrite,
} from '../../messages.ts';
import { controllerPut } from '../../timing/dma-time.ts';
import { thousandths, wholeCycles } from '../../timing/thousandths.ts';
import { blocksTouched, type PutShape, putShape, type Shape } from '../../transfer/strided.ts';
import { changeBytes, memoryAt, showVisible, touched } from '../access.ts';
import { blocksPerTurn, type MemoryCtrlInput } from '../controller-input.ts';

/** A transfer that waits for service, or is served. */
interface Job {
  readonly shape: Shape;
  /** What a put means for the server; null for a get. */
  readonly put: PutShape | null;
  readonly transfer: number;
  readonly core: number;
  readonly requester: Address;
  readonly blocks: number;
  /** Earlier puts to the same bytes that were not written when it came: it is served behind them (specification 7.1, rule 6). */
  readonly behind: readonly number[];
  readonly jitter: number;
  /** Blocks that have not been admitted. */
  left: number;
  /** When its last block is through, in thousandths; -1 before that is known. */
  finish: number;
  /** The bytes of a put, once they came. */
  data: Uint8Array | null;
  written: boolean;
}

/** An access of a core that waits for puts that came before it. */
interface HeldAccess {
  readonly behind: readonly number[];
  readonly access: MemoryAccess;
}

/** A memory controller with its DRAM. */
export interface FastMemoryCtrlContext extends Jittered {
  readonly spec: Fixed<MemoryCtrlInput>;
  /** Bytes by range. */
  readonly bytes: readonly ByteMemory[];
  /** Transfers with blocks that are not admitted, by core, in the order of arrival. */
  queues: Map<number, Job[]>;
  /** Cores in the order in which they are served next. */
  turns: number[];
  /** Blocks that were admitted and may not be through: how many, and when they are, in thousandths. */
  admitted: { readonly blocks: number; readonly finish: number }[];
  /** When the server has served all that was admitted, in thousandths. */
  freeAt: number;
  /** Gets that are admitted and not answered, and puts that are not told to be written, in the order of arrival. */
  gets: Job[];
  puts: Job[];
  held: HeldAccess[];
  /** The next turn that was asked for; -1 for none. */
  turnAt: number;
}

type MemoryCtrlEvent = MemoryRead | MemoryClaim | MemoryWrite | MemoryAccess | MemoryTurn;
type MemoryCtrlSends = MemoryGrant | MemoryResponse | MemoryAnswer | MemoryTurn;
type Out = Outbox<MemoryCtrlSends>;

const { act, choose, update } = component<FastMemoryCtrlContext, MemoryCtrlEvent, MemoryCtrlSends>();

function putsBefore(c: FastMemoryCtrlContext, shape: Shape): readonly number[] {
  const before: number[] = [];
  for (const put of c.puts) if (!put.written && overlaps(put.shape, shape)) before.push(put.transfer);
  return before;
}

const isBehind = (c: FastMemoryCtrlContext, behind: readonly number[]): boolean =>
  behind.length > 0 && c.puts.some(({ transfer, written }) => !written && behind.includes(transfer));

function queueJob(c: FastMemoryCtrlContext, event: MemoryRead | MemoryClaim): void {
  const { transfer, requester } = event;
  const shape = shapeOf(event);
  const put = event.type === 'memory.claim' ? putShape(shape) : null;
  const blocks = put ? put.blocks : blocksTouched(shape);
  const job: Job = {
    shape,
    transfer,
    put,
    core: coreOfTransfer(transfer),
    requester,
    blocks,
    behind: putsBefore(c, shape),
    jitter: c.jitter,
    left: blocks,
    finish: -1,
    data: null,
    written: false,
  };
  // The queue has an object of its own: what one list changes does not show in the other, under persistent contexts neither.
  if (put) c.puts.push({ ...job });
  const jobs = c.queues.get(job.core);
  if (jobs === undefined) {
    c.queues.set(job.core, [job]);
    c.turns.push(job.core);
  } else jobs.push(job);
}

/** Cores with puts at this controller that are not written (specification 9.1, N). */
function puttingCores(c: FastMemoryCtrlContext): number {
  let count = 0;
  for (const { core } of c.puts) {
    if (!seenCores[core]) count++;
    seenCores[core] = 1;
  }
  for (const { core } of c.puts) seenCores[core] = 0;
  return count;
}

/** Room to count in, all zeros between calls: one place for each CPE of a node. */
const seenCores = new Uint8Array(6 * arrayCpes);

/**
 * Admits blocks to the server, in turns of a few blocks a core, while its window has room.
 *
 * Details: the window is the write buffer: a put has all its slots when its last block is admitted (specification 9.2). Blocks are served in the
 * order of admission, so the time at which each is through is known then.
 */
function admit(c: FastMemoryCtrlContext, out: Out): void {
  const { timing } = c.spec.value;
  const now = out.now * 1000;
  while (c.admitted.length > 0 && c.admitted[0]!.finish <= now) c.admitted.shift();
  let inside = c.admitted.reduce((sum, { blocks }) => sum + blocks, 0);
  while (c.turns.length > 0) {
    const core = c.turns[0]!;
    const jobs = c.queues.get(core)!;
    const job = jobs[0]!;
    const blocks = Math.min(blocksPerTurn, job.left);
    if (inside > 0 && inside + blocks > timing.mc.writeBuffer) break;
    const cost = job.put
      ? Math.round((controllerPut(timing, job.put, puttingCores(c)) * blocks) / job.blocks)
      : (job.left === job.blocks ? thousandths(timing.mc.getDescCost) : 0) +
        thousandths(timing.mc.getBlockCost) * blocks;
    c.freeAt = Math.max(c.freeAt, now) + cost;
    c.admitted.push({ blocks, finish: c.freeAt });
    inside += blocks;
    job.left -= blocks;
    c.turns.shift();
    if (job.left === 0) {
      jobs.shift();
      conclude(c, job, out);
    }
    if (jobs.length > 0) c.turns.push(core);
    else c.queues.delete(core);
  }
}

/** The last block of a transfer is admitted. */
function conclude(c: FastMemoryCtrlContext, admitted: Job, out: Out): void {
  if (!admitted.put) {
    admitted.finish = c.freeAt;
    c.gets.push(admitted);
    return;
  }
  const put = c.puts.find(({ transfer }) => transfer === admitted.transfer)!;
  put.finish = c.freeAt;
  const delay = 1 + put.jitter;
  out.post({
    to: put.requester,
    type: 'memory.grant',
    transfer: put.transfer,
    offset: -1,
    granted: out.now * 1000,
    delay,
  });
}

/** Answers gets that are through, and tells of puts that are through and written. */
function answerThrough(c: FastMemoryCtrlContext, out: Out): void {
  const now = out.now * 1000;
  // Nearly always nothing is through: then no list is made anew.
  let answered = 0;
  for (const get of c.gets) {
    if (!isThrough(get, now) || isBehind(c, get.behind)) continue;
    const { bytes, base } = memoryAt(c, get.shape.memory);
    respond(get, gather(bytes, base, get.shape), out);
    answered++;
  }
  if (answered > 0) c.gets = c.gets.filter((get) => !isThrough(get, now) || isBehind(c, get.behind));
  let over = 0;
  for (const put of c.puts) {
    if (!put.written || !isThrough(put, now)) continue;
    respond(put, null, out);
    over++;
  }
  if (over > 0) c.puts = c.puts.filter((put) => !put.written || !isThrough(put, now));
}

/** Whether the server has served all blocks of a transfer; `now` in thousandths. */
const isThrough = ({ finish }: Job, now: number): boolean => finish >= 0 && finish <= now;

function respond(job: Job, data: Uint8Array | null, out: Out): void {
  const delay = 1 + job.jitter;
  out.post({
    to: job.requester,
    type: 'memory.response',
    transfer: job.transfer,
    offset: -1,
    data,
    through: Math.max(job.finish, 0),
    delay,
  });
}

/** Writes the puts whose bytes are there and that are behind nobody, then serves the accesses that waited for them. */
function writePuts(c: FastMemoryCtrlContext, out: Out): void {
  for (let wrote = true; wrote; ) {
    wrote = false;
    for (const put of c.puts) {
      if (put.written || put.data === null || isBehind(c, put.behind)) continue;
      const { bytes, base } = memoryAt(c, put.shape.memory);
      scatter(bytes, base, put.shape, put.data);
      put.written = true;
      put.data = null;
      wrote = true;
      if (out.observed) showVisible(put.shape, put.transfer, put.core, out);
    }
  }
  const free = c.held.filter(({ behind }) => !isBehind(c, behind));
  if (free.length === 0) return;
  c.held = c.held.filter(({ behind }) => isBehind(c, behind));
  for (const { access } of free) serveAccess(c, access, out);
}

/** Carries out an access of a core: one block of work for the server, and the latency that the core asked for. */
function serveAccess(c: FastMemoryCtrlContext, access: MemoryAccess, out: Out): void {
  const { requester, answerDelay } = access;
  const before = changeBytes(c, access, out);
  c.freeAt = Math.max(c.freeAt, out.now * 1000) + thousandths(c.spec.value.timing.mc.getBlockCost);
  const queueing = wholeCycles(c.freeAt) - out.now;
  const delay = Math.max(answerDelay, queueing, 1) + c.jitter;
  out.post({ to: requester, type: 'memory.answer', data: before, delay });
}

/** Asks for the next turn: when something that was admitted is through. */
function askForTurn(c: FastMemoryCtrlContext, out: Out): void {
  let next = Number.POSITIVE_INFINITY;
  if (c.turns.length > 0 && c.admitted.length > 0) next = c.admitted[0]!.finish;
  for (const { finish } of c.gets) if (finish > out.now * 1000) next = Math.min(next, finish);
  for (const { finish, written } of c.puts)
    if (written && finish > out.now * 1000) next = Math.min(next, finish);
  if (next === Number.POSITIVE_INFINITY) return;
  const due = Math.max(out.now + 1, wholeCycles(next));
  if (c.turnAt > out.now && c.turnAt <= due) return;
  c.turnAt = due;
  out.post({ to: c.spec.value.self, type: 'memory.turn', delay: due - out.now });
}

function goOn(c: FastMemoryCtrlContext, out: Out): void {
  admit(c, out);
  answerThrough(c, out);
  askForTurn(c, out);
}

/**
 * The memory controller of one core group (specification 8.9, 9.2) as plain code: the fast twin of `../memory-ctrl.ts`, with the same messages in the same order.
 *
 * Details: blocks of gets and puts pass one server, round robin between cores. What touches bytes of a put that came before it and is not
 * written yet is served behind it, so that requests to one block keep their order.
 */
export const fastMemoryCtrl = setup({
  types: {} as { context: FastMemoryCtrlContext; events: MemoryCtrlEvent; input: MemoryCtrlInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    queue: update<'memory.read' | 'memory.claim'>(queueJob),
    takeData: act<'memory.write'>((c, { transfer, data }, out) => {
      const put = c.puts.find((one) => one.transfer === transfer);
      if (put === undefined) throw new Error(`found bytes for put ${transfer}, which claims nothing here`);
      put.data = data;
      writePuts(c, out);
    }),
    access: act<'memory.access'>((c, access, out) => {
      const behind = putsBefore(c, touched(access));
      if (behind.length > 0) c.held.push({ behind, access });
      else serveAccess(c, access, out);
    }),
    goOn: act((c, _event, out) => goOn(c, out)),
  },
}).createMachine({
  id: 'fastMemoryCtrl',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    bytes: input.ranges.map(({ bytes }) => new ByteMemory(bytes)),
    queues: new Map(),
    turns: [],
    admitted: [],
    freeAt: 0,
    gets: [],
    puts: [],
    held: [],
    turnAt: -1,
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'memory.read': { actions: ['drawJitter', 'queue', 'goOn'] },
        'memory.claim': { actions: ['drawJitter', 'queue', 'goOn'] },
        'memory.write': { actions: ['takeData', 'goOn'] },
        'memory.access': { actions: ['drawJitter', 'access'] },
        'memory.turn': { actions: 'goOn' },
      },
    },
  },
});
