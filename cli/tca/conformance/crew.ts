import { Worker } from 'node:worker_threads';
import {
  type Batch,
  type RowTally,
  runBatch,
  type SuiteOrder,
} from '../../../scenarios/tca/conformance/suite.ts';
import type { PlainOrder } from './order.ts';

/** Those who run the batches of a suite. Which of them runs what changes nothing in what comes of it. */
export interface Crew {
  /** How many batches should be asked for at once, so that nobody waits. */
  readonly underWayMax: number;
  /** Runs a batch of the row with this number. Errors: rejects with what it threw, or when a thread ends. */
  run(batch: Batch, row: number): Promise<RowTally>;
  /** Sends everybody home; batches under way are given up. */
  end(): Promise<void>;
}

/** What a thread is asked. */
export interface Asked {
  readonly row: number;
  readonly first: number;
  readonly count: number;
}

/** What a thread answers, in the order in which it was asked. */
export type Answer = { readonly tally: RowTally } | { readonly error: unknown };

/** This thread alone: it turns to the event loop before each batch, so that the process hears of signals. */
export const ownThread = (order: SuiteOrder): Crew => ({
  underWayMax: 1,
  run: async (batch) => {
    await new Promise((resolve) => setImmediate(resolve));
    return runBatch(order, batch);
  },
  end: async () => {},
});

/** Batches that wait in each thread besides the one it works on. */
const waitingMax = 2;

/** Threads beside this one. */
export function threadCrew(order: PlainOrder, size: number): Crew {
  const threads = Array.from({ length: size }, () => new Thread(order));
  return {
    underWayMax: size * (1 + waitingMax),
    run: ({ first, count }, row) => {
      const idlest = threads.reduce((a, b) => (b.load < a.load ? b : a));
      return idlest.ask({ row, first, count });
    },
    end: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

interface Waiting {
  resolve(tally: RowTally): void;
  reject(error: unknown): void;
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #broken: Error | undefined;

  constructor(order: PlainOrder) {
    this.#worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: order });
    this.#worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.shift();
      if ('error' in answer) waiting?.reject(answer.error);
      else waiting?.resolve(answer.tally);
    });
    this.#worker.on('error', (error) => this.#break(error));
    this.#worker.on('exit', (code) =>
      this.#break(new Error(`a thread of the suite ended with code ${code}`)),
    );
  }

  /** Batches that it has been asked for and that are not done. */
  get load(): number {
    return this.#waiting.length;
  }

  ask(asked: Asked): Promise<RowTally> {
    return new Promise((resolve, reject) => {
      if (this.#broken) {
        reject(this.#broken);
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(asked);
    });
  }

  async end(): Promise<void> {
    this.#waiting.length = 0;
    await this.#worker.terminate();
  }

  #break(error: unknown): void {
    this.#broken ??= error instanceof Error ? error : new Error(String(error));
    for (const { reject } of this.#waiting.splice(0)) reject(this.#broken);
  }
}
