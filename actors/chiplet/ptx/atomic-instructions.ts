import type { Definition, Definitions } from './definition.ts';
import { UnknownForm } from './definition.ts';
import { lessWide } from './integer-work.ts';
import type { LaneWriter } from './lane-writer.ts';
import { elementsOf } from './memory-instructions.ts';
import { addressName, addressText, memoryOf, placeOf, shown, spaceOf } from './memory-place.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, bytesOf, halfTypes, isHalf, isSigned, type ValueType } from './value-type.ts';

/*
 * atom and red: one lane after the other, none between the reading and the writing of another (chiplet specification 7.2).
 */

/** An operation: its types, the new content from `old`, `b` and `c`, and the same in halves `ol`, `oh`, … that sets `rl` and `rh`. */
interface Change {
  readonly types: readonly ValueType[];
  narrow(type: ValueType): string;
  wide(type: ValueType): string;
}

const wholes: readonly ValueType[] = ['u32', 's32', 'u64', 's64'];
const anyBits: readonly ValueType[] = ['b32', 'b64', ...wholes];
const counters: readonly ValueType[] = ['u32'];

const extreme = (order: '<' | '>'): Change => ({
  types: [...wholes, ...halfTypes],
  narrow: (type) => {
    if (isHalf(type)) return halfResult(type, order === '<' ? 'lesser' : 'greater');
    return isSigned(type) ? `(b ${order} old ? b : old)` : `(b >>> 0 ${order} old >>> 0 ? b : old)`;
  },
  wide: (type) => {
    const test = order === '<' ? lessWide(type, 'b', 'o') : lessWide(type, 'o', 'b');
    return `if (${test}) { rl = bl; rh = bh; } else { rl = ol; rh = oh; }`;
  },
});

const logic = (sign: string): Change => ({
  types: anyBits,
  narrow: () => `old ${sign} b`,
  wide: () => `rl = ol ${sign} bl; rh = oh ${sign} bh;`,
});

const counter = (text: string): Change => ({ types: counters, narrow: () => text, wide: () => '' });

const changes: Readonly<Record<string, Change>> = {
  add: {
    types: [...wholes, 'f32', 'f64', ...halfTypes],
    narrow: (type) => {
      if (isHalf(type)) return halfResult(type, 'oddSum');
      return type === 'f32' ? 'h.bitsOfReal(h.realOf(old) + h.realOf(b))' : 'old + b | 0';
    },
    wide: (type) =>
      type === 'f64'
        ? 'h.addReals(w.pair, ol, oh, bl, bh); rl = w.pair[0]; rh = w.pair[1];'
        : 'rl = ol + bl | 0; rh = oh + bh + (rl >>> 0 < ol >>> 0 ? 1 : 0) | 0;',
  },
  min: extreme('<'),
  max: extreme('>'),
  and: logic('&'),
  or: logic('|'),
  xor: logic('^'),
  exch: { types: [...anyBits, 'b128', 'f32', 'f64'], narrow: () => 'b', wide: () => 'rl = bl; rh = bh;' },
  cas: {
    types: ['b16', 'b128', ...anyBits],
    narrow: () => 'old === b ? c : old',
    wide: () => 'if (ol === bl && oh === bh) { rl = cl; rh = ch; } else { rl = ol; rh = oh; }',
  },
  inc: counter('(old >>> 0 >= b >>> 0 ? 0 : old + 1 | 0)'),
  dec: counter('(old === 0 || old >>> 0 > b >>> 0 ? b : old - 1 | 0)'),
};

/** What a function makes of reals of 16 bits: rounded once, of two of them each by itself. */
function halfResult(type: ValueType, work: 'oddSum' | 'lesser' | 'greater'): string {
  const [real, bits] = type.startsWith('b') ? ['realOfBfloat', 'bitsBfloat'] : ['realOf16', 'bits16'];
  const of = (a: string, b: string): string => `h.${bits}(h.${work}(h.${real}(${a}), h.${real}(${b})))`;
  if (!type.endsWith('x2')) return of('old', 'b');
  return `${of('old & 65535', 'b & 65535')} | ${of('old >>> 16', 'b >>> 16')} << 16`;
}

const orders = ['relaxed', 'acquire', 'release', 'acq_rel'];
const vectors: Readonly<Record<string, number>> = { v2: 2, v4: 4, v8: 8 };
const hint = 'L2::cache_hint';
const groups = [
  orders,
  ['cta', 'cluster', 'gpu', 'sys'],
  ['global', 'shared'],
  Object.keys(changes),
  ['noftz'],
  [hint],
  Object.keys(vectors),
];

/** What a vector may be of: as many elements of a type as fit into 16 bytes. Reals are compared in vectors of them alone. */
function checkVector({ words, types: [type], written }: Form, space: string): void {
  const count = vectors[words.find((word) => word in vectors) ?? ''] ?? 1;
  const isOrder = words.includes('min') || words.includes('max');
  if (count === 1 && isOrder && isHalf(type!))
    throw new UnknownForm(written, 'a vector of 2, 4 or 8 where reals are compared');
  if (count === 1) return;
  const fits = type === 'f32' ? count <= 4 && !isOrder : isHalf(type!) && count * bytesOf(type!) <= 16;
  if (!fits || !(words.includes('add') || isOrder) || (space !== 'global' && space !== 'generic'))
    throw new UnknownForm(
      written,
      'a vector of f16, bf16, f16x2 or bf16x2 for add, min or max, or of f32 for add, in global memory',
    );
}

