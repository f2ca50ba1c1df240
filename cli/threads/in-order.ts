import type { WorkerPool } from './worker-pool.ts';

/**
 * What comes of batches, in the order in which they were asked for, whoever carries them out; as many are under way as keep everybody at work.
 *
 * Details: once `isInterrupted` says so, what takes longer than a moment is given up. `next` gives a batch, or undefined when there is none now; it is asked again after each answer. Who takes no more answers gives up what is under way. Errors: rejects with what a batch threw, when its turn
 * comes: those before it have been answered then.
 */
export async function* inOrder<Asked extends { readonly count: number }, Done>(
  workerPool: WorkerPool<Asked, Done>,
  next: () => Asked | undefined,
  isInterrupted: () => boolean = () => false,
): AsyncGenerator<Done> {
  const underWay: Promise<Done>[] = [];
  for (;;) {
    while (underWay.length < workerPool.underWayMax) {
      const batch = next();
      if (batch === undefined) break;
      const done = workerPool.run(batch);
      // Whatever goes wrong in it is heard of when its turn comes, or not at all when the campaign is over by then.
      done.catch(() => {});
      underWay.push(done);
    }
    const oldest = underWay.shift();
    if (oldest === undefined) return;
    const answer = await soon(oldest, isInterrupted);
    if (answer === undefined) return;
    yield answer.done;
  }
}

/** Milliseconds that an answer may take once somebody has interrupted, and between two looks whether somebody has. */
const [momentMilliseconds, lookMilliseconds] = [2000, 100];

/** What is waited for, or nothing when that takes too long. */
async function soon<Done>(
  answer: Promise<Done>,
  isInterrupted: () => boolean,
): Promise<{ readonly done: Done } | undefined> {
  let looking: NodeJS.Timeout | undefined;
  const givenUp = new Promise<undefined>((resolve) => {
    let left = momentMilliseconds / lookMilliseconds;
    looking = setInterval(() => {
      if (isInterrupted() && left-- <= 0) resolve(undefined);
    }, lookMilliseconds);
  });
  try {
    return await Promise.race([answer.then((done) => ({ done })), givenUp]);
  } finally {
    clearInterval(looking);
  }
}
