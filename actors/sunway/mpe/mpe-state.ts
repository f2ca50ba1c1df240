import type { Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { Program } from '../../common/program.ts';
import type { MemoryRoute } from '../engine/tbox-input.ts';
import type {
  CoreTurn,
  LockRelease,
  LockRequest,
  MemoryAccess,
  NodeAdd,
  NodeLeave,
  SyncOffline,
  TaskLeave,
  TaskRequest,
  ThreadHalt,
  ThreadReap,
  ThreadStart,
} from '../messages.ts';
import type { MemoryRange } from '../mpe-api.ts';
import type { Answer } from '../operation.ts';
import type { MpeProgram } from '../program.ts';
import type { TimingTable } from '../timing/timing-table.ts';
import type { HostStep, Signalled } from './host-program.ts';

/** One host process, and whom it knows. */
export interface MpeInput {
  readonly self: Address;
  readonly cgn: number;
  /** The CPEs of its core group by tid. */
  readonly cpes: readonly Address[];
  readonly syncNet: Address;
  readonly nodeWords: Address;
  readonly nodeLocks: Address;
  readonly tasks: Address;
  /** Null where idle cycles are skipped. */
  readonly clock: Address | null;
  readonly routes: readonly MemoryRoute[];
  readonly memory: MemoryRange;
  readonly cross: MemoryRange;
  readonly timing: TimingTable;
  /** Whether a bad argument stops the run. */
  readonly trap: boolean;
  readonly program: MpeProgram;
}

/** What the thread of a CPE is to its host (specification 5.2). */
export type Slot = 'idle' | 'running' | 'finished' | 'offline';

/** A call of the program, and how far it is. */
interface CallAtHand {
  call: HostStep | null;
  answer: Answer;
  /** What the call is waiting for; decides its state. */
  doing:
    | 'between'
    | 'work'
    | 'memory'
    | 'join'
    | 'thread'
    | 'word'
    | 'lock'
    | 'unlock'
    | 'task'
    | 'handled'
    | 'over';
  /** The thread that is waited for, and the lock or word. */
  awaited: number;
  key: string;
}

/** A call that is left as it is while a signal is handled. */
export interface InterruptedCall extends CallAtHand {
  /** Whether what it waits for has come meanwhile. */
  arrived: boolean;
}

/** One host process. */
export interface MpeState extends CallAtHand {
  readonly spec: Fixed<Omit<MpeInput, 'program'>>;
  readonly program: Program<HostStep, Answer | Signalled>;
  now: number;
  /** Whether a handler is registered; signals that are not handled yet, in the order of arrival. */
  hears: boolean;
  signals: { readonly content: number; readonly tid: number; readonly sent: number }[];
  /** What the program is given next instead of an answer: that a signal has come. */
  signalled: Signalled | null;
  interrupted: InterruptedCall | null;
  initialised: boolean;
  slots: Slot[];
  /** Whether the threads were started as a group that was not joined. */
  group: boolean;
  fault: number;
  /** Results that the program has told, by name. */
  told: Record<string, number | string>;
}

/** What a host process says. */
export type MpeSends =
  | CoreTurn
  | LockRelease
  | LockRequest
  | MemoryAccess
  | NodeAdd
  | NodeLeave
  | SyncOffline
  | TaskLeave
  | TaskRequest
  | ThreadHalt
  | ThreadReap
  | ThreadStart;

/** The way out of a host process. */
export type MpeOut = Outbox<MpeSends>;

/** How a host process is named among cores: behind nothing, below zero. */
export const hostCore = (cgn: number): number => -1 - cgn;
