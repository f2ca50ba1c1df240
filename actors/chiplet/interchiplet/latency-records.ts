import { acknowledged, descriptions } from './commands.ts';
import { type Place, placeText, samePlace } from './place.ts';

/** What one transaction took in the network, in cycles of the network (chiplet specification 9.6). */
export interface DelayLine {
  /** The cycle in which it was injected. */
  readonly cycle: number;
  readonly source: Place;
  readonly target: Place;
  readonly description: number;
  /** Two for a plain transfer; four for one with an acknowledgement. */
  readonly latencies: readonly number[];
}

/** A delay line as the coordinator keeps it: all times are those of the system. */
export interface LatencyRecord extends DelayLine {
  /** Its line in the file, from 0: what tells records apart. */
  readonly line: number;
}

/** The records of delay lines, divided by the rate of the network's clock, in the order of their cycles; equal ones as in the file. */
export function recordsOf(lines: readonly DelayLine[], networkRate: number): readonly LatencyRecord[] {
  return lines
    .map(
      (one, line): LatencyRecord => ({
        ...one,
        line,
        cycle: one.cycle / networkRate,
        latencies: one.latencies.map((latency) => latency / networkRate),
      }),
    )
    .sort((one, other) => one.cycle - other.cycle);
}

/** The first record of a source, to whatever target. */
export const firstOfSource = (records: readonly LatencyRecord[], source: Place): LatencyRecord | undefined =>
  records.find((one) => samePlace(one.source, source));

/** The first record from a source to a target. */
export const firstOfPair = (
  records: readonly LatencyRecord[],
  source: Place,
  target: Place,
): LatencyRecord | undefined =>
  records.find((one) => samePlace(one.source, source) && samePlace(one.target, target));

/** Takes the record of a line out, if it is there. */
export function forgetLine(records: LatencyRecord[], line: number): void {
  const at = records.findIndex((one) => one.line === line);
  if (at >= 0) records.splice(at, 1);
}

/** True for records with an acknowledgement, which have four latencies. */
export const isAcknowledged = ({ description }: Pick<DelayLine, 'description'>): boolean =>
  (description & acknowledged) !== 0;

/** Sources by the text of their target, in the order in which their requests came to it. */
export type ArrivalOrders = Record<string, Place[]>;

/** The recorded order of launches or of locks: for each target its sources by the time at which their request had arrived. */
export function arrivalOrders(records: readonly LatencyRecord[], kind: 'launch' | 'lock'): ArrivalOrders {
  const arrivals = records
    .filter(({ description }) => (description & descriptions[kind]) !== 0)
    .map(({ source, target, cycle, latencies }) => ({ source, target, at: cycle + (latencies[1] ?? 0) }))
    .sort((one, other) => one.at - other.at);
  const orders: ArrivalOrders = {};
  for (const { source, target } of arrivals) {
    const key = placeText(target);
    orders[key] = [...(orders[key] ?? []), source];
  }
  return orders;
}
