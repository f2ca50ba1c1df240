/** The CPEs that one CPE waits for in one step, itself included. */
export type Step = (tid: number) => readonly number[];

/** Which CPEs one knows of: bits of the tids 0..31 and 32..63. */
interface Known {
  readonly low: number;
  readonly high: number;
}

/**
 * True when after these steps everybody has waited, directly or through others, for everybody.
 *
 * Details: tids are 0..63; each member does the steps in order; who meets in a step knows afterwards of all that any of them knew of.
 */
export function allMeet(members: readonly number[], steps: readonly Step[]): boolean {
  let known = new Map(members.map((tid) => [tid, alone(tid)]));
  const everybody = members.map(alone).reduce(together, nobody);
  for (const step of steps)
    known = new Map(
      members.map((tid) => [
        tid,
        step(tid).reduce((sum, other) => together(sum, known.get(other) ?? nobody), nobody),
      ]),
    );
  return members.every((tid) => {
    const of = known.get(tid);
    return of?.low === everybody.low && of.high === everybody.high;
  });
}

const nobody: Known = { low: 0, high: 0 };
const alone = (tid: number): Known =>
  tid < 32 ? { low: 1 << tid, high: 0 } : { low: 0, high: 1 << (tid - 32) };
const together = (a: Known, b: Known): Known => ({ low: a.low | b.low, high: a.high | b.high });
