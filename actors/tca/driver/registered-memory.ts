/** Where registered memory begins and ends on a page (TCA specification 10). */
export const pageBytes = 4096;

/** A piece of memory of a node. */
export interface Piece {
  readonly offset: number;
  readonly bytes: number;
}

/** The registered pieces of a memory: only they can be moved by DMA (TCA specification 1.6, 10). */
export class RegisteredMemory {
  readonly #size: number;
  /** In the order of their offsets. */
  #pieces: readonly Piece[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** Takes the first gap that is large enough; undefined when there is none. */
  take(bytes: number): number | undefined {
    let offset = 0;
    for (const piece of this.#pieces) {
      if (piece.offset - offset >= bytes) break;
      offset = pageBytes * Math.ceil((piece.offset + piece.bytes) / pageBytes);
    }
    if (offset + bytes > this.#size) return undefined;
    this.#pieces = [...this.#pieces, { offset, bytes }].sort((a, b) => a.offset - b.offset);
    return offset;
  }

  /** Gives a piece back; false when none begins there. */
  free(offset: number): boolean {
    const rest = this.#pieces.filter((piece) => piece.offset !== offset);
    const found = rest.length < this.#pieces.length;
    this.#pieces = rest;
    return found;
  }

  /** Whether all of these bytes lie in one piece. */
  holds(offset: number, bytes: number): boolean {
    return this.#pieces.some(
      (piece) => offset >= piece.offset && offset + bytes <= piece.offset + piece.bytes,
    );
  }
}
