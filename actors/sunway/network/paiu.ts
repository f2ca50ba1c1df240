import { setup } from 'xstate';
import { component, type Outbox } from '../../../kernel/kit.ts';
import { waitsFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { senderStates } from '../../common/credits.ts';
import { spcOf } from '../array/identity.ts';
import { coreOfTransfer } from '../descriptor.ts';
import type { MemoryRoute } from '../engine/tbox-input.ts';
import type { MemoryClaim, MemoryGrant, MemoryRead, MemoryResponse, MemoryWrite } from '../messages.ts';
import {
  askForTurn,
  emptyInjector,
  enqueue,
  type Injector,
  type InjectorSpec,
  lacksCredit,
  sendNext,
} from './injector.ts';
import {
  clusterBit,
  type InjectorTurn,
  type PacketArrive,
  type PacketCredit,
  type PacketEnter,
} from './packet.ts';

/** A gateway between the array and its memory. */
export interface PaiuInput extends InjectorSpec {
  readonly routes: readonly MemoryRoute[];
  /** Cycles to the memory side. */
  readonly cycles: number;
  readonly bufferFlits: number;
}

/** A gateway between the array and its memory. */
export interface PaiuContext {
  readonly spec: Fixed<PaiuInput>;
  injector: Injector;
  /** Requests carried to memory, and answers carried back. */
  requests: number;
  answers: number;
}

type PaiuEvent = PacketArrive | PacketCredit | InjectorTurn | MemoryResponse | MemoryGrant;
type PaiuSends = PacketEnter | InjectorTurn | MemoryRead | MemoryClaim | MemoryWrite;
type Out = Outbox<PaiuSends>;

const { act, update, when } = component<PaiuContext, PaiuEvent, PaiuSends>();

/** Takes a request to the controller that keeps its address, or to the ring. */
function request(c: PaiuContext, { packet: { content } }: PacketArrive, out: Out): void {
  if (content.type !== 'memory.read' && content.type !== 'memory.claim' && content.type !== 'memory.write')
    throw new Error(`found ${content.type} at a gateway to memory, expected a request to memory`);
  const { self, routes, cycles } = c.spec.value;
  const { memory } = content;
  const to = routes.find(({ first, bytes }) => memory >= first && memory < first + bytes)?.to;
  if (to === undefined) throw new Error(`found no memory controller for address ${memory}`);
  const delay = Math.max(1, cycles);
  c.requests++;
  out.post({ ...content, to, requester: self, delay });
}

/** One of the gateways between an array and its memory, that of one row of clusters (specification 2.1). */
export const paiu = setup({
  types: {} as { context: PaiuContext; events: PaiuEvent; input: PaiuInput },
  guards: {
    isEmpty: when(({ injector }) => injector.waiting.length === 0),
    isBusy: when(({ injector }, _event, { now }) => injector.freeAt > now),
    lacksCredit: when(({ injector }) => lacksCredit(injector)),
  },
  actions: {
    request: act<'packet.arrive'>(request),
    // An answer goes to the engine of the CPE whose transfer it is.
    answer: update<'memory.response' | 'memory.grant'>((c, content) => {
      const cluster = spcOf(coreOfTransfer(content.transfer) % 64);
      c.answers++;
      enqueue(c.injector, c.spec.value, content, clusterBit(cluster));
    }),
    takeCredit: update<'packet.credit'>((c, { flits }) => {
      c.injector.credits += flits;
    }),
    send: act((c, _event, out) => sendNext(c.injector, c.spec.value, out.now, out)),
    askForTurn: act((c, _event, out) => askForTurn(c.injector, c.spec.value, out.now, out)),
  },
}).createMachine({
  id: 'paiu',
  context: ({ input }) => ({
    spec: fixed(input),
    injector: emptyInjector(input, input.bufferFlits),
    requests: 0,
    answers: 0,
  }),
  initial: 'idle',
  on: {
    'packet.arrive': { actions: 'request' },
    'memory.response': { target: '.choosing', actions: 'answer' },
    'memory.grant': { target: '.choosing', actions: 'answer' },
    'packet.credit': { target: '.choosing', actions: 'takeCredit' },
    'injector.turn': '.choosing',
  },
  states: {
    idle: {},
    busy: {},
    ...senderStates(
      { look: [], send: ['send'], wait: [] },
      {
        sent: 'choosing',
        noCredit: {
          meta: waitsFor<PaiuContext>(
            'room behind the entrance of the network',
            ({ spec }) => spec.value.entrance.router,
          ),
        },
      },
      { guard: 'isBusy', target: 'busy', actions: 'askForTurn' },
    ),
  },
});
