import type { Reduction } from './bulk-unit.ts';
import { bits16, bitsBfloat, realOf16, realOfBfloat } from './half-reals.ts';
import { bitsOf, isSigned, type ValueType } from './value-type.ts';

/*
 * What copies do that join their elements into those that are there (PTX ISA, cp.reduce.async.bulk, red.async).
 */

const reals: Readonly<Partial<Record<ValueType, readonly [get: string, set: string]>>> = {
  f32: ['getFloat32', 'setFloat32'],
  f64: ['getFloat64', 'setFloat64'],
};

/** Whole numbers: how an element changes. */
const wholes: Readonly<Record<string, (old: bigint, by: bigint) => bigint>> = {
  add: (old, by) => old + by,
  min: (old, by) => (by < old ? by : old),
  max: (old, by) => (by > old ? by : old),
  and: (old, by) => old & by,
  or: (old, by) => old | by,
  xor: (old, by) => old ^ by,
  inc: (old, by) => (old >= by ? 0n : old + 1n),
  dec: (old, by) => (old === 0n || old > by ? by : old - 1n),
};

const typesOfWholes: Readonly<Record<string, readonly ValueType[]>> = {
  add: ['u32', 's32', 'u64', 's64'],
  min: ['u32', 's32', 'u64', 's64'],
  max: ['u32', 's32', 'u64', 's64'],
  and: ['b32', 'b64'],
  or: ['b32', 'b64'],
  xor: ['b32', 'b64'],
  inc: ['u32'],
  dec: ['u32'],
};

const ofReals: Readonly<Record<string, (a: number, b: number) => number>> = {
  add: (a, b) => a + b,
  min: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b)),
  max: (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b)),
};

/** Names of what may be done. */
export const reductionNames: readonly string[] = Object.keys(wholes);

/** What a name and a type do to elements; undefined for a pair that there is not. */
export function reductionOf(what: string, type: ValueType): Reduction | undefined {
  if (typesOfWholes[what]?.includes(type)) {
    const work = wholes[what]!;
    const wide = bitsOf(type) === 64;
    const read = (view: DataView, at: number): bigint => {
      if (wide) return isSigned(type) ? view.getBigInt64(at, true) : view.getBigUint64(at, true);
      return BigInt(isSigned(type) ? view.getInt32(at, true) : view.getUint32(at, true));
    };
    return (there, at, from, source) => {
      const result = work(read(there, at), read(from, source));
      if (wide) there.setBigUint64(at, BigInt.asUintN(64, result), true);
      else there.setUint32(at, Number(BigInt.asUintN(32, result)), true);
    };
  }
  const join = ofReals[what];
  if (join === undefined) return undefined;
  const names = reals[type];
  if (names !== undefined && what === 'add') {
    const [get, set] = names as readonly ['getFloat32', 'setFloat32'];
    return (there, at, from, source) => there[set](at, there[get](at, true) + from[get](source, true), true);
  }
  if (type !== 'f16' && type !== 'bf16') return undefined;
  const [value, bits] = type === 'f16' ? [realOf16, bits16] : [realOfBfloat, bitsBfloat];
  return (there, at, from, source) =>
    there.setUint16(
      at,
      bits(join(value(there.getUint16(at, true)), value(from.getUint16(source, true)))),
      true,
    );
}
