/* What the simulator asks of `node:zlib`. */
import { unzlibSync, zlibSync } from 'fflate';

export const deflateSync = (bytes: Uint8Array): Uint8Array => zlibSync(bytes, { level: 9 });
export function inflateSync(
  bytes: Uint8Array,
  { maxOutputLength }: { readonly maxOutputLength: number },
): Uint8Array {
  const inflated = unzlibSync(bytes);
  if (inflated.length > maxOutputLength) throw new Error('it holds more than it says');
  return inflated;
}
