import type { NetworkShown } from '../../actors/chiplet/network/protocol.ts';
import type { NetworkConfig, TrafficConfig, TrafficPrograms } from '../../machines/chiplet/config.ts';
import type { NetworkAssembly } from '../../machines/chiplet/network-machine.ts';
import { firstDifference, type Reference } from '../with-reference.ts';
import {
  type PlainArrival,
  type PlainNetworkRun,
  type PlainPacket,
  plainNetwork,
} from './plain/plain-network.ts';
import { patternFault, plainPackets } from './plain/plain-traffic.ts';

/** Router turns that a plain network may take before it takes too long to compare. */
const turnsMost = 3_000_000;

/** The schedules of a scenario share what the plain network does. */
const known = new WeakMap<object, PlainNetworkRun | 'none'>();

function plainRun(
  config: NetworkConfig,
  programs: TrafficPrograms,
  madeUp: readonly PlainPacket[],
): PlainNetworkRun | undefined {
  const kept = known.get(programs);
  if (kept) return kept === 'none' ? undefined : kept;
  const made = plainNetwork(config, plainPackets(config, programs) ?? madeUp, turnsMost);
  known.set(programs, made ?? 'none');
  return made;
}

const inOrder = (arrivals: readonly PlainArrival[]): readonly PlainArrival[] =>
  [...arrivals].sort((one, other) => one.cycle - other.cycle || one.packet - other.packet);

/** Delays, counters, powers and the end of a network by itself are those of a plain network (chiplet specification 5). */
export const runsAsThePlainNetwork: Reference = (run, given, assembly) => {
  const { network } = given.config as TrafficConfig;
  const programs = given.programs as TrafficPrograms;
  const { packets } = (assembly as NetworkAssembly).plan;
  const plain = plainRun(network, programs, packets);
  if (!plain) return undefined;
  const arrivals: PlainArrival[] = [];
  run.probes$.subscribe(({ probe }) => {
    if (probe.type !== 'packet.finished') return;
    const { packet, cycle, delay } = probe as NetworkShown<'packet.finished'>;
    arrivals.push({ packet, cycle, delay });
  });
  return () =>
    ('pattern' in programs ? patternFault(programs, network.A, packets, network.ties) : undefined) ??
    firstDifference(
      { arrivals: inOrder(arrivals), ...(assembly as NetworkAssembly).result(run) },
      { arrivals: inOrder(plain.arrivals), ...plain.result },
    );
};
