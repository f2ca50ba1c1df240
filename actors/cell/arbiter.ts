import { setup } from 'xstate';
import { refused } from '../../kernel/kit.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { memberOf } from '../../kernel/wiring.ts';
import { type Address, memberAddress } from './address.ts';
import { arbitrationRules, planned, plannerOf, smallestFirst, urgentThrough } from './arbitration-rule.ts';
import type { PolicyName, PolicyOptions } from './policies/policies.ts';
import type { PendingRequest, PolicyState } from './policies/policy.ts';
import { idleForever } from './program.ts';
import { type CellMessage, cellProtocol } from './protocol.ts';
import { freeRings, type Hold, type RingState, wayOf } from './ring-state.ts';
import { type RingDirection, segmentNodes } from './rings.ts';

/** Whom the arbiter knows, and how it decides. */
export interface ArbiterInput extends PolicyOptions {
  readonly policy: PolicyName;
  readonly controller: Address;
  /** The DMA modules by SPU number. */
  readonly modules: readonly Address[];
  /** Member 0 of each SPU's family of requests for segments. */
  readonly requests: readonly Address[];
}

/** A transfer that was granted and is not over. */
export interface GrantedTransfer {
  readonly initiator: number;
  readonly id: number;
  readonly size: number;
  readonly start: number;
  readonly dir: RingDirection;
  readonly ring: number;
  /** The nodes that were reserved, in the order the bytes pass them. */
  readonly nodes: readonly number[];
}

/** A request whose turn it is in a round; `plan` is where a plan starts it. */
interface Candidate {
  readonly request: PendingRequest;
  readonly urgent: boolean;
  readonly plan: { readonly dir: number; readonly ring: number } | null;
}

/** The data arbiter: the rings, the requests, and how far the decision of this cycle has come (Cell specification 15.4). */
export interface ArbiterContext {
  readonly spec: ArbiterInput;
  /** The cycle that is being ended. */
  t: number;
  newcomers: PendingRequest[];
  /** Requests that wait, in FIFO order. */
  pending: PendingRequest[];
  running: GrantedTransfer[];
  rings: RingState;
  /** True when a request came or a transfer ended since the last decision. */
  changed: boolean;
  freed: readonly GrantedTransfer[];
  grants: GrantedTransfer[];
  /** Whom the round still asks, and whom just now. */
  round: Candidate[];
  asked: Candidate | null;
  /** The segment that is kept for an urgent request in this decision (17.5). */
  hold: Hold | null;
  /** Requests issued up to this cycle are urgent. */
  urgentThrough: number;
  plan: PolicyState;
}

const role = cellProtocol.roles.Arbiter;
const { update, post, when, probe, report } = role.component<ArbiterContext>();

const ruleOf = (a: ArbiterContext) => arbitrationRules[a.spec.policy];
const moduleOf = (a: ArbiterContext, initiator: number): Address => memberAddress(a.spec.modules, initiator);
/** The actor of a pending or granted request. */
export const requestOf = (a: ArbiterContext, { initiator, id }: { initiator: number; id: number }): Address =>
  memberOf(memberAddress(a.spec.requests, initiator), id);
const lastCycle = ({ start, size }: GrantedTransfer): number => start + size - 1;

/** The segment that the request just asked has taken (Cell specification 5). */
export function takenSegment(
  a: ArbiterContext,
  { dir, ring }: { readonly dir: number; readonly ring: number },
): GrantedTransfer {
  const { initiator, id, size, src, dst } = a.asked!.request;
  const nodes = segmentNodes(a.spec.N, dir as RingDirection, src, dst);
  return { initiator, id, size, start: a.t + 1, dir: dir as RingDirection, ring, nodes };
}

/** Enters a grant: the nodes are free again from cycle `freeFrom` on. */
export function enterGrant(a: ArbiterContext, grant: GrantedTransfer, freeFrom: number): void {
  const row = a.rings[grant.dir * a.spec.K + grant.ring]!;
  for (const node of grant.nodes) row[node] = freeFrom;
  a.grants.push(grant);
  a.running.push(grant);
  a.pending = a.pending.filter(({ initiator, id }) => initiator !== grant.initiator || id !== grant.id);
}

/** What the rings offer the request just asked (Cell specification 17.3, 17.5). */
export function offerOf(a: ArbiterContext, rings: RingState): CellMessage<'segment.offered'> {
  const { request, urgent, plan } = a.asked!;
  const start = a.t + 1;
  const way = (dir: RingDirection) => wayOf(rings, request, dir, start, ruleOf(a).ring, a.hold);
  const inTheWay = ({ dir, nodes }: GrantedTransfer): boolean =>
    segmentNodes(a.spec.N, dir, request.src, request.dst).some((node) => nodes.includes(node));
  return {
    type: 'segment.offered',
    start,
    urgent,
    plan: plan && { dir: plan.dir, ring: plan.ring },
    ways: [way(0), way(1)],
    others: a.pending.length - 1,
    heldBy: a.running.filter(inTheWay).map((one) => requestOf(a, one)),
  };
}

