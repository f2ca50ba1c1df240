import { not, setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import type { Probe } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { type Address, memberAddress } from '../address.ts';
import { foldByte, readHashStart } from '../fnv.ts';
import type { ArbiterDone, CycleAdvance, MachineStart, SpuDone } from '../messages.ts';
import { idleForever } from '../program.ts';
import type { LocalStores } from './local-stores.ts';

/** Whom the controller synchronises, and when the run is over. */
export interface BurstControllerInput {
  readonly self: Address;
  readonly spus: readonly Address[];
  readonly arbiter: Address;
  readonly cycles: number | null;
  readonly skipIdle: boolean;
  readonly stores: LocalStores;
}

/** The controller: the cycle, and whom it still has to call in it. */
export interface BurstControllerContext {
  readonly spec: Omit<BurstControllerInput, 'stores'>;
  /** Shared with all SPUs and DMA modules of the machine. */
  readonly stores: LocalStores;
  t: number;
  /** The SPU that works just now; those after it are called in turn. */
  spu: number;
  /** SPUs that still want to do something in this cycle, the one that works included. */
  left: number;
  next: number[];
  content: boolean[];
  readHash: number;
  /** Requests that the arbiter got in this cycle. */
  requests: number;
  pending: number;
  running: number;
  arbiterNext: number;
  /** The last cycle that the event log has in full. */
  played: number;
  cycles: number;
}

type BurstControllerEvent = MachineStart | SpuDone | ArbiterDone | CycleAdvance;

const { update, post, when, act, probe } = component<BurstControllerContext, BurstControllerEvent>();

/** The next cycle in which somebody does something; with a limit on cycles at most that limit. */
function cycleAfter(c: BurstControllerContext): number {
  let wanted = c.arbiterNext;
  for (const next of c.next) if (next < wanted) wanted = next;
  if (!c.spec.skipIdle) wanted = c.t + 1;
  return c.spec.cycles === null ? wanted : Math.min(wanted, c.spec.cycles);
}

function isDone(c: BurstControllerContext): boolean {
  if (c.spec.cycles !== null) return cycleAfter(c) >= c.spec.cycles;
  if (c.pending > 0 || c.running > 0) return false;
  for (const content of c.content) if (!content) return false;
  return true;
}

/** Calls the next SPU that wants to do something in this cycle. In the event log the others end their cycle at once. */
function callNext(c: BurstControllerContext, out: Outbox): void {
  const { spus } = c.spec;
  for (c.spu++; c.spu < spus.length; c.spu++) {
    if (c.next[c.spu]! <= c.t) {
      out.post({ to: spus[c.spu]!, type: 'cycle.begin', t: c.t } as never);
      return;
    }
    if (out.observed) showDone(c.spu, c.t, out);
  }
}

const showDone = (spu: number, t: number, out: Outbox): void => out.probe({ type: 'DONE', t, who: 'spu', id: spu } as Probe);

/** Writes into the event log the cycles after the last one it has, in which bytes moved and nothing else happened. */
function playUntil(c: BurstControllerContext, end: number, out: Outbox): void {
  if (!out.observed || c.played < 0) return;
  // Cycles in which no transfer runs are not in the log at all.
  if (c.running === 0 && c.spec.skipIdle) return;
  for (let t = c.played + 1; t < end; t++) {
    for (let spu = 0; spu < c.spec.spus.length; spu++) showDone(spu, t, out);
    playBytes(c, t, out);
    out.probe({ type: 'DONE', t, who: 'arb', id: 0 } as Probe);
    out.probe({ type: 'BARRIER', t, gen: t } as Probe);
  }
}

function playBytes(c: BurstControllerContext, t: number, out: Outbox): void {
  c.stores.play(t, out, (module) => out.probe({ type: 'DONE', t, who: 'dma', id: module } as Probe));
}

/**
 * The cycle controller of the burst machine (easier after reading `../controller.ts`): calls the SPUs that want to do something, then the
 * arbiter if it has anything to decide, then jumps to the next cycle in which anything happens. The other parties of the barrier have
 * nothing to say in such a cycle; the event log shows them all the same.
 */
export const burstController = setup({
  types: {} as { context: BurstControllerContext; events: BurstControllerEvent; input: BurstControllerInput },
  guards: {
    noCycles: when((c) => c.spec.cycles === 0),
    somebodyWants: when<'cycle.advance' | 'machine.start'>((c, event) => {
      const t = event.type === 'cycle.advance' ? event.t : 0;
      for (const next of c.next) if (next <= t) return true;
      return false;
    }),
    last: when((c) => c.left === 1),
    needsArbiter: when<'spu.done'>((c, { requests }) => c.requests + requests > 0 || c.arbiterNext <= c.t),
    stopped: when((c) => isDone(c)),
    stuck: when((c) => cycleAfter(c) === idleForever),
  },
  actions: {
    openCycle: act<'cycle.advance' | 'machine.start'>((c, event, out) => {
      const t = event.type === 'cycle.advance' ? event.t : 0;
      playUntil(c, t, out);
      c.t = t;
      c.spu = -1;
      c.requests = 0;
      c.left = 0;
      for (const next of c.next) if (next <= t) c.left++;
    }),
    callNext: act((c, _event, out) => callNext(c, out)),
    note: act<'spu.done'>((c, { spu, next, content, logged, requests }, out) => {
      c.left--;
      c.next[spu] = next;
      c.content[spu] = content;
      c.requests += requests;
      for (let i = 0; i < logged.length; i++) c.readHash = foldByte(c.readHash, logged[i]!);
      if (out.observed) showDone(spu, c.t, out);
    }),
    askArbiter: post((c) => ({ to: c.spec.arbiter, type: 'arbiter.phase', t: c.t })),
    noteArbiter: update<'arbiter.done'>((c, { pending, running, next }) => {
      c.pending = pending;
      c.running = running;
      c.arbiterNext = next;
    }),
    moveBytes: act((c, _event, out) => {
      if (out.observed) playBytes(c, c.t, out);
    }),
    showArbiterDone: probe((c) => ({ type: 'DONE', t: c.t, who: 'arb', id: 0 })),
    showBarrier: act((c, _event, out) => {
      c.played = c.t;
      if (!out.observed) return;
      const next = isDone(c) ? c.t + 1 : cycleAfter(c);
      const skips = c.running === 0 && next > c.t + 1 && next !== idleForever;
      out.probe({ type: 'BARRIER', t: c.t, gen: c.t, ...(skips && { next }) } as Probe);
    }),
    advance: post((c) => ({ to: c.spec.self, type: 'cycle.advance', t: cycleAfter(c), delay: cycleAfter(c) - c.t })),
    close: act((c, _event, out) => {
      if (c.spec.cycles !== null) playUntil(c, c.spec.cycles, out);
      c.cycles = c.spec.cycles ?? c.t + 1;
      c.stores.settle(c.cycles - 1);
    }),
    tellStop: post((c) => c.spec.spus.map((to) => ({ to, type: 'machine.stop', cycles: c.cycles }))),
    showStop: probe((c) => ({ type: 'STOP', t: c.t, cycles: c.cycles })),
  },
}).createMachine({
  id: 'burstController',
  context: ({ input: { stores, ...spec } }) => ({
    spec,
    stores,
    t: -1,
    spu: -1,
    left: 0,
    next: spec.spus.map(() => 0),
    content: spec.spus.map(() => false),
    readHash: readHashStart,
    requests: 0,
    pending: 0,
    running: 0,
    arbiterNext: idleForever,
    played: -1,
    cycles: 0,
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'machine.start': [
          { guard: 'noCycles', target: 'stopped', actions: ['tellStop', 'showStop'] },
          { target: 'phaseS', actions: ['openCycle', 'callNext'] },
        ],
      },
    },
    phaseS: {
      tags: ['waiting'],
      meta: waitsFor<BurstControllerContext>('an SPU that has not ended the cycle', (c) => memberAddress(c.spec.spus, c.spu)),
      on: {
        'spu.done': [
          { guard: not('last'), actions: ['note', 'callNext'] },
          { guard: 'needsArbiter', target: 'phaseA', actions: ['note', 'callNext'] },
          { target: 'barrier', actions: ['note', 'callNext', 'moveBytes', 'showArbiterDone'] },
        ],
      },
    },
    phaseA: {
      tags: ['waiting'],
      meta: waitsFor<BurstControllerContext>("the arbiter's decision", (c) => c.spec.arbiter),
      entry: ['moveBytes', 'askArbiter'],
      on: { 'arbiter.done': { target: 'barrier', actions: ['noteArbiter', 'showArbiterDone'] } },
    },
    barrier: {
      entry: 'showBarrier',
      always: [
        { guard: 'stopped', target: 'stopped', actions: ['close', 'tellStop', 'showStop'] },
        { guard: 'stuck', target: 'stuck' },
        { target: 'advancing', actions: 'advance' },
      ],
    },
    advancing: {
      on: {
        'cycle.advance': [
          { guard: 'somebodyWants', target: 'phaseS', actions: ['openCycle', 'callNext'] },
          { target: 'phaseA', actions: ['openCycle', 'callNext'] },
        ],
      },
    },
    stuck: { tags: ['waiting'], meta: waitsFor<BurstControllerContext>('a grant for the pending requests', (c) => c.spec.arbiter) },
    stopped: {},
  },
});
