import type { Answer } from '../operation.ts';
import type { Primitive, Script } from './primitive.ts';

/** Loads a range as bytes. */
export function* readBytes(address: number, bytes: number): Generator<Primitive, Uint8Array, Answer> {
  // A read as bytes is answered by bytes.
  return (yield { op: 'read', address, bytes, as: 'bytes', flag: false }) as Uint8Array;
}

/** Copies a range by loads and stores. */
export function* copyWithin(from: number, to: number, bytes: number): Script {
  const data = yield* readBytes(from, bytes);
  yield { op: 'write', address: to, data, flag: false };
  return 0;
}