/** A request after which there is another decision in the next cycle although nobody came and nothing ended (Cell specification 17.1). */
const decidesAgain = (a: ArbiterContext): boolean =>
  a.pending.length > 0 &&
  (Boolean(a.spec.boundedWait) || (ruleOf(a).roundAfter === 'change or grants' && a.grants.length > 0));

/** A transfer as the event log has it. */
const shown = (a: ArbiterContext, { initiator, id, dir, ring, nodes }: GrantedTransfer) => ({
  t: a.t,
  spu: initiator,
  id,
  dir,
  ring,
  nodes,
});

/**
 * The data arbiter (Cell specification 6, 15.4, 17): only owner of the rings; decides at the end of each cycle for the next.
 *
 * Details: it offers the pending requests what the rings have, one after the other in the order of its policy; each request says what it takes
 * (see `ring-request.ts`), and the arbiter reserves it. The twin in `fast/arbiter.ts` does the same in one step.
 */
export const arbiter = setup({
  types: role.types<ArbiterContext, ArbiterInput>(),
  guards: {
    nothingPending: when((a) => a.pending.length === 0),
    nothingToDecide: when((a) => !a.changed && !a.spec.boundedWait && ruleOf(a).roundAfter === 'change'),
    waitIsBounded: when((a) => Boolean(a.spec.boundedWait)),
    nobodyLeft: when((a) => a.round.length === 0),
    headBlocks: when((a) => ruleOf(a).headBlocks),
    conflicts: when<'segment.taken'>((a, taken) => {
      const { dir, ring, nodes, start } = takenSegment(a, taken);
      const row = a.rings[dir * a.spec.K + ring]!;
      return nodes.some((node) => row[node]! > start);
    }),
  },
  actions: {
    append: update<'ring.request'>((a, { initiator, id, src, dst, size, issue }) => {
      a.newcomers.push({ initiator, id, src, dst, size, issue });
    }),
    acknowledge: post<'ring.request'>((a, { initiator, id }) => ({
      to: moduleOf(a, initiator),
      type: 'ring.queued',
      id,
    })),
    note: update<'arbiter.phase'>((a, { t }) => {
      a.t = t;
      a.grants = [];
      a.round = [];
      a.asked = null;
      a.hold = null;
    }),
    release: update((a) => {
      a.freed = a.running.filter((one) => lastCycle(one) <= a.t);
      if (a.freed.length === 0) return;
      a.running = a.running.filter((one) => lastCycle(one) > a.t);
      a.changed = true;
    }),
    showFreed: probe((a) => a.freed.map((one) => ({ type: 'FREE', ...shown(a, one) }))),
    endTransfers: post((a) => a.freed.map((one) => ({ to: requestOf(a, one), type: 'segment.freed' }))),
    tellFreed: post((a) =>
      a.freed.map(({ initiator, id }) => ({ to: moduleOf(a, initiator), type: 'ring.freed', id, t: a.t })),
    ),
    enlist: post((a) =>
      a.newcomers.map((one) => ({ to: requestOf(a, one), type: 'segment.wanted', size: one.size })),
    ),
    admit: update((a) => {
      if (a.newcomers.length === 0) return;
      a.newcomers.sort((x, y) => x.issue - y.issue || x.initiator - y.initiator || x.id - y.id);
      a.pending.push(...a.newcomers);
      a.newcomers = [];
      a.changed = true;
    }),
    lineUpUrgent: update((a) => {
      a.urgentThrough = urgentThrough(a.spec, a.pending, a.t + 1, a.urgentThrough);
      a.round = a.pending
        .filter(({ issue }) => issue <= a.urgentThrough)
        .map((request) => ({ request, urgent: true, plan: null }));
    }),
    lineUp: update((a) => {
      const ask = (request: PendingRequest): Candidate => ({ request, urgent: false, plan: null });
      switch (ruleOf(a).order) {
        case 'oldest':
          a.round = a.pending.map(ask);
          return;
        case 'smallest':
          a.round = smallestFirst(a.pending).map(ask);
          return;
        case 'planned': {
          const starts = planned(plannerOf(a.spec), a.spec, a.rings, a.pending, a.t + 1, a.hold, a.plan);
          a.round = starts.map((plan) => ({ request: a.pending[plan.index]!, urgent: false, plan }));
        }
      }
    }),
    askNext: update((a) => {
      a.asked = a.round.shift()!;
    }),
    offer: post((a) => ({ to: requestOf(a, a.asked!.request), ...offerOf(a, a.rings) })),
    reserve: update<'segment.taken'>((a, taken) => {
      const grant = takenSegment(a, taken);
      enterGrant(a, grant, grant.start + grant.size);
    }),
    keepSegment: update<'segment.reserved'>((a, { dir, ring, from }) => {
      const { src, dst } = a.asked!.request;
      const nodes = segmentNodes(a.spec.N, dir as RingDirection, src, dst);
      a.hold = { row: dir * a.spec.K + ring, nodes, from };
    }),
    complain: report<'segment.taken'>((a, { dir, ring }) => {
      const { id, initiator } = a.asked!.request;
      return {
        property: 'the policy grants only free segments to pending requests',
        why: `request ${id} of SPU ${initiator} was granted direction ${dir} ring ${ring} in cycle ${a.t + 1}, where another transfer runs`,
      };
    }),
    settle: update((a) => {
      a.changed = false;
      a.asked = null;
    }),
    showGrants: probe((a) =>
      a.grants.map((one) => {
        const { nodes, dir, ring, ...rest } = shown(a, one);
        return { type: 'GRANT', ...rest, start: one.start, dir, ring, nodes };
      }),
    ),
    publish: post((a) =>
      a.grants.map(({ initiator, id, start, dir, ring }) => ({
        to: moduleOf(a, initiator),
        type: 'ring.grant',
        id,
        start,
        dir,
        ring,
      })),
    ),
    reportDone: post((a) => ({
      to: a.spec.controller,
      type: 'arbiter.done',
      pending: a.pending.length,
      running: a.running.length,
      next: decidesAgain(a) ? a.t + 1 : Math.min(idleForever, ...a.running.map(lastCycle)),
    })),
    tellPending: post<'machine.stop'>((a, { cycles }) =>
      a.pending.map((one) => ({ to: requestOf(a, one), type: 'machine.stop', cycles })),
    ),
  },
}).createMachine({
  id: 'arbiter',
  context: ({ input }) => ({
    spec: input,
    t: -1,
    newcomers: [],
    pending: [],
    running: [],
    rings: freeRings(input.N, input.K),
    changed: false,
    freed: [],
    grants: [],
    round: [],
    asked: null,
    hold: null,
    urgentThrough: -1,
    plan: plannerOf(input).initialState(),
  }),
  initial: 'collecting',
  states: {
    collecting: {
      on: {
        'ring.request': { actions: ['append', 'acknowledge'] },
        'arbiter.phase': { target: 'releasing', actions: 'note' },
        'machine.stop': { target: 'stopped', actions: 'tellPending' },
      },
    },
    releasing: { entry: ['release', 'showFreed', 'endTransfers'], always: 'admitting' },
    admitting: {
      entry: ['enlist', 'admit'],
      always: [
        { guard: 'nothingPending', target: 'publishing' },
        { guard: 'nothingToDecide', target: 'publishing' },
        { guard: 'waitIsBounded', target: 'hastening' },
        { target: 'deciding' },
      ],
    },
    // Urgent requests, the oldest first, until one of them must wait: a segment is kept for it.
    hastening: {
      entry: 'lineUpUrgent',
      initial: 'choosing',
      states: {
        choosing: {
          always: [
            { guard: 'nobodyLeft', target: '#arbiter.deciding' },
            { target: 'offering', actions: 'askNext' },
          ],
        },
        offering: {
          ...waitingFor<ArbiterContext>('the answer of an urgent request', (a) =>
            requestOf(a, a.asked!.request),
          ),
          entry: 'offer',
          on: {
            'segment.taken': [
              { guard: 'conflicts', target: 'choosing', actions: 'complain' },
              { target: 'choosing', actions: 'reserve' },
            ],
            'segment.reserved': { target: '#arbiter.deciding', actions: 'keepSegment' },
          },
        },
      },
    },
    // One round over the pending requests, in the order of the policy.
    deciding: {
      entry: 'lineUp',
      initial: 'choosing',
      states: {
        choosing: {
          always: [
            { guard: 'nobodyLeft', target: '#arbiter.publishing' },
            { target: 'offering', actions: 'askNext' },
          ],
        },
        offering: {
          ...waitingFor<ArbiterContext>('the answer of a request', (a) => requestOf(a, a.asked!.request)),
          entry: 'offer',
          on: {
            'segment.taken': [
              { guard: 'conflicts', target: 'choosing', actions: 'complain' },
              { target: 'choosing', actions: 'reserve' },
            ],
            'segment.declined': [
              { guard: 'headBlocks', target: '#arbiter.publishing' },
              { target: 'choosing' },
            ],
          },
        },
      },
    },
    publishing: {
      entry: ['settle', 'showGrants', 'tellFreed', 'publish', 'reportDone'],
      always: 'collecting',
    },
    stopped: { on: { 'machine.stop': refused } },
  },
});
