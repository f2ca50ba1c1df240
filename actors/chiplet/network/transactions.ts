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
  /** By request: the cycle in which it arrived, -1 before. */
  arrivals: Record<number, number>;
  finished: number;
}

/** When the acknowledgement of a request that arrives in a cycle is sent (chiplet specification 9.7). */
export const answerTime = (cycle: number, { targetCycle }: Transaction): number =>
  Math.max(cycle, targetCycle);

const role = networkProtocol.roles.Transactions;
const { act } = role.component<TransactionsContext>();

/** The cycle whose turns see a packet that is planned in the turns of one cycle for a time (chiplet specification 5.3). */
const seenWhenPlanned = (cycle: number, time: number): number => {
  const whole = Math.ceil(time);
  return whole === time && cycle >= time - 1 ? time + 1 : whole;
};

/** Answers requests with acknowledgements of one flit (chiplet specification 9.7). */
export const transactions = setup({
  types: role.types<TransactionsContext, TransactionsInput>(),
  actions: {
    conclude: act<'packet.delivered'>((context, { packet, cycle }, out) => {
      const { injector, transactions: all } = context.spec.value;
      const { packets } = context.sharedState;
      const transaction = all[packet];
      if (transaction?.acknowledged) {
        context.arrivals[packet] = cycle;
        if (injector === undefined) return;
        const time = answerTime(cycle, transaction);
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
        return;
      }
      context.finished++;
      if (!out.observed) return;
      const request = packets.causeOf(packet);
      out.probe(
        transaction !== undefined
          ? { type: 'transaction.finished', request: packet, arrival: cycle }
          : {
              type: 'transaction.finished',
              request,
              arrival: context.arrivals[request]!,
              acknowledgement: { sent: packets.timeOf(packet), arrived: cycle },
            },
      );
    }),
  },
}).createMachine({
  id: 'transactions',
  context: ({ input: { spec, sharedState } }) => ({
    spec: fixed(spec),
    sharedState,
    arrivals: {},
    finished: 0,
  }),
  initial: 'ready',
  states: { ready: { on: { 'packet.delivered': { actions: 'conclude' } } } },
});
