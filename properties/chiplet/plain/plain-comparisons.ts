import { isReal, numbered, type Value } from './plain-values.ts';

/** Whether a comparison holds between two values of a type. */
export function compared(word: string, type: string, a: Value, b: Value): boolean {
  if (isReal(type)) {
    const [x, y] = [a as number, b as number];
    const lacks = Number.isNaN(x) || Number.isNaN(y);
    if (word === 'num') return !lacks;
    if (word === 'nan') return lacks;
    if (word.length === 3 && word.endsWith('u')) return lacks || compared(word.slice(0, 2), type, a, b);
    if (lacks) return false;
    return { eq: x === y, ne: x !== y, lt: x < y, le: x <= y, gt: x > y, ge: x >= y }[word]!;
  }
  const [x, y] = [numbered(type, a), numbered(type, b)];
  const less = x < y;
  return {
    eq: x === y,
    ne: x !== y,
    lt: less,
    lo: less,
    le: less || x === y,
    ls: less || x === y,
    gt: x > y,
    hi: x > y,
    ge: x >= y,
    hs: x >= y,
  }[word]!;
}

/** What holds, joined with a predicate where a word says how. */
export const joined = (word: string | undefined, a: boolean, b: boolean): boolean =>
  word === 'and' ? a && b : word === 'or' ? a || b : word === 'xor' ? a !== b : a;
