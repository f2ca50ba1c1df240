import type { PhilosopherShown, PhilosopherSpec } from '../../actors/protocols/philosophers.ts';
import { leadsTo } from '../temporal/liveness.ts';
import { shown } from '../temporal/pattern.ts';
import { always } from '../temporal/safety.ts';

/** A fork is with one philosopher at a time. */
export const neighboursTakeTurns = always('no two neighbours eat at a time', (state) => {
  const eating = state.named<PhilosopherSpec>('Philosopher[*]').filter(({ state }) => state === 'eating');
  for (const [at, one] of eating.entries())
    for (const other of eating.slice(at + 1)) {
      const forks = [other.context.first, other.context.second];
      if (forks.includes(one.context.first) || forks.includes(one.context.second))
        return `${one.name} and ${other.name} both eat`;
    }
  return true;
});

const key = (_probe: PhilosopherShown, { actor }: { readonly actor: string }) => actor;

/** Nobody starves. */
export const everybodyEats = leadsTo(
  'a philosopher who is hungry eats',
  shown<PhilosopherShown>('philosopher.hungry', { key }),
  shown<PhilosopherShown>('philosopher.eats', { key }),
  { fair: true },
);
