import type { CpeOperationOf } from '../cpe-api.ts';
import type { Answer } from '../operation.ts';
import { readBytes } from './own-bytes.ts';
import type { Primitive, Script } from './primitive.ts';

/** Loads a range that may begin anywhere: a load of several bytes is aligned, so what lies before a word is loaded byte by byte. */
function* readAnywhere(address: number, size: number): Generator<Primitive, Uint8Array, Answer> {
  const before = Math.min(size, (4 - (address % 4)) % 4);
  const data = new Uint8Array(size);
  for (let k = 0; k < before; k++) data.set(yield* readBytes(address + k, 1), k);
  if (size > before) data.set(yield* readBytes(address + before, size - before), before);
  return data;
}

/** Has bytes appended to a file: they are read first, from LDM or main memory, then go to the host in one piece (specification 6.8). */
export function* fileOutput({ filename, src, size }: CpeOperationOf<'sio_fwrite'>): Script {
  const data = yield* readAnywhere(src, size);
  yield { op: 'append', file: filename, data };
  return 0;
}
