import { sharedWindow } from './address-space.ts';
import { atomicInstructions } from './atomic-instructions.ts';
import { reductionNames, reductionOf } from './bulk-reduction.ts';
import type { BulkSpace } from './bulk-unit.ts';
import type { Definition, Definitions, Lowered } from './definition.ts';
import { noWork, UnknownForm, uniform } from './definition.ts';
import { type LaneWriter, OperandMismatch } from './lane-writer.ts';
import { elementsOf, memoryInstructions, storePart } from './memory-instructions.ts';
import { addressText, memoryOf, placeOf } from './memory-place.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf, bytesOf, type ValueType } from './value-type.ts';

/*
 * Copies of many bytes between device and shared memory, and stores into the shared memory of a cluster that tell a barrier (PTX ISA, cp.async.bulk, st.async,
 * red.async). They are made at once: who reads before he waits may find either.
 */

const hint = 'L2::cache_hint';
const tells = 'mbarrier::complete_tx::bytes';

/** The space of the first or second place that a copy names. */
function spacesOf({ words, written }: Form): readonly [to: BulkSpace, from: BulkSpace] {
  const known: Readonly<Record<string, BulkSpace>> = {
    global: 'global',
    'shared::cta': 'own',
    'shared::cluster': 'cluster',
    shared: written.includes('shared::cluster') ? 'cluster' : 'own',
  };
  const [to, from, ...others] = words.filter((word) => word in known);
  const pair = [known[to ?? ''], known[from ?? '']];
  const ways = ['cluster global', 'own global', 'cluster own', 'global own'];
  if (others.length > 0 || !ways.includes(pair.join(' ')))
    throw new UnknownForm(
      written,
      'a copy between .global and .shared, or from .shared::cta to .shared::cluster',
    );
  return pair as [BulkSpace, BulkSpace];
}

/** How a copy tells that it is made: by a barrier where it ends in shared memory, by its group elsewhere. */
function checkCompletion({ words, written }: Form, to: BulkSpace): void {
  const wanted = to === 'global' ? 'bulk_group' : tells;
  if (!words.includes(wanted) || words.includes(to === 'global' ? tells : 'bulk_group'))
    throw new UnknownForm(written, `${wanted} for a copy that ends there`);
}

/** cp.async.bulk and cp.reduce.async.bulk. */
export function bulkCopy(writer: LaneWriter, form: Form, operands: readonly ResolvedOperand[]): Lowered {
  const { words, types, written } = form;
  if (words.includes('commit_group') || words.includes('wait_group')) {
    if (operands.length !== (words.includes('wait_group') ? 1 : 0)) throw new UnknownForm(written);
    return { run: noWork };
  }
  if (words.includes('prefetch')) {
    const [from, size] = operands;
    if (!words.includes('L2') || !words.includes('global') || size === undefined)
      throw new UnknownForm(written, 'cp.async.bulk.prefetch.L2.global with an address and a size');
    return { run: writer.lanes(`${addressText(writer, memoryOf(from!))}; ${writer.value(size, 'u32')};`) };
  }
  const [to, from] = spacesOf(form);
  checkCompletion(form, to);
  const barrier = to !== 'global';
  const multicast = words.includes('multicast::cluster');
  const reduces = words.includes('reduce');
  const wanted = (barrier ? 4 : 3) + (multicast ? 1 : 0) + (words.includes(hint) ? 1 : 0);
  if (operands.length !== wanted || (multicast && (to !== 'cluster' || from !== 'global' || reduces)))
    throw new OperandMismatch(`${operands.length} operands`, `${wanted}`);
  const [target, source, size] = operands;
  const read = `const to = ${addressText(writer, memoryOf(target!))}, from = ${addressText(writer, memoryOf(source!))}, size = ${writer.value(size!, 'u32')} >>> 0, unit = w.bulkUnit; w.touched[l] = ${barrier ? 'from' : 'to'};`;
  const access = { space: from === 'global' || to === 'global' ? 'global' : 'shared', bytes: 16 } as const;
  const tell = barrier ? `const at = ${addressText(writer, memoryOf(operands[3]!))};` : '';
  if (reduces) {
    const what = reductionNames.find((word) => words.includes(word)) ?? '';
    const type = types[0];
    const join = type && (from === 'own' ? reductionOf(what, type) : undefined);
    const half = type === 'f16' || type === 'bf16';
    if (join === undefined || words.includes('noftz') !== (half && what === 'add'))
      throw new UnknownForm(written);
    const text = `${read} ${tell} unit.reduce(to, '${to}', from, size, ${bytesOf(type!)}, w.reductions('${what}', '${type}'), l); ${barrier ? 'unit.complete(at, size, l);' : ''}`;
    return { run: writer.lanes(text), access: { ...access, what: 'atomic' } };
  }
  const copy = (place: string, told: string): string =>
    `unit.copy(${place}, '${to}', from, '${from}', size, l); ${barrier ? `unit.complete(${told}, size, l);` : ''}`;
  const mask = multicast ? `${writer.value(operands[4]!, 'u16')} & 65535` : '';
  const work = multicast
    ? `const mask = ${mask}, places = unit.everywhere(to, mask, l), told = unit.everywhere(at, mask, l); for (let k = 0; k < places.length; k++) { ${copy('places[k]', 'told[k]')} }`
    : copy('to', 'at');
  return {
    run: writer.lanes(`${read} ${tell} ${work}`),
    access: { ...access, what: to === 'global' ? 'store' : 'load' },
  };
}

