/** Memory that the threads of an exploration share, in pieces with numbers from 0, all of them zero at first. */
export interface SharedMemory {
  /** Takes one piece more. Returns its number. */
  take(bytes: number): number;
  /** The piece with a number. */
  piece(number: number): SharedArrayBuffer;
  /** Lets go of a piece that nobody uses any more. */
  drop(number: number): void;
}

/** A piece that no other thread gets: it need not be shared, and browsers have memory to share only for pages that are isolated. */
const ownPiece = (bytes: number): SharedArrayBuffer => new ArrayBuffer(bytes) as unknown as SharedArrayBuffer;

/** Memory of one thread, or of several that take turns. */
export class OwnMemory implements SharedMemory {
  readonly #pieces: (SharedArrayBuffer | undefined)[] = [];

  take(bytes: number): number {
    return this.#pieces.push(ownPiece(bytes)) - 1;
  }

  /** Takes a piece with a number above those that are taken. */
  takeAt(number: number, bytes: number): void {
    this.#pieces[number] = ownPiece(bytes);
  }

  piece(number: number): SharedArrayBuffer {
    return this.#pieces[number]!;
  }

  drop(number: number): void {
    this.#pieces[number] = undefined;
  }
}
