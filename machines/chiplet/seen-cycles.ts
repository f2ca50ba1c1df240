/**
 * By packet of a trace: the first cycle whose turns may see it, when events of equal time come first in, first out (chiplet specification 5.3).
 *
 * Details: a packet at a whole number of cycles is in time for the turn of that cycle only when it was planned before the turn was, that is, when the
 * packet before it was sent before the turn before. `times` do not decrease; `periodOf` gives the cycles between turns of a packet's source.
 */
export function seenCycles(times: ArrayLike<number>, periodOf: (packet: number) => number): Int32Array {
  const seen = new Int32Array(times.length);
  for (let packet = 0; packet < times.length; packet++) {
    const time = times[packet]!;
    const whole = Math.ceil(time);
    seen[packet] = whole === time && !isInTime(times, packet, periodOf(packet)) ? time + 1 : whole;
  }
  return seen;
}

/** Whether a packet at a whole cycle comes before the turns of routers that have one every `period` cycles. */
function isInTime(times: ArrayLike<number>, packet: number, period: number): boolean {
  for (let at = packet; ; at--) {
    const time = times[at]!;
    // The first one is planned before all turns but those of cycle 0.
    if (at === 0) return time > 0;
    const before = times[at - 1]!;
    if (before !== time - period) return before < time - period;
  }
}
