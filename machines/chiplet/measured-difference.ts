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

/** Significant bits of real elements. */
const significant: Readonly<Partial<Record<ElementType, number>>> = { f16: 11, bf16: 8, f32: 24, f64: 53 };

/**
 * True when each element of a buffer lies among those of several runs: between the least and the greatest, with half of their distance and a last bit to either
 * side; anything where another run than the first came to no number. Elements that are no reals have to agree with the first run.
 */
export function liesAmong(type: ElementType, runs: readonly Uint8Array[], expected: Uint8Array): boolean {
  const bits = significant[type];
  const [first] = runs;
  if (bits === undefined) return differenceOf(type, first!, expected, false) === undefined;
  const all = runs.map((one) => elementsOf(type, one) as readonly number[]);
  return (elementsOf(type, expected) as readonly number[]).every((wanted, at) => {
    const values = all.map((one) => one[at]!);
    if (values.some((one) => Object.is(one, wanted))) return true;
    if (values.slice(1).some(Number.isNaN)) return true;
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const room = (most - least) / 2 + Math.max(Math.abs(least), Math.abs(most)) * 2 ** -(bits - 1);
    return wanted >= least - room && wanted <= most + room;
  });
}
