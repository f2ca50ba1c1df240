import type { Hasher } from '../kernel/hash.ts';
import type { Resource } from '../kernel/resource.ts';

interface Box<T> {
  readonly value: T;
  /** True once several hold it: from then on it is not changed any more. */
  shared: boolean;
  /** All that tells it from others, once it was asked for. */
  text?: string;
}

/**
 * Something large in the memory of a property that is no plain data: copies of the memory share it until one of them goes on.
 *
 * Details: `copy` makes an independent copy of the value, `text` says all that matters of it: equal texts, equal futures.
 */
export class Shared<T> implements Resource {
  #box: Box<T>;
  readonly #copy: (value: T) => T;
  readonly #text: (value: T) => string;

  constructor(value: T, copy: (value: T) => T, text: (value: T) => string) {
    this.#box = { value, shared: false };
    this.#copy = copy;
    this.#text = text;
  }

  /** The value, to go on with. */
  own(): T {
    if (this.#box.shared) this.#box = { value: this.#copy(this.#box.value), shared: false };
    delete this.#box.text;
    return this.#box.value;
  }

  fork(): Shared<T> {
    const copy = new Shared(this.#box.value, this.#copy, this.#text);
    this.#box.shared = true;
    copy.#box = this.#box;
    return copy;
  }

  hash(into: Hasher): void {
    this.#box.text ??= this.#text(this.#box.value);
    into.string(this.#box.text);
  }
}
