import { crossBase, memoryBase, memoryPitch } from '../../../../actors/sunway/address/space.ts';
import { spcOf } from '../../../../actors/sunway/array/identity.ts';
import { type CoreId, coresPerGroup, groupOf } from '../race/race-event.ts';
import type { Activity, LinkTraffic, TransferActivity } from './activity.ts';

/** Bytes per CPE cycle of a memory controller at its peak: 51.2 GB/s at 2.25 GHz (Sunway specification 1). */
export const peakBytesPerCycle = 51.2 / 2.25;

/** What DMA moved through a memory controller. */
export interface ControllerFigures {
  /** The core group whose memory it keeps; that of group 0 keeps the cross segment, too. */
  readonly group: number;
  readonly getBytes: number;
  readonly putBytes: number;
  /** Cycles in which at least one DMA transfer to or from its memory was under way. */
  readonly busyCycles: number;
  /** Bytes per busy cycle, and that as a share of the peak. */
  readonly bytesPerCycle: number;
  readonly shareOfPeak: number;
}

/** Bytes and waits of a run by the parts that had them. */
export interface BandwidthFigures {
  readonly controllers: readonly ControllerFigures[];
  readonly links: readonly LinkTraffic[];
  /** By core: bytes of the transfers that it issued. */
  readonly issuedBytes: ReadonlyMap<CoreId, number>;
  /** By core: cycles that it waited. */
  readonly waitedCycles: ReadonlyMap<CoreId, number>;
}

/** Adds up a run. */
export function bandwidthOf({ transfers, waiting, links }: Activity): BandwidthFigures {
  const issuedBytes = new Map<CoreId, number>();
  const waitedCycles = new Map<CoreId, number>();
  const add = (to: Map<CoreId, number>, core: CoreId, amount: number) =>
    to.set(core, (to.get(core) ?? 0) + amount);
  for (const { issuer, bytes, partners, engine } of transfers)
    add(issuedBytes, issuer, bytes * (engine === 'dma' ? 1 : partners.length));
  for (const { core, from, to } of waiting) add(waitedCycles, core, to - from);
  const dma = transfers.filter(({ engine }) => engine === 'dma');
  const groups = [...new Set(dma.map(({ memory }) => keeperOf(memory)))].sort((a, b) => a - b);
  return {
    controllers: groups.map((group) => controllerFigures(group, dma)),
    // Without routers links are known from the routes of RMA transfers only.
    links: links.length > 0 ? links : linkFigures(transfers),
    issuedBytes,
    waitedCycles,
  };
}

/** The core group whose controller keeps an address of main memory. */
const keeperOf = (memory: number): number =>
  memory >= crossBase ? 0 : Math.max(0, Math.floor((memory - memoryBase) / memoryPitch));

function controllerFigures(group: number, transfers: readonly TransferActivity[]): ControllerFigures {
  const mine = transfers.filter(({ memory }) => keeperOf(memory) === group);
  const sum = (put: boolean): number =>
    mine.reduce((bytes, one) => bytes + ((one.action === 'put') === put ? one.bytes : 0), 0);
  const [getBytes, putBytes] = [sum(false), sum(true)];
  const busyCycles = covered(
    mine.flatMap(({ issued, done }) => (done === undefined ? [] : [[issued, done]])),
  );
  const bytesPerCycle = busyCycles === 0 ? 0 : (getBytes + putBytes) / busyCycles;
  return {
    group,
    getBytes,
    putBytes,
    busyCycles,
    bytesPerCycle,
    shareOfPeak: bytesPerCycle / peakBytesPerCycle,
  };
}

/** Length of the union of spans. */
function covered(spans: readonly (readonly number[])[]): number {
  let [length, end] = [0, 0];
  for (const [from, to] of [...spans].sort((a, b) => a[0]! - b[0]!)) {
    length += Math.max(0, to! - Math.max(from!, end));
    end = Math.max(end, to!);
  }
  return length;
}

/** RMA bytes by link: columns first, then rows (Sunway specification 8.5); a broadcast takes each link of its tree once. */
function linkFigures(transfers: readonly TransferActivity[]): readonly LinkTraffic[] {
  const bytesOf = new Map<string, LinkTraffic>();
  for (const { issuer, engine, action, bytes, partners } of transfers) {
    if (engine !== 'rma') continue;
    const group = groupOf(issuer);
    const clusterOf = (core: CoreId): number => spcOf(core % coresPerGroup);
    const taken = new Set<string>();
    for (const partner of partners) {
      const [first, last] = action === 'get' ? [partner, issuer] : [issuer, partner];
      for (const [from, to] of route(clusterOf(first), clusterOf(last))) {
        const key = `${group} ${from} ${to}`;
        if (taken.has(key)) continue;
        taken.add(key);
        const known = bytesOf.get(key) ?? { group, from, to, bytes: 0 };
        bytesOf.set(key, { ...known, bytes: known.bytes + bytes });
      }
    }
  }
  return [...bytesOf.values()].sort((a, b) => a.group - b.group || a.from - b.from || a.to - b.to);
}

/** The links that a packet takes from one cluster to another on the 4x4 grid. */
export function route(first: number, last: number): readonly (readonly [from: number, to: number])[] {
  const links: [number, number][] = [];
  let at = first;
  while (at !== last) {
    const sideways = Math.sign((last % 4) - (at % 4));
    const next = sideways !== 0 ? at + sideways : at + 4 * Math.sign((last >> 2) - (at >> 2));
    links.push([at, next]);
    at = next;
  }
  return links;
}
