import type { Instruction } from '../ptx/instruction.ts';
import { laneMessages } from '../ptx/lane-messages.ts';
import { finishMessage } from '../ptx/step.ts';
import type { Warp } from '../ptx/warp.ts';
import type { CoreStatistics } from './statistics.ts';

/** Puts the values of a message instruction into the registers of its lanes, and goes on behind it (chiplet specification 4.1). */
export function keepValues(
  warp: Warp,
  instruction: Instruction,
  values: readonly number[],
  { counts }: CoreStatistics,
): void {
  const { result } = instruction.message!;
  for (const [at, { lane, operation }] of laneMessages(warp, instruction).entries()) {
    warp.i[result + lane] = values[at]!;
    if (operation === 'send') counts.messagesSent++;
    else counts.messagesReceived++;
  }
  finishMessage(warp);
}
