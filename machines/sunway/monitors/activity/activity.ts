import type { StaticDatum } from '../program-trace.ts';
import type { CoreId } from '../race/race-event.ts';

/** A transfer that an engine carried out, as a meter sees it. Cycles count from the start of the run. */
export interface TransferActivity {
  readonly transfer: number;
  readonly issuer: CoreId;
  readonly engine: 'dma' | 'rma';
  readonly action: 'get' | 'put' | 'broadcast';
  /** The call that issued it, and its number among the operations of its thread. */
  readonly call: string;
  readonly step: number;
  /** Where it is written, `axpy.ts:31`, as far as that was found. */
  readonly place?: string;
  /** Bytes that one receiver gets. */
  readonly bytes: number;
  /** Who gets a copy in its LDM; the one who is read, for an RMA get. */
  readonly partners: readonly CoreId[];
  /** DMA: first byte in main memory, and its blocks (Sunway specification 4.1). */
  readonly memory: number;
  readonly blockBytes: number;
  readonly gap: number;
  readonly issued: number;
  /** When it was complete, copies and all; undefined when it never was. */
  readonly done: number | undefined;
}

/** What cores wait for. */
export type WaitingFor = 'transfer' | 'barrier' | 'host' | 'lock' | 'threads';

/** A core waits from one cycle to another, the last one excluded. */
export interface WaitingSpan {
  readonly core: CoreId;
  readonly from: number;
  readonly to: number;
  readonly waitsFor: WaitingFor;
  /** The same in words that follow "waits". */
  readonly on: string;
  readonly call: string;
  readonly step: number;
  readonly place?: string;
  /** True for one that had not ended when the run was over. */
  readonly open?: boolean;
}

/** A call of the runtime from its begin to its end. */
export interface CallSpan {
  readonly core: CoreId;
  readonly from: number;
  readonly to: number;
  readonly call: string;
}

/** How a program used the LDM of its CPE. Offsets and sizes in bytes. */
export interface ScratchpadUse {
  readonly core: CoreId;
  /** The cycle in which its thread was started. */
  readonly from: number;
  /** Static data: variables and reply words, and where they end. */
  readonly statics: readonly StaticDatum[];
  readonly staticsEnd: number;
  /** Where the heap begins, the most bytes that were taken of it at one time, and what was still held. */
  readonly heapFirst: number;
  readonly heapPeak: number;
  readonly live: readonly { readonly address: number; readonly bytes: number }[];
  /** Where the heap ends, and where the data cache begins; stack and shared part lie between. */
  readonly heapEnd: number;
  readonly cacheFirst: number;
}

/** What a link between two routers of the 4x4 mesh carried, from cluster to cluster, headers of packets included. */
export interface LinkTraffic {
  readonly group: number;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

/** What the cores and engines of a node did in a run. */
export interface Activity {
  /** Cycles of the run. */
  readonly cycles: number;
  readonly calls: readonly CallSpan[];
  readonly waiting: readonly WaitingSpan[];
  readonly transfers: readonly TransferActivity[];
  readonly scratchpads: readonly ScratchpadUse[];
  /** As routers have counted; empty at a fidelity without routers. */
  readonly links: readonly LinkTraffic[];
}
