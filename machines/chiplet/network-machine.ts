import type { PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import { coordinatesOf, type Topology } from '../../actors/chiplet/network/topology/topology.ts';
import { invariant } from '../../kernel/errors.ts';
import type { Assembly, Given, Machine } from '../machine.ts';
import { mutantSentences, withMutants } from '../mutant.ts';
import { written } from '../pictures/drawing.ts';
import {
  type NetworkDetail,
  type NetworkPlan,
  soundNetwork,
  type WiredNetwork,
  wireNetwork,
} from './assembly.ts';
import {
  type NetworkConfig,
  type TrafficConfig,
  type TrafficPrograms,
  trafficConfig,
  trafficPrograms,
} from './config.ts';
import { type ChipletLogHeader, type HopRecord, heatMap, heatSketch } from './heat-map.ts';
import { networkMutants } from './mutants.ts';
import { networkScene } from './network-scene.ts';
import { networkMisfits, planOf } from './plan.ts';
import { type NetworkResult, networkResult } from './result.ts';
import { standstillFigures, standstillOf } from './standstill.ts';
import { readPacket, readTrace, type TraceFault, tooManyFlits } from './trace-text.ts';
import { packetsOf } from './traffic.ts';

/*
 * The network between chiplets by itself, with traffic that is given or made up.
 *
 * Time: popnet has turns of all routers at whole cycles, arrivals between them, and packets that are sent at any fraction of a cycle. Two ticks
 * of the kernel are a cycle. In tick 2c the routers have their turns of cycle c, one after the other in the order of their numbers when they draw
 * from one random stream. In tick 2c - 1 comes what the turns of cycle c are the first to see: flits that arrived, credits, packets. Nothing else of
 * the order within a cycle matters: arrivals at different ports, credits and packets touch different parts of a router, and packets are
 * told one after the other, in the order of the trace. Of events at the same time, first in is first out:
 *
 * - a flit that leaves in cycle c and takes w cycles is seen by cycle c + ceil(w); with w = 1 it arrives just after the turns and is seen one later;
 * - a credit is on its way for one cycle, and comes after the turns of that cycle: it is seen two cycles later;
 * - a packet at a whole time T is seen by cycle T when the packet before it in the trace was sent before the turns of cycle T - 1, else by T + 1
 *   (machines/chiplet/seen-cycles.ts).
 *
 * With `ties: heap` the clock keeps the binary heap of the seed edition and says which credits and packets come before the turns (actors/chiplet/
 * network/heap-clock.ts). The simulation ends with the first event after T, as the original does: mostly the turns of cycle T + 1.
 */

/** A run of a network. */
export type NetworkGiven = Given<TrafficConfig, TrafficPrograms>;

/** An assembled network, with what properties must know of it. */
export interface NetworkAssembly extends Assembly<NetworkResult> {
  readonly plan: NetworkPlan;
  readonly wired: WiredNetwork;
}

/** Traffic over the network between chiplets. */
export const networkMachine = {
  name: 'chiplet-network',
  config: trafficConfig,
  programs: trafficPrograms,
  mutants: mutantSentences(networkMutants),
  check,
  assemble,
  figures: (result) => [
    {
      label: 'packets',
      value: `${result.finished} of ${Math.max(result.injectedPackets, result.duePackets ?? 0)} arrived${lostText(result)}`,
    },
    { label: 'average delay', value: `${result.avgDelay.toFixed(3)} cycles` },
    { label: 'end', value: `cycle ${result.endTime}` },
    { label: 'flit hops', value: String(result.flitHops) },
    { label: 'power', value: `${result.totalPower.toPrecision(6)} W at 1 GHz` },
    ...standstillFigures(result),
  ],
  logHeader,
  picture: (given, records) =>
    written(logHeader(given).name, heatMap(logHeader(given), records as readonly HopRecord[])),
  sketch: (given, records, width) => heatSketch(logHeader(given), records as readonly HopRecord[], width),
} satisfies Machine<TrafficConfig, TrafficPrograms, NetworkResult>;

/** What a figure says of packets that were lost; nothing where none can be. */
export const lostText = ({ lostPackets }: NetworkResult): string =>
  lostPackets === undefined ? '' : `, ${lostPackets} lost`;

function logHeader({ name, config: { network } }: NetworkGiven): ChipletLogHeader {
  const topology = planOf(network, []).topology;
  return {
    format: 'chiplet-log/1',
    name,
    routers: Array.from({ length: topology.routers }, (_, router) => coordinatesOf(topology, router)),
  };
}

function assemble(given: NetworkGiven): NetworkAssembly {
  const { config, programs, mutants } = given;
  const { network } = config;
  const topology = planOf(network, []).topology;
  const packets = trafficOf(programs, topology);
  invariant(!('code' in packets), 'the traffic was checked');
  const plan = { ...planOf(network, packets), detail: detailOf(network, topology, packets, given) };
  const wired = wireNetwork(plan, withMutants(soundNetwork, networkMutants, mutants));
  const links = new Map(wired.links.map((link) => [link.address as number, link]));
  return {
    plan,
    wired,
    wiring: wired.wiring,
    result: (run) => {
      const standstill = run.outcome.deadlock && standstillOf(run, wired, plan);
      return {
        ...networkResult(run, wired, plan, network.L),
        duePackets: packets.filter(({ time }) => time <= plan.end).length,
        ...(standstill && { standstill }),
      };
    },
    scene: (run) => networkScene(run, wired, plan, logHeader(given), { cycleTicks: 2 }),
    follow: (run, take) => {
      run.messages$.subscribe(({ message: { to, event } }) => {
        if (event.type !== 'link.carry') return;
        const link = links.get(to)!;
        const { cycle, flit, channel } = event as unknown as Record<'cycle' | 'flit' | 'channel', number>;
        const record: HopRecord = {
          t: cycle,
          from: link.from,
          to: link.to,
          port: link.port,
          channel,
          flit: flit >> 2,
        };
        take(record);
      });
    },
  };
}

/** Virtual channels of all routers, and flits of all packets, up to which each channel is an actor where nothing else is said. */
const channelsMost = 500;
const flitsMost = 1000;

/** What the actors of a network are. Planted faults sit in channels; where schedules are explored, flits are no reason to do without them. */
function detailOf(
  { detail, V }: NetworkConfig,
  { routers, ports }: Topology,
  packets: readonly PacketOrder[],
  { mutants, faults, scheduled }: Pick<NetworkGiven, 'mutants' | 'faults' | 'scheduled'>,
): NetworkDetail {
  if (mutants.length > 0) return 'channel';
  if (detail !== 'auto') return detail;
  if (routers * ports * V > channelsMost) return 'router';
  const flits = packets.reduce((sum, { size }) => sum + size, 0);
  return scheduled || faults?.length || flits <= flitsMost ? 'channel' : 'router';
}

/** The packets of given or made-up traffic. */
function trafficOf(programs: TrafficPrograms, topology: Topology): readonly PacketOrder[] | TraceFault {
  if ('pattern' in programs) return packetsOf(programs, Math.round(Math.sqrt(topology.routers)));
  if ('file' in programs) return readTrace(programs.text ?? '', topology);
  const packets: PacketOrder[] = [];
  let flits = 0;
  for (const [index, numbers] of programs.packets.entries()) {
    const packet = readPacket(numbers.join(' '), index, topology);
    if ('code' in packet) return packet;
    const before = packets.at(-1)?.time ?? 0;
    if (packet.time < before)
      return {
        code: 'E-TRACE',
        line: index,
        found: `time ${packet.time} after ${before}`,
        expected: 'times that do not decrease',
      };
    flits += packet.size;
    const overfull = tooManyFlits(flits, index);
    if (overfull) return overfull;
    packets.push(packet);
  }
  return packets;
}

type CheckFinding = ReturnType<NonNullable<Machine['check']>>[number];

function check({ network }: TrafficConfig, programs: TrafficPrograms): readonly CheckFinding[] {
  const misfits = networkMisfits(network);
  if (misfits.length > 0)
    return misfits.map(({ key, found, expected }) => ({ path: ['config', 'network', key], found, expected }));
  const { topology } = planOf(network, []);
  if ('pattern' in programs && topology.coordinates !== 2)
    return [
      {
        path: ['programs', 'pattern'],
        found: `a pattern with ${topology.coordinates} numbers in an address`,
        expected: 'a trace or packets: patterns are for grids with two',
      },
    ];
  const packets = trafficOf(programs, topology);
  if (!('code' in packets)) return [];
  const { code, line, found, expected } = packets;
  return 'file' in programs
    ? [{ path: ['programs', 'file'], found: `${code} ${programs.file}:${line}: ${found}`, expected }]
    : [{ path: ['programs', 'packets', line], found: `${code} ${found}`, expected }];
}
