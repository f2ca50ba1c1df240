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

/** Records by the text of their source, each list in the order of cycles: what has not served yet. */
export type RecordBook = Record<string, LatencyRecord[]>;

/** The records of a round as a book. */
export function bookOf(records: readonly LatencyRecord[]): RecordBook {
  const book: RecordBook = {};
  for (const record of records) {
    const source = placeText(record.source);
    book[source] ??= [];
    book[source]!.push(record);
  }
  return book;
}

/** The first record of a source, to whatever target. */
export const firstOfSource = (book: RecordBook, source: Place): LatencyRecord | undefined =>
  book[placeText(source)]?.[0];

/** The first record from a source to a target. */
export const firstOfPair = (book: RecordBook, source: Place, target: Place): LatencyRecord | undefined =>
  book[placeText(source)]?.find((one) => samePlace(one.target, target));

/** Takes the record of a line out, if it is there. */
export function forgetRecord(
  book: RecordBook,
  { source, line }: Pick<LatencyRecord, 'source' | 'line'>,
): void {
  const list = book[placeText(source)] ?? [];
  const at = list.findIndex((one) => one.line === line);
  if (at >= 0) list.splice(at, 1);
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
