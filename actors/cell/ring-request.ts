import { and, not, setup } from 'xstate';
import { waitingFor } from '../../kernel/outcome.ts';
import type { Address } from './address.ts';
import type { ArbitrationRule } from './arbitration-rule.ts';
import { type CellMessage, cellProtocol } from './protocol.ts';
import type { Way } from './ring-state.ts';

/** What a request for a segment is made from. */
export interface RingRequestInput {
  readonly arbiter: Address;
  /** Nodes a ring and rings a direction. */
  readonly N: number;
  readonly K: number;
  readonly rule: ArbitrationRule;
}

/** A request for a segment: what it asks for, and what became of it. */
export interface RingRequestContext {
  readonly spec: RingRequestInput;
  size: number;
  /** Direction and ring it got, -1 for none. */
  dir: number;
  ring: number;
  /** Requests whose segments stood in its way when it was asked last. */
  heldBy: readonly Address[];
}

const role = cellProtocol.roles['Arbiter.Spu.Request'];
const { update, post, when } = role.component<RingRequestContext>();

const longerThan = (one: Way, other: Way): boolean => one.nodes > other.nodes;

/** The ways a request looks at first: direction 0, or the shorter one, or both when they are equally short (Cell specification 17.2, 17.3). */
function firstWays(
  { spec }: RingRequestContext,
  { ways: [up, down] }: CellMessage<'segment.offered'>,
): readonly Way[] {
  if (spec.rule.first === 'direction 0') return [up];
  if (up.nodes === down.nodes) return [up, down];
  return [longerThan(up, down) ? down : up];
}

const otherWay = (r: RingRequestContext, offer: CellMessage<'segment.offered'>): Way | undefined =>
  offer.ways.find((way) => !firstWays(r, offer).includes(way));

/** The free one of the first ways; of two the one with the smaller gap score where the rule looks at it, direction 0 of equals. */
function firstFree(r: RingRequestContext, offer: CellMessage<'segment.offered'>): Way | undefined {
  const [one, two] = firstWays(r, offer).filter(({ ring }) => ring >= 0);
  return two && r.spec.rule.ring === 'tightest' && two.gap < one!.gap ? two : one;
}

/** The segment that is free first, the short way of two that are free in the same cycle (Cell specification 17.5). */
function earliest({ ways: [up, down] }: CellMessage<'segment.offered'>): Way {
  const [short, long] = longerThan(up, down) ? [down, up] : [up, down];
  return long.freeFrom < short.freeFrom ? long : short;
}

/** True when the waiting saved outweighs the node-cycles that a detour takes from the others (Cell specification 17.3, step 2 b). */
function pays(r: RingRequestContext, offer: CellMessage<'segment.offered'>): boolean {
  const { N, K } = r.spec;
  const [short, long] = [firstWays(r, offer)[0]!, otherWay(r, offer)!];
  const benefit = short.freeFrom - offer.start;
  const x = r.size * (long.nodes - short.nodes);
  return 5 * N * K * benefit > 5 * x * offer.others + K * x;
}

const take = (
  which: (r: RingRequestContext, offer: CellMessage<'segment.offered'>) => { dir: number; ring: number },
) =>
  update<'segment.offered'>((r, offer) => {
    const { dir, ring } = which(r, offer);
    r.dir = dir;
    r.ring = ring;
    r.heldBy = [];
  });

/**
 * One request for a segment of a ring, from the pending list of the arbiter to the end of its transfer (Cell specification 6, 17.3, 17.5).
 *
 * Details: what each offer comes to stands in its transitions, in the order of the specification's steps: an urgent request first, then a free
 * segment of the first way, of the other way, a detour that pays.
 */
