import type { CriticalSection } from '../../actors/protocols/contender.ts';
import { shown } from '../temporal/pattern.ts';
import { atMostOne } from '../temporal/temporal.ts';

/** Mutual exclusion. */
export const oneAtATime = atMostOne(
  'at most one process is in its critical section',
  shown<CriticalSection>('critical.entered'),
  shown<CriticalSection>('critical.left'),
);
