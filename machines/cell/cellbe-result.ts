import type { MfcFigures } from '../../actors/cell/eib/mfc-queue.ts';
import type { RingScheduler } from '../../actors/cell/eib/ring-scheduler.ts';
import { hashOfMemories } from '../../actors/cell/fnv.ts';
import type { ByteMemory } from '../../actors/common/byte-memory.ts';
import type { CellbeConfig } from './cellbe-config.ts';

/** Least, mean and greatest of something; zeros when there was none. */
export interface Spread {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** What one element sent and received. GB are 10⁹ bytes. */
export interface ElementTraffic {
  readonly element: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly sentGBps: number;
  readonly receivedGBps: number;
}

/** How one ring was used. */
export interface RingUse {
  readonly dir: number;
  readonly ring: number;
  readonly packets: number;
  /** Part of its link cycles that were held, 0..1. */
  readonly occupation: number;
}

/** What a run of the Element Interconnect Bus yields (Cell specification 19). */
export interface CellbeResult {
  readonly name: string;
  readonly calibrated: boolean;
  /** From cycle 0 to the arrival of the last byte, latencies included. */
  readonly busCycles: number;
  /** busCycles at the bus clock; stretched by the calibration's efficiency when calibrated. */
  readonly seconds: number;
  /** Bytes that arrived. */
  readonly bytes: number;
  /** 10⁹ bytes a second over the whole run. */
  readonly GBps: number;
  readonly elements: readonly ElementTraffic[];
  readonly commands: number;
  readonly packets: number;
  readonly rings: readonly RingUse[];
  /** Of whole commands: from the program's wish, waiting for a place in the queue included, to the last byte in the store. */
  readonly latency: { readonly busCycles: Spread; readonly coreCycles: Spread; readonly ns: Spread };
  /** FNV-1a over all stores, element 0 first. */
  readonly memHash: string;
  /** True when a command is left that is not complete. */
  readonly incomplete: boolean;
  readonly exceptions: readonly { readonly element: string; readonly why: string }[];
  /** What a reader must know before quoting a figure. */
  readonly notes: readonly string[];
}

/** What the actors of a run are left with. */
export interface CellbeEnd {
  readonly mfcs: readonly { readonly figures: MfcFigures; readonly openCount: number }[];
  readonly stores: readonly {
    readonly bytes: ByteMemory;
    readonly bytesSent: number;
    readonly bytesReceived: number;
  }[];
  readonly scheduler: RingScheduler;
  readonly exceptions: readonly string[];
}

/** Puts the result together (Cell specification 19). */
export function cellbeResultOf(name: string, config: CellbeConfig, end: CellbeEnd): CellbeResult {
  const figures = end.mfcs.map((mfc) => mfc.figures);
  const sum = (of: (one: MfcFigures) => number) => figures.reduce((total, one) => total + of(one), 0);
  const { busClockGHz, coreClockGHz, calibration, calibrated, elements } = config;
  const busCycles = Math.max(0, ...figures.map(({ lastDone }) => lastDone));
  const clockGHz = busClockGHz * (calibrated ? calibration.efficiency : 1);
  const seconds = busCycles / (clockGHz * 1e9);
  const rate = (bytes: number) => (seconds === 0 ? 0 : bytes / seconds / 1e9);
  const commands = sum((one) => one.commands);
  const latency =
    commands === 0
      ? { min: 0, mean: 0, max: 0 }
      : {
          min: Math.min(...figures.map(({ latencyMin }) => latencyMin)),
          mean: sum((one) => one.latencySum) / commands,
          max: Math.max(...figures.map(({ latencyMax }) => latencyMax)),
        };
  const scaled = (factor: number): Spread => ({
    min: latency.min * factor,
    mean: latency.mean * factor,
    max: latency.max * factor,
  });
  const bytes = end.stores.reduce((total, { bytesReceived }) => total + bytesReceived, 0);
  return {
    name,
    calibrated,
    busCycles,
    seconds,
    bytes,
    GBps: rate(bytes),
    elements: end.stores.map(({ bytesSent, bytesReceived }, element) => ({
      element: elements[element]!,
      sentBytes: bytesSent,
      receivedBytes: bytesReceived,
      sentGBps: rate(bytesSent),
      receivedGBps: rate(bytesReceived),
    })),
    commands,
    packets: sum((one) => one.packets),
    rings: end.scheduler.rowPackets.map((packets, row) => ({
      dir: Math.floor(row / config.ringsPerDirection),
      ring: row % config.ringsPerDirection,
      packets,
      occupation: busCycles === 0 ? 0 : end.scheduler.rowLinkCycles[row]! / (elements.length * busCycles),
    })),
    latency: {
      busCycles: latency,
      coreCycles: scaled(coreClockGHz / clockGHz),
      ns: scaled(1 / clockGHz),
    },
    memHash: hashOfMemories(end.stores.map((store) => store.bytes)),
    incomplete: end.mfcs.some(({ openCount }) => openCount > 0),
    exceptions: end.exceptions.flatMap((why, element) =>
      why === '' ? [] : [{ element: elements[element]!, why }],
    ),
    notes: notesOf(config),
  };
}

/** Lines that say what the figures of a run are worth (Cell specification 19.3). */
export function notesOf({ calibrated, calibration }: CellbeConfig): readonly string[] {
  const open =
    'The ring order, the latencies and the command bus details are commonly cited values, not checked against the publications; command credits, list handling and alignment are our decisions.';
  if (!calibrated)
    return [
      'Ideal arbiter: the rules of the bus without any loss. Published figures, quoted from memory and unchecked, are lower where pairs are 5 or 6 hops apart, for a reason this model does not contain.',
      open,
    ];
  return [
    `Calibration, not validation: efficiency ${calibration.efficiency}, hop sum ${calibration.maxHopSumPerRing} a ring and ${calibration.sixHopHoldCycles} cycles for the longest paths are constants fitted to seven published figures with four distinct values.`,
    'The fit explains no mechanism, predicts nothing about other patterns, and leaves the published 186 GB/s of the one-hop pairs unexplained.',
    open,
  ];
}
