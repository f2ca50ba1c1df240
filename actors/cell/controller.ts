import { and, setup } from 'xstate';
import { waitingFor } from '../../kernel/outcome.ts';
import { type Address, memberAddress } from './address.ts';
import { foldByte, readHashStart } from './fnv.ts';
import { idleForever } from './program.ts';
import { type CellMessage, cellProtocol } from './protocol.ts';

/** Whom the controller synchronises, and when the run is over. */
export interface ControllerInput {
  readonly spus: readonly Address[];
  readonly modules: readonly Address[];
  readonly arbiter: Address;
  /** Cycles to run, null: until idle (Cell specification 2). */
  readonly cycles: number | null;
  /** `ordered`: one party after the other, the canonical order of section 8. `free`: phases S and D at once, for fuzzing (15.1). */
  readonly interleaving: 'ordered' | 'free';
  /** Jump over cycles in which nobody does anything. */
  readonly skipIdle: boolean;
}

/** The controller: the cycle, and who has not yet reported its end. */
export interface ControllerContext {
  readonly spec: ControllerInput;
  t: number;
  /** SPUs and DMA modules that still have to report, by number. */
  spusLeft: number[];
  modulesLeft: number[];
  /** For each SPU the next cycle in which it wants to do something. */
  next: number[];
  /** For each SPU whether the run need not go on for its sake. */
  content: boolean[];
  /** Values of this cycle that count for the read hash, by SPU. */
  logged: (readonly number[])[];
  /** The hash over all logged values so far (Cell specification 18.2). */
  readHash: number;
  pending: number;
  running: number;
  arbiterNext: number;
  /** Cycles executed, once the run is over. */
  cycles: number;
}

const role = cellProtocol.roles.Controller;
const { update, post, when, probe, report } = role.component<ControllerContext>();

/** The cycle that follows: the next one, or the next in which anything happens. */
function cycleAfter(c: ControllerContext): number {
  const { skipIdle, cycles } = c.spec;
  if (!skipIdle || c.running > 0) return c.t + 1;
  const wanted = Math.min(c.arbiterNext, ...c.next);
  return cycles === null ? wanted : Math.min(wanted, cycles);
}

const isDone = (c: ControllerContext): boolean =>
  c.spec.cycles === null
    ? c.pending === 0 && c.running === 0 && c.content.every((content) => content)
    : cycleAfter(c) >= c.spec.cycles;

const numbers = (list: readonly unknown[]): number[] => list.map((_, index) => index);

/** Whether a party may report: where they work in their order, only the one that has the turn. */
const mayReport = ({ spec }: ControllerContext, left: readonly number[], party: number): boolean =>
  spec.interleaving === 'ordered' ? left[0] === party : left.includes(party);

/** What is wrong with a report that was not expected. */
function complaint(c: ControllerContext, { type, spu, t }: CellMessage<'spu.done' | 'dma.done'>): string {
  if (t !== c.t) return 'which is another one';
  return (type === 'spu.done' ? c.spusLeft : c.modulesLeft).includes(spu)
    ? 'out of its turn'
    : 'a second time';
}

