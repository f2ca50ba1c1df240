import type { PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import type { NetworkShown } from '../../actors/chiplet/network/protocol.ts';
import { routerAt } from '../../actors/chiplet/network/topology/topology.ts';
import { drained, inSlices, type Slice } from './in-slices.ts';
import { mergedTrace, type TraceLine } from './message-files.ts';
import { NetworkRun } from './network-run.ts';
import { planOf } from './plan.ts';
import type { NetworkResult } from './result.ts';
import { standstillOf } from './standstill.ts';
import type { RecordedLatencies } from './system-assembly.ts';
import type { SystemConfig } from './system-config.ts';

/** What the network made of a trace. */
export interface TracedNetwork {
  readonly result: NetworkResult;
  /** Cycles from sending to acceptance, by line of the trace; -1 for a packet that had not arrived at the end. */
  readonly delays: readonly number[];
}

/** Largest T that stands for a simulation without an end: then it ends with the last packet. */
const endless = 1e9;

/** Runs the network on a merged trace (chiplet specification 12: decoupled; 9.1: phase 2). */
export const networkOfTrace = (config: SystemConfig, lines: readonly TraceLine[]): TracedNetwork =>
  drained(tracedNetwork(config, lines));

/** As `networkOfTrace`, slice by slice. */
export function* tracedNetwork(
  { network: net }: SystemConfig,
  lines: readonly TraceLine[],
): Generator<Slice, TracedNetwork> {
  const packets = lines.map(
    ({ time, src, dst, flits }): PacketOrder => ({
      time,
      source: routerAt({ side: net.A }, src),
      target: routerAt({ side: net.A }, dst),
      size: flits,
    }),
  );
  const network = new NetworkRun(planOf(net, packets), net.L);
  const delays = new Array<number>(packets.length).fill(-1);
  network.run.probes$.subscribe(({ probe }) => {
    if (probe.type !== 'packet.finished') return;
    const { packet, delay } = probe as NetworkShown<'packet.finished'>;
    delays[packet] = delay;
  });
  yield* inSlices(network.run);
  const now = net.T >= endless ? Math.ceil(network.run.outcome.ticks / 2) : undefined;
  const standstill = network.run.outcome.deadlock && standstillOf(network.run, network.wired, network.plan);
  return { result: { ...network.result(now), ...(standstill && { standstill }) }, delays };
}

/** The latency records of a round: by pair, message by message; latencies are truncated to integers (chiplet specification 9.7). */
export function latenciesOf(lines: readonly TraceLine[], delays: readonly number[]): RecordedLatencies {
  const records: Record<string, { sender: number; receiver: number }[]> = {};
  for (const [index, { src, dst, flits }] of lines.entries()) {
    const delay = delays[index]!;
    if (delay < 0) continue;
    const pair = `${src.join(',')}>${dst.join(',')}`;
    records[pair] ??= [];
    records[pair].push({ sender: flits - 1, receiver: Math.trunc(delay) });
  }
  return records;
}

/** The traces of chiplets as one, in the order of time (chiplet specification 3.2). */
export const systemTrace = (traces: readonly (readonly TraceLine[])[]): readonly TraceLine[] =>
  mergedTrace(traces);
