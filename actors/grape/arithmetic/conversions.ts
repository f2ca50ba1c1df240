import { normalised, roundedShift } from './rounding.ts';
import {
  exponentBias,
  exponentOf,
  fractionOf,
  longMask,
  longPrecision,
  shortMask,
  signedZero,
  signOf,
  type Word,
} from './word.ts';

/** How a host type appears in C and in TypeScript (GRAPE specification 2.9, 7.1, 7.2). */
export interface HostConversion {
  readonly name: string;
  /** Its number in `elt`, `hlt` and `rrn` declarations. */
  readonly number: number;
  readonly cType: 'double' | 'float' | 'int64' | 'int32';
  /** Whether the word on the chip is a long one. */
  readonly long: boolean;
  /** Bits of one word on the host's side, and how many of them there are. */
  readonly hostBits: 32 | 64;
  readonly hostWords: 1 | 2;
}

/** A conversion of host data to a word of the chip. */
export interface InputConversion extends HostConversion {
  /** From the bit pattern of the host's type. */
  readonly convert: (host: bigint, options: ConversionOptions) => Word;
}

/** A conversion of a word of the chip to host data. */
export interface OutputConversion extends HostConversion {
  /** To the bit patterns of the host's type. */
  readonly convert: (word: Word) => readonly bigint[];
}

/** Readings of the manual that can be chosen (GRAPE specification 0.1, C14). */
export interface ConversionOptions {
  /** How flt64to36 drops fraction bits: to nearest even, or by cutting. */
  readonly narrowMode: 'nearest' | 'truncate';
}

const double = { exponentBits: 11n, fractionBits: 52n };
const single = { exponentBits: 8n, fractionBits: 23n };

interface Parts {
  readonly sign: 0 | 1;
  readonly exponent: number;
  readonly fraction: bigint;
}

function partsOf(host: bigint, { exponentBits, fractionBits }: typeof double): Parts {
  return {
    sign: host >> (exponentBits + fractionBits) ? 1 : 0,
    exponent: Number((host >> fractionBits) & ((1n << exponentBits) - 1n)),
    fraction: host & ((1n << fractionBits) - 1n),
  };
}

const shortWord = (sign: 0 | 1, exponent: number, fraction: bigint): Word =>
  (BigInt(sign) << 35n) | (BigInt(exponent) << 24n) | fraction;

function float64To72(host: bigint): Word {
  const { sign, exponent, fraction } = partsOf(host, double);
  if (exponent === 0) return signedZero(sign);
  return (BigInt(sign) << 71n) | (BigInt(exponent) << 60n) | (fraction << 8n);
}

function float64To36(host: bigint, { narrowMode }: ConversionOptions): Word {
  const { sign, exponent, fraction } = partsOf(host, double);
  if (exponent === 0) return shortWord(sign, 0, 0n);
  if (exponent === 0x7ff || narrowMode === 'truncate') return shortWord(sign, exponent, fraction >> 28n);
  // A fraction that rounds up to 1.0 carries into the exponent by itself.
  return shortWord(sign, exponent, 0n) + roundedShift(fraction, 28);
}

function float32To36(host: bigint): Word {
  const { sign, exponent, fraction } = partsOf(host, single);
  if (exponent === 0) return shortWord(sign, 0, 0n);
  return shortWord(sign, exponent === 0xff ? 0x7ff : exponent + 896, fraction << 1n);
}

const infinity64 = (sign: 0 | 1): bigint => (BigInt(sign) << 63n) | (0x7ffn << 52n);
const float64 = (sign: 0 | 1, exponent: number, fraction: bigint): bigint =>
  (BigInt(sign) << 63n) + (BigInt(exponent) << 52n) + fraction;

function float72To64(word: Word): bigint {
  const sign = signOf(word);
  const exponent = exponentOf(word);
  if (exponent === 0) return BigInt(sign) << 63n;
  const rounded = float64(0, exponent, roundedShift(fractionOf(word), 8));
  return rounded >> 52n >= 0x7ffn ? infinity64(sign) : (BigInt(sign) << 63n) | rounded;
}

const float36To64 = (word: Word): bigint => float72To64(word << 36n);

const hostInteger = (bits: number) => (host: bigint) => BigInt.asIntN(bits, host);

const input = (
  number: number,
  name: string,
  cType: HostConversion['cType'],
  long: boolean,
  convert: InputConversion['convert'],
): InputConversion => ({
  number,
  name,
  cType,
  long,
  hostBits: cType === 'float' || cType === 'int32' ? 32 : 64,
  hostWords: 1,
  convert,
});

const signed64 = hostInteger(64);
const signed32 = hostInteger(32);

/** What the host can send, by number (GRAPE specification 2.9). */
export const inputConversions: readonly InputConversion[] = [
  input(0, 'flt64to72', 'double', true, float64To72),
  input(1, 'flt64to36', 'double', false, float64To36),
  input(2, 'flt32to36', 'float', false, float32To36),
  input(3, 'fix64to72l', 'int64', true, (host) => host << 8n),
  input(4, 'fix64to72rs', 'int64', true, (host) => signed64(host) & longMask),
  input(5, 'fix64to72ru', 'int64', true, (host) => host),
  input(6, 'fix64to36', 'int64', false, (host) => host & shortMask),
  input(7, 'fix32to36l', 'int32', false, (host) => host << 4n),
  input(8, 'fix32to36rs', 'int32', false, (host) => signed32(host) & shortMask),
  input(9, 'fix32to36ru', 'int32', false, (host) => host),
];

const output = (
  number: number,
  name: string,
  cType: HostConversion['cType'],
  long: boolean,
  convert: OutputConversion['convert'],
  hostWords: 1 | 2 = 1,
): OutputConversion => ({ number, name, cType, long, hostBits: 64, hostWords, convert });

/** What the host can receive, by number (GRAPE specification 2.9). */
export const outputConversions: readonly OutputConversion[] = [
  output(0, 'flt72to64', 'double', true, (word) => [float72To64(word)]),
  output(1, 'flt36to64', 'double', false, (word) => [float36To64(word)]),
  output(2, 'fix72to64l', 'int64', true, (word) => [word >> 8n]),
  output(3, 'fix72to64r', 'int64', true, (word) => [word & 0xffff_ffff_ffff_ffffn]),
  output(4, 'fix72to64w', 'int64', true, (word) => [word >> 36n, word & shortMask], 2),
];

/** An unnormalised word as the normalised one of the same value, as the output port makes it for `flt72to64` (GRAPE specification 2.9). */
export function normaliseWord(word: Word): Word {
  const magnitude = fractionOf(word);
  if (magnitude === 0n) return signedZero(signOf(word));
  const scale = exponentOf(word) - exponentBias - (longPrecision - 1);
  return normalised(signOf(word), magnitude, scale, longPrecision).word;
}
