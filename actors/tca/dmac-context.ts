import type { Address } from '../../kernel/message.ts';
import type { AddressRanges } from './address-map.ts';
import type { Descriptor, ReadRequest } from './descriptor.ts';
import type { TcaParameters } from './parameters.ts';
import type { TcaOutbox } from './protocol.ts';

/** A channel of the DMA controller, and whom it knows. */
export interface DmacInput {
  readonly node: number;
  readonly channel: number;
  readonly tags: Address;
  readonly router: Address;
  readonly cpu: Address;
  readonly registers: Address;
  readonly ranges: AddressRanges;
  /** Whether chains are checked at the start, and a doorbell during a chain is refused (TCA specification 7, 8). */
  readonly strict: boolean;
  /** Decides which doorbells are lost where they are not refused; different for each channel. */
  readonly seed: number;
  readonly parameters: TcaParameters;
}

/** A read under way: its tag, and the bytes that have come. */
export interface Slot {
  readonly tag: number;
  readonly dst: number;
  bytes: Uint8Array;
  arrived: number;
  /** Read of the chip's own memory. */
  readonly internal: boolean;
}

/** A channel of the DMA controller. */
export interface DmacContext {
  readonly spec: DmacInput;
  chain: readonly Descriptor[];
  /** The descriptor at hand, and its reads. */
  descriptor: number;
  reads: readonly ReadRequest[];
  read: number;
  /** The reorder buffer: reads in the order in which they were issued. */
  slots: Slot[];
  /** Writes that the router has not taken into a transmit queue yet. */
  unaccepted: number;
  /** Whether somebody waits until there is none. */
  asked: boolean;
  /** Tags of the channel that nobody uses. */
  free: number;
  seq: number;
  /** Doorbells that came while a chain ran. */
  early: number;
  /** Chains finished: the performance counter. */
  finished: number;
  /** Whether it has asked for a turn that has not come. */
  turning: boolean;
  error: string | null;
}

export type DmacOut = TcaOutbox<'Dmac'>;
