import type { ByteMemory } from '../common/byte-memory.ts';
import { memoryEnd, pieceBytes, pieces, type Shape } from './transfer/strided.ts';

/** Where the bytes of a transfer lie in main memory, in the words of descriptors (specification 4.1, 8.1). */
export interface MemoryPieces {
  readonly memory: number;
  readonly len: number;
  readonly bsize: number;
  readonly stride: number;
}

/** The same in the words of the rules for strided transfers. */
export const shapeOf = ({ memory, len, bsize, stride }: MemoryPieces): Shape => ({
  memory,
  bytes: len,
  blockSize: bsize,
  stride,
});

/** The bytes of the pieces one behind the other; `base` is the address of the memory's first byte. */
export function gather(from: ByteMemory, base: number, shape: Shape): Uint8Array {
  if (shape.stride === 0) return from.slice(shape.memory - base, shape.memory - base + shape.bytes);
  const data = new Uint8Array(shape.bytes);
  for (const { memory, offset, bytes } of pieces(shape))
    data.set(from.slice(memory - base, memory - base + bytes), offset);
  return data;
}

/** Puts bytes in their places. */
export function scatter(into: ByteMemory, base: number, shape: Shape, data: Uint8Array): void {
  for (const { memory, offset, bytes } of pieces(shape))
    into.put(memory - base, bytes === data.length ? data : data.subarray(offset, offset + bytes));
}

/** Whether two transfers touch a byte in common. */
export function overlaps(a: Shape, b: Shape): boolean {
  if (memoryEnd(a) <= b.memory || memoryEnd(b) <= a.memory) return false;
  const [bytesA, bytesB] = [pieceBytes(a), pieceBytes(b)];
  const [countA, countB] = [a.bytes / bytesA, b.bytes / bytesB];
  for (let i = 0, j = 0; i < countA && j < countB; ) {
    const firstA = a.memory + i * (bytesA + a.stride);
    const firstB = b.memory + j * (bytesB + b.stride);
    if (firstA + bytesA <= firstB) i++;
    else if (firstB + bytesB <= firstA) j++;
    else return true;
  }
  return false;
}
