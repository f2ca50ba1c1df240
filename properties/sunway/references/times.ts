import type { TimingGroup, TimingTable } from '../../../actors/sunway/timing/timing-table.ts';
import type { SunwayConfig } from '../../../machines/sunway/config.ts';

/*
 * The numbers of section 9.1 of the Sunway specification, written down a second time: what the machine uses is held against them. Units are CPE cycles.
 */

type Numbers = Readonly<Record<TimingGroup, Readonly<Record<string, number>>>>;

/** The levels `tlm` and `flit`. */
export const specified: Numbers = {
  clk: { cpe: 2250, mpe: 2100 },
  ldm: { latency: 4, bytesPerCycle: 64 },
  sldm: { latency: 60, hop: 4 },
  gld: { latency: 430 },
  dma: {
    getLatency: 441,
    getRamp: 14.2,
    getStep: 7.17,
    putLatency: 234,
    putStep: 6.83,
    putBlocking: 6,
    putPartialPenalty: 135,
    getReturn: 100,
    putGrant: 20,
    issueCost: 30,
    queueDepth: 8,
    window: 64,
  },
  tbox: { getBytesPerCycle: 17.85, putBytesPerCycle: 18.7 },
  mc: {
    getDescCost: 13,
    getBlockCost: 5.9,
    putFullBlock: 6,
    putCrowd: 2,
    putPartialUnit: 27.5,
    putMix: 7,
    writeBuffer: 64,
  },
  rma: {
    issueCost: 58,
    localTail: 56,
    bytesPerCycle: 25.6,
    arriveBase: 40,
    hopX: 4,
    hopY: 4,
    sharedOpTax: 0,
    getTurnaround: 40,
  },
  // These are no numbers of the specification, but what makes blocks and packets agree with its formulas.
  flit: {
    perCycle: 2,
    bufferFlits: 32,
    inject: 19,
    eject: 20,
    getTurnaround: 0,
    paiu: 53,
    grant: 16,
    access: 173,
    rowHit: 31,
    rowMiss: 93,
    rowCycle: 103,
  },
  sync: { base: 14, hop: 4 },
  faa: { latency: 430 },
  lock: { grantArray: 40, grantNode: 450 },
  spawn: { latency: 9000 },
  join: { latency: 600 },
  ring: { extra: 200 },
  cache: { hit: 4 },
  ptab: { lookup: 2 },
  poll: { cost: 1 },
};

/** What takes as long at every level: clocks, sizes of queues and windows. */
const unchanged: readonly string[] = ['clk.cpe', 'clk.mpe', 'dma.queueDepth', 'dma.window', 'mc.writeBuffer'];
/** What is added to a service that takes a cycle already. */
const added: readonly string[] = [
  ...['sldm.hop', 'sync.hop', 'rma.hopX', 'rma.hopY', 'ring.extra', 'rma.sharedOpTax', 'rma.getTurnaround'],
  ...['dma.getRamp', 'dma.getStep', 'dma.putStep', 'dma.putBlocking', 'dma.putPartialPenalty'],
  ...['dma.getReturn', 'dma.putGrant', 'mc.getDescCost', 'mc.getBlockCost'],
  ...['mc.putFullBlock', 'mc.putCrowd', 'mc.putPartialUnit', 'mc.putMix'],
];

/** Every transfer takes one cycle, every synchronisation one cycle (specification 2.2). */
function atOnce(group: string, name: string, value: number): number {
  const key = `${group}.${name}`;
  if (group === 'flit' || unchanged.includes(key)) return value;
  if (/bytesPerCycle$/i.test(name)) return Number.POSITIVE_INFINITY;
  return added.includes(key) ? 0 : 1;
}

/** The times of a run: those of the specification for its level of detail, and what its configuration says otherwise. */
export function timesOf({ fidelity, timing }: Pick<SunwayConfig, 'fidelity' | 'timing'>): TimingTable {
  const told = timing as Readonly<Partial<Record<string, Readonly<Record<string, number | undefined>>>>>;
  return Object.fromEntries(
    Object.entries(specified).map(([group, numbers]) => [
      group,
      Object.fromEntries(
        Object.entries(numbers).map(([name, value]) => [
          name,
          told[group]?.[name] ?? (fidelity === 'functional' ? atOnce(group, name, value) : value),
        ]),
      ),
    ]),
    // The type does not follow what is built entry by entry.
  ) as TimingTable;
}
