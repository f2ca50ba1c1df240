/**
 * By packet of a trace: the first cycle whose turns see it, when events of equal time come first in, first out (chiplet specification 5.3).
 *
 * Details: a packet at a whole number of cycles is in time for the turns of that cycle only when it was planned before they were, that is, when the
 * packet before it was sent before the turns of the cycle before. `times` do not decrease.
 */
export function seenCycles(times: ArrayLike<number>): Int32Array {
  const seen = new Int32Array(times.length);
  for (let i = 0; i < times.length; i++) {
    const time = times[i]!;
    const whole = Math.ceil(time);
    if (whole !== time) {
      seen[i] = whole;
      continue;
    }
    // The first one is planned before all turns but those of cycle 0.
    const before = i === 0 ? -1 : times[i - 1]!;
    const inTime = i === 0 ? time > 0 : before < time - 1 || (before === time - 1 && seen[i - 1] === before);
    seen[i] = inTime ? time : time + 1;
  }
  return seen;
}
