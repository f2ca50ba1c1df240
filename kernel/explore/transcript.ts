import { Hasher } from '../hash.ts';
import { isResource } from '../resource.ts';

const doubles = new Float64Array(1);
const halves = new Uint32Array(doubles.buffer);
const charsAtOnce = 4096;

/**
 * What a hasher is fed, kept word for word instead of mixed: the exact key of a value.
 *
 * Details: two values have equal transcripts exactly when they are equal as data in the sense of fingerprints: the order of object keys and the sign of
 * zero do not count, and a resource is what it feeds to its `hash`. Nothing is ever taken for equal because two hashes collide.
 */
export class Transcript extends Hasher {
  #chars = new Uint16Array(256);
  #length = 0;

  override word(value: number): void {
    if (this.#length + 3 > this.#chars.length) this.#grow();
    const word = value >>> 0;
    // Most words are small, and strings of small characters take a byte each.
    if (word < 0x8000) this.#chars[this.#length++] = word;
    else {
      this.#chars[this.#length++] = 0x8000 | (word >>> 30);
      this.#chars[this.#length++] = (word >>> 15) & 0x7fff;
      this.#chars[this.#length++] = word & 0x7fff;
    }
  }

  /** Says which kind of number follows, so that no sequence of numbers can be read in two ways. */
  override number(value: number): void {
    if ((value | 0) === value) {
      this.word(0);
      this.word(value);
      return;
    }
    doubles[0] = value;
    const known = !Number.isNaN(value);
    this.word(known ? 1 : 2);
    if (!known) return;
    this.word(halves[0]!);
    this.word(halves[1]!);
  }

  /** Writes down how long the entry of a resource is, so that it cannot be read as something that follows. */
  override value(value: unknown): void {
    if (typeof value !== 'object' || value === null || !isResource(value)) {
      super.value(value);
      return;
    }
    const own = new Transcript();
    value.hash(own);
    this.word(9);
    this.string(own.text);
  }

  /** The transcript so far. */
  get text(): string {
    let text = '';
    for (let at = 0; at < this.#length; at += charsAtOnce) {
      const part = this.#chars.subarray(at, Math.min(this.#length, at + charsAtOnce));
      text += String.fromCharCode.apply(null, part as unknown as number[]);
    }
    return text;
  }

  #grow(): void {
    const longer = new Uint16Array(2 * this.#chars.length);
    longer.set(this.#chars);
    this.#chars = longer;
  }
}

/** The exact key of one value. */
export function transcriptOf(value: unknown): string {
  const transcript = new Transcript();
  transcript.value(value);
  return transcript.text;
}
