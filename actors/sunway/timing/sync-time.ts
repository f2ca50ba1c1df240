import { columnOf, rowOf, spcDistance } from '../array/identity.ts';
import type { TimingTable } from './timing-table.ts';

/** Last arrival to release of a pair barrier, in cycles (Sunway specification 9.4). */
export function pairBarrierCycles({ sync }: TimingTable, a: number, b: number): number {
  const { x, y } = spcDistance(a, b);
  return sync.base + sync.hop * (x + y);
}

/** Last arrival to release of a barrier of CPEs of one row or column, in cycles; bit i of the mask is column or row i. */
export function lineBarrierCycles({ sync }: TimingTable, mask: number): number {
  const lowest = Math.clz32(1) - Math.clz32(mask & -mask);
  const highest = Math.clz32(1) - Math.clz32(mask);
  return sync.base + sync.hop * ((highest >> 1) - (lowest >> 1));
}

/** Last arrival to release of a barrier of the whole array: a row barrier and a column barrier, in cycles. */
export const arrayBarrierCycles = (timing: TimingTable): number => 2 * lineBarrierCycles(timing, 0xff);

/** A barrier of all arrays of the node when all arrive at once, in cycles. */
export const nodeBarrierCycles = (timing: TimingTable): number =>
  2 * arrayBarrierCycles(timing) + 2 * timing.faa.latency + timing.ring.extra;

/** A load or store in the LDM of another CPE, in cycles: the window and the shared space (Sunway specification 9.1). */
export function remoteAccessCycles({ sldm }: TimingTable, from: number, to: number): number {
  const hops =
    Math.abs((columnOf(from) >> 1) - (columnOf(to) >> 1)) + Math.abs((rowOf(from) >> 1) - (rowOf(to) >> 1));
  return sldm.latency + sldm.hop * hops;
}

/** CPE cycles of a number of MPE cycles, rounded up (Sunway specification 2.2). */
export const cpeCyclesOfMpe = ({ clk }: TimingTable, cycles: number): number =>
  Math.ceil((cycles * clk.cpe) / clk.mpe);

/** The MPE cycle that a CPE cycle falls in. */
export const mpeCyclesOfCpe = ({ clk }: TimingTable, cycles: number): number =>
  Math.floor((cycles * clk.mpe) / clk.cpe);
