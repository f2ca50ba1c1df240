import { KernelError } from './errors.ts';
import { isResource, type Resource } from './resource.ts';
import { sortedKeys } from './sorted-keys.ts';

const words = new Float64Array(1);
const halves = new Uint32Array(words.buffer);
/** Objects inside one another at most: far below what the stack of an engine holds. */
const depthMax = 1000;

/**
 * A 64-bit structural hash in two 32-bit lanes.
 *
 * Details: object keys are hashed in sorted order, so two contexts that are equal as data hash equally
 * whatever the order in which their keys were made.
 */
export class Hasher {
  #a = 0x9e3779b9 | 0;
  #b = 0x85ebca6b | 0;
  readonly #known: Map<object, string> | undefined;
  /** Objects that the present one is inside of. */
  protected depth = 0;

  /** `known`: digests of resources that several contexts share, so that each is hashed once; valid while nothing changes. */
  constructor(known?: Map<object, string>) {
    this.#known = known;
  }

  /** Feeds one 32-bit word. */
  word(value: number): void {
    this.#a = Math.imul(this.#a ^ value, 0xcc9e2d51);
    this.#a = (this.#a << 15) | (this.#a >>> 17);
    this.#b = Math.imul(this.#b + value, 0x1b873593) ^ (this.#b >>> 13);
  }

  /** Feeds a number: integers and fractions, signs and NaN are told apart; 0 and -0 are the same. */
  number(value: number): void {
    if ((value | 0) === value) {
      this.word(value);
      return;
    }
    // Which bits a NaN has depends on the processor.
    const known = !Number.isNaN(value);
    if (known) words[0] = value;
    this.word(known ? halves[0]! : 0);
    this.word((known ? halves[1]! : 0x7ff80000) ^ 0x5bd1e995);
  }

  /** Feeds the characters and the length of a string. */
  string(value: string): void {
    this.word(value.length);
    for (let i = 0; i < value.length; i++) this.word(value.charCodeAt(i));
  }

  /** Feeds the elements of a typed array. */
  numbers(values: ArrayLike<number>, first = 0, end = values.length): void {
    this.word(end - first);
    for (let i = first; i < end; ) {
      i = this.#integers(values, i, end);
      if (i < end) this.number(values[i++]!);
    }
  }

  /** Feeds 32-bit words, without their number. */
  words(values: Uint32Array): void {
    let a = this.#a;
    let b = this.#b;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      a = Math.imul(a ^ value, 0xcc9e2d51);
      a = (a << 15) | (a >>> 17);
      b = Math.imul(b + value, 0x1b873593) ^ (b >>> 13);
    }
    this.#a = a;
    this.#b = b;
  }

  /** Feeds small integers up to the first number that is none: its index. What `word` does, with both lanes at hand. */
  #integers(values: ArrayLike<number>, first: number, end: number): number {
    let a = this.#a;
    let b = this.#b;
    let i = first;
    for (; i < end; i++) {
      const value = values[i]!;
      if ((value | 0) !== value) break;
      a = Math.imul(a ^ value, 0xcc9e2d51);
      a = (a << 15) | (a >>> 17);
      b = Math.imul(b + value, 0x1b873593) ^ (b >>> 13);
    }
    this.#a = a;
    this.#b = b;
    return i;
  }

  /** Feeds plain data and resources, depth first. */
  value(value: unknown): void {
    switch (typeof value) {
      case 'number':
        this.word(1);
        this.number(value);
        return;
      case 'string':
        this.word(2);
        this.string(value);
        return;
      case 'boolean':
        this.word(value ? 3 : 4);
        return;
      case 'undefined':
        this.word(5);
        return;
      case 'bigint':
        this.word(6);
        this.string(value.toString(16));
        return;
      case 'object':
        if (value === null) this.word(8);
        else this.#within(value);
        return;
      default:
        this.word(7);
    }
  }

  #within(value: object): void {
    if (this.depth >= depthMax)
      throw new KernelError(
        'KRN007',
        'a state or message',
        `found something that holds itself, or is nested more than ${depthMax} deep`,
      );
    this.depth++;
    this.#object(value);
    this.depth--;
  }

  #object(value: object): void {
    if (isResource(value)) {
      this.word(9);
      this.#resource(value);
    } else if (Array.isArray(value)) {
      this.word(10);
      this.word(value.length);
      for (const one of value) this.value(one);
    } else if (ArrayBuffer.isView(value)) {
      this.word(11);
      this.numbers(value as unknown as ArrayLike<number>);
    } else if (value instanceof Map) {
      this.word(12);
      this.word(value.size);
      for (const [key, one] of value) {
        this.value(key);
        this.value(one);
      }
    } else if (value instanceof Set) {
      this.word(13);
      this.word(value.size);
      for (const one of value) this.value(one);
    } else {
      this.record(value);
      const keys = sortedKeys(value);
      this.word(14);
      this.word(keys.length);
      for (const key of keys) {
        this.string(key);
        this.value((value as Record<string, unknown>)[key]);
      }
    }
  }

  /** Called for what is hashed by its keys. */
  protected record(_value: object): void {}

  #resource(resource: Resource): void {
    if (this.#known === undefined) {
      resource.hash(this);
      return;
    }
    let digest = this.#known.get(resource);
    if (digest === undefined) {
      const own = new Hasher(this.#known);
      resource.hash(own);
      digest = own.digest();
      this.#known.set(resource, digest);
    }
    this.string(digest);
  }

  /** The hash so far: 16 hexadecimal digits. */
  digest(): string {
    const a = finish(this.#a ^ this.#b);
    const b = finish(this.#b + Math.imul(this.#a, 0x2545f491));
    return a.toString(16).padStart(8, '0') + b.toString(16).padStart(8, '0');
  }
}

function finish(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The fingerprint of one value. */
export function hashOf(value: unknown): string {
  const hasher = new Hasher();
  hasher.value(value);
  return hasher.digest();
}
