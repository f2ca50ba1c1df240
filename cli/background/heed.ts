/** What long work tells of itself, and by what it hears that it should end with what it has. */
export interface Heed {
  /** Asked before each run of a search. */
  readonly shouldStop: () => boolean;
  /** Called after each run. */
  readonly onTrial: (deliveries: number) => void;
}

/** Work that nobody waits for. */
export const undisturbed: Heed = { shouldStop: () => false, onTrial: () => {} };

/** True once so many seconds have passed from now on. */
function afterSeconds(seconds: number): () => boolean {
  const end = performance.now() + 1000 * seconds;
  return () => performance.now() > end;
}

/** Heeds a limit of its own besides. */
export const within = ({ shouldStop, onTrial }: Heed, seconds: number): Heed => {
  const late = afterSeconds(seconds);
  return { shouldStop: () => shouldStop() || late(), onTrial };
};

const [stopWord, runsWord, thousandsWord, words] = [0, 1, 2, 3];

/** How far the work of another thread is, and whether it should stop: memory that both threads see. */
export class SharedHeed implements Heed {
  readonly #words: Int32Array;
  #deliveries = 0;

  constructor(readonly memory = new SharedArrayBuffer(4 * words)) {
    this.#words = new Int32Array(memory);
  }

  /** Asks the other thread to end with what it has. */
  stop(): void {
    Atomics.store(this.#words, stopWord, 1);
  }

  readonly shouldStop = (): boolean => Atomics.load(this.#words, stopWord) === 1;

  readonly onTrial = (deliveries: number): void => {
    this.#deliveries += deliveries;
    Atomics.add(this.#words, runsWord, 1);
    Atomics.store(this.#words, thousandsWord, Math.floor(this.#deliveries / 1000));
  };

  /** Runs so far. */
  get runs(): number {
    return Atomics.load(this.#words, runsWord);
  }

  /** Their deliveries, to whole thousands. */
  get deliveries(): number {
    return 1000 * Atomics.load(this.#words, thousandsWord);
  }
}
