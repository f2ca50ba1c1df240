import type { Injection } from '../../kernel/faults.ts';
import type { Delivery, Run } from '../../kernel/run.ts';
import { isAtReceiver } from './fault-text.ts';

/** The first messages of a run, for sequence diagrams. */
export interface Sequence {
  /** Names of senders and receivers in the order of their addresses, the outside first. */
  readonly participants: readonly string[];
  readonly deliveries: readonly Delivery[];
  /** The faults that struck meanwhile, each with how many of the deliveries are before it. */
  readonly faults: readonly { readonly place: number; readonly injection: Injection }[];
  /** How many deliveries there were beyond those. */
  readonly more: number;
}

/** Keeps the first `limit` deliveries of a run, of those that `keeps` accepts; the function that is returned gives them. */
export function firstMessages(
  run: Run,
  limit: number,
  keeps: (event: Pick<Delivery, 'message' | 'from' | 'to'>) => boolean = () => true,
): () => Sequence {
  const deliveries: Delivery[] = [];
  const faults: { place: number; injection: Injection }[] = [];
  let more = 0;
  const striking = run.faults$.subscribe((injection) => {
    if (more > 0 || faults.length >= limit || !keeps(injection)) return;
    // What befalls a message that is posted comes behind the delivery that is under way.
    faults.push({ place: deliveries.length + (isAtReceiver(injection) ? 0 : 1), injection });
  });
  const listening = run.messages$.subscribe((delivery) => {
    if (!keeps(delivery)) return;
    if (deliveries.length < limit) deliveries.push(delivery);
    else more++;
  });
  return () => {
    listening.unsubscribe();
    striking.unsubscribe();
    const addresses = new Map<number, string>();
    for (const { message, from, to } of deliveries) {
      addresses.set(message.from, from);
      addresses.set(message.to, to);
    }
    for (const { message, from, to } of faults.map(({ injection }) => injection)) {
      addresses.set(message.from, from);
      addresses.set(message.to, to);
    }
    const participants = [...addresses].sort(([a], [b]) => a - b).map(([, name]) => name);
    return { participants, deliveries, faults, more };
  };
}

/** The faults behind so many deliveries. */
export const faultsAt = ({ faults }: Sequence, place: number): readonly Injection[] =>
  faults.filter((one) => one.place === place).map(({ injection }) => injection);

/** The note at the end of a diagram that does not show everything. */
export const moreText = ({ more, deliveries }: Sequence): string =>
  `${more} more messages are not shown (limit ${deliveries.length})`;
