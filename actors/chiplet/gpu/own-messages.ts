import type { Instruction } from '../ptx/instruction.ts';
import { type LaneMessage, laneMessages, MessageFault } from '../ptx/lane-messages.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import type { Warp } from '../ptx/warp.ts';

/**
 * What the active lanes of a warp do at a message instruction, where all of them must name the chiplet `own` as their own; any when it is absent
 * (chiplet specification 4.2, 13). Errors: `MessageFault` with kernel, thread and line.
 */
export function ownMessages(
  warp: Warp,
  instruction: Instruction,
  own: ChipletAddress | undefined,
): readonly LaneMessage[] {
  const lanes = laneMessages(warp, instruction);
  const foreign = own && lanes.find((one) => one.own[0] !== own[0] || one.own[1] !== own[1]);
  if (!foreign) return lanes;
  const place = `kernel ${warp.home.kernel.name}, thread ${32 * warp.number + foreign.lane}, line ${instruction.at.line}`;
  throw new MessageFault(
    'E-OPCODE',
    `found a message in the name of (${foreign.own.join(', ')}), expected (${own.join(', ')}): ${place}`,
  );
}
