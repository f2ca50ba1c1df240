import type {
  BarrierCommand,
  LockCommand,
  ReadCommand,
  ResultAnswer,
  SyncAnswer,
  WriteCommand,
} from '../../../actors/chiplet/interchiplet/commands.ts';
import type { OrderWarning } from '../../../actors/chiplet/interchiplet/functional-coordinator.ts';
import type * as rounds from '../../../actors/chiplet/interchiplet/round-messages.ts';
import type { Observer } from '../../../kernel/explore/observer.ts';
import { judgingOf } from '../../judging.ts';

/** What properties of a coordinator know before a run begins. */
export interface InterchipletContext {
  /** Rates of the clocks of processes by name; 1 for those that are absent. */
  readonly rates: ReadonlyMap<string, number>;
  readonly networkRate: number;
  /** Bytes that a flit carries. */
  readonly flitBytes: number;
}

/** A property of coordinators, for one of them. */
export type InterchipletProperty = (context: InterchipletContext) => Observer;

/** What processes, coordinators and rounds say to each other and show, by type. */
interface Seen {
  'command.barrier': BarrierCommand;
  'command.lock': LockCommand & { readonly type: 'command.lock' };
  'command.unlock': LockCommand & { readonly type: 'command.unlock' };
  'command.write': WriteCommand;
  'command.read': ReadCommand;
  'answer.result': ResultAnswer;
  'answer.sync': SyncAnswer;
  'round.load': rounds.RoundLoad;
  'bench.add': rounds.BenchAdd;
  'record.used': rounds.RecordUsed;
  'records.discard': rounds.RecordsDiscard;
  'order.warning': OrderWarning;
  'barrier.opened': rounds.BarrierOpened;
}

/** Declares a property of coordinators. */
export const judging = judgingOf<Seen>();

export const functionalCoordinatorName = 'Coordinator.FunctionalDesk';
export const timingCoordinatorName = 'Coordinator.TimingDesk';

/** The clock of a process divided by the clock of the system. */
export const rateOf = ({ rates }: InterchipletContext, process: string): number => rates.get(process) ?? 1;

/** A place as a key. */
export const keyOf = ({ x, y }: { readonly x: number; readonly y: number }): string => `${x},${y}`;

/** Bits of `desc` (chiplet specification 9.2). */
export const bits = { launch: 0x10000, barrier: 0x20000, lock: 0x40000, unlock: 0x80000 } as const;
