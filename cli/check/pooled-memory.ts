import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { SharedMemory } from '../../kernel/explore/shared-memory.ts';

/** A piece, as the threads hear of it. */
interface NewPiece {
  readonly number: number;
  readonly buffer: SharedArrayBuffer;
}

/** Memory of the threads of a pool: the main thread makes the pieces and gives each to all. The threads never wait for a message, only for a word that says that it is there. */
export class PooledMemory implements SharedMemory {
  readonly #port: MessagePort;
  /** By thread: the number of the piece that was made for it last, plus 1. */
  readonly #made: Int32Array;
  readonly #index: number;
  readonly #pieces = new Map<number, SharedArrayBuffer>();

  constructor(port: MessagePort, made: Int32Array, index: number) {
    this.#port = port;
    this.#made = made;
    this.#index = index;
  }

  take(bytes: number): number {
    Atomics.store(this.#made, this.#index, 0);
    this.#port.postMessage(bytes);
    // Waiting may end before the piece is there.
    while (Atomics.load(this.#made, this.#index) === 0) Atomics.wait(this.#made, this.#index, 0);
    return Atomics.load(this.#made, this.#index) - 1;
  }

  piece(number: number): SharedArrayBuffer {
    for (let known = this.#pieces.get(number); ; known = this.#pieces.get(number)) {
      if (known) return known;
      const received = receiveMessageOnPort(this.#port);
      if (!received) throw new Error(`Lockstep defect: piece ${number} of the memory was not made`);
      const { number: made, buffer } = received.message as NewPiece;
      this.#pieces.set(made, buffer);
    }
  }

  drop(number: number): void {
    this.piece(number);
    this.#pieces.delete(number);
  }
}

/** Makes the memory that threads ask for at their ports. Returns how many pieces there are so far. */
export function makePieces(ports: readonly MessagePort[], made: Int32Array): void {
  let number = 0;
  ports.forEach((port, index) => {
    port.on('message', (bytes: number) => {
      const piece: NewPiece = { number: number++, buffer: new SharedArrayBuffer(bytes) };
      for (const one of ports) one.postMessage(piece);
      Atomics.store(made, index, piece.number + 1);
      Atomics.notify(made, index);
    });
  });
}
