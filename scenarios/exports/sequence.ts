import type { Delivery, Run } from '../../kernel/run.ts';

/** The first messages of a run, for sequence diagrams. */
export interface Sequence {
  /** Names of senders and receivers in the order of their addresses, the outside first. */
  readonly participants: readonly string[];
  readonly deliveries: readonly Delivery[];
  /** How many deliveries there were beyond those. */
  readonly more: number;
}

/** Keeps the first `limit` deliveries of a run; the function that is returned gives them. */
export function firstMessages(run: Run, limit: number): () => Sequence {
  const deliveries: Delivery[] = [];
  let more = 0;
  const listening = run.messages$.subscribe((delivery) => {
    if (deliveries.length < limit) deliveries.push(delivery);
    else more++;
  });
  return () => {
    listening.unsubscribe();
    const addresses = new Map<number, string>();
    for (const { message, from, to } of deliveries) {
      addresses.set(message.from, from);
      addresses.set(message.to, to);
    }
    const participants = [...addresses].sort(([a], [b]) => a - b).map(([, name]) => name);
    return { participants, deliveries, more };
  };
}

/** The note at the end of a diagram that does not show everything. */
export const moreText = ({ more, deliveries }: Sequence): string =>
  `${more} more messages are not shown (limit ${deliveries.length})`;
