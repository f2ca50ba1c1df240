import { deviceBase } from './address-space.ts';
import type { DeviceMemory } from './device-memory.ts';
import { bytesOf, type ValueType } from './value-type.ts';
import { bytesOfValue } from './variables.ts';

/** Values in memory, little endian. */
export function encodeValues(type: ValueType, values: readonly number[]): Uint8Array {
  const parts = values.map((one) =>
    bytesOfValue(type, one, type.startsWith('f') ? 0n : BigInt(Math.trunc(one))),
  );
  const size = parts[0]?.length ?? 0;
  const bytes = new Uint8Array(size * parts.length);
  for (const [at, part] of parts.entries()) bytes.set(part, at * size);
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