const atomic = (returns: boolean): Definition => ({
  words: groups.flat(),
  exclusive: groups,
  types: [['b16', 'b128', ...anyBits, 'f32', 'f64', ...halfTypes]],
  operands: returns ? [3, 5] : [2, 4],
  kind: 'memory',
  class: () => 'atomic',
  lower: (writer, form, operands) => {
    const { words, written } = form;
    const hinted = words.includes(hint) ? operands.slice(0, -1) : operands;
    const [d, a, b, c] = returns ? hinted : [{ kind: 'sink' } as const, ...hinted];
    const type = form.types[0]!;
    const what = words.find((word) => word in changes);
    if (what === undefined) throw new UnknownForm(written, `one of ${Object.keys(changes).join(', ')}`);
    const change = changes[what]!;
    if (!change.types.includes(type))
      throw new UnknownForm(written, `${form.base}.${what} with one of ${change.types.join(', ')}`);
    if (words.includes('noftz') !== isHalf(type))
      throw new UnknownForm(written, 'noftz for reals of 16 bits, and for no others');
    if (b === undefined || (what === 'cas') !== (c !== undefined) || hinted.length > 4)
      throw new UnknownForm(written, 'one operand, or two for cas, behind the address');
    const memory = memoryOf(a!);
    const space = spaceOf(form, returns ? operands.slice(1, 2) : operands.slice(0, 1));
    if (!['global', 'shared', 'cluster', 'generic'].includes(space))
      throw new UnknownForm(written, 'global or shared memory');
    checkVector(form, space);
    if (type === 'b128' && what !== 'cas' && what !== 'exch') throw new UnknownForm(written, 'cas or exch');
    const count = vectors[words.find((word) => word in vectors) ?? ''] ?? 1;
    const size = bytesOf(type);
    const place = placeOf(space, count * size, true);
    const address = `const ${addressName(space)} = ${addressText(writer, memory)}; ${place.locate}`;
    const access = { space: shown(space), what: 'atomic', bytes: count * size } as const;
    const results = elementsOf(d!.kind === 'sink' ? sinks(count) : d!, count);
    const given = elementsOf(b, count);
    const parts = given.map((one, at) => {
      const by = at === 0 ? 'x' : `x + ${at * size}`;
      return `{ ${changeText(writer, type, change, [results[at]!, one, c], by)} }`;
    });
    return { run: writer.lanes(`${address} ${parts.join(' ')}`, place.before), access };
  },
});

/** As many results that nobody wants. */
const sinks = (count: number): ResolvedOperand =>
  count === 1
    ? { kind: 'sink' }
    : { kind: 'vector', parts: Array.from({ length: count }, () => ({ kind: 'sink' }) as const) };

/** The change of one element at the byte `by`. */
function changeText(
  writer: LaneWriter,
  type: ValueType,
  change: Change,
  [d, b, c]: readonly [ResolvedOperand, ResolvedOperand, ResolvedOperand | undefined],
  by: string,
): string {
  if (bitsOf(type) === 128) {
    const [first, second] = [b, c ?? b].map((one) => writer.words([one], type).join(', '));
    // What is compared is read before a result is written: it may be the same register.
    const read = `const at128 = ${by} >>> 2, old = [0, 1, 2, 3].map((word) => words[at128 + word]), b = [${first}], c = [${second}];`;
    const change = `if (${c === undefined} || old.every((word, at) => word === b[at])) for (let at = 0; at < 4; at++) words[at128 + at] = c[at];`;
    return `${read} ${change} ${writer.putWords(
      [d],
      type,
      [0, 1, 2, 3].map((word) => `old[${word}]`),
    )}`;
  }
  if (bitsOf(type) === 64) {
    const [y, z] = [writer.wide(b, type), c === undefined ? undefined : writer.wide(c, type)];
    const read = `const at64 = ${by} >>> 2, bl = ${y.low}, bh = ${y.high}, ol = words[at64], oh = words[at64 + 1]; let rl, rh;`;
    const third = z === undefined ? '' : `const cl = ${z.low}, ch = ${z.high};`;
    const result = writer.putWide(d, type, { low: 'ol', high: 'oh' });
    return `${read} ${third} ${change.wide(type)} words[at64] = rl; words[at64 + 1] = rh; ${result}`;
  }
  const view = bitsOf(type) === 16 ? `halves[${by} >>> 1]` : `words[${by} >>> 2]`;
  const third = c === undefined ? '' : `const c = ${writer.valueBits(c, type)};`;
  const read = `const b = ${writer.valueBits(b, type)}, old = ${view}; ${third}`;
  const result = d.kind === 'sink' ? '' : writer.putBits(d, type, 'old');
  return `${read} ${view} = ${change.narrow(type)}; ${result}`;
}

/** Atomics. */
export const atomicInstructions: Definitions = { atom: atomic(true), red: atomic(false) };
