import type { Address } from '../../../kernel/message.ts';
import type { Place } from './place.ts';

/*
 * What processes and coordinator say to each other (chiplet specification 9.2). A functional command is answered by RESULT when what it asks
 * for has happened; a timing command by SYNC with the cycle, in the clock of its process, in which the process goes on.
 */

/** Bits of the `desc` of a WRITE or READ (chiplet specification 9.2); a barrier has its count in the low 16 bits. */
export const descriptions = { launch: 0x10000, barrier: 0x20000, lock: 0x40000, unlock: 0x80000 } as const;

/** The bits of a `desc` that make a transaction one with an acknowledgement. */
export const acknowledged = 0xf0000;

/** The largest count that the `desc` of a barrier has room for. */
export const barrierCountMax = 0xffff;

interface FromProcess {
  /** The process that waits for the answer. */
  readonly by: Address;
  /** The chiplet that the command is about as its source. */
  readonly source: Place;
}

/** Asks for the pipe from `source` to `target`, to write into it or to read from it. */
export interface PipeCommand extends FromProcess {
  readonly type: 'command.send' | 'command.receive';
  readonly target: Place;
}

/** Comes to a barrier; a count of 0 says nothing about how many meet. */
export interface BarrierCommand extends FromProcess {
  readonly type: 'command.barrier';
  readonly uid: number;
  readonly count: number;
}

/** Asks for a lock, or gives it back. */
export interface LockCommand extends FromProcess {
  readonly type: 'command.lock' | 'command.unlock';
  readonly uid: number;
}

/** Launches the program of `target`, or, as that program, waits for it: from `source`, or from anybody. */
export interface LaunchCommand extends FromProcess {
  readonly type: 'command.launch' | 'command.waitlaunch';
  readonly target: Place;
}

/** Commands that make things happen, in no time (chiplet specification 9.4). */
export type FunctionalCommand = PipeCommand | BarrierCommand | LockCommand | LaunchCommand;

interface EndOfTransfer extends FromProcess {
  /** Cycle of the process, a whole number from 0. */
  readonly cycle: number;
  /** For barriers and locks (uid, 0). */
  readonly target: Place;
  readonly bytes: number;
  /** See `descriptions`. */
  readonly description: number;
}

/** Tells when, in the clock of the process, a transaction was begun at its source. */
export interface WriteCommand extends EndOfTransfer {
  readonly type: 'command.write';
}

/** Tells when, in the clock of the process, a transfer or launch was waited for at its target. */
export interface ReadCommand extends EndOfTransfer {
  readonly type: 'command.read';
}

/** One end of a transaction. */
export type TransferCommand = WriteCommand | ReadCommand;

/** The last cycle of a process, in its own clock. */
export interface CycleCommand {
  readonly type: 'command.cycle';
  readonly by: Address;
  readonly cycle: number;
}

/** What was asked for has happened: with a pipe, with the launcher, or with nothing. */
export interface ResultAnswer {
  readonly type: 'answer.result';
  readonly values: readonly (string | number)[];
}

/** The process goes on in this cycle of its own clock. */
export interface SyncAnswer {
  readonly type: 'answer.sync';
  readonly cycle: number;
}

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
