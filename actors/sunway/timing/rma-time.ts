import type { SpcDistance } from '../array/identity.ts';
import { thousandths, transferTime } from './thousandths.ts';
import type { TimingTable } from './timing-table.ts';

/** How long an RMA transfer occupies the RMA side of the engine of its cluster, in thousandths (Sunway specification 9.3). */
export const engineRma = ({ rma }: TimingTable, bytes: number): number =>
  transferTime(bytes, rma.bytesPerCycle);

/** The way between two clusters, in thousandths. */
export const hopTime = ({ rma }: TimingTable, distance: SpcDistance): number =>
  thousandths(rma.hopX) * distance.x + thousandths(rma.hopY) * distance.y;

/** What an operation takes longer because others of the array send as well; `senders` are all active ones, this one included. */
export const senderTax = ({ rma }: TimingTable, senders: number): number =>
  thousandths(rma.sharedOpTax) * Math.max(0, senders - 1);

/** When the engine works on a transfer. */
export interface EngineSlot {
  readonly start: number;
  /** All bytes have been read from the LDM; the engine is free again. */
  readonly end: number;
}

/** The slot of a transfer in an engine that is free from `free` on; the descriptor is there at `ready`. All in thousandths. */
export function engineSlot(timing: TimingTable, free: number, ready: number, bytes: number): EngineSlot {
  const start = Math.max(free, ready);
  return { start, end: start + engineRma(timing, bytes) };
}

/** When the issuer of a put or broadcast gets its local reply: after the source was read at `end`. */
export const localReply = ({ rma }: TimingTable, end: number): number => end + thousandths(rma.localTail);

/**
 * When bytes that were read from an LDM at `end` are in that of the receiver; its reply word counts then.
 *
 * Details: for a broadcast `distance` is the largest of its set, see `farthest`.
 */
export const arrival = (timing: TimingTable, end: number, distance: SpcDistance): number =>
  end + thousandths(timing.rma.arriveBase) + hopTime(timing, distance);

/** The largest way of a set of receivers. */
export function farthest(timing: TimingTable, distances: readonly SpcDistance[]): SpcDistance {
  return distances.reduce((most, one) => (hopTime(timing, one) > hopTime(timing, most) ? one : most), {
    x: 0,
    y: 0,
  });
}

/** When the engine of the target of a get may begin to read: the request was sent at `sent`. */
export const getRequestArrival = (timing: TimingTable, sent: number, distance: SpcDistance): number =>
  sent + hopTime(timing, distance) + thousandths(timing.rma.getTurnaround);
