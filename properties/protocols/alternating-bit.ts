import type { ReceiverContext, SenderContext } from '../../actors/protocols/alternating-bit.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { Network } from '../../kernel/network.ts';
import { eventually } from '../temporal/liveness.ts';
import { always } from '../temporal/safety.ts';

const deliveredIn = (state: GlobalState) => state.actor<ReceiverContext>('Receiver').context.delivered;
const senderIn = (state: GlobalState) => state.actor<SenderContext>('Sender').context;

/** Nothing is lost, doubled, or in the wrong place: value n is the n-th. */
export const deliversPrefix = always('what is delivered is the beginning of what was sent', (state) => {
  const delivered = deliveredIn(state);
  return delivered.every((value, at) => value === at) || `delivered is ${delivered.join(' ')}`;
});

/** Who finishes has not lost anything. */
export const acknowledgesDelivered = always('what is acknowledged was delivered', (state) => {
  const [{ acknowledged }, { length }] = [senderIn(state), deliveredIn(state)];
  return acknowledged <= length || `${acknowledged} are acknowledged and ${length} delivered`;
});

const deliversAll = eventually(
  'everything that is to be sent is delivered',
  (state) => deliveredIn(state).length >= senderIn(state).messages,
  { fair: true },
);

/** What must hold of senders and receivers over a channel. That everything comes is asked where the channel does not lose messages for ever, nor bring old ones for ever. */
export const transmission = (network: Network = {}): readonly Observer[] => [
  deliversPrefix,
  acknowledgesDelivered,
  ...(network.duplicating === false && network.lossy !== undefined && network.lossy !== true
    ? [deliversAll]
    : []),
];
