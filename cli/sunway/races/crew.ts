import { Worker } from 'node:worker_threads';
import {
  type RaceBatch,
  type RaceOrder,
  type RaceRow,
  runRaceBatch,
} from '../../../properties/sunway/race-campaign.ts';

/** Those who run the batches of a campaign. Which of them runs what changes nothing in what comes of it. */
export interface Crew {
  /** How many batches should be asked for at once, so that nobody waits. */
  readonly underWayMax: number;
  /** Runs a batch. Errors: rejects with what it threw, or when a thread ends. */
  run(batch: RaceBatch): Promise<RaceRow>;
  /** Sends everybody home; batches under way are given up. */
  end(): Promise<void>;
}

/** What a thread answers, in the order in which it was asked. */
export type Answer = { readonly row: RaceRow } | { readonly error: unknown };

/** This thread alone: it turns to the event loop before each batch, so that the process hears of signals. */
export const ownThread = (order: RaceOrder): Crew => ({
  underWayMax: 1,
  run: async (batch) => {
    await new Promise((resolve) => setImmediate(resolve));
    return runRaceBatch(order, batch);
  },
  end: async () => {},
});

/** Batches that each thread has: the one that it works on, and the next one. */
const batchesOfThread = 2;

/** Threads beside this one. */
export function threadCrew(order: RaceOrder, size: number): Crew {
  const threads = Array.from({ length: size }, () => new Thread(order));
  return {
    underWayMax: size * batchesOfThread,
    run: (batch) => threads.reduce((a, b) => (b.load < a.load ? b : a)).ask(batch),
    end: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

interface Waiting {
  resolve(row: RaceRow): void;
  reject(error: unknown): void;
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #broken: Error | undefined;

  constructor(order: RaceOrder) {
    this.#worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: order });
    this.#worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.shift();
      if ('error' in answer) waiting?.reject(answer.error);
      else waiting?.resolve(answer.row);
    });
    this.#worker.on('error', (error) => this.#break(error));
    this.#worker.on('exit', (code) =>
      this.#break(new Error(`a thread of the campaign ended with code ${code}`)),
    );
  }

  /** Batches that it has been asked for and that are not done. */
  get load(): number {
    return this.#waiting.length;
  }

  ask(batch: RaceBatch): Promise<RaceRow> {
    return new Promise((resolve, reject) => {
      if (this.#broken) {
        reject(this.#broken);
        return;
      }
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(batch);
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