/** The cycle controller (Cell specification 8, 15.1): collects the reports of all 2N + 1 parties, then opens the next cycle. */
export const controller = setup({
  types: role.types<ControllerContext, ControllerInput>(),
  guards: {
    ordered: when((c) => c.spec.interleaving === 'ordered'),
    free: when((c) => c.spec.interleaving === 'free'),
    expectedSpu: when<'spu.done'>((c, { spu, t }) => t === c.t && mayReport(c, c.spusLeft, spu)),
    expectedModule: when<'dma.done'>((c, { spu, t }) => t === c.t && mayReport(c, c.modulesLeft, spu)),
    lastSpu: when((c) => c.spusLeft.length === 1),
    lastModule: when((c) => c.modulesLeft.length === 1),
    lastOfAll: when((c) => c.spusLeft.length + c.modulesLeft.length === 1),
    stopped: when((c) => isDone(c)),
    stuck: when((c) => cycleAfter(c) === idleForever),
    noCycles: when((c) => c.spec.cycles === 0),
  },
  actions: {
    openCycle: update<'cycle.advance' | 'machine.start'>((c, event) => {
      c.t = event.type === 'cycle.advance' ? cycleAfter(c) : 0;
      c.spusLeft = numbers(c.spec.spus);
      c.modulesLeft = numbers(c.spec.modules);
    }),
    beginNextSpu: post((c) => ({
      to: memberAddress(c.spec.spus, c.spusLeft[0]!),
      type: 'cycle.begin',
      t: c.t,
    })),
    beginAllSpus: post((c) => c.spec.spus.map((to) => ({ to, type: 'cycle.begin', t: c.t }))),
    beginNextModule: post((c) => ({
      to: memberAddress(c.spec.modules, c.modulesLeft[0]!),
      type: 'dma.phase',
      t: c.t,
    })),
    beginAllModules: post((c) => c.spec.modules.map((to) => ({ to, type: 'dma.phase', t: c.t }))),
    beginArbiter: post((c) => ({ to: c.spec.arbiter, type: 'arbiter.phase', t: c.t })),
    noteSpu: update<'spu.done'>((c, { spu, next, content, logged }) => {
      c.spusLeft = c.spusLeft.filter((one) => one !== spu);
      c.next[spu] = next;
      c.content[spu] = content;
      c.logged[spu] = logged;
    }),
    noteModule: update<'dma.done'>((c, { spu }) => {
      c.modulesLeft = c.modulesLeft.filter((one) => one !== spu);
    }),
    noteArbiter: update<'arbiter.done'>((c, { pending, running, next }) => {
      c.pending = pending;
      c.running = running;
      c.arbiterNext = next;
    }),
    foldLogged: update((c) => {
      for (let spu = 0; spu < c.logged.length; spu++) {
        for (const value of c.logged[spu]!) c.readHash = foldByte(c.readHash, value);
        c.logged[spu] = [];
      }
    }),
    advance: post((c, _event, { self }) => ({
      to: self,
      type: 'cycle.advance',
      delay: cycleAfter(c) - c.t,
    })),
    close: update((c) => {
      c.cycles = c.spec.cycles ?? c.t + 1;
    }),
    tellStop: post((c) =>
      [...c.spec.spus, c.spec.arbiter].map((to) => ({ to, type: 'machine.stop', cycles: c.cycles })),
    ),
    showSpuDone: probe<'spu.done'>((_c, { spu, t }) => ({ type: 'DONE', t, who: 'spu', id: spu })),
    showModuleDone: probe<'dma.done'>((_c, { spu, t }) => ({ type: 'DONE', t, who: 'dma', id: spu })),
    showArbiterDone: probe((c) => ({ type: 'DONE', t: c.t, who: 'arb', id: 0 })),
    showBarrier: probe((c) => {
      const next = isDone(c) ? c.t + 1 : cycleAfter(c);
      return { type: 'BARRIER', t: c.t, gen: c.t, ...(next > c.t + 1 && next !== idleForever && { next }) };
    }),
    showStop: probe((c) => ({ type: 'STOP', t: c.t, cycles: c.cycles })),
    complain: report<'spu.done' | 'dma.done'>((c, event) => ({
      property: 'each of the 2N+1 entities reports the end of each cycle exactly once',
      why: `${event.type === 'spu.done' ? 'SPU' : 'DMA module'} ${event.spu} reported the end of cycle ${event.t} in cycle ${c.t}, ${complaint(c, event)}`,
    })),
  },
}).createMachine({
  id: 'controller',
  context: ({ input }) => ({
    spec: input,
    t: -1,
    spusLeft: [],
    modulesLeft: [],
    next: input.spus.map(() => 0),
    content: input.spus.map(() => false),
    logged: input.spus.map(() => []),
    readHash: readHashStart,
    pending: 0,
    running: 0,
    arbiterNext: idleForever,
    cycles: 0,
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'machine.start': [
          { guard: 'noCycles', target: 'stopped', actions: ['tellStop', 'showStop'] },
          { guard: 'ordered', target: 'phaseS', actions: 'openCycle' },
          { target: 'work', actions: 'openCycle' },
        ],
      },
    },
    phaseS: {
      ...waitingFor<ControllerContext>('SPUs that have not ended the cycle', (c) =>
        memberAddress(c.spec.spus, c.spusLeft[0]!),
      ),
      entry: 'beginNextSpu',
      on: {
        'spu.done': [
          { guard: and(['expectedSpu', 'lastSpu']), target: 'phaseD', actions: ['noteSpu', 'showSpuDone'] },
          { guard: 'expectedSpu', actions: ['noteSpu', 'showSpuDone', 'beginNextSpu'] },
          { actions: ['complain', 'showSpuDone'] },
        ],
        'dma.done': { actions: ['complain', 'showModuleDone'] },
      },
    },
    phaseD: {
      ...waitingFor<ControllerContext>('DMA modules that have not ended the cycle', (c) =>
        memberAddress(c.spec.modules, c.modulesLeft[0]!),
      ),
      entry: 'beginNextModule',
      on: {
        'dma.done': [
          {
            guard: and(['expectedModule', 'lastModule']),
            target: 'phaseA',
            actions: ['noteModule', 'showModuleDone'],
          },
          { guard: 'expectedModule', actions: ['noteModule', 'showModuleDone', 'beginNextModule'] },
          { actions: ['complain', 'showModuleDone'] },
        ],
        'spu.done': { actions: ['complain', 'showSpuDone'] },
      },
    },
    // The free-running variant: everybody works at once.
    work: {
      ...waitingFor<ControllerContext>('parties that have not ended the cycle', (c) => [
        ...c.spusLeft.map((spu) => memberAddress(c.spec.spus, spu)),
        ...c.modulesLeft.map((spu) => memberAddress(c.spec.modules, spu)),
      ]),
      entry: ['beginAllSpus', 'beginAllModules'],
      on: {
        'spu.done': [
          { guard: and(['expectedSpu', 'lastOfAll']), target: 'phaseA', actions: ['noteSpu', 'showSpuDone'] },
          { guard: 'expectedSpu', actions: ['noteSpu', 'showSpuDone'] },
          { actions: ['complain', 'showSpuDone'] },
        ],
        'dma.done': [
          {
            guard: and(['expectedModule', 'lastOfAll']),
            target: 'phaseA',
            actions: ['noteModule', 'showModuleDone'],
          },
          { guard: 'expectedModule', actions: ['noteModule', 'showModuleDone'] },
          { actions: ['complain', 'showModuleDone'] },
        ],
      },
    },
    phaseA: {
      ...waitingFor<ControllerContext>("the arbiter's decision", (c) => c.spec.arbiter),
      entry: 'beginArbiter',
      on: {
        'arbiter.done': { target: 'barrier', actions: ['noteArbiter', 'showArbiterDone'] },
        'spu.done': { actions: ['complain', 'showSpuDone'] },
        'dma.done': { actions: ['complain', 'showModuleDone'] },
      },
    },
    barrier: {
      entry: ['foldLogged', 'showBarrier'],
      always: [
        { guard: 'stopped', target: 'stopped', actions: ['close', 'tellStop', 'showStop'] },
        { guard: 'stuck', target: 'stuck' },
        { target: 'advancing', actions: 'advance' },
      ],
    },
    advancing: {
      on: {
        'cycle.advance': [
          { guard: 'ordered', target: 'phaseS', actions: 'openCycle' },
          { target: 'work', actions: 'openCycle' },
        ],
        'spu.done': { actions: ['complain', 'showSpuDone'] },
        'dma.done': { actions: ['complain', 'showModuleDone'] },
      },
    },
    // Requests are pending, nothing runs, no program goes on, and the policy waits for a change that cannot come.
    stuck: {
      ...waitingFor<ControllerContext>('a grant for the pending requests', (c) => c.spec.arbiter),
    },
    stopped: {
      on: {
        'spu.done': { actions: ['complain', 'showSpuDone'] },
        'dma.done': { actions: ['complain', 'showModuleDone'] },
      },
    },
  },
});
