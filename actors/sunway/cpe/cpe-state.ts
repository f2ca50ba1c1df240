import type { Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import { undrafted } from '../../../kernel/undraft.ts';
import type { Program } from '../../common/program.ts';
import type { CpeOperation } from '../cpe-api.ts';
import type { CpeFacts } from '../cpe-facts.ts';
import type { Primitive } from '../crts/primitive.ts';
import type { MemoryRoute } from '../engine/tbox-input.ts';
import type {
  CacheWalk,
  CoreTurn,
  DescriptorIssue,
  DrainRequest,
  FileAppend,
  LdmAllocate,
  LdmGather,
  LdmRead,
  LdmScatter,
  LdmStatics,
  LdmWrite,
  LockRelease,
  LockRequest,
  MemoryAccess,
  NodeAdd,
  ReplyWatch,
  SignalSend,
  SyncArrive,
  ThreadDone,
} from '../messages.ts';
import type { Answer } from '../operation.ts';
import type { KnownTable } from '../table/known-tables.ts';
import type { CallStep, ThreadStep } from './running.ts';

/** One CPE, and whom it knows. */
export interface CpeInput {
  readonly self: Address;
  readonly host: Address;
  readonly engine: Address;
  /** Its data cache; null when it has none. */
  readonly cache: Address | null;
  /** LDMs of the core group by tid. */
  readonly ldms: readonly Address[];
  readonly routes: readonly MemoryRoute[];
  readonly syncNet: Address;
  readonly locks: Address;
  readonly nodeLocks: Address;
  readonly nodeWords: Address;
  /** Where its signals and its file output go. */
  readonly signals: Address;
  readonly output: Address;
  readonly facts: Omit<CpeFacts, 'offline' | 'tables'>;
  /** Whether a bad argument stops the run. */
  readonly trap: boolean;
}

/** The same with all that a call may know, as long as nobody is offline and no table was made. */
export interface CpeSpec extends CpeInput {
  readonly facts: CpeFacts;
}

/** What a CPE is made from, with the facts of its calls. */
export const specOf = (input: CpeInput): CpeSpec => ({
  ...input,
  facts: { ...input.facts, offline: [], tables: [] },
});

/** The thread of a CPE. */
export interface CpeThread {
  readonly name: string;
  readonly arg: number;
  readonly flush: boolean;
  readonly program: Program<ThreadStep, Answer>;
}

/** One CPE. */
export interface CpeState {
  readonly spec: Fixed<CpeSpec>;
  now: number;
  thread: CpeThread | null;
  /** The call at hand, and what it has come to. */
  call: CpeOperation | null;
  script: Program<CallStep, Answer> | null;
  /** What it is doing, and what came of it. */
  step: Primitive | Extract<ThreadStep, { readonly op: 'statics' }> | null;
  answer: Answer;
  /** Transfers issued so far, and those that named a word of the runtime, by word. */
  transfers: number;
  issued: Map<number, number>;
  offline: number[];
  /** Parallel tables that the thread has made. */
  tables: readonly KnownTable[];
  /** What its programs have told, by name. */
  readonly told: Record<string, number | string>;
  /** The code of a refused call that stops the run; 0 for none. */
  fault: number;
}

/** What a CPE says. */
export type CpeSends =
  | CacheWalk
  | CoreTurn
  | DescriptorIssue
  | DrainRequest
  | FileAppend
  | LdmAllocate
  | LdmGather
  | LdmRead
  | LdmScatter
  | LdmStatics
  | LdmWrite
  | LockRelease
  | LockRequest
  | MemoryAccess
  | NodeAdd
  | ReplyWatch
  | SignalSend
  | SyncArrive
  | ThreadDone;

/** The way out of a CPE. */
export type CpeOut = Outbox<CpeSends>;

/** What a call may know at the moment. It outlives the recipe that asks. */
export function factsOf(c: CpeState): CpeFacts {
  const { facts } = c.spec.value;
  if (c.offline.length === 0 && c.tables.length === 0) return facts;
  return { ...facts, offline: [...undrafted(c.offline)], tables: [...undrafted(c.tables)] };
}
