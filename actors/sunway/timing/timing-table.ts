/** One parameter of the model of time: its default, what it says, and where the number comes from (Sunway specification 0, 9.1). */
export interface TimingRow {
  readonly value: number;
  /** What it is, with its unit where that is not CPE cycles. */
  readonly what: string;
  /** Tag of the origin: measured publicly, derived from such data, or a choice where the sources are silent. */
  readonly origin: 'public' | 'derived' | 'design';
  /** Smallest value that makes sense. */
  readonly least: number;
  /** True for a delay that is used as it is: a whole number of cycles. */
  readonly isWhole?: true;
}

const row = (value: number, origin: TimingRow['origin'], what: string, least = 0): TimingRow => ({
  value,
  what,
  origin,
  least,
});

const cycles = (...given: Parameters<typeof row>): TimingRow => ({ ...row(...given), isWhole: true });

const rate = (value: number, origin: TimingRow['origin'], what: string) => row(value, origin, what, 0.001);

/**
 * The parameters of the model of time with defaults and origins (Sunway specification 9.1); units are CPE cycles unless said.
 *
 * Details: measured numbers come from the successor chip; barrier, lock and start costs are estimates.
 */
export const timingRows = {
  clk: {
    cpe: row(2250, 'public', 'clock of the CPEs in MHz', 1),
    mpe: row(2100, 'public', 'clock of the MPE in MHz', 1),
  },
  ldm: {
    latency: cycles(4, 'public', 'load or store of the own LDM', 1),
    bytesPerCycle: rate(64, 'design', 'bytes a cycle of the CPE port: the vector unit has 512 bits'),
  },
  sldm: {
    latency: cycles(60, 'design', 'load or store of a remote part of shared LDM, and of the remote window'),
    hop: cycles(4, 'design', 'added for each hop between clusters'),
  },
  gld: { latency: cycles(430, 'design', 'uncached load or store of main memory') },
  dma: {
    getLatency: row(441, 'public', 'get of one block on an idle machine, issue to reply'),
    getRamp: row(14.2, 'derived', 'each of the blocks 2 to 8 of a get'),
    getStep: row(7.17, 'derived', 'each block of a get from the ninth on'),
    putLatency: row(234, 'derived', 'put without its blocks, issue to reply'),
    putStep: row(6.83, 'derived', 'each block of a put'),
    putBlocking: row(6, 'derived', 'added by the blocking form of a put'),
    putPartialPenalty: row(135, 'derived', 'once for a put with two or more partial units'),
    getReturn: row(100, 'derived', 'end of service of a get at the controller to its reply'),
    putGrant: row(20, 'derived', 'grant of the last block of a put to its reply'),
    issueCost: cycles(30, 'design', 'CPE busy with an issue; contained in the latencies'),
    queueDepth: row(8, 'design', 'descriptors of a CPE that an engine holds', 1),
    window: row(64, 'derived', 'blocks that an engine has outstanding (fidelity flit)', 1),
  },
  tbox: {
    getBytesPerCycle: rate(17.85, 'derived', 'bytes a cycle of the gets of one cluster'),
    putBytesPerCycle: rate(18.7, 'derived', 'bytes a cycle of the puts of one cluster'),
  },
  mc: {
    getDescCost: row(13, 'derived', 'controller time of the descriptor of a get'),
    getBlockCost: row(5.9, 'derived', 'controller time of a block of a get'),
    putFullBlock: row(6, 'derived', 'controller time of a completely overwritten block'),
    putCrowd: row(
      2,
      'derived',
      'added to it times the square of the part of the 64 CPEs with puts outstanding',
    ),
    putPartialUnit: row(27.5, 'derived', 'controller time of a partial unit'),
    putMix: row(7, 'derived', 'added once for a put with full and partial blocks'),
    writeBuffer: row(64, 'design', 'blocks that the write buffer of a controller holds', 1),
  },
  rma: {
    issueCost: cycles(58, 'derived', 'CPE busy with an issue'),
    localTail: row(56, 'derived', 'source read to local reply'),
    bytesPerCycle: rate(25.6, 'derived', 'bytes a cycle of the engine of one cluster'),
    arriveBase: row(40, 'derived', 'source read to arrival in the same cluster'),
    hopX: row(4, 'derived', 'each hop along a row of clusters'),
    hopY: row(4, 'derived', 'each hop along a column of clusters'),
    sharedOpTax: row(
      0,
      'derived',
      'added for every further active sender of the array; 25 fits measurements',
    ),
    getTurnaround: row(40, 'design', 'request of a get at the target to its first byte read'),
  },
  flit: {
    perCycle: row(
      2,
      'derived',
      'flits of one packet that a port moves in a cycle: 128 bytes in 10 flits are 25.6 bytes a cycle',
      1,
    ),
    bufferFlits: row(32, 'design', 'flits that an input port of a router holds', 10),
    inject: row(19, 'derived', 'first byte of a packet in its engine to the router of the cluster'),
    eject: row(20, 'derived', 'last flit out of the router to the engine; with the way in, rma.arriveBase'),
    getTurnaround: row(0, 'derived', 'request of a get in the engine of the target to its first byte read'),
    paiu: row(53, 'derived', 'way through a PAIU, in each direction'),
    grant: row(16, 'derived', 'claim of a block at the controller to its grant, when a slot is free'),
    access: row(173, 'derived', 'controller time of a get beside that of its bank and channel'),
    rowHit: row(31, 'design', 'bank to data when the row is open: 13.75 ns'),
    rowMiss: row(93, 'design', 'bank to data when another row is open: three times 13.75 ns'),
    rowCycle: row(103, 'design', 'bank busy when it opens a row: 45.75 ns'),
  },
  sync: {
    base: cycles(14, 'design', 'last arrival to release within a cluster', 1),
    hop: cycles(4, 'design', 'each hop between clusters'),
  },
  faa: { latency: cycles(430, 'design', 'fetch-and-add in memory') },
  lock: {
    grantArray: cycles(40, 'design', 'grant of a lock of a group of the array', 1),
    grantNode: cycles(450, 'design', 'grant of a lock of the node', 1),
  },
  spawn: { latency: cycles(9000, 'design', 'start of a thread', 1) },
  join: { latency: cycles(600, 'design', 'last thread ended to return of join or wait', 1) },
  ring: { extra: cycles(200, 'design', 'added to an access to the memory of another core group') },
  cache: { hit: cycles(4, 'design', 'access that hits the data cache', 1) },
  ptab: { lookup: cycles(2, 'design', 'lookup or write of a parallel table', 1) },
  poll: { cost: cycles(1, 'design', 'reply word reached to program going on', 1) },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TimingRow>>>>;

type Rows = typeof timingRows;

/** The name of a group of parameters, the part before the point in the specification. */
export type TimingGroup = keyof Rows;

/** The numbers of a run, `timing.dma.getLatency` and so on; see `timingRows` for what each is. */
export type TimingTable = {
  readonly [G in TimingGroup]: { readonly [N in keyof Rows[G]]: number };
};

/** Values that differ from the defaults. */
export type TimingChanges = {
  readonly [G in TimingGroup]?: { readonly [N in keyof Rows[G]]?: number | undefined } | undefined;
};

/** The table with some values changed. */
export function timingTable(changes: TimingChanges = {}): TimingTable {
  const groups = Object.entries(timingRows).map(([group, rows]) => {
    const given = (changes[group as TimingGroup] ?? {}) as Record<string, number | undefined>;
    const values = Object.entries<TimingRow>(rows).map(([name, { value }]) => [name, given[name] ?? value]);
    return [group, Object.fromEntries(values)];
  });
  // What is built entry by entry has the names of the rows, which the type system cannot follow.
  return Object.fromEntries(groups) as TimingTable;
}

/** The parameters that stand for no public measurement; reports say so. */
export const estimatedParameters: readonly string[] = Object.entries(timingRows).flatMap(([group, rows]) =>
  Object.entries<TimingRow>(rows)
    .filter(([, { origin }]) => origin === 'design')
    .map(([name]) => `${group}.${name}`),
);
