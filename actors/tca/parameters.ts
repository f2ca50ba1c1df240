/** Sub-ticks of a cycle of 4 ns: one is the time of a byte on a link, 0.25 ns (TCA specification 3). The tick of the machine is a sub-tick. */
export const subTicks = 16;

/** Nanoseconds of so many sub-ticks. */
export const nanoseconds = (u: number): number => u / 4;

/** Delays in cycles of 4 ns and sizes in bytes (TCA specification 3). */
export interface TcaParameters {
  readonly mmioWriteLatency: number;
  readonly doorbellGap: number;
  readonly dmacStart: number;
  readonly descriptorFetch: number;
  readonly readIssueInterval: number;
  readonly blockOverhead: number;
  readonly bytesPerTag: number;
  readonly gpuReadLatency: number;
  readonly cpuReadLatency: number;
  readonly internalReadLatency: number;
  readonly tagHold: number;
  readonly tagsPerChannel: readonly number[];
  readonly completionOverheadBytes: number;
  readonly writeOverheadBytes: number;
  readonly readOverheadBytes: number;
  readonly chipOut: number;
  readonly cableLatency: number;
  readonly chipTransit: number;
  readonly hostInLatency: number;
  readonly gpuIngressFifoBytes: number;
  readonly gpuDrainNumerator: number;
  readonly gpuDrainDenominator: number;
  readonly pollDetect: number;
  readonly pollGapPerChannel: number;
  readonly gasnetPutSoftware: number;
  readonly descriptorBuildOnMiss: number;
  readonly perfCounterReadRoundTrip: number;
  readonly pioStoreFlush: number;
  readonly stopTail: number;
  readonly amDispatch: number;
}

/** Sub-ticks of a delay in cycles. */
export const inSubTicks = (cycles: number): number => cycles * subTicks;

/** DMA channels of a chip. */
export const channels = 4;
