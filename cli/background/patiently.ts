import type { Terminal } from '../terminal.ts';
import { threadPool } from '../threads/worker-pool.ts';
import { withProgress } from '../with-progress.ts';
import { type Heed, SharedHeed, undisturbed, within } from './heed.ts';
import type { BackgroundOrder } from './serve.ts';

/** Work that keeps its thread busy, and the same work in words for another thread. */
export interface Work<Done> {
  /** Does it here; when it is stopped, with what it has by then. */
  readonly here: (heed: Heed) => Done;
  readonly order: BackgroundOrder;
}

/** What came of it. */
export interface Patient<Done> {
  readonly done: Done;
  /** Whether it was interrupted: then it is what was known by then. */
  readonly interrupted: boolean;
}

/** Seconds that work may keep the process from hearing of signals. */
const secondsHere = 3;
const tellMilliseconds = 200;

/**
 * Does work that may take long: what is done soon is done here, other work anew in a thread, while this one shows how far it is and heeds Ctrl-C.
 *
 * Details: starting a thread takes as long as most such work. Interrupted work ends with what it has; what was interrupted before is only done as far as it is done soon.
 */
export async function patiently<Done>(
  terminal: Terminal,
  { here, order }: Work<Done>,
  interrupted = false,
  seconds = terminal.interruptible ? secondsHere : Number.POSITIVE_INFINITY,
): Promise<Patient<Done>> {
  if (interrupted) return { done: here(within(undisturbed, secondsHere)), interrupted };
  return withProgress(
    terminal,
    undefined,
    async ({ onProgress, shouldStop, turn }) => {
      const limited = within(undisturbed, seconds);
      const first = here(limited);
      const stopped = limited.shouldStop();
      await turn();
      if (!stopped || shouldStop()) return { done: first, interrupted: shouldStop() };
      const shared = new SharedHeed();
      const pool = threadPool<{ readonly count: number }, Done>(
        'cli/background/serve',
        { ...order, memory: shared.memory },
        1,
      );
      const watch = setInterval(() => {
        if (shouldStop()) shared.stop();
        onProgress(shared.runs, shared.deliveries);
      }, tellMilliseconds);
      try {
        return { done: await pool.run({ count: 1 }), interrupted: shouldStop() };
      } finally {
        clearInterval(watch);
        await pool.end();
      }
    },
    'runs',
  );
}
