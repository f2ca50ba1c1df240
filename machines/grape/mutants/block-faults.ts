import { LaneBlock } from '../../../actors/grape/block/lane-block.ts';
import type { Planes } from '../../../actors/grape/block/planes.ts';
import type { BlockContext } from '../../../actors/grape/broadcast-block.ts';
import type { AddOp, AluOp, MultiplyOp, Ref, Slot } from '../../../actors/grape/program.ts';
import type { GrapeEvents, GrapeMessage } from '../../../actors/grape/protocol.ts';
import { component } from '../../../kernel/kit.ts';
import { mutantsOf } from '../../mutant.ts';
import { plantingIn } from '../../planting.ts';
import type { GrapeParts } from '../assembly.ts';

/** Adder and ALU of PE 0 get the lowest bit of a short word wrong. */
class WrongBit extends LaneBlock {
  protected override sum(op: AddOp | AluOp, a: Planes, b: Planes, sums: Planes, count: number): void {
    super.sum(op, a, b, sums, count);
    for (let lane = 0; lane < count; lane += this.spec.nPE) sums.high[lane] = sums.high[lane]! ^ 0x40;
  }
}

/** The adder cuts where it ought to round to 25 bits. */
class CutInsteadOfRounded extends LaneBlock {
  protected override sum(op: AddOp | AluOp, a: Planes, b: Planes, sums: Planes, count: number): void {
    super.sum(op.unit === 'fadd' ? { ...op, round: false } : op, a, b, sums, count);
  }
}

/** All elements take part, whatever the mask register holds. */
class MaskIgnored extends LaneBlock {
  override begin(slot: Slot): void {
    super.begin({ ...slot, mi: 0 });
  }
}

const oldT = (ref: Ref): Ref => (ref.kind === 'ti' ? { ...ref, kind: 't' } : ref);
const withOldT = <Op extends MultiplyOp | AddOp | AluOp>(op: Op): Op =>
  op.a && op.b ? { ...op, a: oldT(op.a), b: oldT(op.b) } : op;

/** `$ti` brings what T held before the last slot. */
class ForwardsOldValue extends LaneBlock {
  override begin(slot: Slot): void {
    const { mul, add, ...rest } = slot;
    super.begin({ ...rest, ...(mul && { mul: withOldT(mul) }), ...(add && { add: withOldT(add) }) });
  }
}

/** What a slot writes is seen by the next one already; forwarding is as it should be. */
class VisibleEarly extends LaneBlock {
  override retire(): void {
    super.retire();
    this.drain();
  }
}

const lanes =
  (makeBlock: typeof LaneBlock) =>
  (parts: GrapeParts): GrapeParts => ({
    ...parts,
    makeBlock: { ...parts.makeBlock, wasm: makeBlock, lanes: makeBlock },
  });

const { when } = component<BlockContext, GrapeEvents<'Block'>>();
const { instead, replace } = plantingIn<GrapeParts>();

/** Every seventh slot of the last block: the faults of it strike there. */
const strikes = (
  { spec }: BlockContext,
  event: GrapeMessage<'slot.issue'> | GrapeMessage<'block.look'>,
): boolean => spec.number === 1 && event.type === 'slot.issue' && event.seq % 7 === 5;

/** A change of how the blocks take in slots, while one is in the units and while none is. */
const intake = (copies: number) =>
  instead<BlockContext, GrapeMessage<'slot.issue'> | GrapeMessage<'block.look'>>(
    'broadcastBlock',
    ['queue', 'queueAndTick'],
    (sound, c, event, out) => {
      for (let copy = 0; copy < (strikes(c, event) ? copies : 1); copy++) sound(c, event, out);
    },
  );

/** Faults of the blocks (GRAPE specification 2.8, 4.2, 6.3). */
export const blockFaults = mutantsOf<GrapeParts>({
  'G-01': { sentence: 'adder and ALU of PE 0 get one bit of every result wrong', mutate: lanes(WrongBit) },
  'G-02': {
    sentence: 'the adder cuts results where it ought to round them',
    mutate: lanes(CutInsteadOfRounded),
  },
  'G-03': { sentence: 'slots run in all elements, whatever the mask', mutate: lanes(MaskIgnored) },
  'G-04': { sentence: '$ti carries the old value of T', mutate: lanes(ForwardsOldValue) },
  'G-05': { sentence: 'writes are visible one slot early', mutate: lanes(VisibleEarly) },
  'G-06': { sentence: 'block 1 leaves out one slot in seven', mutate: intake(0) },
  'G-07': { sentence: 'block 1 carries out one slot in seven twice', mutate: intake(2) },
  'G-08': {
    sentence: 'block 1 ends its slots one cycle early',
    mutate: replace('broadcastBlock', {
      guards: {
        isOver: when(
          ({ slot, began, spec }, _event, { now }) =>
            slot !== null && now >= began + slot.length - (spec.number === 1 ? 1 : 0),
        ),
      },
    }),
  },
});
