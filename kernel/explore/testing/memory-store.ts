import type { WordStore } from '../word-store.ts';

/** A store in memory. */
export class MemoryStore implements WordStore {
  readonly #streams = new Map<string, Uint32Array>();

  append(stream: string, words: Uint32Array): void {
    const known = this.#streams.get(stream) ?? new Uint32Array(0);
    const longer = new Uint32Array(known.length + words.length);
    longer.set(known);
    longer.set(words, known.length);
    this.#streams.set(stream, longer);
  }

  read(stream: string, from: number, into: Uint32Array): void {
    into.set((this.#streams.get(stream) ?? new Uint32Array(0)).subarray(from, from + into.length));
  }

  lengthOf(stream: string): number {
    return this.#streams.get(stream)?.length ?? 0;
  }

  clear(): void {
    this.#streams.clear();
  }

  /** What of it belongs to a checkpoint: what was written after that is gone, as after a crash. */
  cutTo(lengths: Readonly<Record<string, number>>): MemoryStore {
    const store = new MemoryStore();
    for (const [stream, length] of Object.entries(lengths))
      store.append(stream, (this.#streams.get(stream) ?? new Uint32Array(0)).slice(0, length));
    return store;
  }
}
