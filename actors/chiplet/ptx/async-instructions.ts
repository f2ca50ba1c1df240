import { sharedWindow } from './address-space.ts';
import { bulkCopy, bulkTypes, bulkWords } from './bulk-instructions.ts';
import type { Definition, Definitions, Lowered } from './definition.ts';
import { noWork, UnknownForm } from './definition.ts';
import type { LaneWriter } from './lane-writer.ts';
import { addressText, memoryOf, placeOf } from './memory-place.ts';
import type { Form, ResolvedOperand } from './resolved.ts';
import { bitsOf } from './value-type.ts';

/*
 * Copies in the background, and barriers in shared memory (PTX ISA, cp.async and mbarrier). A copy is made at once, which the memory model allows: who reads before
 * he waits may find either.
 *
 * What a barrier has in its words is in `barrier-words.ts`.
 */

const hints = ['L2::64B', 'L2::128B', 'L2::256B', 'L2::cache_hint'];

/** cp.async: 4, 8 or 16 bytes from global to shared memory, zeros behind what the source has. */
function copy(writer: LaneWriter, form: Form, operands: readonly ResolvedOperand[]): Lowered {
  const { words, written } = form;
  const given = words.includes('L2::cache_hint') ? operands.slice(0, -1) : operands;
  const [to, from, size, second] = given;
  if (
    size?.kind !== 'whole' ||
    !(words.includes('cg') ? [16] : words.includes('ca') ? [4, 8, 16] : []).includes(Number(size.value))
  )
    throw new UnknownForm(written, 'cp.async.ca of 4, 8 or 16 bytes, or cg of 16');
  const bytes = Number(size.value);
  const isPredicate =
    second?.kind === 'negated' || (second?.kind === 'register' && second.register.type === 'pred');
  const count =
    second === undefined
      ? `${bytes}`
      : isPredicate
        ? `(${writer.mask(second)} >>> l & 1 ? 0 : ${bytes})`
        : `Math.min(${writer.value(second, 'u32')} >>> 0, ${bytes})`;
  const place = placeOf('global', bytes, false);
  const target = `const to = ${addressText(writer, memoryOf(to!))}; if (!(to >= 0 && to + ${bytes} <= near.length)) w.outside(to, ${bytes}, l, 'shared'); if (to % ${bytes} !== 0) w.misaligned(to, ${bytes}, l);`;
  const fetch = `const at = ${addressText(writer, memoryOf(from!))}; if (count > 0) { ${place.locate} for (let k = 0; k < count; k++) near[to + k] = bytes[x + k]; } else touched[l] = at;`;
  const text = `const count = ${count}; ${target} ${fetch} for (let k = count; k < ${bytes}; k++) near[to + k] = 0;`;
  return {
    run: writer.lanes(text, `${place.before} const near = w.shared.bytes;`),
    access: { space: 'global', what: 'load', bytes },
  };
}

const copyAsync: Definition = {
  words: [
    'async',
    'ca',
    'cg',
    'shared',
    'global',
    'commit_group',
    'wait_group',
    'wait_all',
    'mbarrier',
    'arrive',
    'noinc',
    ...hints,
    ...bulkWords.filter((word) => word !== 'L2::cache_hint'),
  ],
  types: [['b64', ...bulkTypes]],
  typesLeast: 0,
  operands: [0, 6],
  operandsOf: ({ words }) => {
    const hint = words.includes('L2::cache_hint') ? 1 : 0;
    if (words.includes('prefetch')) return [2 + hint, 2 + hint];
    if (words.includes('bulk')) return [0, 6];
    if (words.includes('global')) return [3 + hint, 4 + hint];
    const count = words.includes('mbarrier') || words.includes('wait_group') ? 1 : 0;
    return [count, count];
  },
  kind: 'lanes',
  kindOf: ({ words }) => (words.includes('global') && !words.includes('prefetch') ? 'memory' : 'lanes'),
  class: ({ words }) => (words.includes('global') ? 'global' : 'control'),
  lower: (writer, form, operands) => {
    const { words, written } = form;
    if (!words.includes('async')) throw new UnknownForm(written, 'cp.async');
    if (words.includes('bulk')) return bulkCopy(writer, form, operands);
    const odd = words.find((word) => bulkWords.includes(word) && word !== 'L2::cache_hint');
    if (odd !== undefined) throw new UnknownForm(written);
    if (words.includes('mbarrier')) {
      // All copies before it are made: it is an arrival, or without noinc one that was expected in addition.
      const arrives = words.includes('noinc');
      const work = arrives ? 'h.arriveAt(words, y, 1);' : '';
      return barrierWork(writer, form, operands[0]!, work);
    }
    if (words.includes('global')) return copy(writer, form, operands);
    const known = ['commit_group', 'wait_group', 'wait_all'].some((word) => words.includes(word));
    if (!known) throw new UnknownForm(written);
    return { run: noWork };
  },
};

