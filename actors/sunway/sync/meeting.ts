/** The CPEs that one CPE waits for in one step, itself included. */
export type Step = (tid: number) => readonly number[];

/**
 * True when after these steps everybody has waited, directly or through others, for everybody.
 *
 * Details: each member does the steps in order; who meets in a step knows afterwards of all that any of them knew of.
 */
export function allMeet(members: readonly number[], steps: readonly Step[]): boolean {
  let known = new Map(members.map((tid) => [tid, new Set([tid])]));
  for (const step of steps)
    known = new Map(
      members.map((tid) => [tid, new Set(step(tid).flatMap((other) => [...(known.get(other) ?? [])]))]),
    );
  return members.every((tid) => known.get(tid)?.size === members.length);
}
