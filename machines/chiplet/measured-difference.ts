import { realOf16, realOfBfloat } from '../../actors/chiplet/ptx/half-reals.ts';
import type { ElementType } from './measured-case.ts';

/** Where two buffers first differ. */
export interface BufferDifference {
  readonly index: number;
  readonly expected: number | bigint;
  readonly found: number | bigint;
  /** Elements that differ, and all. */
  readonly count: number;
  readonly of: number;
}

const readers: Readonly<
  Record<ElementType, readonly [bytes: number, read: (view: DataView, at: number) => number | bigint]>
> = {
  u8: [1, (view, at) => view.getUint8(at)],
  s8: [1, (view, at) => view.getInt8(at)],
  u16: [2, (view, at) => view.getUint16(at, true)],
  s16: [2, (view, at) => view.getInt16(at, true)],
  f16: [2, (view, at) => realOf16(view.getUint16(at, true))],
  bf16: [2, (view, at) => realOfBfloat(view.getUint16(at, true))],
  u32: [4, (view, at) => view.getUint32(at, true)],
  s32: [4, (view, at) => view.getInt32(at, true)],
  f32: [4, (view, at) => view.getFloat32(at, true)],
  u64: [8, (view, at) => view.getBigUint64(at, true)],
  s64: [8, (view, at) => view.getBigInt64(at, true)],
  f64: [8, (view, at) => view.getFloat64(at, true)],
};

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

/** The elements of a buffer. */
export function elementsOf(type: ElementType, bytes: Uint8Array): readonly (number | bigint)[] {
  const [size, read] = readers[type];
  const view = viewOf(bytes);
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, at) => read(view, at * size));
}

/** True when two elements are the same bytes, and for `anyNaN` also when neither is a number. */
function same(found: number | bigint, expected: number | bigint, anyNaN: boolean): boolean {
  if (Number.isNaN(found) && Number.isNaN(expected)) return anyNaN;
  return Object.is(found, expected);
}

/**
 * Where a buffer differs from another one; undefined when they agree. With `anyNaN` what is no number may have any bits.
 *
 * Details: elements whose bytes agree are equal, also those that are no numbers.
 */
export function differenceOf(
  type: ElementType,
  found: Uint8Array,
  expected: Uint8Array,
  anyNaN: boolean,
): BufferDifference | undefined {
  const [size] = readers[type];
  const [ours, theirs] = [elementsOf(type, found), elementsOf(type, expected)];
  let first: BufferDifference | undefined;
  let count = 0;
  for (let index = 0; index < theirs.length; index++) {
    let equal = true;
    for (let at = index * size; at < (index + 1) * size && equal; at++) equal = found[at] === expected[at];
    if (equal || same(ours[index]!, theirs[index]!, anyNaN)) continue;
    count++;
    first ??= { index, expected: theirs[index]!, found: ours[index]!, count: 0, of: theirs.length };
  }
  return first && { ...first, count };
}
