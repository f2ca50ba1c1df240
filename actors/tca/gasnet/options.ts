/** How bytes go from one node to another (TCA specification 12.3); B is a buffer of the runtime, M the memory of the program. */
export type Mode = 'MtoM' | 'BtoM' | 'MtoB' | 'BtoB';

/** What can be chosen about the runtime (TCA specification 11, 12). */
export interface GasnetOptions {
  /** Packets that a ring holds. */
  readonly slots: number;
  /** Bytes of a packet with its header of 64 bytes; a multiple of 64. */
  readonly slotBytes: number;
  /** Bytes of each of the two send buffers of mode BtoM. */
  readonly sendBufferBytes: number;
  /** When a receiver tells that slots are free: after each packet, or once half of the ring is. */
  readonly update: 'eager' | 'half';
  /** When a put is complete: at the answer of the target, or as soon as it has left the source. */
  readonly completion: 'acked' | 'local';
  /** Channels that may be used, ascending. */
  readonly channels: readonly number[];
  /** Smallest transfer that is split over channels. */
  readonly splitMin: number;
  /** The mode of all transfers for which it is legal. */
  readonly forceMode: Mode | 'auto';
  /** Descriptors that the cache keeps; 0 switches it off. */
  readonly cacheEntries: number;
  /** Splits packets over channels as well, which the specification rejects (12.8). */
  readonly parallelPackets: boolean;
  /** One transfer over several channels, or each over one. */
  readonly scheduler: 'split' | 'perRequest';
  /** Smallest rows that the block-stride engine is used for (TCA specification 12.5). */
  readonly minHwBlock: number;
}
