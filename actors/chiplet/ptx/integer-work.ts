import type { LaneWriter } from './lane-writer.ts';
import type { ResolvedOperand } from './resolved.ts';
import { bitsOf, isSigned, type ValueType } from './value-type.ts';

/** What a sum with carry does: it takes the carry that went before, it keeps the one that comes of it. */
export interface Carry {
  readonly takes: boolean;
  readonly keeps: boolean;
  /** A difference is a sum with the complement: its carry is 1 where nothing was borrowed, as on a GPU; who adds it after a difference counts on that. */
  readonly subtracts?: boolean;
  /** A product stands before the sum, of which this half is taken. */
  readonly product?: 'lo' | 'hi';
}

/** a + b, a - b or a * b + c of 32 or 64 bits with carries, one bit a lane (PTX ISA, extended-precision integer arithmetic). */
export function carriedWork(
  writer: LaneWriter,
  type: ValueType,
  [d, ...sources]: readonly ResolvedOperand[],
  carry: Carry,
) {
  const before = carry.takes ? `(${carry.subtracts ? '~w.carry' : 'w.carry'} >>> l & 1)` : '0';
  const note = carry.keeps ? 'if (left) w.carry |= 1 << l; else w.carry &= ~(1 << l);' : '';
  const sign = carry.subtracts ? '-' : '+';
  const left = carry.subtracts ? 'sum >= 0' : 'sum > 4294967295';
  if (bitsOf(type) === 32) {
    const [x, y, z] = sources.map((one) => writer.value(one, type));
    const high = isSigned(type) ? 'h.multiplyHighSigned' : 'h.multiplyHighUnsigned';
    const first =
      carry.product === undefined
        ? x
        : carry.product === 'lo'
          ? `Math.imul(${x}, ${y})`
          : `${high}(${x}, ${y})`;
    const second = carry.product === undefined ? y : z;
    const text = `const sum = (${first} >>> 0) ${sign} (${second} >>> 0) ${sign} ${before}, left = ${left};`;
    return { run: writer.lanes(`${text} ${note} ${writer.put(d!, type, 'sum | 0')}`) };
  }
  const [x, y, z] = sources.map((one) => writer.wide(one, type));
  const product =
    carry.product === undefined
      ? `const al = ${x!.low}, ah = ${x!.high};`
      : carry.product === 'lo'
        ? `const pl = ${x!.low}, ph = ${x!.high}, ql = ${y!.low}, qh = ${y!.high}; const al = Math.imul(pl, ql), ah = h.multiplyHighUnsigned(pl, ql) + Math.imul(pl, qh) + Math.imul(ph, ql) | 0;`
        : `h.wide(w.pair, 'mulhi', ${isSigned(type)}, ${x!.low}, ${x!.high}, ${y!.low}, ${y!.high}); const al = w.pair[0], ah = w.pair[1];`;
  const added = carry.product === undefined ? y! : z!;
  const lower = `const low = (al >>> 0) ${sign} (${added.low} >>> 0) ${sign} ${before};`;
  const between = carry.subtracts ? 'low < 0 ? 1 : 0' : 'low > 4294967295 ? 1 : 0';
  const upper = `const sum = (ah >>> 0) ${sign} (${added.high} >>> 0) ${sign} (${between}), left = ${left};`;
  const put = writer.putWide(d!, type, { low: 'low | 0', high: 'sum | 0' });
  return { run: writer.lanes(`${product} ${lower} ${upper} ${note} ${put}`) };
}

/** Work on integers by a formula for up to 32 bits or by a statement for halves. */
export function integerWork(
  writer: LaneWriter,
  type: ValueType,
  [d, ...sources]: readonly ResolvedOperand[],
  narrow: string,
  wide: string,
) {
  const names = ['a', 'b', 'c'];
  if (bitsOf(type) < 64) {
    const read = sources.map((one, at) => `${names[at]} = ${writer.value(one, type)}`);
    return { run: writer.lanes(`const ${read.join(', ')}; ${writer.put(d!, type, narrow)}`) };
  }
  const read = sources.map((one, at) => {
    const { low, high } = writer.wide(one, type);
    return `${names[at]}l = ${low}, ${names[at]}h = ${high}`;
  });
  const written = writer.putWide(d!, type, { low: 'rl', high: 'rh' });
  return { run: writer.lanes(`const ${read.join(', ')}; let rl, rh; ${wide} ${written}`) };
}

/** The test whether a 64-bit integer in halves is less than another one, as text. */
export const lessWide = (type: ValueType, a: string, b: string): string =>
  isSigned(type)
    ? `(${a}h < ${b}h || ${a}h === ${b}h && ${a}l >>> 0 < ${b}l >>> 0)`
    : `(${a}h >>> 0 < ${b}h >>> 0 || ${a}h === ${b}h && ${a}l >>> 0 < ${b}l >>> 0)`;
