import type { Definition, Definitions } from './definition.ts';
import { noWork, UnknownForm, uniform } from './definition.ts';
import type { InstructionKind } from './instruction.ts';
import { carriedWork } from './integer-work.ts';
import { OperandMismatch } from './lane-writer.ts';
import type { ValueType } from './value-type.ts';

/*
 * Instructions that concern the warp as a whole: exchange between lanes, control, fences, messages (chiplet specification 7.1).
 */

const directions: Readonly<Record<string, string>> = {
  up: 'j = l - b; good = j >= edge;',
  down: 'j = l + b; good = j <= edge;',
  bfly: 'j = l ^ b; good = j <= edge;',
  idx: 'j = l & segment | b & ~segment; good = j <= edge;',
};

/** shfl: each lane reads a register of another one; where that lies outside its segment, its own. */
const shuffle: Definition = {
  words: ['sync', ...Object.keys(directions)],
  exclusive: [Object.keys(directions)],
  types: [['b32']],
  ...uniform([4, 5], 'lanes', 'shuffle'),
  lower: (writer, form, operands) => {
    const [d, a, b, c, members] = operands;
    const way = directions[form.words.find((word) => word in directions) ?? ''];
    const sync = form.words.includes('sync');
    if (way === undefined || sync !== (members !== undefined))
      throw new UnknownForm(form.written, 'shfl with up, down, bfly or idx; shfl.sync with a mask of lanes');
    const [first, second] = d!.kind === 'pair' ? [d!.first, d!.second] : [d!];
    const copy = `const before = w.lanes; for (let l = 0; l < 32; l++) before[l] = ${writer.value(a!, 'b32')}; let r = 0;`;
    const read = `const b = ${writer.value(b!, 'u32')} & 31, c = ${writer.value(c!, 'u32')}, segment = c >> 8 & 31, edge = l & segment | c & 31 & ~segment; let j, good; ${way}`;
    const body = `${read} if (good) r |= 1 << l; else j = l; ${writer.put(first!, 'b32', 'before[j]')}`;
    return {
      run: writer.lanes(body, copy, second === undefined ? '' : writer.putMask(second, 'r')),
      ...(members !== undefined && { members: writer.laneValue(members) }),
    };
  },
};

const votes: Readonly<Record<string, string>> = {
  any: '(v !== 0 ? -1 : 0)',
  all: '(v === (m & n) ? -1 : 0)',
  uni: '(v === 0 || v === (m & n) ? -1 : 0)',
};

/** vote: what the predicates of all lanes that take part come to. */
const vote: Definition = {
  words: ['sync', 'ballot', ...Object.keys(votes)],
  exclusive: [['ballot', ...Object.keys(votes)]],
  types: [['pred', 'b32']],
  ...uniform([2, 3], 'lanes', 'intAdd'),
  lower: (writer, form, [d, p, members]) => {
    const ballot = form.words.includes('ballot');
    const what = votes[form.words.find((word) => word in votes) ?? ''];
    if (ballot !== (form.types[0] === 'b32') || (!ballot && what === undefined))
      throw new UnknownForm(form.written, 'vote.any.pred, vote.all.pred, vote.uni.pred or vote.ballot.b32');
    if (form.words.includes('sync') !== (members !== undefined))
      throw new UnknownForm(form.written, 'vote.sync with a mask of lanes, vote without');
    // Which lanes take part is the same number in all of them: the first active one is asked.
    const lanes = members === undefined ? '-1' : writer.value(members, 'b32');
    const before = `const l0 = 31 - Math.clz32(m & -m); let n; { const l = l0; n = ${lanes}; } const v = ${writer.mask(p!)} & m & n;`;
    const waits = members === undefined ? {} : { members: writer.laneValue(members) };
    if (ballot)
      return { run: writer.lanes(writer.put(d!, 'b32', 'v'), `if (m === 0) return; ${before}`), ...waits };
    return { run: writer.whole(`if (m === 0) return; ${before} ${writer.putMask(d!, what!)}`), ...waits };
  },
};

