import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { memberOf } from '../../../kernel/wiring.ts';
import { jitterCount, keepJitter } from '../jitter.ts';
import { takeMember } from '../members.ts';
import type { MemoryAnswer, MemoryTurn } from '../messages.ts';
import type { MemoryVisible } from '../probes.ts';
import {
  type BankedMemoryContext,
  type BankedMemoryEvent,
  carryOutAccess,
  idleBanks,
  isFree,
  putsBefore,
  takeClaim,
  takeRead,
  takeWrite,
} from './arrival.ts';
import type { WholeMemoryCtrlInput } from './controller-input.ts';
import type { BlockRequest } from './requests.ts';
import {
  askForTurn,
  canGrant,
  freeSlots,
  grantCycles,
  grantNext,
  nextService,
  nextTime,
  serveNext,
} from './service.ts';
import type {
  BlockGranted,
  BlockOpen,
  BlockServed,
  JobAnswer,
  JobBytes,
  JobKind,
  JobNoted,
} from './within.ts';

/** A memory controller with banks whose requests are actors inside it. */
export interface WholeBankedMemoryContext extends BankedMemoryContext {
  readonly spec: Fixed<WholeMemoryCtrlInput>;
  /** By number of a request: its member of the family of requests. */
  members: Map<number, number>;
  /** Members of accesses that are held, in the order of `held`. */
  holding: number[];
  /** Members that are in use, ascending. */
  used: number[];
}

type Event = BankedMemoryEvent | JobNoted;
type Sends = MemoryAnswer | MemoryTurn | BlockOpen | BlockGranted | BlockServed | JobBytes | JobAnswer;

const { act, choose, update, when } = component<WholeBankedMemoryContext, Event, Sends, MemoryVisible>();

/** The actor of a request: a new one, or the one that it has. */
function takeActor(c: WholeBankedMemoryContext): { readonly member: number; readonly to: Address } {
  const member = takeMember(c.used);
  return { member, to: memberOf(c.spec.value.jobs, member) };
}
const actorOf = (c: WholeBankedMemoryContext, { number }: BlockRequest): Address =>
  memberOf(c.spec.value.jobs, c.members.get(number)!);

/** The place of a member is free again. */
function release(c: WholeBankedMemoryContext, member: number): void {
  c.used = c.used.filter((one) => one !== member);
}

const opening = (request: BlockRequest, kind: JobKind) => {
  const { transfer, offset, requester, jitter } = request;
  return { type: 'block.open', kind, transfer, offset, requester, jitter } as const;
};

/**
 * The memory controller of one core group at block granularity: two channels of sixteen banks (specification 1, 8.9). What a request goes through is told by
 * `block-request.ts`, one actor each.
 *
 * Details: a channel takes what waits in turns of the cores, the next one whose bank is free. Requests to one block keep their order
 * (specification 7.1, rule 6). A put claims a slot of the write buffer first; slots are given in the order of the claims.
 */
export const bankedMemory = setup({
  types: {} as { context: WholeBankedMemoryContext; events: Event; input: WholeMemoryCtrlInput },
  guards: {
    isHeldBack: when<'memory.access'>((c, access) => putsBefore(c, access).length > 0),
    canGrant: when((c) => canGrant(c)),
    canServe: when((c, _event, { now }) => nextService(c, now) !== undefined),
    canRelease: when((c) => c.held.some((one) => isFree(c, one))),
  },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    takeRead: act<'memory.read'>((c, event, out) => {
      const request = takeRead(c, event, out);
      const { member, to } = takeActor(c);
      c.members.set(request.number, member);
      out.post({ to, ...opening(request, 'get') });
    }),
    takeClaim: act<'memory.claim'>((c, event, out) => {
      const request = takeClaim(c, event);
      const { member, to } = takeActor(c);
      c.members.set(request.number, member);
      out.post({ to, ...opening(request, 'put') });
    }),
    takeData: act<'memory.write'>((c, event, out) => {
      out.post({ to: actorOf(c, takeWrite(c, event, out)), type: 'job.bytes' });
    }),
    hold: act<'memory.access'>((c, access, out) => {
      const { member, to } = takeActor(c);
      c.held.push({ behind: putsBefore(c, access), access });
      c.holding.push(member);
      const { requester } = access;
      out.post({ to, type: 'block.open', kind: 'access', transfer: -1, offset: -1, requester, jitter: 0 });
    }),
    carryOut: act<'memory.access'>((c, access, out) => {
      const { before: data, cycles: delay } = carryOutAccess(c, access, out);
      out.post({ to: access.requester, type: 'memory.answer', data, delay });
    }),
    freeSlots: update((c, _event, { now }) => freeSlots(c, now)),
    grantNext: act((c, _event, out) => {
      const to = actorOf(c, grantNext(c));
      out.post({ to, type: 'block.granted', cycles: grantCycles(c.spec.value.timing) });
    }),
    serveNext: act((c, _event, out) => {
      const { request, data, through } = serveNext(c, nextService(c, out.now)!, out);
      const to = actorOf(c, request);
      release(c, c.members.get(request.number)!);
      c.members.delete(request.number);
      out.post({ to, type: 'block.served', data, through });
    }),
    releaseAccess: act((c, _event, out) => {
      const k = c.held.findIndex((one) => isFree(c, one));
      const { access } = c.held[k]!;
      const member = c.holding[k]!;
      c.held = c.held.filter((_, index) => index !== k);
      c.holding = c.holding.filter((_, index) => index !== k);
      const { before: data, cycles } = carryOutAccess(c, access, out);
      release(c, member);
      out.post({ to: memberOf(c.spec.value.jobs, member), type: 'job.answer', data, cycles });
    }),
    askForTurn: act((c, _event, out) => askForTurn(c, nextTime(c), out)),
  },
}).createMachine({
  id: 'bankedMemory',
  context: ({ input }) => ({
    spec: fixed(input),
    ...idleBanks(input),
    members: new Map(),
    holding: [],
    used: [],
  }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'memory.read': { target: 'opening', actions: ['drawJitter', 'takeRead'] },
        'memory.claim': { target: 'opening', actions: ['drawJitter', 'takeClaim'] },
        'memory.write': { target: 'opening', actions: 'takeData' },
        'memory.access': [
          { guard: 'isHeldBack', target: 'opening', actions: ['drawJitter', 'hold'] },
          { target: 'granting', actions: ['drawJitter', 'carryOut', 'freeSlots'] },
        ],
        'memory.turn': { target: 'granting', actions: 'freeSlots' },
      },
    },
    opening: { on: { 'job.noted': { target: 'granting', actions: 'freeSlots' } } },
    granting: {
      always: [{ guard: 'canGrant', target: 'granted', actions: 'grantNext' }, { target: 'serving' }],
    },
    granted: { on: { 'job.noted': 'granting' } },
    serving: {
      always: [
        { guard: 'canServe', target: 'served', actions: 'serveNext' },
        { target: 'idle', actions: 'askForTurn' },
      ],
    },
    served: { on: { 'job.noted': 'releasing' } },
    releasing: {
      always: [{ guard: 'canRelease', target: 'released', actions: 'releaseAccess' }, { target: 'serving' }],
    },
    released: { on: { 'job.noted': 'releasing' } },
  },
});