/** Work on a barrier in shared memory, whose words begin at `words[x]`. */
function barrierWork(
  writer: LaneWriter,
  { words, written }: Form,
  operand: ResolvedOperand,
  work: string,
  before = '',
  after = '',
): Lowered {
  const memory = memoryOf(operand);
  // An address of 64 bits may be a generic one.
  const window =
    memory.base !== null && bitsOf(memory.base.type) === 64
      ? `if (at >= ${sharedWindow}) at -= ${sharedWindow};`
      : '';
  const near = words.includes('shared') && !written.includes('shared::cluster');
  const place = placeOf(near ? 'shared' : 'cluster', 8, true);
  const address = `let at = ${addressText(writer, memory)}; ${window} ${place.locate} const y = x >>> 2;`;
  return {
    run: writer.lanes(`${address} ${work}`, `${place.before} ${before}`, after),
    // The barrier counts the lanes of a warp at once: a round trip to it, and no loop around a compare-and-swap.
    access: { space: 'shared', what: 'load', bytes: 8 },
  };
}

const ways = [
  'init',
  'inval',
  'arrive',
  'arrive_drop',
  'test_wait',
  'try_wait',
  'pending_count',
  'complete_tx',
];

/** What says that bytes are expected, or more of them than can be counted. */
const expecting = (bytes: string): string =>
  `if (!h.expectBytes(words, y, ${bytes})) w.fault('found more bytes than a barrier can count, expected fewer than 2^20', l);`;

const memoryBarrier: Definition = {
  words: [
    ...ways,
    'expect_tx',
    'shared',
    'parity',
    'noComplete',
    'release',
    'acquire',
    'relaxed',
    'cta',
    'cluster',
  ],
  exclusive: [ways],
  types: [['b64']],
  operands: [1, 4],
  operandsOf: ({ words }) => {
    if (words.includes('inval')) return [1, 1];
    if (words.some((word) => word.endsWith('_wait'))) return [3, words.includes('try_wait') ? 4 : 3];
    const arrives = words.includes('arrive') || words.includes('arrive_drop');
    if (arrives) return [words.includes('expect_tx') ? 3 : 2, 3];
    return [2, 2];
  },
  kind: 'memory',
  kindOf: ({ words }) => (words.includes('pending_count') ? 'lanes' : 'memory'),
  class: () => 'shared',
  lower: (writer, form, operands) => {
    const { words, written } = form;
    const way = ways.find((word) => words.includes(word));
    const [a, b, c] = operands;
    switch (way) {
      case 'init': {
        const count = writer.value(b!, 'u32');
        const work = `const count = ${count}; if (!(count >= 1 && count <= h.arrivalsMost)) w.fault('found a barrier for ' + count + ' arrivals, expected 1 to ' + h.arrivalsMost, l); h.beginBarrier(words, y, count);`;
        return barrierWork(writer, form, a!, work);
      }
      case 'inval':
        return barrierWork(writer, form, a!, '');
      case undefined:
      case 'complete_tx': {
        if (way === undefined && !words.includes('expect_tx'))
          throw new UnknownForm(written, `mbarrier with one of ${ways.join(', ')}, expect_tx`);
        const bytes = `(${writer.value(b!, 'u32')} >>> 0)`;
        return barrierWork(writer, form, a!, expecting(way === undefined ? bytes : `-${bytes}`));
      }
      case 'arrive':
      case 'arrive_drop': {
        const expects = words.includes('expect_tx');
        const third = c === undefined ? '1' : writer.value(c, 'u32');
        const count = expects ? '1' : third;
        const bytes = expects ? expecting(`(${third} >>> 0)`) : '';
        const state = writer.putWide(a!, 'b64', { low: 'before', high: 'phase' });
        const arrive = way === 'arrive_drop' ? 'dropFrom' : 'arriveAt';
        const work = `const count = ${count}, before = words[y], phase = words[y + 1]; ${bytes} h.${arrive}(words, y, count); ${state}`;
        return barrierWork(writer, form, b!, work);
      }
      case 'test_wait':
      case 'try_wait': {
        const awaited = words.includes('parity')
          ? `(words[y + 1] >>> 31) !== (${writer.value(c!, 'u32')} & 1)`
          : `(words[y + 1] ^ ${writer.wide(c!, 'b64').high}) < 0`;
        return barrierWork(
          writer,
          form,
          b!,
          `if (${awaited}) r |= 1 << l;`,
          'let r = 0;',
          writer.putMask(a!, 'r'),
        );
      }
      case 'pending_count':
        return {
          run: writer.lanes(writer.put(a!, 'b32', `h.pendingArrivals(${writer.wide(b!, 'b64').low})`)),
        };
      default:
        throw new UnknownForm(written, `mbarrier with one of ${ways.join(', ')}`);
    }
  },
};

/** Copies and barriers. */
export const asyncInstructions: Definitions = { cp: copyAsync, mbarrier: memoryBarrier };
