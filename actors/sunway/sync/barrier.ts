import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { barrierStates } from '../../common/barrier-states.ts';
import type { SyncRelease } from '../messages.ts';
import type { SunwayMessage } from '../protocol.ts';
import { type BarrierLine, barrierLatency, type SyncNetInput } from './barrier-line.ts';

/** What a barrier hears, and what it says. */
export type BarrierEvent = SunwayMessage<'barrier.arrive' | 'barrier.leave'>;
export type BarrierSays = SunwayMessage<'barrier.noted' | 'barrier.complete'>;

/** One barrier, and the wires that it is part of. */
export interface BarrierInput {
  readonly self: Address;
  readonly line: BarrierLine;
  readonly wires: Pick<SyncNetInput, 'cpes' | 'base' | 'hop'>;
}

/** One barrier of an array. */
export interface BarrierContext {
  readonly spec: Fixed<BarrierInput>;
  /** In the order in which they came. */
  arrived: number[];
  /** Members that can still come, and those that have. */
  members: readonly number[];
  /** The fingerprint that the first collective came with, 0 for none so far, and whether all that came after it had the same. */
  agreement: number;
  agreed: boolean;
  /** Releases so far. */
  epoch: number;
}

const { act, post, update, when } = component<BarrierContext, BarrierEvent, BarrierSays | SyncRelease>();

const wires = ({ spec }: BarrierContext): Address => spec.value.self;

/** One barrier in the making (specification 8.6): open until all members have arrived, then all are released, one epoch after the other. */
export const syncBarrier = setup({
  types: {} as { context: BarrierContext; events: BarrierEvent; input: BarrierInput },
  guards: {
    isLast: when<'barrier.arrive'>((c, { tid, members }) =>
      members.every((one) => one === tid || c.arrived.includes(one)),
    ),
    leavesLast: when<'barrier.leave'>(
      (c, { members }) =>
        c.arrived.length >= members.length && members.every((one) => c.arrived.includes(one)),
    ),
  },
  actions: {
    note: update<'barrier.arrive'>((c, { tid, agreement, members }) => {
      c.arrived.push(tid);
      c.members = members;
      if (c.agreement === 0) c.agreement = agreement;
      else if (agreement !== 0 && agreement !== c.agreement) c.agreed = false;
    }),
    noteMembers: update<'barrier.leave'>((c, { members }) => {
      c.members = members;
    }),
    // An arrival has taken one cycle already.
    release: act((c, { jitter }, out) => {
      const { line, wires: net } = c.spec.value;
      const delay = Math.max(1, barrierLatency(c.members, net) - 1) + jitter;
      c.epoch++;
      for (const tid of c.arrived)
        out.post({
          to: net.cpes[tid]!,
          type: 'sync.release',
          ...line,
          epoch: c.epoch,
          agreed: c.agreed,
          delay,
        });
    }),
    beginAgain: update((c) => {
      c.arrived = [];
      c.members = [];
      c.agreement = 0;
      c.agreed = true;
    }),
    acknowledge: post((c) => ({ to: wires(c), type: 'barrier.noted' })),
    complete: post((c) => ({ to: wires(c), type: 'barrier.complete', line: c.spec.value.line })),
  },
}).createMachine({
  id: 'syncBarrier',
  context: ({ input }) => ({
    spec: fixed(input),
    arrived: [],
    members: [],
    agreement: 0,
    agreed: true,
    epoch: 0,
  }),
  initial: 'open',
  states: barrierStates(
    { arrive: 'barrier.arrive', leave: 'barrier.leave' },
    {
      arrive: ['note'],
      begin: ['acknowledge'],
      wait: ['acknowledge'],
      release: ['release', 'beginAgain', 'complete'],
      leave: ['noteMembers'],
    },
    // Its members wait, and their states say so. No `waiting` here: a job that is stopped leaves barriers behind, and is not stuck.
    {
      meta: waitsFor<BarrierContext>('the members that have not arrived', (c) =>
        c.members.filter((tid) => !c.arrived.includes(tid)).map((tid) => c.spec.value.wires.cpes[tid]!),
      ),
    },
  ),
});
