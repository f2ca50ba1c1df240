import type { ByteMemory } from '../common/byte-memory.ts';

/** The start value of FNV-1a with 32 bits, which the read hash and the memory hash use (Cell specification 18.2). */
export const readHashStart = 0x811c9dc5 | 0;

/** Folds one byte into an FNV-1a hash. */
export function foldByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

/** A 32-bit hash as eight hexadecimal digits. */
export function hexOf(hash: number): string {
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** FNV-1a over all memories in order, as eight hexadecimal digits. */
export function hashOfMemories(memories: readonly ByteMemory[]): string {
  let hash = readHashStart;
  for (const memory of memories) {
    const bytes = memory.slice();
    for (let at = 0; at < bytes.length; at++) hash = foldByte(hash, bytes[at]!);
  }
  return hexOf(hash);
}
