import { setup } from 'xstate';
import type { Outbox } from '../../../kernel/kit.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Address, memberAddress } from '../address.ts';
import { readHashStart } from '../fnv.ts';
import { idleForever } from '../program.ts';
import { burstProtocol } from '../protocol.ts';
import type { LocalStores } from './local-stores.ts';
import type { Roster } from './roster.ts';

/** Whom the controller synchronises, and when the run is over. */
export interface BurstControllerInput {
  readonly spus: readonly Address[];
  readonly arbiter: Address;
  readonly cycles: number | null;
  readonly skipIdle: boolean;
  readonly stores: LocalStores;
  readonly roster: Roster;
}

/** The controller: the cycle, and when the other parts want to go on. */
export interface BurstControllerContext {
  readonly spec: Omit<BurstControllerInput, 'stores' | 'roster'>;
  /** Shared with all SPUs and DMA modules of the machine. */
  readonly stores: LocalStores;
  /** Shared with all SPUs. */
  readonly roster: Roster;
  t: number;
  /** The first SPU that works in this cycle, N when none does. */
  first: number;
  readHash: number;
  pending: number;
  running: number;
  arbiterNext: number;
  /** The cycle that follows. */
  next: number;
  /** The last cycle that the event log has in full. */
  played: number;
  cycles: number;
}

const role = burstProtocol.roles.Controller;
const { update, post, when, act, probe } = role.component<BurstControllerContext>();

/** The next cycle in which somebody does something; with a limit on cycles at most that limit. */
function cycleAfter(c: BurstControllerContext): number {
  const { skipIdle, cycles } = c.spec;
  const wanted = skipIdle ? Math.min(c.arbiterNext, c.roster.earliest) : c.t + 1;
  if (cycles === null || wanted < cycles) return wanted;
  // Transfers that the limit cuts, and SPUs that sleep, do something up to the last cycle, so that one is carried out.
  const goesOn = c.running > 0 || c.roster.anySleeps;
  return goesOn && c.t < cycles - 1 ? cycles - 1 : cycles;
}

function isDone(c: BurstControllerContext): boolean {
  if (c.spec.cycles !== null) return c.next >= c.spec.cycles;
  return c.pending === 0 && c.running === 0 && c.roster.allContent;
}

const showDone = (spu: number, t: number, out: Outbox): void =>
  out.probe({ type: 'DONE', t, who: 'spu', id: spu });

/** Writes into the event log the cycles after the last one it has, in which bytes moved and nothing else happened. */
function playUntil(c: BurstControllerContext, end: number, out: Outbox): void {
  if (!out.observed || c.played < 0) return;
  // Cycles in which no transfer runs are not in the log at all.
  if (c.running === 0 && c.spec.skipIdle) return;
  for (let t = c.played + 1; t < end; t++) {
    for (let spu = 0; spu < c.spec.spus.length; spu++) showDone(spu, t, out);
    playBytes(c, t, out);
    out.probe({ type: 'DONE', t, who: 'arb', id: 0 });
    out.probe({ type: 'BARRIER', t, gen: t });
  }
}

/** Does what sleeping SPUs do in the cycles after the last one, up to before `end`. */
function idleUntil(c: BurstControllerContext, end: number): void {
  c.readHash = idleWork(c, c.stores, end);
}

function idleWork(
  { spec, roster, t: last, readHash }: BurstControllerContext,
  stores: LocalStores,
  end: number,
): number {
  if (!roster.anySleeps) return readHash;
  let hash = readHash;
  for (let t = last + 1; t < end; t++) hash = roster.work(0, spec.spus.length, t, hash, stores);
  return hash;
}

/**
 * The memories and the read hash as they are at the end of cycle t, which is not before the last one that was carried out: transfers and sleeping
 * SPUs are caught up in a copy.
 */
export function seenAt(
  c: BurstControllerContext,
  t: number,
): { readonly stores: LocalStores; readonly readHash: number } {
  const stores = c.stores.fork();
  const readHash = idleWork(c, stores, t + 1);
  stores.settle(t);
  return { stores, readHash };
}

function playBytes(c: BurstControllerContext, t: number, out: Outbox): void {
  c.stores.play(t, out, (module) => out.probe({ type: 'DONE', t, who: 'dma', id: module }));
}

