import type { Probe } from '../../../kernel/message.ts';
import type { Instruction, InstructionClass } from '../ptx/instruction.ts';

/** Shown when a warp issues an instruction. */
export interface WarpIssued extends Probe {
  readonly type: 'warp.issued';
  readonly cycle: number;
  readonly slot: number;
  readonly class: InstructionClass;
  /** The instruction as it is written. */
  readonly text: string;
}

export const warpIssued = ({ class: kind, text }: Instruction, slot: number, cycle: number): WarpIssued => ({
  type: 'warp.issued',
  cycle,
  slot,
  class: kind,
  text,
});
