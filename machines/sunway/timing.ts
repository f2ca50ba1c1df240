import {
  type TimingChanges,
  type TimingTable,
  timingTable,
} from '../../actors/sunway/timing/timing-table.ts';
import type { SunwayConfig } from './config.ts';

/** More bytes a cycle than any transfer has. */
const anyBytes = 2 ** 40;

/** Every service in one cycle: for questions of meaning, not of time (specification 2.2). */
const functionalTiming: TimingChanges = {
  ldm: { latency: 1, bytesPerCycle: anyBytes },
  sldm: { latency: 1, hop: 0 },
  gld: { latency: 1 },
  dma: {
    getLatency: 1,
    getRamp: 0,
    getStep: 0,
    putLatency: 1,
    putStep: 0,
    putBlocking: 0,
    putPartialPenalty: 0,
    getReturn: 0,
    putGrant: 0,
    issueCost: 1,
  },
  tbox: { getBytesPerCycle: anyBytes, putBytesPerCycle: anyBytes },
  mc: { getDescCost: 0, getBlockCost: 0, putFullBlock: 0, putCrowd: 0, putPartialUnit: 0, putMix: 0 },
  rma: {
    issueCost: 1,
    localTail: 1,
    bytesPerCycle: anyBytes,
    arriveBase: 1,
    hopX: 0,
    hopY: 0,
    sharedOpTax: 0,
    getTurnaround: 0,
  },
  sync: { base: 1, hop: 0 },
  faa: { latency: 1 },
  lock: { grantArray: 1, grantNode: 1 },
  spawn: { latency: 1 },
  join: { latency: 1 },
  ring: { extra: 0 },
  cache: { hit: 1 },
  ptab: { lookup: 1 },
  poll: { cost: 1 },
};

/** The model of time of a run: the defaults or, at the functional level, single cycles, and what the configuration changes of them. */
export function timingOf({ fidelity, timing }: Pick<SunwayConfig, 'fidelity' | 'timing'>): TimingTable {
  // The schema has the keys of the rows, which its type does not say.
  const changes = timing as TimingChanges;
  if (fidelity !== 'functional') return timingTable(changes);
  const groups = Object.keys({ ...functionalTiming, ...changes }) as (keyof TimingChanges)[];
  return timingTable(
    Object.fromEntries(
      groups.map((group) => [group, { ...functionalTiming[group], ...changes[group] }]),
    ) as TimingChanges,
  );
}
