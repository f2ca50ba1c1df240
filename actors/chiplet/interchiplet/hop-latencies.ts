import type { BenchLine } from './bench-line.ts';
import { type DelayLine, isAcknowledged } from './latency-records.ts';
import type { Place } from './place.ts';

/** Phase 2: what each transaction of a trace took. */
export type Phase2 = (bench: readonly BenchLine[]) => readonly DelayLine[];

/** Cycles of a header for one hop in an empty network: routing, VC, switch, crossbar, link (chiplet specification 5.5). */
export const hopCycles = 5;

/** Barriers and locks are kept there, whatever their target says (chiplet specification 9.7). */
const controller: Place = { x: 0, y: 0 };

const hopsBetween = (one: Place, other: Place): number =>
  Math.abs(one.x - other.x) + Math.abs(one.y - other.y);

/** Everything but transfers and launches goes to the controller. */
const routeEnd = ({ target, description }: BenchLine): Place =>
  (description & 0xe0000) === 0 ? target : controller;

interface Finished {
  readonly line: DelayLine;
  readonly at: number;
}

function finished(bench: BenchLine): Finished {
  const { sourceCycle, targetCycle, source, target, flits, description } = bench;
  const hops = hopsBetween(source, routeEnd(bench));
  const sent = flits - 1;
  const arrived = hopCycles * hops + flits - 1;
  const arrival = sourceCycle + arrived;
  const line = { cycle: sourceCycle, source, target, description };
  if (!isAcknowledged({ description })) return { line: { ...line, latencies: [sent, arrived] }, at: arrival };
  const injected = Math.max(arrival, targetCycle);
  // What is injected in the tick of the arrival, or the next, comes after that tick's work: the router sees it one tick later
  // (chiplet specification 5.3, order of insertion).
  const acknowledgement = hopCycles * hops + (injected <= arrival + 1 ? 1 : 0);
  return {
    line: { ...line, latencies: [sent, arrived, 0, acknowledgement] },
    at: injected + acknowledgement,
  };
}

/**
 * A network without contention: each packet takes five cycles a hop and one a flit behind the header (chiplet specification 5.5, 9.7).
 *
 * Details: lines come in the order in which transactions are over. Real networks add what packets wait for each other.
 */
export const hopLatencies: Phase2 = (bench) =>
  bench
    .map(finished)
    .sort((one, other) => one.at - other.at)
    .map(({ line }) => line);