/** Words of cp for copies of many bytes. */
export const bulkWords = [
  'bulk',
  'reduce',
  'prefetch',
  'L2',
  'shared::cta',
  'shared::cluster',
  'bulk_group',
  'read',
  'multicast::cluster',
  'noftz',
  tells,
  hint,
  ...reductionNames,
];

/** Types of elements that copies join. */
export const bulkTypes: readonly ValueType[] = [
  'b32',
  'b64',
  'u32',
  's32',
  'u64',
  's64',
  'f16',
  'bf16',
  'f32',
  'f64',
];

/** st.async: a store into shared memory of the cluster that tells a barrier. */
export function asyncStore(writer: LaneWriter, form: Form, operands: readonly ResolvedOperand[]): Lowered {
  const { words, types, written } = form;
  const type = types[0]!;
  const [to, value, barrier] = operands;
  const count = words.includes('v4') ? 4 : words.includes('v2') ? 2 : 1;
  const size = count * bytesOf(type);
  if (!words.includes(tells) || !written.includes('shared::cluster') || barrier === undefined)
    throw new UnknownForm(written, `st.async with shared::cluster and ${tells}`);
  if (bytesOf(type) < 4 || size > 16) throw new UnknownForm(written, 'elements of 4 or 8 bytes');
  const place = placeOf('cluster', size, true);
  const parts = elementsOf(value!, count).map((part, at) =>
    storePart(writer, type, part, at * bytesOf(type)),
  );
  const text = `let at = ${addressText(writer, memoryOf(to!))}; if (at >= ${sharedWindow}) at -= ${sharedWindow}; ${place.locate} ${parts.join(' ')} w.bulkUnit.complete(${addressText(writer, memoryOf(barrier))}, ${size}, l);`;
  return { run: writer.lanes(text, place.before), access: { space: 'shared', what: 'store', bytes: size } };
}

