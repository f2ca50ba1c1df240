import { type PhilosopherSpec, philosophersProtocol } from '../../actors/protocols/philosophers.ts';
import { leadsTo } from '../temporal/liveness.ts';
import { patternsOf } from '../temporal/patterns-of.ts';
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

const { shown } = patternsOf(philosophersProtocol);

/** Nobody starves. */
export const everybodyEats = leadsTo(
  'a philosopher who is hungry eats',
  shown('philosopher.hungry', { key: 'actor' }),
  shown('philosopher.eats', { key: 'actor' }),
  { fair: true },
);
