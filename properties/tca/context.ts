import { nodeOf, placeOf } from '../../actors/tca/address-map.ts';
import type { Descriptor } from '../../actors/tca/descriptor.ts';
import type { GasnetAnswer, GasnetCall } from '../../actors/tca/gasnet/calls.ts';
import type { MemoryWrite, TcaMessages } from '../../actors/tca/protocol.ts';
import type { TcaConfig, TcaPrograms } from '../../machines/tca/config.ts';
import { judgingOf } from '../judging.ts';

/** What properties of TCA nodes know of a run before it begins. */
export interface TcaKnown {
  readonly config: TcaConfig;
  readonly programs: TcaPrograms;
}

/**
 * Declares a property of TCA nodes.
 *
 * Details: what it remembers by name stands in objects, not in maps: those know in which order their keys came, which in one tick is nobody's business.
 */
export const tcaProperty = judgingOf<TcaMessages>();

/** What is remembered by name, in the order of the names. */
export const byName = <Value>(
  record: Readonly<Record<string, Value>>,
): readonly (readonly [string, Value])[] =>
  Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));

/** What is remembered by name together with the present tick. Links and routers know it, too: no state of the machine comes again in another one. */
export interface Timed<Value> {
  now: number;
  readonly byName: Record<string, Value>;
}

/** The parts of a property that keep such a memory. */
export const timed = <Value>() => ({
  begin: (): Timed<Value> => ({ now: 0, byName: {} }),
  advance: (memory: Timed<Value>, ticks: number): undefined => {
    memory.now += ticks;
  },
});

/** The names under which the parts of a node appear in reports. */
export const dmacName = (node: number, channel: number): string => `Node[${node}].Dmac[${channel}]`;
export const isDmac = (name: string): boolean => name.includes('.Dmac[');
export const isRouter = (name: string): boolean => name.endsWith('.Router');
export const isMemory = (name: string): boolean => name.endsWith('Memory');
export const isHostSwitch = (name: string): boolean => name.endsWith('.HostSwitch');
export const isLink = (name: string): boolean => name.includes('.Link.');
/** True for a cable between chips; the other links join a chip with its host. */
export const isCable = (name: string): boolean =>
  name.endsWith('.Link.E') || name.endsWith('.Link.W') || name.endsWith('.Link.S');

/** The number of a node by the name of any of its parts. */
export const nodeIn = (name: string): number =>
  name.startsWith(nodePrefix) ? Number.parseInt(name.slice(nodePrefix.length), 10) : -1;
const nodePrefix = 'Node[';

/** The number of a channel by the name of its DMA controller. */
export function channelIn(name: string): number {
  const at = name.indexOf(channelPrefix);
  return at < 0 ? -1 : Number.parseInt(name.slice(at + channelPrefix.length), 10);
}
const channelPrefix = '.Dmac[';

/** The bytes that one read brings, where they go, and whether it is the first of a block. */
export interface Piece {
  readonly src: number;
  readonly dst: number;
  readonly bytes: number;
  readonly first: boolean;
  readonly descriptor: Descriptor;
}

/** The reads of a descriptor: each block cut at multiples of the largest read; a word of internal RAM is one (TCA specification 4, 7). */
export function piecesOf(descriptor: Descriptor, largest: number): readonly Piece[] {
  const { src, dst, size, count, srcStride, dstStride, data } = descriptor;
  if (data) return [{ src, dst, bytes: size, first: true, descriptor }];
  return Array.from({ length: count }, (_, block) => {
    const from = src + block * srcStride;
    const ends: number[] = [];
    for (let end = (Math.floor(from / largest) + 1) * largest; end < from + size; end += largest)
      ends.push(end);
    return [...ends, from + size].map((end, k): Piece => {
      const begin = k === 0 ? from : ends[k - 1]!;
      const to = dst + block * dstStride + (begin - from);
      return { src: begin, dst: to, bytes: end - begin, first: k === 0, descriptor };
    });
  }).flat();
}

/** True when a write goes to the notify board of a node, which lies behind the memory for programs (TCA specification 9). */
export function isFlag({ addr }: Pick<MemoryWrite, 'addr'>, { cpuBytes }: TcaConfig): boolean {
  const { region, offset } = placeOf(addr);
  return region === 'cpu' && offset >= cpuBytes;
}

/** Identifies a write among all of a run. */
export const nameOfWrite = ({
  source,
  channel,
  seq,
}: Pick<MemoryWrite, 'source' | 'channel' | 'seq'>): string =>
  `write ${seq} of ${channel < 0 ? `Node[${source}].Cpu` : dmacName(source, channel)}`;

/** Cables between two nodes: round the ring by the shorter way, and one from ring to ring (TCA specification 2). */
export function hopsBetween({ topology, nodes }: TcaConfig, from: number, to: number): number {
  if (topology === 'pair') return from === to ? 0 : 1;
  const size = topology === 'dualRing' ? nodes / 2 : nodes;
  const apart = Math.abs((from % size) - (to % size));
  const across = Math.floor(from / size) === Math.floor(to / size) ? 0 : 1;
  return across + Math.min(apart, size - apart);
}

/** The node to which a write goes. */
export const targetOf = ({ addr }: MemoryWrite): number => nodeOf(addr);

/** By node the calls of its program and of its handlers to GASNet that have no answer yet, or what is to be known of each. */
export type OpenCalls<Known = GasnetCall['call']> = Known[][];

/** No calls, on so many nodes. */
export const noCalls = <Known>(nodes: number): OpenCalls<Known> => Array.from({ length: nodes }, () => []);

/** A program of a node calls. The end of a handler has no answer of its own: the call goes on in which the handler ran. */
export function callBegins<Known>(
  open: OpenCalls<Known>,
  node: number,
  { call }: GasnetCall,
  known: Known,
): void {
  if (call !== 'handled') open[node]!.push(known);
}

/** The call that an answer ends; undefined when it asks for a handler. */
export const callEnds = <Known>(
  open: OpenCalls<Known>,
  node: number,
  { answer }: GasnetAnswer,
): Known | undefined => (answer === 'done' ? open[node]!.pop() : undefined);
