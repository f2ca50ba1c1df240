import { serveBatches } from '../threads/serve-batches.ts';
import { orderOfThread } from '../threads/thread.ts';
import { searchesOf } from './swarm.ts';

/* What each thread of a swarm runs. */

serveBatches(await searchesOf(orderOfThread()));
