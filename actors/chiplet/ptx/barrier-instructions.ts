import type { Definition, Definitions, Lowered } from './definition.ts';
import { noWork, UnknownForm } from './definition.ts';
import type { BarrierVote, LaneValue } from './instruction.ts';
import { type LaneWriter, nameOfKind, OperandMismatch, registerOf } from './lane-writer.ts';
import type { Form, ResolvedOperand } from './resolved.ts';

/*
 * Barriers of a block and of a cluster (chiplet specification 7.1, 7.2): sync waits, arrive only says that it has come, red asks all threads something. With a number
 * of threads a barrier is for so many, a warp counting as 32; without one it is for all of the block.
 */

/** Barriers that a block has. */
const barrierCount = 16;

function numberOf(writer: LaneWriter, operand: ResolvedOperand): LaneValue {
  const found = writer.laneValue(operand);
  if (found.slot < 0 && (found.value < 0 || found.value >= barrierCount))
    throw new OperandMismatch(`the barrier ${found.value}`, `one from 0 to ${barrierCount - 1}`);
  return found;
}

function threadsOf(writer: LaneWriter, operand: ResolvedOperand): LaneValue {
  const found = writer.laneValue(operand);
  if (found.slot < 0 && (found.value <= 0 || found.value % 32 !== 0))
    throw new OperandMismatch(`a barrier for ${found.value} threads`, 'a multiple of 32');
  return found;
}

/** The predicate that is asked and where the result goes; `popc` counts into a number. */
function voteOf(
  writer: LaneWriter,
  { words, types, written }: Form,
  d: ResolvedOperand,
  c: ResolvedOperand,
): BarrierVote {
  const what = (['popc', 'and', 'or'] as const).find((word) => words.includes(word));
  if (what === undefined || (what === 'popc') !== (types[0] === 'u32') || types.length === 0)
    throw new UnknownForm(written, 'red.popc.u32, red.and.pred or red.or.pred');
  if (c.kind !== 'register' && c.kind !== 'negated') throw new OperandMismatch(nameOfKind(c), 'a predicate');
  writer.mask(c);
  const result = registerOf(d);
  if (what === 'popc') writer.put(d, 'u32', '0');
  else writer.putMask(d, '0');
  return { what, asked: c.register.slot, negated: c.kind === 'negated', result: result.slot };
}

const groups = [
  ['sync', 'arrive', 'red', 'wait'],
  ['popc', 'and', 'or'],
  ['aligned'],
  ['warp', 'cta', 'cluster'],
  ['release', 'acquire', 'relaxed'],
];

/** barrier.cluster: arrive says that a thread has come, wait holds it until all of the cluster have. */
function clusterWork({ base, words, written }: Form, operands: readonly ResolvedOperand[]): Lowered {
  const step = (['arrive', 'wait'] as const).find((word) => words.includes(word));
  const orders = step === 'arrive' ? ['release', 'relaxed'] : ['acquire'];
  const known = ['cluster', 'aligned', step, ...orders];
  if (base !== 'barrier' || step === undefined || words.some((word) => !known.includes(word)))
    throw new UnknownForm(
      written,
      'barrier.cluster.arrive with release or relaxed, or barrier.cluster.wait with acquire',
    );
  if (operands.length > 0) throw new OperandMismatch(`${operands.length} operands`, 'none');
  return { run: noWork, clusterStep: step };
}

/** bar and barrier; bar.warp.sync has an effect only where lanes of a warp have parted. */
const barrier: Definition = {
  words: groups.flat(),
  exclusive: groups,
  types: [['u32', 'pred']],
  typesLeast: 0,
  operands: [0, 4],
  kind: 'barrier',
  kindOf: ({ words }) => (words.includes('cluster') ? 'cluster' : 'barrier'),
  class: () => 'control',
  lower: (writer, form, operands) => {
    const { words, types, written } = form;
    if (words.includes('cluster')) return clusterWork(form, operands);
    const what = words.find((word) => groups[0]!.includes(word));
    const asks = what === 'red';
    if (
      what === undefined ||
      what === 'wait' ||
      words.some((word) => groups[4]!.includes(word)) ||
      (!asks && types.length + words.filter((word) => groups[1]!.includes(word)).length > 0)
    )
      throw new UnknownForm(written, 'bar.sync, bar.arrive or bar.red');
    if (words.includes('warp')) {
      if (what !== 'sync' || operands.length !== 1)
        throw new UnknownForm(written, 'bar.warp.sync with a mask');
      return { run: noWork, members: writer.laneValue(operands[0]!) };
    }
    const [least, most] = { sync: [1, 2], arrive: [2, 2], red: [3, 4] }[what as 'sync'] as [number, number];
    if (operands.length < least || operands.length > most)
      throw new OperandMismatch(
        `${operands.length} operands`,
        least === most ? `${least}` : `${least} or ${most}`,
      );
    const [first, second] = asks ? operands.slice(1, -1) : operands;
    return {
      run: noWork,
      barrier: {
        vote: asks ? voteOf(writer, form, operands[0]!, operands.at(-1)!) : null,
        number: numberOf(writer, first!),
        threads: second === undefined ? null : threadsOf(writer, second),
        waits: what !== 'arrive',
      },
    };
  },
};

/** Barriers. */
export const barrierInstructions: Definitions = { bar: barrier, barrier };
