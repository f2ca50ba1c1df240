import type { Answer, Opened, Questions } from '../protocol.ts';

interface Waiting {
  readonly answered: (answer: unknown) => void;
  readonly failed: (error: Error) => void;
  readonly told: ((words: string) => void) | undefined;
  readonly shown: ((sofar: Opened) => void) | undefined;
}

/** The simulator as the page asks it: each question a promise, answered in the order in which they were asked. */
export class Client {
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;

  constructor(readonly worker: Worker) {
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(data.id);
      if (!waiting) return;
      if ('progress' in data) return waiting.told?.(data.progress);
      if ('sofar' in data) return waiting.shown?.(data.sofar);
      this.#waiting.delete(data.id);
      if ('error' in data) waiting.failed(new Error(data.error));
      else waiting.answered(data.answer);
    });
    worker.addEventListener('error', ({ message }) => {
      for (const { failed } of this.#waiting.values()) failed(new Error(`the simulator ended: ${message}`));
      this.#waiting.clear();
    });
  }

  ask<Q extends keyof Questions>(
    question: Q,
    given: Questions[Q]['ask'],
    told?: (words: string) => void,
    shown?: (sofar: Opened) => void,
  ): Promise<Questions[Q]['answer']> {
    const id = ++this.#asked;
    this.worker.postMessage({ id, question, given });
    return new Promise((answered, failed) => {
      this.#waiting.set(id, { answered: answered as (answer: unknown) => void, failed, told, shown });
    });
  }
}
