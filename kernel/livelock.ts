import type { Address, Message } from './message.ts';
import type { Livelock } from './outcome.ts';

/** The kinds of message that repeat among the last deliveries of a tick, most frequent first. */
export function findRepetition(
  recent: readonly Message[],
  nameOf: (address: Address) => string,
): Livelock['repeating'] {
  const counts = new Map<string, { from: string; to: string; type: string; count: number }>();
  for (const { from, to, event } of recent) {
    const key = `${from} ${to} ${event.type}`;
    const known = counts.get(key);
    if (known) known.count++;
    else counts.set(key, { from: nameOf(from), to: nameOf(to), type: event.type, count: 1 });
  }
  return [...counts.values()].filter((one) => one.count > 1).sort((a, b) => b.count - a.count);
}