/**
 * The cycle controller of the burst machine (easier after reading `../controller.ts`): hands the baton to the SPUs that want to do something,
 * asks the arbiter if it has anything to decide, then jumps to the next cycle in which anything happens. The other parties of the
 * barrier have nothing to say in such a cycle; the event log shows them all the same.
 */
export const burstController = setup({
  types: role.types<BurstControllerContext, BurstControllerInput>(),
  guards: {
    noCycles: when((c) => c.spec.cycles === 0),
    somebodyWants: when((c) => c.roster.following(-1, c.next) < c.spec.spus.length),
    needsArbiter: when<'cycle.baton'>((c, { requests }) => requests > 0 || c.arbiterNext <= c.t),
    stopped: when((c) => isDone(c)),
    stuck: when((c) => c.next === idleForever),
  },
  actions: {
    openCycle: act<'cycle.advance' | 'machine.start'>((c, event, out) => {
      const t = event.type === 'cycle.advance' ? c.next : 0;
      playUntil(c, t, out);
      idleUntil(c, t);
      // Who looks sees every SPU at work.
      if (out.observed) c.roster.wakeAll(t);
      c.t = t;
      c.first = c.roster.following(-1, t);
      c.readHash = c.roster.work(0, c.first, t, c.readHash, c.stores);
      if (out.observed) for (let spu = 0; spu < c.first; spu++) showDone(spu, t, out);
    }),
    handBaton: post((c) => ({
      to: memberAddress(c.spec.spus, c.first),
      type: 'cycle.baton',
      t: c.t,
      hash: c.readHash,
      requests: 0,
    })),
    takeBaton: update<'cycle.baton'>((c, { hash }) => {
      c.readHash = hash;
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
    closeCycle: act((c, _event, out) => {
      c.played = c.t;
      c.next = cycleAfter(c);
      if (!out.observed) return;
      const skips = c.running === 0 && !isDone(c) && c.next > c.t + 1 && c.next !== idleForever;
      out.probe({ type: 'BARRIER', t: c.t, gen: c.t, ...(skips && { next: c.next }) });
    }),
    advance: post((c, _event, { self }) => ({ to: self, type: 'cycle.advance', delay: c.next - c.t })),
    close: update((c) => {
      c.cycles = c.spec.cycles ?? c.t + 1;
      c.stores.settle(c.cycles - 1);
    }),
    tellStop: post((c) => c.spec.spus.map((to) => ({ to, type: 'machine.stop', cycles: c.cycles }))),
    showStop: probe((c) => ({ type: 'STOP', t: c.t, cycles: c.cycles })),
  },
}).createMachine({
  id: 'burstController',
  context: ({ input: { stores, roster, ...spec } }) => ({
    spec,
    stores,
    roster,
    t: -1,
    first: 0,
    readHash: readHashStart,
    pending: 0,
    running: 0,
    arbiterNext: idleForever,
    next: 0,
    played: -1,
    cycles: 0,
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'machine.start': [
          { guard: 'noCycles', target: 'stopped', actions: ['tellStop', 'showStop'] },
          { target: 'phaseS', actions: ['openCycle', 'handBaton'] },
        ],
      },
    },
    phaseS: {
      ...waitingFor<BurstControllerContext>('the baton of the cycle', (c) => [...c.spec.spus]),
      on: {
        'cycle.baton': [
          { guard: 'needsArbiter', target: 'phaseA', actions: 'takeBaton' },
          { target: 'barrier', actions: ['takeBaton', 'moveBytes', 'showArbiterDone'] },
        ],
      },
    },
    phaseA: {
      ...waitingFor<BurstControllerContext>("the arbiter's decision", (c) => c.spec.arbiter),
      entry: ['moveBytes', 'askArbiter'],
      on: { 'arbiter.done': { target: 'barrier', actions: ['noteArbiter', 'showArbiterDone'] } },
    },
    barrier: {
      entry: 'closeCycle',
      always: [
        { guard: 'stopped', target: 'stopped', actions: ['close', 'tellStop', 'showStop'] },
        { guard: 'stuck', target: 'stuck' },
        { target: 'advancing', actions: 'advance' },
      ],
    },
    advancing: {
      on: {
        'cycle.advance': [
          { guard: 'somebodyWants', target: 'phaseS', actions: ['openCycle', 'handBaton'] },
          { target: 'phaseA', actions: 'openCycle' },
        ],
      },
    },
    stuck: {
      ...waitingFor<BurstControllerContext>('a grant for the pending requests', (c) => c.spec.arbiter),
    },
    stopped: {},
  },
});