const activeMask: Definition = {
  words: [],
  types: [['b32']],
  ...uniform([1, 1], 'lanes', 'intAdd'),
  lower: (writer, _form, [d]) => ({ run: writer.lanes(writer.put(d!, 'b32', 'm')) }),
};

const control = (
  kind: InstructionKind,
  operands: readonly [number, number],
  words: readonly string[] = [],
): Definition => ({
  words,
  types: [],
  operands,
  kind,
  class: () => 'control',
  lower: () => ({ run: noWork }),
});

const carriedTypes: readonly ValueType[] = ['u32', 's32', 'u64', 's64'];

/** addc: the message instruction, or addition with the carry that went before (chiplet specification 4.1). */
const addWithCarry: Definition = {
  words: ['cc'],
  types: [carriedTypes],
  ...uniform([3, 3], 'message', 'message'),
  lower: (writer, form, operands) => {
    if (operands[0]!.kind !== 'register')
      throw new OperandMismatch('no register', 'a register for the result');
    return carriedWork(writer, form.types[0]!, operands, { takes: true, keeps: form.words.includes('cc') });
  },
};

const fenceWords = [
  'mbarrier_init',
  'async',
  'async::generic',
  'tensormap::generic',
  'global',
  'shared',
  'sync_restrict::shared::cta',
  'sync_restrict::shared::cluster',
  'cta',
  'gl',
  'sys',
  'gpu',
  'acq_rel',
  'sc',
  'proxy',
  'alias',
  'cluster',
  'acquire',
  'release',
];
const fence: Definition = {
  ...control('lanes', [0, 2], fenceWords),
  operandsOf: ({ words }) =>
    words.includes('tensormap::generic') && words.includes('acquire') ? [2, 2] : [0, 0],
};

/** trap: the kernel is stopped where it is carried out. */
const stop: Definition = {
  ...control('lanes', [0, 0]),
  lower: (writer) => ({ run: writer.whole('w.trap(31 - Math.clz32(m & -m));') }),
};

/** nanosleep: lanes that go round behind it let others of their warp have their turn at once. */
const sleep: Definition = {
  ...control('lanes', [1, 1]),
  types: [['u32']],
  lower: (writer) => ({ run: writer.whole('w.sleep();') }),
};

/** Advice to the hardware, which changes nothing here. */
const advice = (
  words: readonly string[],
  types: readonly (readonly ValueType[])[],
  operands: number,
): Definition => ({
  ...control('lanes', [operands, operands], words),
  types,
});

/** Exchange, control, messages. */
export const warpInstructions: Definitions = {
  shfl: shuffle,
  vote,
  activemask: activeMask,
  bra: control('branch', [1, 1], ['uni']),
  brx: control('table', [2, 2], ['idx', 'uni']),
  call: control('branch', [1, 1], ['uni']),
  ret: control('exit', [0, 0], ['uni']),
  exit: control('exit', [0, 0]),
  membar: fence,
  fence,
  addc: addWithCarry,
  trap: stop,
  brkpt: control('lanes', [0, 0]),
  pmevent: control('lanes', [1, 1], ['mask']),
  // Grids of one stream run one after the other: what a grid depends on has ended before it begins.
  griddepcontrol: control('lanes', [0, 0], ['launch_dependents', 'wait']),
  setmaxnreg: advice(['inc', 'dec', 'sync', 'aligned'], [['u32']], 1),
  nanosleep: sleep,
  prefetch: advice(
    ['global', 'local', 'L1', 'L2', 'L2::evict_last', 'L2::evict_normal', 'tensormap', 'const', 'param'],
    [],
    1,
  ),
  applypriority: advice(['global', 'L2::evict_normal'], [], 2),
  discard: advice(['global', 'L2'], [], 2),
  prefetchu: advice(['L1'], [], 1),
};
