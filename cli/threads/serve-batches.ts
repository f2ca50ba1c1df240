import { parentPort } from 'node:worker_threads';
import type { Answer } from './worker-pool.ts';

/** The other end of a worker pool's thread: carries out the batches it is asked for, in the order in which it is asked. */
export function serveBatches<Asked, Done>(work: (asked: Asked) => Done | Promise<Done>): void {
  const port = parentPort;
  if (!port) throw new Error('found no parent, expected to run in a worker thread');
  // One after the other, also where the work has to wait for something.
  let before = Promise.resolve();
  port.on('message', (asked: Asked) => {
    before = before.then(async () => {
      let answer: Answer<Done>;
      try {
        answer = { done: await work(asked) };
      } catch (error) {
        // Of an error only the standard names survive the way between threads.
        answer = { error, name: error instanceof Error ? error.name : 'Error' };
      }
      port.postMessage(answer);
    });
  });
}
