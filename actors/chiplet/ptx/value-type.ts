/** Types of values in PTX (chiplet specification 7.1). */
export const valueTypes = [
  'pred',
  'b8',
  'u8',
  's8',
  'b16',
  'u16',
  's16',
  'b32',
  'u32',
  's32',
  'f32',
  'b64',
  'u64',
  's64',
  'f64',
] as const;

export type ValueType = (typeof valueTypes)[number];

const known: ReadonlySet<string> = new Set(valueTypes);

export const isValueType = (word: string): word is ValueType => known.has(word);

/** Bits of a value; a predicate has 1. */
export const bitsOf = (type: ValueType): number => (type === 'pred' ? 1 : Number(type.slice(1)));

/** Bytes of a value in memory, at least 1. */
export const bytesOf = (type: ValueType): number => Math.max(1, bitsOf(type) >> 3);

export const isReal = (type: ValueType): boolean => type.startsWith('f');

export const isSigned = (type: ValueType): boolean => type.startsWith('s');
