/** True when two rows of numbers are the same. */
export function sameNumbers(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/** Bytes that threads share or own, seen in units of 1, 2 and 4 bytes; little endian. */
export class Views {
  readonly bytes: Uint8Array;
  readonly halves: Uint16Array;
  readonly words: Int32Array;

  constructor(size: number, from?: Views) {
    const buffer = from ? (from.bytes.buffer.slice(0) as ArrayBuffer) : new ArrayBuffer((size + 7) & ~7);
    this.bytes = new Uint8Array(buffer, 0, size);
    this.halves = new Uint16Array(buffer);
    this.words = new Int32Array(buffer);
  }

  fork(): Views {
    return new Views(this.bytes.length, this);
  }
}
