import type { Instruction, LaneValue } from './instruction.ts';
import { type ChipletAddress, coordinateMost, decodeMessage } from './message-code.ts';
import type { Warp } from './warp.ts';

/** What one lane does at a message instruction (chiplet specification 4.1). */
export interface LaneMessage {
  readonly lane: number;
  readonly operation: 'send' | 'receive';
  readonly own: ChipletAddress;
  readonly peer: ChipletAddress;
  /** The value that is sent, or the index of the one that is wanted. */
  readonly value: number;
}

/** A message parameter that says nothing (chiplet specification 13, E-OPCODE, E-ADDR). */
export class MessageFault extends Error {
  override readonly name = 'MessageFault';
  constructor(
    readonly code: 'E-OPCODE' | 'E-ADDR',
    what: string,
  ) {
    super(`${code} ${what}`);
  }
}

/** What the active lanes of a warp do at a message instruction, in the order of lanes. Errors: `MessageFault`. */
export function laneMessages(warp: Warp, instruction: Instruction): readonly LaneMessage[] {
  const { parameter, value } = instruction.message!;
  const all: LaneMessage[] = [];
  for (let lane = 0; lane < 32; lane++) {
    if (((warp.active >>> lane) & 1) === 0) continue;
    const given = read(warp, parameter, lane);
    const { own, peer, operation } = decodeMessage(given);
    const place = `kernel ${warp.home.kernel.name}, thread ${32 * warp.number + lane}, line ${instruction.at.line}`;
    if (operation > 1)
      throw new MessageFault(
        'E-OPCODE',
        `found the operation ${operation} in the message parameter ${given >>> 0}, expected 0 (send) or 1 (receive): ${place}`,
      );
    if (own[0] > coordinateMost)
      throw new MessageFault(
        'E-ADDR',
        `found the coordinate ${own[0]} in the message parameter ${given >>> 0}, expected 0 to ${coordinateMost}: ${place}`,
      );
    all.push({
      lane,
      operation: operation === 0 ? 'send' : 'receive',
      own,
      peer,
      value: read(warp, value, lane),
    });
  }
  return all;
}

const read = (warp: Warp, { slot, value }: LaneValue, lane: number): number =>
  slot < 0 ? value : warp.i[slot + lane]!;
