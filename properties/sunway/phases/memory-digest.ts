/** The digest of a buffer that hosts tell under `memory`: FNV-1a over its words of 32 bits, in eight hexadecimal digits. */
export function memoryDigest(memory: Uint8Array): string {
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
  let digest = 0x811c9dc5;
  for (let at = 0; at + 4 <= memory.length; at += 4)
    digest = Math.imul(digest ^ view.getUint32(at, true), 0x01000193) >>> 0;
  return digest.toString(16).padStart(8, '0');
}
