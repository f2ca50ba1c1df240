import { setup } from 'xstate';
import { refused } from '../../../kernel/kit.ts';
import { type Address, memberAddress } from '../address.ts';
import { cellProtocol } from '../protocol.ts';
import { type ArbitrationScheduler, nodesOf, type RunningTransfer } from './arbitration-scheduler.ts';

/** Whom the arbiter knows. */
export interface FastArbiterInput {
  readonly scheduler: ArbitrationScheduler;
  readonly controller: Address;
  /** The DMA modules by SPU number. */
  readonly modules: readonly Address[];
}

/** The data arbiter: its scheduler, and what the cycle that is being ended brought. */
export interface FastArbiterContext {
  readonly controller: Address;
  readonly modules: readonly Address[];
  readonly scheduler: ArbitrationScheduler;
  t: number;
  freed: readonly RunningTransfer[];
  grants: readonly RunningTransfer[];
  /** What the policy did wrong in this decision. */
  faults: readonly string[];
}

const role = cellProtocol.roles.Arbiter;
const { update, post, when, probe, report } = role.component<FastArbiterContext>();

/** The data arbiter in one step a cycle: the fast twin of `../arbiter.ts`, equal to it in all that its neighbours see (Cell specification 6, 15.4). */
export const fastArbiter = setup({
  types: role.types<FastArbiterContext, FastArbiterInput>(),
  guards: { faulty: when((a) => a.faults.length > 0) },
  actions: {
    append: update<'ring.request'>((a, { initiator, id, src, dst, size, issue }) => {
      a.scheduler.collect({ initiator, id, src, dst, size, issue });
    }),
    acknowledge: post<'ring.request'>((a, { initiator, id }) => ({
      to: memberAddress(a.modules, initiator),
      type: 'ring.queued',
      id,
    })),
    note: update<'arbiter.phase'>((a, { t }) => {
      a.t = t;
    }),
    release: update((a) => {
      a.freed = a.scheduler.release(a.t);
    }),
    admit: update((a) => {
      a.scheduler.admit();
    }),
    showFreed: probe((a) =>
      a.freed.map((one) => ({
        type: 'FREE',
        t: a.t,
        spu: one.initiator,
        id: one.id,
        dir: one.dir,
        ring: one.ring,
        nodes: nodesOf(a.scheduler.spec.N, one),
      })),
    ),
    tellFreed: post((a) =>
      a.freed.map(({ initiator, id }) => ({
        to: memberAddress(a.modules, initiator),
        type: 'ring.freed',
        id,
        t: a.t,
      })),
    ),
    decide: update((a) => {
      const { grants, faults } = a.scheduler.decide(a.t + 1);
      a.grants = grants;
      a.faults = faults;
    }),
    showGrants: probe((a) =>
      a.grants.map((one) => ({
        type: 'GRANT',
        t: a.t,
        spu: one.initiator,
        id: one.id,
        start: one.start,
        dir: one.dir,
        ring: one.ring,
        nodes: nodesOf(a.scheduler.spec.N, one),
      })),
    ),
    publish: post((a) =>
      a.grants.map(({ initiator, id, start, dir, ring }) => ({
        to: memberAddress(a.modules, initiator),
        type: 'ring.grant',
        id,
        start,
        dir,
        ring,
      })),
    ),
    complain: report((a) => ({
      property: 'the policy grants only free segments to pending requests',
      why: a.faults.join('; '),
    })),
    reportDone: post((a) => ({
      to: a.controller,
      type: 'arbiter.done',
      pending: a.scheduler.pending.length,
      running: a.scheduler.running.length,
      next: a.scheduler.nextAfter(a.t),
    })),
  },
}).createMachine({
  id: 'fastArbiter',
  context: ({ input }) => ({
    controller: input.controller,
    modules: input.modules,
    scheduler: input.scheduler,
    t: -1,
    freed: [],
    grants: [],
    faults: [],
  }),
  initial: 'collecting',
  states: {
    collecting: {
      on: {
        'ring.request': { actions: ['append', 'acknowledge'] },
        'arbiter.phase': { target: 'releasing', actions: 'note' },
        'machine.stop': refused,
      },
    },
    releasing: { entry: ['release', 'showFreed', 'tellFreed', 'admit'], always: 'deciding' },
    deciding: {
      entry: 'decide',
      always: [{ guard: 'faulty', target: 'publishing', actions: 'complain' }, { target: 'publishing' }],
    },
    publishing: { entry: ['showGrants', 'publish', 'reportDone'], always: 'collecting' },
  },
});
