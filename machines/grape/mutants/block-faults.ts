import { LaneBlock } from '../../../actors/grape/block/lane-block.ts';
import type { Planes } from '../../../actors/grape/block/planes.ts';
import type { BlockContext } from '../../../actors/grape/broadcast-block.ts';
import type { BlockLook, BlockTick, SlotIssue } from '../../../actors/grape/messages.ts';
import type { AddOp, AluOp, MultiplyOp, Ref, Slot } from '../../../actors/grape/program.ts';
import { component } from '../../../kernel/kit.ts';
import { planted, recipeOf } from '../../planting.ts';
import type { GrapeParts } from '../assembly.ts';
import type { GrapeFault } from './fault.ts';

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

const { act, when } = component<BlockContext, SlotIssue | BlockLook | BlockTick>();

/** Every seventh slot of the last block: the faults of it strike there. */
const strikes = ({ spec }: BlockContext, event: SlotIssue | BlockLook): boolean =>
  spec.number === 1 && event.type === 'slot.issue' && event.seq % 7 === 5;

/** A change of how the blocks take in slots, while one is in the units and while none is. */
const intake =
  (copies: number) =>
  (parts: GrapeParts): GrapeParts => {
    const take = (name: 'queue' | 'queueAndTick') => {
      const sound = recipeOf<BlockContext, SlotIssue | BlockLook>(parts.broadcastBlock, name);
      return act<'slot.issue' | 'block.look'>((c, event, out) => {
        for (let copy = 0; copy < (strikes(c, event) ? copies : 1); copy++) sound(c, event, out);
      });
    };
    return {
      ...parts,
      broadcastBlock: planted(parts.broadcastBlock, {
        actions: { queue: take('queue'), queueAndTick: take('queueAndTick') },
      }),
    };
  };

/** Faults of the blocks (GRAPE specification 2.8, 4.2, 6.3). */
export const blockFaults: readonly GrapeFault[] = [
  {
    id: 'G-01',
    sentence: 'adder and ALU of PE 0 get one bit of every result wrong',
    mutate: lanes(WrongBit),
  },
  {
    id: 'G-02',
    sentence: 'the adder cuts results where it ought to round them',
    mutate: lanes(CutInsteadOfRounded),
  },
  { id: 'G-03', sentence: 'slots run in all elements, whatever the mask', mutate: lanes(MaskIgnored) },
  { id: 'G-04', sentence: '$ti carries the old value of T', mutate: lanes(ForwardsOldValue) },
  { id: 'G-05', sentence: 'writes are visible one slot early', mutate: lanes(VisibleEarly) },
  { id: 'G-06', sentence: 'block 1 leaves out one slot in seven', mutate: intake(0) },
  { id: 'G-07', sentence: 'block 1 carries out one slot in seven twice', mutate: intake(2) },
  {
    id: 'G-08',
    sentence: 'block 1 ends its slots one cycle early',
    mutate: (parts) => ({
      ...parts,
      broadcastBlock: planted(parts.broadcastBlock, {
        guards: {
          isOver: when(
            ({ slot, began, spec }, _event, { now }) =>
              slot !== null && now >= began + slot.length - (spec.number === 1 ? 1 : 0),
          ),
        },
      }),
    }),
  },
];
