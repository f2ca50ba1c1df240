import type { Definition, Definitions } from './definition.ts';
import { UnknownForm, uniform } from './definition.ts';
import type { LaneWriter } from './lane-writer.ts';
import type { ResolvedOperand } from './resolved.ts';
import { bitsOf, isSigned, type ValueType } from './value-type.ts';

/*
 * What the lanes of a warp find out together (PTX ISA, parallel synchronization): match, redux, elect.
 *
 * The lanes that take part are those of the mask of lanes that carry the instruction out.
 */

/** Sets `n` to the lanes that take part. */
function membersText(writer: LaneWriter, members: ResolvedOperand): string {
  return `const first = 31 - Math.clz32(m & -m); let n; { const l = first; n = ${writer.value(members, 'b32')} & m; }`;
}

/** match: which lanes have the same value, or whether all have. */
const match: Definition = {
  words: ['any', 'all', 'sync'],
  exclusive: [['any', 'all']],
  types: [['b32', 'b64']],
  ...uniform([3, 3], 'lanes', 'intAdd'),
  lower: (writer, form, [d, a, members]) => {
    const { words, written } = form;
    const all = words.includes('all');
    if (words.length !== 2 || !words.includes('sync') || (d!.kind === 'pair' && !all))
      throw new UnknownForm(written, 'match.any.sync or match.all.sync');
    const type = form.types[0]!;
    const { low, high } =
      bitsOf(type) === 64 ? writer.wide(a!, type) : { low: writer.value(a!, type), high: '0' };
    const [result, equal] = d!.kind === 'pair' ? [d!.first, d!.second] : [d!];
    const same =
      'function (l, j) { const xl = low(l), xh = high(l); return xl === low(j) && xh === high(j); }';
    const read = `const low = (l) => ${low}, high = (l) => ${high}, same = ${same};`;
    const before = `if (m === 0) return; ${membersText(writer, members!)} ${read}`;
    if (all) {
      const judge =
        'let together = true; for (let j = 0; j < 32; j++) if (n >>> j & 1 && !same(first, j)) together = false;';
      const put = writer.put(result!, 'b32', 'together ? n : 0');
      const after = equal === undefined ? '' : writer.putMask(equal, '(together ? -1 : 0)');
      return { run: writer.lanes(put, `${before} ${judge}`, after), members: writer.laneValue(members!) };
    }
    // All are looked up before one is written: the result may be the register that is asked.
    const found =
      'const found = w.lanes; for (let l = 0; l < 32; l++) if (m >>> l & 1) { let r = 0; for (let j = 0; j < 32; j++) if (n >>> j & 1 && same(l, j)) r |= 1 << j; found[l] = r; }';
    return {
      run: writer.lanes(writer.put(result!, 'b32', 'found[l]'), `${before} ${found}`),
      members: writer.laneValue(members!),
    };
  },
};

const reductions: Readonly<
  Record<string, { readonly types: readonly ValueType[]; text(type: ValueType, strict: boolean): string }>
> = {
  add: { types: ['u32', 's32'], text: () => 'r + v | 0' },
  min: {
    types: ['u32', 's32'],
    text: (type) => (isSigned(type) ? 'v < r ? v : r' : 'v >>> 0 < r >>> 0 ? v : r'),
  },
  max: {
    types: ['u32', 's32'],
    text: (type) => (isSigned(type) ? 'v > r ? v : r' : 'v >>> 0 > r >>> 0 ? v : r'),
  },
  and: { types: ['b32'], text: () => 'r & v' },
  or: { types: ['b32'], text: () => 'r | v' },
  xor: { types: ['b32'], text: () => 'r ^ v' },
};

/** Of reals: what is no number counts only with `NaN` (PTX ISA, redux.sync). */
const realReductions: typeof reductions = {
  min: { types: ['f32'], text: (_, strict) => (strict ? 'Math.min(r, v)' : 'h.lesser(r, v)') },
  max: { types: ['f32'], text: (_, strict) => (strict ? 'Math.max(r, v)' : 'h.greater(r, v)') },
};

/** redux: one value of all lanes that take part. */
const reduce: Definition = {
  words: ['sync', ...Object.keys(reductions), 'abs', 'NaN'],
  exclusive: [Object.keys(reductions)],
  types: [['u32', 's32', 'b32', 'f32']],
  ...uniform([3, 3], 'lanes', 'intAdd'),
  lower: (writer, { words, types: [type], written }, [d, a, members]) => {
    const base = words.find((word) => word in reductions) ?? '';
    const what = type === 'f32' ? realReductions[base] : reductions[base];
    const known = what?.types.includes(type!) && words.includes('sync');
    if (!what || !known || (type !== 'f32' && words.length > 2)) throw new UnknownForm(written);
    const given = writer.value(a!, type!);
    const value = words.includes('abs') ? `Math.abs(${given})` : given;
    const joined = `let r, begun = false; for (let l = 0; l < 32; l++) if (n >>> l & 1) { const v = ${value}; r = begun ? (${what.text(type!, words.includes('NaN'))}) : v; begun = true; }`;
    const before = `if (m === 0) return; ${membersText(writer, members!)} ${joined}`;
    return { run: writer.lanes(writer.put(d!, type!, 'r'), before), members: writer.laneValue(members!) };
  },
};

/** elect.sync d|p, members: the lowest lane that takes part, and true in it alone. */
const elect: Definition = {
  words: ['sync'],
  types: [],
  ...uniform([2, 2], 'lanes', 'intAdd'),
  lower: (writer, { words, written }, [d, members]) => {
    if (!words.includes('sync') || d!.kind !== 'pair') throw new UnknownForm(written, 'elect.sync d|p, mask');
    const before = `if (m === 0) return; ${membersText(writer, members!)} const leader = 31 - Math.clz32(n & -n);`;
    const after = writer.putMask(d!.second, '(1 << leader)');
    return {
      run: writer.lanes(writer.put(d!.first, 'b32', 'leader'), before, after),
      members: writer.laneValue(members!),
    };
  },
};

/** Lanes together. */
export const groupInstructions: Definitions = { match, redux: reduce, elect };
