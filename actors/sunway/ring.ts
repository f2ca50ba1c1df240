import { setup } from 'xstate';
import { component, type Outbox } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { MemoryAccess, MemoryClaim, MemoryRead, MemoryWrite } from './messages.ts';

/** The ring that joins the memories of the core groups. */
export interface RingInput {
  /** Who keeps which addresses. */
  readonly keepers: readonly { readonly first: number; readonly bytes: number; readonly to: Address }[];
  /** Cycles that the way takes beside the request's own; at least 1. */
  readonly extraCycles: number;
}

/** The ring that joins the memories of the core groups. */
export interface RingContext {
  readonly spec: RingInput;
  /** Requests carried so far. */
  carried: number;
}

type RingEvent = MemoryRead | MemoryClaim | MemoryWrite | MemoryAccess;

const { act } = component<RingContext, RingEvent, RingEvent>();

/** Takes a request to the controller that keeps its address. The answer goes back by itself. */
function carry(c: RingContext, request: RingEvent, out: Outbox<RingEvent>): void {
  const { keepers, extraCycles: delay } = c.spec;
  const keeper = keepers.find(
    ({ first, bytes }) => request.memory >= first && request.memory < first + bytes,
  );
  if (keeper === undefined) throw new Error(`found address ${request.memory}, expected one in main memory`);
  c.carried++;
  out.post({ ...request, to: keeper.to, delay });
}

/** The ring that joins the memories of the core groups (specification 2.1, 8.9). */
export const ring = setup({
  types: {} as { context: RingContext; events: RingEvent; input: RingInput },
  actions: { carry: act((c, request, out) => carry(c, request, out)) },
}).createMachine({
  id: 'ring',
  context: ({ input }) => ({ spec: input, carried: 0 }),
  initial: 'carrying',
  states: {
    carrying: {
      on: {
        'memory.read': { actions: 'carry' },
        'memory.claim': { actions: 'carry' },
        'memory.write': { actions: 'carry' },
        'memory.access': { actions: 'carry' },
      },
    },
  },
});
