/** Reply words in the page of the runtime, on which blocking forms and collectives wait (specification 2.3, 3.3). */
export const runtimeWords = {
  /** Ends of blocking DMA. */
  dma: 0x40,
  /** Ends of blocking RMA at the side that issued it. */
  rma: 0x44,
  /** Arrivals of transfers of collectives. */
  collective: 0x48,
  /** Ends of transfers that a collective has issued, at the side that issued them. */
  collectiveSource: 0x4c,
} as const;
