import { Worker } from 'node:worker_threads';
import type { Campaign } from '../../properties/explore/campaign.ts';
import type { CampaignOrder } from './order.ts';
import { type TimedBatch, timedBatch } from './timed-batch.ts';

/** Those who carry out the batches of a campaign. Which of them does what changes nothing in what comes of it. */
export interface Crew {
  /** How many batches should be asked for at once, so that nobody waits. */
  readonly underWayMax: number;
  /** Carries out runs of the campaign. Errors: rejects with what a run threw, or when a thread ends. */
  batch(first: number, count: number, stopAtFailure: boolean): Promise<TimedBatch>;
  /** Sends everybody home; batches under way are given up. */
  end(): Promise<void>;
}

/** What a thread is asked. */
export interface Asked {
  readonly first: number;
  readonly count: number;
  readonly stopAtFailure: boolean;
}

/** What a thread answers, in the order in which it was asked. */
export type Answer = { readonly done: TimedBatch } | { readonly error: unknown };

/** This thread alone: it turns to the event loop before each batch, so that the process hears of signals. */
export const ownThread = (campaign: Campaign): Crew => ({
  underWayMax: 1,
  batch: async (first, count, stopAtFailure) => {
    await new Promise((resolve) => setImmediate(resolve));
    return timedBatch(campaign, first, count, stopAtFailure);
  },
  end: async () => {},
});

/** Batches that wait in each thread besides the one it works on. */
const waitingMax = 2;

/** Threads beside this one, each with a campaign of its own made from the same order. */
export function threadCrew(order: CampaignOrder, size: number): Crew {
  const threads = Array.from({ length: size }, () => new Thread(order));
  return {
    underWayMax: size * (1 + waitingMax),
    batch: (first, count, stopAtFailure) => {
      const idlest = threads.reduce((a, b) => (b.load < a.load ? b : a));
      return idlest.ask({ first, count, stopAtFailure });
    },
    end: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

interface Waiting {
  readonly asked: Asked;
  resolve(done: TimedBatch): void;
  reject(error: unknown): void;
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #broken: Error | undefined;

  constructor(order: CampaignOrder) {
    this.#worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: order });
    this.#worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.shift();
      if ('error' in answer) waiting?.reject(answer.error);
      else waiting?.resolve(answer.done);
    });
    this.#worker.on('error', (error) => this.#break(error));
    this.#worker.on('exit', (code) =>
      this.#break(new Error(`a thread of the campaign ended with code ${code}`)),
    );
  }

  /** Runs that it has been asked for and that are not done. */
  get load(): number {
    return this.#waiting.reduce((sum, { asked }) => sum + asked.count, 0);
  }

  ask(asked: Asked): Promise<TimedBatch> {
    return new Promise((resolve, reject) => {
      if (this.#broken) {
        reject(this.#broken);
        return;
      }
      this.#waiting.push({ asked, resolve, reject });
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
