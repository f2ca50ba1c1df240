import type { Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { Program } from '../../common/program.ts';
import type { MemoryRoute } from '../engine/tbox-context.ts';
import type {
  CoreTurn,
  LockRelease,
  LockRequest,
  MemoryAccess,
  NodeAdd,
  NodeLeave,
  SyncOffline,
  ThreadHalt,
  ThreadReap,
  ThreadStart,
} from '../messages.ts';
import type { MemoryRange, MpeOperation } from '../mpe-context.ts';
import type { Answer } from '../operation.ts';
import type { MpeProgram } from '../program.ts';
import type { TimingTable } from '../timing/timing-table.ts';

/** One host process, and whom it knows. */
export interface MpeInput {
  readonly self: Address;
  readonly cgn: number;
  /** The CPEs of its core group by tid. */
  readonly cpes: readonly Address[];
  readonly syncNet: Address;
  readonly nodeCross: Address;
  readonly nodeLocks: Address;
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

/** One host process. */
export interface MpeContext {
  readonly spec: Fixed<Omit<MpeInput, 'program'>>;
  readonly program: Program<MpeOperation, Answer>;
  now: number;
  call: MpeOperation | null;
  answer: Answer;
  initialised: boolean;
  slots: Slot[];
  /** Whether the threads were started as a group that was not joined. */
  group: boolean;
  /** What is waited for: a thread, or the lock or word that is asked for. */
  awaited: number;
  /** What the call at hand is waiting for; decides its state. */
  doing: 'over' | 'work' | 'memory' | 'join' | 'thread' | 'word' | 'lock' | 'unlock';
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
  | ThreadHalt
  | ThreadReap
  | ThreadStart;

/** The way out of a host process. */
export type MpeOut = Outbox<MpeSends>;

/** How a host process is named among cores: behind nothing, below zero. */
export const hostCore = (cgn: number): number => -1 - cgn;