/** red.async: an element joined into shared memory of the cluster, which tells a barrier. */
export function asyncReduction(
  writer: LaneWriter,
  form: Form,
  operands: readonly ResolvedOperand[],
): Lowered {
  const { words, types, written } = form;
  const type = types[0]!;
  const what = reductionNames.find((word) => words.includes(word)) ?? '';
  const [to, value, barrier] = operands;
  const fits = reductionOf(what, type) !== undefined && bytesOf(type) >= 4 && !type.startsWith('f');
  if (!fits || !words.includes(tells) || !written.includes('shared::cluster') || barrier === undefined)
    throw new UnknownForm(written, `red.async with shared::cluster and ${tells}`);
  const size = bytesOf(type);
  const given =
    size === 8
      ? (({ low, high }) => `view.setInt32(0, ${low}, true); view.setInt32(4, ${high}, true);`)(
          writer.wide(value!, type),
        )
      : `view.setInt32(0, ${writer.value(value!, type)}, true);`;
  const text = `const to = ${addressText(writer, memoryOf(to!))}, unit = w.bulkUnit; ${given} unit.reduceOne(to, ${size}, join, view, l); w.touched[l] = to; unit.complete(${addressText(writer, memoryOf(barrier))}, ${size}, l);`;
  const before = `const view = new DataView(new ArrayBuffer(8)), join = w.reductions('${what}', '${type}');`;
  return { run: writer.lanes(text, before), access: { space: 'shared', what: 'atomic', bytes: size } };
}

/** st.bulk: zeros into shared memory. */
export function bulkClear(
  writer: LaneWriter,
  { written }: Form,
  [to, size, value]: readonly ResolvedOperand[],
): Lowered {
  if (value?.kind !== 'whole' || value.value !== 0n) throw new UnknownForm(written, 'st.bulk of the value 0');
  const bytes =
    size!.kind === 'register' && bitsOf(size!.register.type) === 32
      ? writer.value(size!, 'u32')
      : writer.wide(size!, 'u64').low;
  const text = `const to = ${addressText(writer, memoryOf(to!))}; w.touched[l] = to; w.bulkUnit.clear(to, ${bytes} >>> 0, l);`;
  return { run: writer.lanes(text), access: { space: 'shared', what: 'store', bytes: 8 } };
}

/** createpolicy: a hint for caches, which changes nothing here. */
const policy: Definition = {
  words: [
    'fractional',
    'range',
    'cvt',
    'global',
    'L2',
    'L2::evict_last',
    'L2::evict_normal',
    'L2::evict_first',
    'L2::evict_unchanged',
  ],
  types: [['b64']],
  ...uniform([1, 4], 'lanes', 'intAdd'),
  operandsOf: ({ words }) => (words.includes('range') ? [4, 4] : [words.includes('cvt') ? 2 : 1, 2]),
  lower: (writer, { words, written }, [d]) => {
    if (words.filter((word) => ['fractional', 'range', 'cvt'].includes(word)).length !== 1)
      throw new UnknownForm(written, 'createpolicy with fractional, range or cvt');
    const zero = writer.constant(0);
    return { run: writer.lanes(writer.putWide(d!, 'b64', { low: zero, high: zero })) };
  },
};

const plainStore = memoryInstructions['st']!;
const plainReduction = atomicInstructions['red']!;

/** st, with its forms that tell a barrier and that clear. */
const store: Definition = {
  ...plainStore,
  words: [...plainStore.words, 'async', 'bulk', tells],
  typesLeast: 0,
  operands: [2, 3],
  lower: (writer, form, operands) => {
    const { words, types, written } = form;
    if (words.includes('bulk')) return bulkClear(writer, form, operands);
    if (types.length === 0) throw new UnknownForm(written, 'a type');
    if (words.includes('async')) return asyncStore(writer, form, operands);
    if (words.includes(tells)) throw new UnknownForm(written);
    return plainStore.lower(writer, form, operands);
  },
};

/** red, with the form that tells a barrier. */
const reduction: Definition = {
  ...plainReduction,
  words: [...plainReduction.words, 'async', tells],
  operandsOf: ({ words }) => (words.includes('async') ? [3, 3] : plainReduction.operands),
  lower: (writer, form, operands) => {
    if (form.words.includes('async')) return asyncReduction(writer, form, operands);
    if (form.words.includes(tells)) throw new UnknownForm(form.written);
    return plainReduction.lower(writer, form, operands);
  },
};

/** Copies, stores and reductions that go on by themselves, and policies of caches. */
export const bulkInstructions: Definitions = { createpolicy: policy, st: store, red: reduction };
