/** Types of a single access to memory (specification 2.4), with their bytes. */
export const accessBytes = { i32: 4, u32: 4, i64: 8, u64: 8, f32: 4, f64: 8 } as const;

/** The type of a single access to memory. */
export type AccessType = keyof typeof accessBytes;

/** What a value of a type is in a program: 64-bit integers are big. */
export type ValueOf<T extends AccessType> = T extends 'i64' | 'u64' ? bigint : number;

/** Room to turn values into bytes and back: cheaper than a view of its own for each of the many small accesses. */
const word = new DataView(new ArrayBuffer(8));
const wordBytes = new Uint8Array(word.buffer);

/** The bytes of a value, lowest first. Integers wrap. */
export function bytesOfValue(type: AccessType, value: number | bigint): Uint8Array {
  switch (type) {
    case 'i32':
    case 'u32':
      word.setInt32(0, Number(value), true);
      break;
    case 'i64':
    case 'u64':
      word.setBigInt64(0, BigInt(value), true);
      break;
    case 'f32':
      word.setFloat32(0, Number(value), true);
      break;
    case 'f64':
      word.setFloat64(0, Number(value), true);
  }
  const bytes = new Uint8Array(accessBytes[type]);
  for (let k = 0; k < bytes.length; k++) bytes[k] = wordBytes[k]!;
  return bytes;
}

/** The value that bytes stand for. */
export function valueOfBytes(type: AccessType, bytes: Uint8Array): number | bigint {
  for (let k = 0; k < accessBytes[type]; k++) wordBytes[k] = bytes[k]!;
  switch (type) {
    case 'i32':
      return word.getInt32(0, true);
    case 'u32':
      return word.getUint32(0, true);
    case 'i64':
      return word.getBigInt64(0, true);
    case 'u64':
      return word.getBigUint64(0, true);
    case 'f32':
      return word.getFloat32(0, true);
    case 'f64':
      return word.getFloat64(0, true);
  }
}

/** Views of a block by the type of its elements. */
export interface BlockViews {
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly i64: BigInt64Array;
  readonly u64: BigUint64Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}

/** Bytes as elements of a type, in a copy that belongs to whoever asked. */
export function viewOfBytes<T extends AccessType>(type: T, bytes: Uint8Array): BlockViews[T] {
  // The table has a view of type T under the key T.
  return new views[type](bytes.slice().buffer) as BlockViews[T];
}

const views = {
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;
