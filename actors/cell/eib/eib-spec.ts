/**
 * Fixed numbers of an Element Interconnect Bus (Cell specification 19.1, 19.2). Times are in bus cycles, sizes in bytes; an element's number
 * is its place in `elements`, 0..N-1.
 */
export interface EibSpec {
  /** Names of the elements in the order in which the rings pass them: direction 0 upward, direction 1 downward. */
  readonly elements: readonly string[];
  readonly ringsPerDirection: number;
  /** Bytes that a ring and a port carry in one bus cycle. */
  readonly bytesPerBusCycle: number;
  /** A transfer is cut at multiples of this address into packets. */
  readonly packetBytes: number;
  /** Packets that one ring carries at once. */
  readonly maxPerRing: number;
  /** Longest path; a packet that would have farther to go takes the other direction. */
  readonly maxHops: number;
  /** Cycles between two starts on one ring. */
  readonly ringStartGapBusCycles: number;
  /** Commands, one a packet, that the command bus takes in one cycle. */
  readonly commandsPerBusCycle: number;
  /** Unfinished commands of an element's own program. */
  readonly mfcQueue: number;
  /** Unfinished commands that other elements gave to it. */
  readonly mfcProxyQueue: number;
  readonly maxDmaBytes: number;
  readonly maxListElements: number;
  readonly tagGroups: number;
  /** Elements served before all others, in this order. */
  readonly priority: readonly string[];
  /** Elements whose one port serves reads and writes together. */
  readonly sharedPort: readonly string[];
  /** From a program's wish to the arrival of the command at its MFC. */
  readonly issueBusCycles: number;
  /** Preparation of one command in the MFC, one command at a time. */
  readonly setupBusCycles: number;
  /** Fetching one element of a list. */
  readonly listFetchBusCycles: number;
  /** From the offer of a packet's command to the earliest start of the packet, at least 2. */
  readonly commandLatencyBusCycles: number;
  /** From a packet's last beat to its bytes in the receiver's store. */
  readonly dataPipelineBusCycles: number;
  /** Packets of one element between the offer of their command and their arrival. */
  readonly commandCredits: number;
  /** True for the fit of Cell specification 19.3, false for the ideal arbiter. */
  readonly calibrated: boolean;
  /** The constants of the fit; they say nothing about hardware. */
  readonly calibration: {
    /** Hops of all packets on one ring; a packet alone may have more. */
    readonly maxHopSumPerRing: number;
    /** Cycles for which a full packet of `maxHops` hops holds its segment. */
    readonly sixHopHoldCycles: number;
  };
}

/** Cycles for which `bytes` occupy a port: one for each 16 bytes begun (Cell specification 19.2). */
export const beatsOf = (spec: EibSpec, bytes: number): number => Math.ceil(bytes / spec.bytesPerBusCycle);

/**
 * The bus as published, with the ideal arbiter (Cell specification 19.1, 19.2): the defaults of the preset.
 *
 * Gotchas: ring order, latencies and command bus details are commonly cited values that were not checked; `commandCredits`, `sharedPort` as a rule of
 * the port, and the split of the latency into issue, setup and list fetch are decisions of this model.
 */
export const publishedEib: EibSpec = {
  elements: ['PPE', 'SPE1', 'SPE3', 'SPE5', 'SPE7', 'IOIF1', 'IOIF0', 'SPE6', 'SPE4', 'SPE2', 'SPE0', 'MIC'],
  ringsPerDirection: 2,
  bytesPerBusCycle: 16,
  packetBytes: 128,
  maxPerRing: 3,
  maxHops: 6,
  ringStartGapBusCycles: 3,
  commandsPerBusCycle: 1,
  mfcQueue: 16,
  mfcProxyQueue: 8,
  maxDmaBytes: 16384,
  maxListElements: 2048,
  tagGroups: 32,
  priority: ['MIC'],
  sharedPort: ['MIC'],
  issueBusCycles: 5,
  setupBusCycles: 15,
  listFetchBusCycles: 5,
  commandLatencyBusCycles: 50,
  dataPipelineBusCycles: 62,
  commandCredits: 32,
  calibrated: false,
  calibration: { maxHopSumPerRing: 8, sixHopHoldCycles: 10 },
};
