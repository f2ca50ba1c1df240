import type { Instruction } from '../ptx/instruction.ts';
import type { ChipletShown } from './protocol.ts';

/** What a core shows when a warp issues an instruction. */
export const warpIssued = (
  { class: kind, text }: Instruction,
  slot: number,
  cycle: number,
): ChipletShown<'warp.issued'> => ({ type: 'warp.issued', cycle, slot, class: kind, text });
