/** Bytes of the scratchpad of a CPE (specification 1). */
export const ldmBytes = 262_144;

/** Where static data begin: the bytes before belong to the runtime (specification 2.3). */
export const ldmStaticStart = 0x1000;

/** Words of the runtime in its own page. Each is a reply word that blocking forms and collectives wait on. */
export const runtimeWords = {
  /** Ends of blocking DMA. */
  dma: 0x40,
  /** Ends of blocking RMA at the side that issued it. */
  rma: 0x44,
  /** Ends of transfers of collectives at the receivers. */
  collective: 0x48,
} as const;
