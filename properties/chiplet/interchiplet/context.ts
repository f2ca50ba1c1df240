import { filter, map, type Observable } from 'rxjs';
import type {
  Answer,
  CycleCommand,
  FunctionalCommand,
  ReadCommand,
  WriteCommand,
} from '../../../actors/chiplet/interchiplet/commands.ts';
import type * as rounds from '../../../actors/chiplet/interchiplet/round-messages.ts';
import type { Property, RunStreams } from '../../property.ts';

/** What properties of a coordinator know of a run before it begins. */
export interface InterchipletContext {
  /** Rates of the clocks of processes by name; 1 for those that are absent. */
  readonly rates: ReadonlyMap<string, number>;
  readonly networkRate: number;
}

/** A property of a coordinator. */
export type InterchipletProperty = Property<InterchipletContext>;

/** What is said between processes, desks and rounds. */
export type InterchipletEvent =
  | FunctionalCommand
  | WriteCommand
  | ReadCommand
  | CycleCommand
  | Answer
  | rounds.RoundLoad
  | rounds.BenchAdd
  | rounds.ProcessEnded
  | rounds.RecordUsed
  | rounds.RecordsDiscard
  | rounds.NetworkRun;

/** A message as it was delivered. */
export interface Said {
  readonly from: string;
  readonly to: string;
  readonly event: InterchipletEvent;
  /** Number of the message, and of the one whose handling posted it. */
  readonly seq: number;
  readonly cause: number;
}

const spoken = /^(command|answer|round|bench|record|records|network|process\.ended)/;

/** What was said, in the order of delivery. */
export const saidIn = (run: RunStreams): Observable<Said> =>
  run.messages$.pipe(
    filter(({ message }) => spoken.test(message.event.type)),
    map(({ message, from, to }) => ({
      from,
      to,
      event: message.event as InterchipletEvent,
      seq: message.seq,
      cause: message.cause,
    })),
  );

export const functionalDeskName = 'Coordinator.FunctionalDesk';
export const timingDeskName = 'Coordinator.TimingDesk';

/** The clock of a process divided by the clock of the system. */
export const rateOf = ({ rates }: InterchipletContext, process: string): number => rates.get(process) ?? 1;

/** A place as a key. */
export const keyOf = ({ x, y }: { readonly x: number; readonly y: number }): string => `${x},${y}`;

/** Bits of `desc` (chiplet specification 9.2). */
export const bits = { launch: 0x10000, barrier: 0x20000, lock: 0x40000, unlock: 0x80000 } as const;
