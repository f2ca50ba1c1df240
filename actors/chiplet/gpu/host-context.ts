import type { Address } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { Program } from '../../common/program.ts';
import type { DeviceMemory } from '../ptx/device-memory.ts';
import type { Kernel } from '../ptx/kernel.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import type { HostAnswer, HostCosts, HostOperation } from './host-operations.ts';
import type { KernelReport } from './statistics.ts';

/** The device of a GPU chiplet, as its host sees it. */
export interface HostDevice {
  readonly dispatcher: Address;
  readonly memory: DeviceMemory;
  readonly kernels: ReadonlyMap<string, Kernel>;
}

/** A host, and whom it knows. */
export interface HostInput {
  readonly self: Address;
  readonly own: ChipletAddress;
  readonly mailbox: Address;
  /** Null on a CPU chiplet. */
  readonly device: HostDevice | null;
  readonly program: Program<HostOperation, HostAnswer>;
  readonly costs: HostCosts;
  /** Data files by name. */
  readonly files: Readonly<Record<string, readonly number[]>>;
  /** Who is told when the program has ended; nobody when absent. */
  readonly watcher?: Address | undefined;
}

/** What a host waits for after an operation. */
export type Verdict = 'working' | 'kernel' | 'messages' | 'ended' | 'stopped';

/** What a host remembers. */
export interface HostContext {
  readonly spec: {
    readonly self: Address;
    readonly own: ChipletAddress;
    readonly mailbox: Address;
    readonly dispatcher: Address | null;
    readonly watcher: Address | null;
    readonly costs: HostCosts;
  };
  readonly kernels: Fixed<ReadonlyMap<string, Kernel>>;
  readonly files: Fixed<Readonly<Record<string, readonly number[]>>>;
  readonly memory: DeviceMemory | null;
  readonly program: Program<HostOperation, HostAnswer>;
  operation: HostOperation | null;
  answer: HostAnswer;
  /** The cycle in which the next operation begins; the first one is 1. */
  cycle: number;
  verdict: Verdict;
  reports: KernelReport[];
  /** Rounds in which it waited for messages. */
  receives: number;
  /** Output files by name. */
  outputs: Record<string, readonly number[]>;
  /** Indices of values received, by sender, for mailboxes that are read by index. */
  received: Record<string, number>;
}
