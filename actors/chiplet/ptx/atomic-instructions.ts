import type { Definition, Definitions } from './definition.ts';
import { UnknownForm } from './definition.ts';
import { lessWide } from './integer-work.ts';
import { addressName, addressText, memoryOf, placeOf, shown, spaceOf } from './memory-place.ts';
import { bitsOf, bytesOf, isSigned, type ValueType } from './value-type.ts';

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
  types: wholes,
  narrow: (type) =>
    isSigned(type) ? `(b ${order} old ? b : old)` : `(b >>> 0 ${order} old >>> 0 ? b : old)`,
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
    types: [...wholes, 'f32', 'f64'],
    narrow: (type) => (type === 'f32' ? 'h.bitsOfReal(h.realOf(old) + h.realOf(b))' : 'old + b | 0'),
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
  exch: { types: [...anyBits, 'f32', 'f64'], narrow: () => 'b', wide: () => 'rl = bl; rh = bh;' },
  cas: {
    types: anyBits,
    narrow: () => 'old === b ? c : old',
    wide: () => 'if (ol === bl && oh === bh) { rl = cl; rh = ch; } else { rl = ol; rh = oh; }',
  },
  inc: counter('(old >>> 0 >= b >>> 0 ? 0 : old + 1 | 0)'),
  dec: counter('(old === 0 || old >>> 0 > b >>> 0 ? b : old - 1 | 0)'),
};

const orders = ['relaxed', 'acquire', 'release', 'acq_rel'];
const groups = [orders, ['cta', 'cluster', 'gpu', 'sys'], ['global', 'shared'], Object.keys(changes)];

const atomic = (returns: boolean): Definition => ({
  words: groups.flat(),
  exclusive: groups,
  types: [[...anyBits, 'f32', 'f64']],
  operands: returns ? [3, 4] : [2, 3],
  kind: 'memory',
  class: () => 'atomic',
  lower: (writer, form, operands) => {
    const [d, a, b, c] = returns ? operands : [{ kind: 'sink' } as const, ...operands];
    const type = form.types[0]!;
    const what = form.words.find((word) => word in changes);
    if (what === undefined) throw new UnknownForm(form.written, `one of ${Object.keys(changes).join(', ')}`);
    const change = changes[what]!;
    if (!change.types.includes(type))
      throw new UnknownForm(form.written, `${form.base}.${what} with one of ${change.types.join(', ')}`);
    if ((what === 'cas') !== (c !== undefined))
      throw new UnknownForm(form.written, 'one operand, or two for cas, behind the address');
    const memory = memoryOf(a!);
    const space = spaceOf(form, returns ? operands.slice(1, 2) : operands.slice(0, 1));
    if (!['global', 'shared', 'cluster', 'generic'].includes(space))
      throw new UnknownForm(form.written, 'global or shared memory');
    const place = placeOf(space, bytesOf(type), true);
    const address = `const ${addressName(space)} = ${addressText(writer, memory)}; ${place.locate}`;
    const access = { space: shown(space), what: 'atomic', bytes: bytesOf(type) } as const;
    if (bitsOf(type) === 64) {
      const [y, z] = [writer.wide(b!, type), c === undefined ? undefined : writer.wide(c, type)];
      const read = `const bl = ${y.low}, bh = ${y.high}, ol = words[x >>> 2], oh = words[(x >>> 2) + 1]; let rl, rh;`;
      const third = z === undefined ? '' : `const cl = ${z.low}, ch = ${z.high};`;
      const written = 'words[x >>> 2] = rl; words[(x >>> 2) + 1] = rh;';
      const result = writer.putWide(d!, type, { low: 'ol', high: 'oh' });
      const text = `${address} ${read} ${third} ${change.wide(type)} ${written} ${result}`;
      return { run: writer.lanes(text, place.before), access };
    }
    const third = c === undefined ? '' : `const c = ${writer.valueBits(c, type)};`;
    const read = `const b = ${writer.valueBits(b!, type)}, old = words[x >>> 2]; ${third}`;
    const result = d!.kind === 'sink' ? '' : writer.putBits(d!, type, 'old');
    const text = `${address} ${read} words[x >>> 2] = ${change.narrow(type)}; ${result}`;
    return { run: writer.lanes(text, place.before), access };
  },
});

/** Atomics. */
export const atomicInstructions: Definitions = { atom: atomic(true), red: atomic(false) };
