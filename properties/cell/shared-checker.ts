import { transcriptOf } from '../../kernel/explore/transcript.ts';
import type { Hasher } from '../../kernel/hash.ts';
import { isResource, type Resource } from '../../kernel/resource.ts';
import type { CellChecker } from './checker/check.ts';

interface Box {
  readonly checker: CellChecker;
  /** True once several hold it: from then on it is not changed any more. */
  shared: boolean;
  /** Everything that it believes, once it was asked for. */
  text?: string;
}

/** A checker in the memory of a property: copies of the memory share it until one of them goes on. */
export class SharedChecker implements Resource {
  #box: Box;

  constructor(checker: CellChecker) {
    this.#box = { checker, shared: false };
  }

  /** The checker, to go on with. */
  own(): CellChecker {
    if (this.#box.shared) this.#box = { checker: copyOf(this.#box.checker), shared: false };
    delete this.#box.text;
    return this.#box.checker;
  }

  fork(): SharedChecker {
    const copy = new SharedChecker(this.#box.checker);
    this.#box.shared = true;
    copy.#box = this.#box;
    return copy;
  }

  hash(into: Hasher): void {
    this.#box.text ??= transcriptOf(this.#box.checker);
    into.string(this.#box.text);
  }
}

/** A copy of an object and of all that it refers to: what refers to one object refers to one copy, and instances stay instances of their class. */
function copyOf<T>(value: T, known = new Map<unknown, unknown>()): T {
  if (typeof value !== 'object' || value === null) return value;
  const made = known.get(value);
  if (made !== undefined) return made as T;
  const note = <C>(copy: C): C => {
    known.set(value, copy);
    return copy;
  };
  if (isResource(value)) return note(value.fork()) as T;
  if (ArrayBuffer.isView(value)) return note((value as unknown as Float64Array).slice()) as T;
  if (value instanceof Map) {
    const copy = note(new Map());
    for (const [key, one] of value) copy.set(key, copyOf(one, known));
    return copy as T;
  }
  const copy = note(
    Array.isArray(value) ? new Array(value.length) : Object.create(Object.getPrototypeOf(value)),
  );
  for (const key of Object.keys(value)) copy[key] = copyOf((value as Record<string, unknown>)[key], known);
  return copy;
}
