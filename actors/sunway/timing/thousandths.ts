/**
 * Times with fractions of a cycle are kept as integers: thousandths of a CPE cycle. What is due is rounded up once, at the end.
 */
export const perCycle = 1000;

/** Thousandths of a number of cycles that a table gives, with at most three digits after the point. */
export const thousandths = (cycles: number): number => Math.round(cycles * perCycle);

/** Thousandths that so many bytes take at a rate in bytes a cycle, rounded to the nearest. */
export const transferTime = (bytes: number, bytesPerCycle: number): number =>
  Math.round((bytes * perCycle) / bytesPerCycle);

/** Whole cycles, rounded up. */
export const wholeCycles = (time: number): number => Math.ceil(time / perCycle);
