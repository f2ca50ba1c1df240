import { Hasher } from '../hash.ts';
import { isResource } from '../resource.ts';

const doubles = new Float64Array(1);
const halves = new Uint32Array(doubles.buffer);
const charsAtOnce = 4096;
/** Announces an element of a typed array that is no small integer. */
const notSmall = 0x7fff;

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

  /** Writes the characters down at once: of names and texts nearly all are small words. */
  override string(value: string): void {
    this.word(value.length);
    while (this.#length + 3 * value.length > this.#chars.length) this.#grow();
    for (let i = 0; i < value.length; i++) {
      const char = value.charCodeAt(i);
      if (char < 0x8000) this.#chars[this.#length++] = char;
      else this.word(char);
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

  /** Writes down the elements one after the other, bytes and other small integers as one character each. */
  override numbers(values: ArrayLike<number>, first = 0, end = values.length): void {
    this.word(end - first);
    for (let i = first; i < end; i++) {
      const value = values[i]!;
      if ((value | 0) === value && value >= 0 && value < notSmall) this.word(value);
      else {
        this.word(notSmall);
        this.number(value);
      }
    }
  }

  /** Writes down how many zeros follow one another: most of a page of memory is often nothing else. */
  override words(values: Uint32Array): void {
    for (let i = 0; i < values.length; ) {
      const value = values[i]!;
      const first = i++;
      this.word(value);
      if (value !== 0) continue;
      while (i < values.length && values[i] === 0) i++;
      this.word(i - first);
    }
  }

  /** Writes down how long the entry of a resource is, so that it cannot be read as something that follows. */
  override value(value: unknown): void {
    if (typeof value !== 'object' || value === null || !isResource(value)) {
      super.value(value);
      return;
    }
    this.word(9);
    this.string(written((own) => value.hash(own)));
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

  /** Forgets what was written, and keeps the room. */
  clear(): void {
    this.#length = 0;
  }

  #grow(): void {
    const longer = new Uint16Array(2 * this.#chars.length);
    longer.set(this.#chars);
    this.#chars = longer;
  }
}

/** The exact key of one value. */
export const transcriptOf = (value: unknown): string => written((transcript) => transcript.value(value));

/** Transcripts that nobody is writing; their room is used again. */
const idle: Transcript[] = [];

function written(write: (transcript: Transcript) => void): string {
  const transcript = idle.pop() ?? new Transcript();
  try {
    write(transcript);
    return transcript.text;
  } finally {
    transcript.clear();
    idle.push(transcript);
  }
}
