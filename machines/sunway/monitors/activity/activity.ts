import type { CoreId } from '../race/race-event.ts';

/** A transfer that an engine carried out, as a meter sees it. Cycles count from the start of the run. */
export interface TransferActivity {
  readonly transfer: number;
  readonly issuer: CoreId;
  readonly engine: 'dma' | 'rma';
  readonly action: 'get' | 'put' | 'broadcast';
  /** The call that issued it. */
  readonly call: string;
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
export type WaitingFor = 'transfer' | 'barrier' | 'host' | 'lock' | 'group';

/** A core waits from one cycle to another, the last one excluded. */
export interface WaitingSpan {
  readonly core: CoreId;
  readonly from: number;
  readonly to: number;
  readonly waitsFor: WaitingFor;
  readonly call: string;
}

/** A call of the runtime from its begin to its end. */
export interface CallSpan {
  readonly core: CoreId;
  readonly from: number;
  readonly to: number;
  readonly call: string;
}

/** What the cores and engines of a node did in a run. */
export interface Activity {
  /** Cycles of the run. */
  readonly cycles: number;
  readonly calls: readonly CallSpan[];
  readonly waiting: readonly WaitingSpan[];
  readonly transfers: readonly TransferActivity[];
}
