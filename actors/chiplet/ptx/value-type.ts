/** Types of values in PTX (chiplet specification 7.1). */
export const valueTypes = [
  'pred',
  'b8',
  'u8',
  's8',
  'b16',
  'u16',
  's16',
  'f16',
  'bf16',
  'e4m3x2',
  'e5m2x2',
  'b32',
  'u32',
  's32',
  'f32',
  'u16x2',
  's16x2',
  'f16x2',
  'bf16x2',
  'tf32',
  'b64',
  'u64',
  's64',
  'f64',
  'f32x2',
  's4',
  'u4',
  'b1',
  'e4m3',
  'e5m2',
  'b128',
] as const;

export type ValueType = (typeof valueTypes)[number];

const known: ReadonlySet<string> = new Set(valueTypes);

export const isValueType = (word: string): word is ValueType => known.has(word);

const bits: Readonly<Partial<Record<ValueType, number>>> = {
  pred: 1,
  bf16: 16,
  e4m3x2: 16,
  e5m2x2: 16,
  u16x2: 32,
  s16x2: 32,
  f16x2: 32,
  bf16x2: 32,
  tf32: 32,
  f32x2: 64,
  e4m3: 8,
  e5m2: 8,
};

/** Bits of a value; a predicate has 1. */
export const bitsOf = (type: ValueType): number => bits[type] ?? Number(type.slice(1));

/** Words of a warp that a register of a type takes: 32 lanes of at least one. */
export const laneWords = (type: ValueType): number => Math.max(32, bitsOf(type));

/** Bytes of a value in memory, at least 1. */
export const bytesOf = (type: ValueType): number => Math.max(1, bitsOf(type) >> 3);

/** True for the reals that registers hold as numbers. */
export const isReal = (type: ValueType): boolean => type === 'f32' || type === 'f64';

/** True for reals of 16 bits, one or two of them, which registers hold as bits. */
export const isHalf = (type: ValueType): boolean => halfTypes.includes(type);

/** True for plain bits, which stand for anything of their width. */
export const isBits = (type: ValueType): boolean =>
  type === 'b8' || type === 'b16' || type === 'b32' || type === 'b64' || type === 'b128';

/** Reals of 16 bits, and two of them in 32. */
export const halfTypes: readonly ValueType[] = ['f16', 'bf16', 'f16x2', 'bf16x2'];

export const isSigned = (type: ValueType): boolean => type.startsWith('s');

/** Types of numbers that a host knows: integers, and reals of 32 and 64 bits. */
export const numberTypes: readonly ValueType[] = [
  'u8',
  's8',
  'u16',
  's16',
  'u32',
  's32',
  'f32',
  'u64',
  's64',
  'f64',
];

/** Types that loads, stores and moves know. */
export const plainTypes: readonly ValueType[] = ['pred', 'b8', 'b16', 'b32', 'b64', 'b128', ...numberTypes];
