import { deviceBase } from './address-space.ts';
import type { DeviceMemory } from './device-memory.ts';
import { bytesOf, type ValueType } from './value-type.ts';

/** Values in memory, little endian. */
export function encodeValues(type: ValueType, values: readonly (number | bigint)[]): Uint8Array {
  const size = bytesOf(type);
  const bytes = new Uint8Array(size * values.length);
  const view = new DataView(bytes.buffer);
  const put = (at: number, given: number | bigint): void => {
    const value = Number(given);
    if (type === 'f32') view.setFloat32(at, value, true);
    else if (type === 'f64') view.setFloat64(at, value, true);
    else if (size === 4) view.setInt32(at, value, true);
    else if (size === 2) view.setInt16(at, value, true);
    else if (size === 1) view.setInt8(at, value);
    else view.setBigInt64(at, typeof given === 'bigint' ? given : BigInt(Math.trunc(given)), true);
  };
  for (let index = 0; index < values.length; index++) put(index * size, values[index]!);
  return bytes;
}

/** Values read from memory: those of 64 bits that a number cannot hold exactly as a `bigint`. */
export function decodeExactly(
  memory: DeviceMemory,
  address: number,
  type: ValueType,
  count: number,
): readonly (number | bigint)[] {
  const values = decodeValues(memory, address, type, count);
  if (type !== 's64' && type !== 'u64') return values;
  const view = new DataView(memory.bytes.buffer, address - deviceBase);
  const exactly = (at: number): bigint =>
    type === 's64' ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
  return values.map((value, at) => (Number.isSafeInteger(value) ? value : exactly(8 * at)));
}

/** Values read from memory; those of 64 bits are rounded to what a number holds. */
export function decodeValues(
  { bytes }: DeviceMemory,
  address: number,
  type: ValueType,
  count: number,
): readonly number[] {
  const view = new DataView(bytes.buffer, address - deviceBase);
  const size = bytesOf(type);
  const readers: Readonly<Partial<Record<ValueType, (at: number) => number>>> = {
    s8: (at) => view.getInt8(at),
    s16: (at) => view.getInt16(at, true),
    u16: (at) => view.getUint16(at, true),
    s32: (at) => view.getInt32(at, true),
    u32: (at) => view.getUint32(at, true),
    f32: (at) => view.getFloat32(at, true),
    f64: (at) => view.getFloat64(at, true),
    s64: (at) => Number(view.getBigInt64(at, true)),
    u64: (at) => Number(view.getBigUint64(at, true)),
  };
  const read = readers[type] ?? ((at: number) => view.getUint8(at));
  return Array.from({ length: count }, (_, at) => read(at * size));
}
