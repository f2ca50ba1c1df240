import { deviceBase } from './address-space.ts';
import type { DeviceMemory } from './device-memory.ts';
import { bytesOf, type ValueType } from './value-type.ts';

/** Values in memory, little endian. */
export function encodeValues(type: ValueType, values: readonly number[]): Uint8Array {
  const size = bytesOf(type);
  const bytes = new Uint8Array(size * values.length);
  const view = new DataView(bytes.buffer);
  const put = (at: number, value: number): void => {
    if (type === 'f32') view.setFloat32(at, value, true);
    else if (type === 'f64') view.setFloat64(at, value, true);
    else if (size === 4) view.setInt32(at, value, true);
    else if (size === 2) view.setInt16(at, value, true);
    else if (size === 1) view.setInt8(at, value);
    else view.setBigInt64(at, BigInt(Math.trunc(value)), true);
  };
  for (let index = 0; index < values.length; index++) put(index * size, values[index]!);
  return bytes;
}

/** Values read from memory. */
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
