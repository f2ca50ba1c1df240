import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import type { PacketHolder } from './packet-book.ts';
import { networkProtocol } from './protocol.ts';

/** A request that may want an acknowledgement. */
export interface Transaction {
  /** Cycle in which the target is ready to acknowledge. */
  readonly targetCycle: number;
  readonly acknowledged: boolean;
}

/** What the keeper of transactions is made from. */
export interface TransactionsInput {
  readonly spec: {
    /** Who is offered acknowledgements; absent where the clock plans them. */
    readonly injector: Address | undefined;
    /** By packet of the trace. */
    readonly transactions: readonly Transaction[];
  };
  readonly sharedState: PacketHolder;
}

/** The keeper of transactions: which acknowledgement belongs to which request. */
export interface TransactionsContext {
  readonly spec: Fixed<TransactionsInput['spec']>;
  readonly sharedState: PacketHolder;
  /** By request whose acknowledgement is awaited: the cycle in which it arrived; and how many there are. */
  arrivals: Record<number, number>;
  awaited: number;
  finished: number;
}

/** When the acknowledgement of a request that arrives in a cycle is sent (chiplet specification 9.7). */
export const answerTime = (cycle: number, { targetCycle }: Transaction): number =>
  Math.max(cycle, targetCycle);

const role = networkProtocol.roles.Transactions;
const { act, update, when } = role.component<TransactionsContext>();

/** The cycle whose turns see a packet that is planned in the turns of one cycle for a time (chiplet specification 5.3). */
const seenWhenPlanned = (cycle: number, time: number): number => {
  const whole = Math.ceil(time);
  return whole === time && cycle >= time - 1 ? time + 1 : whole;
};

/** A request that wants an acknowledgement is sent one. */
const requests = {
  guard: 'wantsAcknowledgement',
  target: 'awaitingAcknowledgements',
  actions: ['await', 'acknowledge'],
} as const;

/** Answers requests with acknowledgements of one flit (chiplet specification 9.7). */
export const transactions = setup({
  types: role.types<TransactionsContext, TransactionsInput>(),
  guards: {
    wantsAcknowledgement: when(
      ({ spec }, { packet }) => spec.value.transactions[packet]?.acknowledged === true,
    ),
    isRequest: when(({ spec }, { packet }) => packet in spec.value.transactions),
    isLastAwaited: when(({ awaited }) => awaited === 1),
  },
  actions: {
    await: update((c, { packet, cycle }) => {
      c.arrivals[packet] = cycle;
      c.awaited++;
    }),
    acknowledge: act(({ spec, sharedState: { packets } }, { packet, cycle }, out) => {
      const { injector, transactions: all } = spec.value;
      if (injector === undefined) return;
      const time = answerTime(cycle, all[packet]!);
      out.send(injector, 0, {
        to: injector,
        type: 'packet.offer',
        cause: packet,
        cycle,
        seen: seenWhenPlanned(cycle, time),
        time,
        source: packets.targetOf(packet),
        target: packets.sourceOf(packet),
        size: 1,
      });
    }),
    finish: act((c, { packet, cycle }, out) => {
      c.finished++;
      if (out.observed) out.probe({ type: 'transaction.finished', request: packet, arrival: cycle });
    }),
    finishAcknowledged: act((c, { packet, cycle }, out) => {
      const { packets } = c.sharedState;
      const request = packets.causeOf(packet);
      const arrival = c.arrivals[request]!;
      delete c.arrivals[request];
      c.awaited--;
      c.finished++;
      if (!out.observed) return;
      const acknowledgement = { sent: packets.timeOf(packet), arrived: cycle };
      out.probe({ type: 'transaction.finished', request, arrival, acknowledgement });
    }),
  },
}).createMachine({
  id: 'transactions',
  context: ({ input: { spec, sharedState } }) => ({
    spec: fixed(spec),
    sharedState,
    arrivals: {},
    awaited: 0,
    finished: 0,
  }),
  initial: 'settled',
  states: {
    settled: { on: { 'packet.delivered': [requests, { actions: 'finish' }] } },
    // No `waiting`: a run may end before all acknowledgements come.
    awaitingAcknowledgements: {
      on: {
        'packet.delivered': [
          requests,
          { guard: 'isRequest', actions: 'finish' },
          { guard: 'isLastAwaited', target: 'settled', actions: 'finishAcknowledged' },
          { actions: 'finishAcknowledged' },
        ],
      },
    },
  },
});
