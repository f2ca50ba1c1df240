import { subTicks } from '../../actors/tca/parameters.ts';
import type { TcaConfig } from './config.ts';

/** A record of the event log of TCA nodes: a message, with its bytes as their number. */
export interface TcaRecord {
  readonly ev: string;
  readonly t: number;
  readonly from: string;
  readonly to: string;
  readonly data?: number;
  readonly source?: number;
  readonly slot?: number;
}

/** A number that changes at ticks: it has each value from its tick on. */
export interface Steps {
  readonly name: string;
  /** The most it can be. */
  readonly most: number;
  readonly steps: readonly { readonly t: number; readonly value: number }[];
}

/** Times in which a link was busy: first tick, and the one after the last. */
export interface BusyLink {
  readonly name: string;
  readonly busy: readonly (readonly [first: number, end: number])[];
}

/** From the doorbell of a node to the flag that another one has seen. */
export interface Transfer {
  readonly source: number;
  readonly target: number;
  readonly slot: number;
  readonly from: number;
  readonly to: number;
}

/** What pictures of a run show. */
export interface Timeline {
  /** Last tick. */
  readonly end: number;
  readonly nodes: number;
  readonly transfers: readonly Transfer[];
  /** Tags in flight of each channel that was used. */
  readonly tags: readonly Steps[];
  readonly links: readonly BusyLink[];
}

const nodeOf = (name: string): number => Number(/^Node\[(\d+)\]/.exec(name)?.[1] ?? -1);

/** What the event log of a run tells over time. */
export function timelineOf(config: TcaConfig, records: readonly TcaRecord[]): Timeline {
  const { tagsPerChannel } = config.parameters;
  const tags = new Map<string, { t: number; value: number }[]>();
  const links = new Map<string, [number, number][]>();
  const doorbells = new Map<number, number[]>();
  const transfers: Transfer[] = [];
  let end = 0;
  for (const record of records) {
    const { ev, t, from, to } = record;
    end = Math.max(end, t);
    if (ev === 'tag.grant' || ev === 'tag.free') {
      const steps = entryOf(tags, to);
      steps.push({ t, value: (steps.at(-1)?.value ?? 0) + (ev === 'tag.grant' ? 1 : -1) });
    } else if (ev.startsWith('tlp.') && from.includes('.Link.')) {
      const last = t - latencyOf(config, record);
      entryOf(links, from).push([last - wireBytesOf(config, record), last]);
    } else if (ev === 'dmac.doorbell') entryOf(doorbells, nodeOf(to)).push(t);
    else if (ev === 'flag.set') {
      const { source = 0, slot = 0 } = record;
      const rung = doorbells.get(source)?.findLast((one) => one <= t) ?? t;
      transfers.push({ source, target: nodeOf(to), slot, from: rung, to: t });
    }
  }
  return {
    end,
    nodes: config.nodes,
    transfers,
    tags: named(tags).map(([name, steps]) => ({
      name,
      most: tagsPerChannel[Number(/\[(\d+)\]$/.exec(name)?.[1])] ?? 64,
      steps,
    })),
    links: named(links).map(([name, busy]) => ({ name, busy })),
  };
}

/** By name, numbers in names in their order. */
const named = <T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...map].sort(([a], [b]) => (padded(a) < padded(b) ? -1 : 1));
const padded = (name: string): string => name.replace(/\d+/g, (digits) => digits.padStart(3, '0'));

function entryOf<K, T>(map: Map<K, T[]>, key: K): T[] {
  const known = map.get(key);
  if (known) return known;
  const made: T[] = [];
  map.set(key, made);
  return made;
}

function wireBytesOf({ parameters }: TcaConfig, { ev, data = 0 }: TcaRecord): number {
  const { readOverheadBytes, completionOverheadBytes, writeOverheadBytes } = parameters;
  if (ev === 'tlp.read') return readOverheadBytes;
  return data + (ev === 'tlp.completion' ? completionOverheadBytes : writeOverheadBytes);
}

/** Ticks from the end of a packet to its arrival (TCA specification 3). */
function latencyOf({ parameters }: TcaConfig, { ev, from }: TcaRecord): number {
  if (/\.Link\.[EWS]$/.test(from)) return subTicks * parameters.cableLatency;
  return from.endsWith('.Up') && ev === 'tlp.write' ? subTicks * parameters.hostInLatency : 0;
}

/** The share of each of `count` equal spans up to `end` in which a link was busy. */
export function utilisation({ busy }: BusyLink, end: number, count: number): readonly number[] {
  const shares = new Array<number>(count).fill(0);
  const span = Math.max(1, end) / count;
  for (const [first, last] of busy)
    for (let k = Math.max(0, Math.floor(first / span)); k < count && k * span < last; k++)
      shares[k]! += Math.max(0, Math.min(last, (k + 1) * span) - Math.max(first, k * span)) / span;
  return shares;
}

/** The highest value that a number has in each of `count` equal spans up to `end`. */
export function peaks({ steps }: Steps, end: number, count: number): readonly number[] {
  const most = new Array<number>(count).fill(0);
  const span = Math.max(1, end) / count;
  const place = (t: number): number => Math.min(count - 1, Math.floor(t / span));
  for (const [at, { t, value }] of steps.entries()) {
    const until = steps[at + 1]?.t ?? end;
    for (let k = place(t); k <= place(Math.max(t, until - 1)); k++) most[k] = Math.max(most[k]!, value);
  }
  return most;
}
