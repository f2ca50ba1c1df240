import type { Address } from '../../kernel/message.ts';
import type { Program } from '../common/program.ts';
import type { AddressRanges } from './address-map.ts';
import type { Flag, NodeAnswer, NodeOperation } from './node-program.ts';
import type { TcaParameters } from './parameters.ts';

/** The processor of a node, and whom it knows. */
export interface CpuInput {
  readonly node: number;
  readonly dmacs: readonly Address[];
  /** What takes its stores into other nodes. */
  readonly router: Address;
  readonly registers: Address;
  readonly ranges: AddressRanges;
  /** Whether the driver refuses to load or start a channel that has not stopped. */
  readonly strict: boolean;
  readonly memories: Readonly<Record<'cpu' | 'gpu', Address>>;
  readonly copier: Address;
  readonly gpu: Address;
  /** The runtime of GASNet, to which the channels of the node belong then; absent on a node that has none. */
  readonly runtime?: Address;
  readonly program: Program<NodeOperation, NodeAnswer>;
  readonly parameters: TcaParameters;
  /** How a stop is detected: by polling the performance counters, or at no cost (TCA specification 8). */
  readonly stopDetect: 'counter' | 'ideal';
}

/** The processor of a node: its program, and what it has heard. */
export interface CpuContext {
  readonly spec: Omit<CpuInput, 'program'>;
  readonly program: Program<NodeOperation, NodeAnswer>;
  operation: NodeOperation | null;
  answer: NodeAnswer;
  /** Values that were written to each word of the board and that nobody waited for, as `source slot`, in their order. */
  flags: Map<string, number[]>;
  /** Flags that are still missing. */
  missing: Flag[];
  /** By channel: chains started, and chains finished as the chip counts them, with when. */
  started: number[];
  finished: number[];
  /** By channel: the code of its error, null without one. */
  errors: (string | null)[];
  /** By channel: chains that the driver has seen finished. */
  seen: number[];
  /** How many of the channels at hand are known to have stopped. */
  polled: number;
  /** Kernels of the GPU that have not ended. */
  kernels: number;
  /** With which code the job was ended; null while it was not. */
  exitCode: number | null;
  seq: number;
}
