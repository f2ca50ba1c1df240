import type { Primitive } from './crts/primitive.ts';
import type { DescriptorKind } from './descriptor.ts';

/*
 * What parts of a node show to observers, beside the messages. Nothing of it influences a run.
 */

/** A program calls a function of the runtime. `step` counts the operations of the thread, from 1: with it the place in the program can be found. */
export interface CallBegin {
  readonly type: 'call.begin';
  readonly core: number;
  readonly name: string;
  /** The operation as the program has made it: its arguments by name, and its own name as `op`. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly step: number;
}
/** The call returns, at a CPE with the number that it gives, where it gives one. */
export interface CallEnd {
  readonly type: 'call.end';
  readonly core: number;
  readonly name: string;
  readonly code: number;
  readonly given?: number;
}
/** A host process begins to handle a signal; `sent` is when its path took it. */
export interface SignalHandle {
  readonly type: 'signal.handle';
  readonly core: number;
  readonly tid: number;
  readonly sent: number;
}
/** FAULT: a call is refused; the run stops unless codes are returned. */
export interface CoreFault {
  readonly type: 'core.fault';
  readonly core: number;
  readonly name: string;
  readonly code: number;
}
/** The bytes of a put, or of a store, are in main memory. */
export interface MemoryVisible {
  readonly type: 'memory.visible';
  readonly memory: number;
  readonly len: number;
  readonly bsize: number;
  readonly stride: number;
  /** The transfer, or -1 for an access of a core. */
  readonly transfer: number;
  readonly core: number;
}
/** A transfer is complete: all copies delivered, puts written. */
export interface TransferComplete {
  readonly type: 'transfer.complete';
  readonly transfer: number;
  readonly kind: DescriptorKind;
}
/** An access of a CPE to its LDM has to try again: the engine touches the same bytes in this cycle (fidelity `flit`). */
export interface LdmConflict {
  readonly type: 'ldm.conflict';
  readonly core: number;
}
/** A data cache serves bytes of one line to its core; a line that it has to fill first shows as MEM_REQ before. */
export interface CacheAccess {
  readonly type: 'cache.access';
  readonly core: number;
  readonly kind: 'load' | 'store';
  readonly memory: number;
  readonly bytes: number;
}
/** A line leaves a data cache; a dirty one shows as MEM_REQ as well. */
export interface CacheDrop {
  readonly type: 'cache.drop';
  readonly core: number;
  readonly memory: number;
  readonly bytes: number;
}
/** A core waits, for what its primitive says. */
export interface CoreWaits {
  readonly type: 'core.waits';
  readonly core: number;
  readonly on: Primitive;
}
/** A core goes on with its program. */
export interface CoreRuns {
  readonly type: 'core.runs';
  readonly core: number;
}
