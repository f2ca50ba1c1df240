import type { Worker } from 'node:worker_threads';
import { startThread } from './thread.ts';

/** A batch of runs that somebody is asked for. */
interface Counted {
  /** How many runs it has. */
  readonly count: number;
}

/** Those who carry out the batches of a campaign. Which of them does which changes nothing in what comes of it. */
export interface WorkerPool<Asked extends Counted, Done> {
  /** How many batches should be asked for at once, so that nobody waits. */
  readonly underWayMax: number;
  /** Carries out a batch. Errors: rejects with what a run threw, or when a thread ends. */
  run(asked: Asked): Promise<Done>;
  /** Sends everybody home; batches under way are given up. */
  end(): Promise<void>;
}

/** What a thread answers, in the order in which it was asked. */
export type Answer<Done> = { readonly done: Done } | { readonly error: unknown; readonly name: string };

/** This thread alone: it turns to the event loop before each batch, so that the process hears of signals. */
export const ownThread = <Asked extends Counted, Done>(
  work: (asked: Asked) => Done | Promise<Done>,
): WorkerPool<Asked, Done> => ({
  underWayMax: 1,
  run: async (asked) => {
    await new Promise((resolve) => setImmediate(resolve));
    return work(asked);
  },
  end: async () => {},
});

/** Batches that wait in each thread besides the one it works on. */
const waitingMax = 2;

/** Runs leave much that nobody needs any more: the more of it is collected at once, the less of it is moved, and the seldomer threads of the engine take the processors from those of the pool. */
const memory = { maxYoungGenerationSizeMb: 96 };

/** Threads beside this one; each runs the module `serve`, a path in the sources without the ending, which calls `serveBatches`, with the same order. */
export function threadPool<Asked extends Counted, Done>(
  serve: string,
  order: unknown,
  size: number,
): WorkerPool<Asked, Done> {
  const threads = Array.from(
    { length: size },
    () => new Thread<Asked, Done>(startThread(serve, order, [], memory)),
  );
  return {
    underWayMax: size * (1 + waitingMax),
    run: (asked) => threads.reduce((a, b) => (b.load < a.load ? b : a)).ask(asked),
    end: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

interface Waiting<Asked, Done> {
  readonly asked: Asked;
  resolve(done: Done): void;
  reject(error: unknown): void;
}

class Thread<Asked extends Counted, Done> {
  readonly #worker: Worker;
  readonly #waiting: Waiting<Asked, Done>[] = [];
  #broken: Error | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (answer: Answer<Done>) => {
      const waiting = this.#waiting.shift();
      if ('error' in answer) {
        if (answer.error instanceof Error) answer.error.name = answer.name;
        waiting?.reject(answer.error);
      } else waiting?.resolve(answer.done);
    });
    worker.on('error', (error) => this.#break(error));
    worker.on('exit', (code) => this.#break(new Error(`a thread of the campaign ended with code ${code}`)));
  }

  /** Runs that it has been asked for and that are not done. */
  get load(): number {
    return this.#waiting.reduce((sum, { asked }) => sum + asked.count, 0);
  }

  ask(asked: Asked): Promise<Done> {
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
