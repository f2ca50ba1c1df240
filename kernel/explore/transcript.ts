import { refuseInstance, refuseOpaque } from '../copy.ts';
import { Hasher } from '../hash.ts';
import { isResource } from '../resource.ts';

const doubles = new Float64Array(1);
const halves = new Uint32Array(doubles.buffer);
const charsAtOnce = 4096;
/** Characters that say how long the entry of a resource is, a byte each. */
const lengthChars = 4;
/** What Node has to make a text of bytes in one go; browsers have no such thing. */
interface Bytes {
  [at: number]: number;
  readonly length: number;
  toString(encoding: 'latin1' | 'utf16le', first: number, end: number): string;
}
const { Buffer } = globalThis as unknown as {
  readonly Buffer?: { from(buffer: ArrayBuffer): Bytes; alloc(size: number): Bytes };
};
/** Where a text of bytes is put together. */
let narrow = Buffer?.alloc(256);
/** Announces an element of a typed array that is no small integer. */
const notSmall = 0x7fff;

/**
 * What a hasher is fed, kept word for word instead of mixed: the exact key of a value.
 *
 * Details: two values have equal transcripts exactly when they are equal as data in the sense of fingerprints: the order of object keys and the sign of
 * zero do not count, and a resource is what it feeds to its `hash`. Nothing is ever taken for equal because two hashes collide.
 * Errors: KRN007 for what says nothing of its content: functions, symbols, and instances of classes that are no resources.
 */
export class Transcript extends Hasher {
  #chars = new Uint16Array(256);
  #length = 0;
  /** All bits of all characters: a text of bytes takes half the room. */
  #bits = 0;
  #buffer = Buffer?.from(this.#chars.buffer);
  /** Whether instances of classes are what their own fields hold. */
  protected readonly readsInstances: boolean = false;

  override word(value: number): void {
    if (this.#length + 3 > this.#chars.length) this.#grow();
    const word = value >>> 0;
    // Most words are small, and strings of small characters take a byte each.
    if (word < 0x8000) {
      this.#chars[this.#length++] = word;
      this.#bits |= word;
    } else {
      this.#bits |= 0x8000;
      this.#chars[this.#length++] = 0x8000 | (word >>> 30);
      this.#chars[this.#length++] = (word >>> 15) & 0x7fff;
      this.#chars[this.#length++] = word & 0x7fff;
    }
  }

  /** Writes the characters down at once: of names and texts nearly all are small words. */
  override string(value: string): void {
    this.word(value.length);
    while (this.#length + 3 * value.length > this.#chars.length) this.#grow();
    let bits = 0;
    for (let i = 0; i < value.length; i++) {
      const char = value.charCodeAt(i);
      bits |= char;
      if (char < 0x8000) this.#chars[this.#length++] = char;
      else this.word(char);
    }
    this.#bits |= bits;
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
      refuseOpaque(value, 'a state');
      super.value(value);
      return;
    }
    this.word(9);
    if (this.#length + lengthChars > this.#chars.length) this.#grow();
    const begin = this.#length + lengthChars;
    this.#length = begin;
    value.hash(this);
    for (let at = 1, length = this.#length - begin; at <= lengthChars; at++, length >>>= 8)
      this.#chars[begin - at] = length & 0xff;
  }

  /** What is no plain data may differ in more than its keys. */
  protected override record(value: object): void {
    if (!this.readsInstances) refuseInstance(value, 'a state');
  }

  /** The transcript so far. */
  get text(): string {
    if (this.#buffer !== undefined) {
      if (this.#bits >= 0x100) return this.#buffer.toString('utf16le', 0, 2 * this.#length);
      while (narrow!.length < this.#length) narrow = Buffer!.alloc(2 * narrow!.length);
      for (let at = 0; at < this.#length; at++) narrow![at] = this.#chars[at]!;
      return narrow!.toString('latin1', 0, this.#length);
    }
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
    this.#bits = 0;
    this.depth = 0;
  }

  #grow(): void {
    const longer = new Uint16Array(2 * this.#chars.length);
    longer.set(this.#chars);
    this.#chars = longer;
    this.#buffer = Buffer?.from(longer.buffer);
  }
}

/** The exact key of one value. */
export const transcriptOf = (value: unknown): string => written((transcript) => transcript.value(value));

class InstanceTranscript extends Transcript {
  protected override readonly readsInstances = true;
}

/** The exact key of a value in which instances of classes are what their own fields hold, for who knows that they hold all that matters. */
export function instanceTranscriptOf(value: unknown): string {
  const transcript = new InstanceTranscript();
  transcript.value(value);
  return transcript.text;
}

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
