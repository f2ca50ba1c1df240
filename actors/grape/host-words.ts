import {
  type ConversionOptions,
  inputConversions,
  normaliseWord,
  outputConversions,
} from './arithmetic/conversions.ts';
import type { Word } from './arithmetic/word.ts';
import type { Variable } from './program.ts';

/** A value of a member: doubles and floats as numbers, 64-bit integers as bigints, 32-bit ones as numbers. */
export type HostValue = number | bigint;

/** A struct of the host: a value for each member, a list for each array. */
export type HostRecord = Readonly<Record<string, HostValue | readonly HostValue[]>>;

/** A value of the host that a member cannot hold. */
export class HostValueError extends Error {
  override readonly name = 'HostValueError';
  constructor(
    readonly found: string,
    readonly expected: string,
  ) {
    super(`found ${found}, expected ${expected}`);
  }
}

const buffer = new DataView(new ArrayBuffer(8));
const rounding: ConversionOptions = { narrowMode: 'nearest' };

/** The word of the chip for a value of the host, by the name of the conversion (GRAPE specification 2.9). Errors: `HostValueError`. */
export function wordOfHost(conv: string, value: HostValue, options: ConversionOptions = rounding): Word {
  const { cType, convert } = inputConversions.find(({ name }) => name === conv)!;
  return convert(bitsOfHost(cType, value), options);
}

/** Errors: `HostValueError` for a fraction, or what is no number. */
function wholeOf(cType: string, value: HostValue): bigint {
  if (typeof value === 'bigint' || Number.isInteger(value)) return BigInt(value);
  throw new HostValueError(`${value} for a member of type ${cType}`, 'a whole number');
}

function bitsOfHost(cType: string, value: HostValue): bigint {
  switch (cType) {
    case 'double':
      buffer.setFloat64(0, Number(value));
      return buffer.getBigUint64(0);
    case 'float':
      buffer.setFloat32(0, Number(value));
      return BigInt(buffer.getUint32(0));
    case 'int32':
      return BigInt.asUintN(32, wholeOf(cType, value));
    default:
      return BigInt.asUintN(64, wholeOf(cType, value));
  }
}

/** A value of the host from a bit pattern of the output port. */
export function hostValue(conv: string, bits: bigint): HostValue {
  if (outputConversions.find(({ name }) => name === conv)!.cType !== 'double') return BigInt.asIntN(64, bits);
  buffer.setBigUint64(0, bits);
  return buffer.getFloat64(0);
}

/** A reduced word as the host receives it; unnormalised sums are normalised first, so that no digits are lost (GRAPE specification 2.9). */
export function hostWords(conv: string, op: string, word: Word): readonly bigint[] {
  const conversion = outputConversions.find(({ name }) => name === conv)!;
  const normalises = conv === 'flt72to64' && /^fadd.*O/.test(op);
  const long = normalises ? normaliseWord(word) : word;
  return conversion.convert(conversion.long ? long : long >> 36n);
}

/** Words of the host that one word of the chip becomes. */
export const hostWordsEach = (conv: string): number =>
  outputConversions.find(({ name }) => name === conv)!.hostWords;

/** The words of a record, in the order of the variables; members that are missing are 0. */
export function wordsOfRecord(
  variables: readonly Variable[],
  record: HostRecord,
  options: ConversionOptions = rounding,
): Word[] {
  return variables.flatMap(({ name, transfer }) => {
    // A variable may have the name of a member that every object has.
    const value = (Object.hasOwn(record, name) ? record[name] : undefined) ?? 0;
    const list = Array.isArray(value) ? (value as readonly HostValue[]) : [value as HostValue];
    return list.map((one) => wordOfHost(transfer!.conv, one, options));
  });
}
