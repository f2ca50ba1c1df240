import type { LaneWriter } from './lane-writer.ts';
import type { ResolvedOperand } from './resolved.ts';
import { bitsOf, isSigned, type ValueType } from './value-type.ts';

/** The sum or difference of 32 bits with the carry that went before, and the carry that comes of it. */
export function carriedWork(
  writer: LaneWriter,
  [d, a, b]: readonly [ResolvedOperand, ResolvedOperand, ResolvedOperand],
  subtract: boolean,
  takes: boolean,
  keeps: boolean,
) {
  const before = takes ? '(w.carry >>> l & 1)' : '0';
  const [x, y] = [writer.value(a, 'u32'), writer.value(b, 'u32')];
  const sum = subtract
    ? `(${x} >>> 0) - (${y} >>> 0) - ${before}`
    : `(${x} >>> 0) + (${y} >>> 0) + ${before}`;
  const left = subtract ? 's < 0' : 's > 4294967295';
  const note = keeps ? `if (${left}) w.carry |= 1 << l; else w.carry &= ~(1 << l);` : '';
  return { run: writer.lanes(`const s = ${sum}; ${note} ${writer.put(d, 'u32', 's | 0')}`) };
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
