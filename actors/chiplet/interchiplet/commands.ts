import type { Place } from './place.ts';
import type { InterchipletMessage } from './protocol.ts';

/** Bits of the `desc` of a WRITE or READ (chiplet specification 9.2); a barrier has its count in the low 16 bits. */
export const descriptions = { launch: 0x10000, barrier: 0x20000, lock: 0x40000, unlock: 0x80000 } as const;

/** The bits of a `desc` that make a transaction one with an acknowledgement. */
export const acknowledged = 0xf0000;

/** The largest count that the `desc` of a barrier has room for. */
export const barrierCountMax = 0xffff;

/** Asks for the pipe from `source` to `target`, to write into it or to read from it. */
export type PipeCommand = InterchipletMessage<'command.send' | 'command.receive'>;
export type BarrierCommand = InterchipletMessage<'command.barrier'>;
export type LockCommand = InterchipletMessage<'command.lock' | 'command.unlock'>;
export type LaunchCommand = InterchipletMessage<'command.launch' | 'command.waitlaunch'>;
/** Commands that make things happen, in no time (chiplet specification 9.4). */
export type FunctionalCommand = PipeCommand | BarrierCommand | LockCommand | LaunchCommand;
/** Tells when, in the clock of the process, a transaction was begun at its source, or a transfer or launch was waited for at its target. */
export type WriteCommand = InterchipletMessage<'command.write'>;
export type ReadCommand = InterchipletMessage<'command.read'>;
/** One end of a transaction. */
export type TransferCommand = WriteCommand | ReadCommand;
export type CycleCommand = InterchipletMessage<'command.cycle'>;
export type ResultAnswer = InterchipletMessage<'answer.result'>;
export type SyncAnswer = InterchipletMessage<'answer.sync'>;
/** What a coordinator answers. */
export type Answer = ResultAnswer | SyncAnswer;

/** The place that barriers and locks have in records and traces. */
export const uidPlace = (uid: number): Place => ({ x: uid, y: 0 });

/** The `desc` that the WRITE of a functional command has; 0 for the pipe. */
export function descriptionOf(command: FunctionalCommand): number {
  switch (command.type) {
    case 'command.barrier':
      return descriptions.barrier | command.count;
    case 'command.lock':
      return descriptions.lock;
    case 'command.unlock':
      return descriptions.unlock;
    case 'command.launch':
    case 'command.waitlaunch':
      return descriptions.launch;
    case 'command.send':
    case 'command.receive':
      return 0;
    default:
      return command satisfies never;
  }
}

/** The target that the WRITE of a functional command has. */
export const targetOf = (command: FunctionalCommand): Place =>
  'target' in command ? command.target : uidPlace(command.uid);