export const ringRequest = setup({
  types: role.types<RingRequestContext, RingRequestInput>(),
  guards: {
    isUrgent: when<'segment.offered'>((_r, { urgent }) => urgent),
    earliestIsNow: when<'segment.offered'>((_r, offer) => earliest(offer).freeFrom <= offer.start),
    isPlanned: when<'segment.offered'>((_r, { plan }) => plan !== null),
    firstWayFree: when<'segment.offered'>((r, offer) => firstFree(r, offer) !== undefined),
    otherWayFree: when<'segment.offered'>((r, offer) => (otherWay(r, offer)?.ring ?? -1) >= 0),
    detoursHaveAPrice: when((r) => r.spec.rule.otherWay === 'when it pays'),
    detourPays: when<'segment.offered'>((r, offer) => pays(r, offer)),
  },
  actions: {
    open: update<'segment.wanted'>((r, { size }) => {
      r.size = size;
    }),
    takeEarliest: take((_r, offer) => {
      const { dir, freeRing } = earliest(offer);
      return { dir, ring: freeRing };
    }),
    takePlanned: take((_r, { plan }) => plan!),
    takeFirstWay: take((r, offer) => firstFree(r, offer)!),
    takeOtherWay: take((r, offer) => otherWay(r, offer)!),
    noteHolders: update<'segment.offered'>((r, { heldBy }) => {
      r.heldBy = heldBy;
    }),
    reserve: post<'segment.offered'>((r, offer) => {
      const { dir, freeRing, freeFrom } = earliest(offer);
      return { to: r.spec.arbiter, type: 'segment.reserved', dir, ring: freeRing, from: freeFrom };
    }),
    accept: post((r) => ({ to: r.spec.arbiter, type: 'segment.taken', dir: r.dir, ring: r.ring })),
    decline: post((r) => ({ to: r.spec.arbiter, type: 'segment.declined' })),
  },
}).createMachine({
  id: 'ringRequest',
  context: ({ input }) => ({ spec: input, size: 0, dir: -1, ring: -1, heldBy: [] }),
  initial: 'new',
  states: {
    new: { on: { 'segment.wanted': { target: 'pending', actions: 'open' } } },
    pending: {
      initial: 'eligible',
      on: {
        'segment.offered': [
          {
            guard: and(['isUrgent', 'earliestIsNow']),
            target: 'granted.urgently',
            actions: ['takeEarliest', 'accept'],
          },
          { guard: 'isUrgent', target: '.reserved', actions: ['noteHolders', 'reserve'] },
          { guard: 'isPlanned', target: 'granted.asPlanned', actions: ['takePlanned', 'accept'] },
          { guard: 'firstWayFree', target: 'granted.firstWay', actions: ['takeFirstWay', 'accept'] },
          {
            guard: and(['otherWayFree', not('detoursHaveAPrice')]),
            target: 'granted.otherWay',
            actions: ['takeOtherWay', 'accept'],
          },
          {
            guard: and(['otherWayFree', 'detourPays']),
            target: 'granted.detour',
            actions: ['takeOtherWay', 'accept'],
          },
          { guard: 'otherWayFree', target: '.detourTooDear', actions: ['noteHolders', 'decline'] },
          { target: '.blocked', actions: ['noteHolders', 'decline'] },
        ],
        'machine.stop': 'unfinished',
      },
      states: {
        // On the list, and not offered anything yet.
        eligible: {
          ...waitingFor<RingRequestContext>('an offer of the arbiter', (r) => r.spec.arbiter),
        },
        blocked: {
          ...waitingFor<RingRequestContext>('a free segment of a ring', (r) => r.heldBy),
        },
        detourTooDear: {
          ...waitingFor<RingRequestContext>('a free segment of the short way', (r) => r.heldBy),
        },
        reserved: {
          ...waitingFor<RingRequestContext>('the end of transfers on its reserved segment', (r) => r.heldBy),
        },
      },
    },
    granted: {
      initial: 'firstWay',
      on: { 'segment.freed': 'over' },
      states: { firstWay: {}, otherWay: {}, detour: {}, urgently: {}, asPlanned: {} },
    },
    over: {},
    // The run ended first.
    unfinished: {},
  },
});
