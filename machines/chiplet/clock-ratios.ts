/** Ticks of a system's calendar in the cycles of its clocks (chiplet specification 9.3). */
export interface ClockTicks {
  /** In a cycle of the network. */
  readonly network: number;
  /** In a cycle of each chiplet, in their order. */
  readonly chiplets: readonly number[];
}

/** Clock rates are thousandths of the network's. */
const thousandths = 1000;

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));

/**
 * The coarsest calendar on which every clock ticks on whole ticks. `rates` are cycles of a chiplet in a cycle of the network.
 *
 * Details: all cycles are even numbers of ticks, so that chiplets act in even ticks; what the network sees next comes in odd ones, after all sends of
 * its cycle.
 */
export function clockTicks(rates: readonly number[]): ClockTicks {
  const counts = rates.map((rate) => Math.round(rate * thousandths));
  const half = counts.reduce((multiple, count) => {
    const part = count / divisor(count, thousandths);
    return (multiple / divisor(multiple, part)) * part;
  }, 1);
  return { network: 2 * half, chiplets: counts.map((count) => (2 * half * thousandths) / count) };
}
