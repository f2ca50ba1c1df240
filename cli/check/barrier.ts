/** Words of memory that threads meet by. */
export const barrierWords = 2;

/** Where threads wait for one another: nobody goes on before all have come. */
export class Barrier {
  readonly #words: Int32Array;
  readonly #count: number;
  /** Milliseconds that were waited. */
  waited = 0;

  constructor(memory: Int32Array, count: number) {
    this.#words = memory;
    this.#count = count;
  }

  /** Waits for the others. Who comes last does something first, while all others wait. */
  meet(alone: () => void = () => {}): void {
    const words = this.#words;
    const round = Atomics.load(words, 1);
    if (Atomics.add(words, 0, 1) + 1 === this.#count) {
      alone();
      Atomics.store(words, 0, 0);
      Atomics.store(words, 1, round + 1);
      Atomics.notify(words, 1);
      return;
    }
    const began = performance.now();
    while (Atomics.load(words, 1) === round) Atomics.wait(words, 1, round);
    this.waited += performance.now() - began;
  }
}
