import type { IdleMessage, Outcome } from '../../kernel/outcome.ts';

/** Messages that are told. */
const idleMax = 4;

/** Why nothing goes on in a deadlock, and how many wait: `nothing is under way, and 2 actors wait`. */
export function standstillWords({ deadlock, idle }: Pick<Outcome, 'deadlock' | 'idle'>): string {
  const { length } = deadlock?.waiting ?? [];
  const count = length === 1 ? '1 actor waits' : `${length} actors wait`;
  return `${idle ? 'what is under way changes nothing where it goes' : 'nothing is under way'}, and ${count}`;
}

/** What stays under way at the rest of a run: `under way, and changing nothing where it goes: ack (B -> A)`; nothing when nothing does. */
export function idleWords({ idle = [] }: Pick<Outcome, 'idle'>): string | undefined {
  if (idle.length === 0) return undefined;
  const counts = new Map<string, number>();
  for (const one of idle) counts.set(wordsOf(one), (counts.get(wordsOf(one)) ?? 0) + 1);
  const told = [...counts].map(([words, count]) => (count === 1 ? words : `${count} × ${words}`));
  const more = told.length > idleMax ? [`and ${told.length - idleMax} more`] : [];
  const goes = idle.length === 1 ? 'it goes' : 'they go';
  return `under way, and changing nothing where ${goes}: ${[...told.slice(0, idleMax), ...more].join(', ')}`;
}

const wordsOf = ({ type, from, to }: IdleMessage): string => `${type} (${from} -> ${to})`;
