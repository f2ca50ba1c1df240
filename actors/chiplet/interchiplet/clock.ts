/*
 * Clocks (chiplet specification 9.3). A rate is the clock of a process, or of the network, divided by the clock of the system. Times of the
 * system are doubles: what a division leaves behind the point is kept until a clock is read.
 */

/** Time of the system in a cycle of a clock. */
export const systemTime = (cycle: number, rate: number): number => cycle / rate;

/** The cycle of a clock that has begun at a time of the system. */
export const cycleAt = (time: number, rate: number): number => Math.floor(time * rate);
