import { contendersProtocol } from '../../actors/protocols/contender.ts';
import { patternsOf } from '../temporal/patterns-of.ts';
import { atMostOne } from '../temporal/temporal.ts';

const { shown } = patternsOf(contendersProtocol);

/** Mutual exclusion. */
export const oneAtATime = atMostOne(
  'at most one process is in its critical section',
  shown('critical.entered'),
  shown('critical.left'),
);
