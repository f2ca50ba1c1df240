import { setup } from 'xstate';
import { component, type Outbox } from '../../../../kernel/kit.ts';
import { fixed } from '../../../../kernel/resource.ts';
import { jitterCount, keepJitter } from '../../jitter.ts';
import type { MemoryAccess, MemoryAnswer, MemoryGrant, MemoryResponse, MemoryTurn } from '../../messages.ts';
import { perCycle } from '../../timing/thousandths.ts';
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
} from '../arrival.ts';
import type { MemoryCtrlInput } from '../controller-input.ts';
import type { ChannelQueue } from '../requests.ts';
import {
  answerCycles,
  askForTurn,
  canGrant,
  freeSlots,
  grantCycles,
  grantNext,
  nextOf,
  nextTime,
  serveNext,
} from '../service.ts';

type Sends = MemoryGrant | MemoryResponse | MemoryAnswer | MemoryTurn;
type Out = Outbox<Sends>;

const { act, choose, update } = component<BankedMemoryContext, BankedMemoryEvent, Sends>();

function answerAccess(c: BankedMemoryContext, access: MemoryAccess, out: Out): void {
  const { before: data, cycles: delay } = carryOutAccess(c, access, out);
  out.post({ to: access.requester, type: 'memory.answer', data, delay });
}

/** Carries out the accesses whose puts are written; true when there were any. */
function releaseHeld(c: BankedMemoryContext, out: Out): boolean {
  const free = c.held.filter((one) => isFree(c, one));
  if (free.length === 0) return false;
  c.held = c.held.filter((one) => !free.includes(one));
  for (const { access } of free) answerAccess(c, access, out);
  return true;
}

/** Carries out what a channel can by now; gives the time of the next thing that it can, in thousandths, and whether accesses were released. */
function serve(
  c: BankedMemoryContext,
  channel: ChannelQueue,
  out: Out,
): { readonly start: number; readonly released: boolean } {
  let released = false;
  for (;;) {
    const next = nextOf(c, channel);
    if (next.start > out.now * perCycle) return { start: next.start, released };
    const { request, data, through } = serveNext(c, next, out);
    const { requester, transfer, offset, isPut, jitter } = request;
    const delay = answerCycles(through, out.now) + jitter;
    out.post({ to: requester, type: 'memory.response', transfer, offset, data, through, delay });
    if (isPut && releaseHeld(c, out)) released = true;
  }
}

/** Does what can be done by now, and asks for a turn when more can be. */
function goOn(c: BankedMemoryContext, out: Out): void {
  freeSlots(c, out.now);
  while (canGrant(c)) {
    const { transfer, offset, requester, jitter } = grantNext(c);
    const delay = grantCycles(c.spec.value.timing) + jitter;
    const granted = (out.now + delay) * perCycle;
    out.post({ to: requester, type: 'memory.grant', transfer, offset, granted, delay });
  }
  let next = Number.POSITIVE_INFINITY;
  let released = false;
  for (const channel of c.channels) {
    const served = serve(c, channel, out);
    next = Math.min(next, served.start);
    released ||= served.released;
  }
  // What was released keeps channels busy.
  if (released) next = nextTime(c);
  else if (c.claims.length > 0 && c.freeing.length > 0) next = Math.min(next, c.freeing[0]!);
  askForTurn(c, next, out);
}

/**
 * The memory controller of one core group at block granularity as plain code: the fast twin of `../banked-memory.ts`, with the same messages in the same order.
 */
export const fastBankedMemory = setup({
  types: {} as { context: BankedMemoryContext; events: BankedMemoryEvent; input: MemoryCtrlInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    takeRead: update<'memory.read'>((c, event, envelope) => void takeRead(c, event, envelope)),
    takeClaim: update<'memory.claim'>((c, event) => void takeClaim(c, event)),
    takeData: update<'memory.write'>((c, event, envelope) => void takeWrite(c, event, envelope)),
    access: act<'memory.access'>((c, access, out) => {
      const behind = putsBefore(c, access);
      if (behind.length > 0) c.held.push({ behind, access });
      else answerAccess(c, access, out);
    }),
    goOn: act((c, _event, out) => goOn(c, out)),
  },
}).createMachine({
  id: 'fastBankedMemory',
  context: ({ input }) => ({
    spec: fixed(input),
    ...idleBanks(input),
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'memory.read': { actions: ['drawJitter', 'takeRead', 'goOn'] },
        'memory.claim': { actions: ['drawJitter', 'takeClaim', 'goOn'] },
        'memory.write': { actions: ['takeData', 'goOn'] },
        'memory.access': { actions: ['drawJitter', 'access', 'goOn'] },
        'memory.turn': { actions: 'goOn' },
      },
    },
  },
});
