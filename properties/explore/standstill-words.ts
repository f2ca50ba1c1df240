import type { Deadlock } from '../../kernel/outcome.ts';

/** Messages that are told. */
const idleMax = 4;

/** Why nothing goes on, and how many wait: `nothing is under way, and 2 actors wait`. */
export function standstillWords({ waiting, idle }: Deadlock): string {
  const count = waiting.length === 1 ? '1 actor waits' : `${waiting.length} actors wait`;
  return `${idle ? 'what is under way changes nothing where it goes' : 'nothing is under way'}, and ${count}`;
}

/** What stays under way, in a line; none when nothing does. */
export function idleLines({ idle = [] }: Deadlock): readonly string[] {
  const counts = new Map<string, number>();
  for (const { from, to, type } of idle) {
    const words = `${type} (${from} -> ${to})`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const told = [...counts].map(([words, count]) => (count === 1 ? words : `${count} × ${words}`));
  const more = told.length > idleMax ? [`and ${told.length - idleMax} more`] : [];
  return told.length === 0
    ? []
    : [`  under way, and changing nothing where it goes: ${[...told.slice(0, idleMax), ...more].join(', ')}`];
}
