import type { NetworkShown } from '../../actors/chiplet/network/protocol.ts';
import { coordinatesOf } from '../../actors/chiplet/network/topology/topology.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { type NetworkParts, type NetworkPlan, type WiredNetwork, wireNetwork } from './assembly.ts';
import { asRead } from './plan.ts';
import { type NetworkResult, networkResult } from './result.ts';
import type { TransactionRequest } from './transaction-text.ts';

/** A packet that arrived. */
export interface PacketDelay {
  /** Cycle in which it was sent, and the cycles that it took. */
  readonly time: number;
  readonly source: readonly number[];
  readonly target: readonly number[];
  readonly delay: number;
}

/** A network that runs by itself, without scenario and properties: for reports, comparisons and measurements. */
export class NetworkRun {
  readonly run: Run;
  readonly wired: WiredNetwork;

  constructor(
    readonly plan: NetworkPlan,
    readonly linkLength: number,
    options: RunOptions = {},
    parts?: NetworkParts,
  ) {
    this.wired = wireNetwork(plan, parts);
    this.run = new Run(this.wired.wiring, options);
  }

  /** Hands every packet that arrives to `take`, in the order of arrival. Called before the first step. */
  follow(take: (packet: PacketDelay) => void): void {
    const { topology, packets } = this.plan;
    this.run.probes$.subscribe(({ probe }) => {
      if (probe.type !== 'packet.finished') return;
      const { packet, delay } = probe as NetworkShown<'packet.finished'>;
      const { time, source, target } = packets[packet]!;
      take({
        time,
        source: coordinatesOf(topology, source),
        target: coordinatesOf(topology, target),
        delay,
      });
    });
  }

  /**
   * Hands the latency record of every transaction that is done to `take`, as a line, in the order of ending (chiplet specification 9.6, 9.7).
   * `requests` are those of the trace, in its order.
   */
  followTransactions(requests: readonly TransactionRequest[], take: (line: string) => void): void {
    const read = asRead(this.plan.ties, requests, ({ packet }) => packet.time);
    this.run.probes$.subscribe(({ probe }) => {
      if (probe.type !== 'transaction.finished') return;
      const { request, arrival, acknowledgement } = probe as NetworkShown<'transaction.finished'>;
      const { packet, source, target, descriptor } = read[request]!;
      const latencies = [packet.size - 1, arrival - packet.time];
      if (acknowledgement) latencies.push(0, acknowledgement.arrived - acknowledgement.sent);
      const whole = latencies.map(Math.trunc);
      take([packet.time, ...source, ...target, descriptor, whole.length, ...whole].join(' '));
    });
  }

  /** Runs up to a cycle, its turns and what comes before the next ones included. */
  until(cycle: number): void {
    this.run.until(2 * cycle + 1);
  }

  toEnd(): NetworkResult {
    this.run.toEnd();
    return this.result();
  }

  /** What has been done so far; `now` is the cycle until which powers are averaged when the run goes on. */
  result(now?: number): NetworkResult {
    return networkResult(this.run, this.wired, this.plan, this.linkLength, now);
  }
}
