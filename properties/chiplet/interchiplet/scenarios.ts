import fc from 'fast-check';
import type { ScriptStep } from '../../../actors/chiplet/interchiplet/script.ts';
import type { WrittenScenario } from '../../../scenarios/written.ts';

/*
 * Processes under a coordinator that come to their end whatever the order of arrivals: what they do together is a list, and each does its share in the
 * order of that list. Then they compete for locks, first all for one and then all for the other: times of the network are cut to whole cycles, so a
 * recorded order may be another one than that of the round before (chiplet specification 9.3, 9.6), and no process may stand in the way of it.
 */

/** What processes do, one after another. */
const joint = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      from: fc.nat(3),
      to: fc.nat(3),
      bytes: fc.constantFrom(1, 64, 100, 640, 4096),
    }),
  },
  fc.record({ kind: fc.constant('barrier' as const), uid: fc.constantFrom(200, 201) }),
  fc.record({ kind: fc.constant('launch' as const), to: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('compute' as const), who: fc.nat(3), cycles: fc.nat(900) }),
);

/** A lock that a process takes and gives back. */
const locked = fc.record({
  who: fc.nat(3),
  uid: fc.constantFrom(250, 251),
  cycles: fc.nat(300),
});

/** A list of what four processes do, with the clocks of processes and network. */
export interface JointWork {
  readonly steps: readonly JointStep[];
  readonly locks: readonly { readonly who: number; readonly uid: number; readonly cycles: number }[];
  readonly rates: readonly number[];
  readonly networkRate: number;
}
type JointStep = typeof joint extends fc.Arbitrary<infer T> ? T : never;

const workOf = (locks: fc.Arbitrary<JointWork['locks']>): fc.Arbitrary<JointWork> =>
  fc.record({
    steps: fc.array(joint, { minLength: 1, maxLength: 12 }),
    locks,
    rates: fc.array(fc.constantFrom(1, 0.5, 2, 3), { minLength: 4, maxLength: 4 }),
    networkRate: fc.constantFrom(1, 2, 0.5),
  });

/** Work without races: only the order of the list decides. */
export const orderedWork = workOf(fc.constant([]));

/** Work in which processes may also compete for locks. */
export const contendedWork = workOf(fc.array(locked, { maxLength: 6 }));

/** Where the four processes are. */
export const places = ['0,0', '0,1', '1,0', '1,1'] as const;
const coordinates = (index: number): [number, number] => [index >> 1, index & 1];

/** The script of each process. */
export function scriptsOf({ steps, locks }: JointWork): readonly (readonly ScriptStep[])[] {
  const scripts: ScriptStep[][] = places.map(() => []);
  for (const step of steps)
    switch (step.kind) {
      case 'compute':
        scripts[step.who]!.push(['compute', step.cycles]);
        break;
      case 'barrier':
        for (const script of scripts) script.push(['barrier', step.uid, 4]);
        break;
      case 'transfer':
        if (step.from === step.to) break;
        scripts[step.from]!.push(['send', ...coordinates(step.to), step.bytes]);
        scripts[step.to]!.push(['recv', ...coordinates(step.from), step.bytes]);
        break;
      case 'launch':
        // Launches of two who do not wait for each other would be a race.
        scripts[0]!.push(['launch', ...coordinates(step.to)]);
        scripts[step.to]!.push(['waitlaunch']);
    }
  for (const { who, uid, cycles } of [...locks].sort((one, other) => one.uid - other.uid))
    scripts[who]!.push(['lock', uid], ['compute', cycles], ['unlock', uid]);
  return scripts;
}

/** Generated processes under a coordinator (chiplet specification 9). */
export const coordinatorScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(contendedWork, fc.integer({ min: 1, max: 5 }))
  .map(([work, rounds]) => ({
    name: 'generated: processes',
    config: { coordinator: { rounds, error: 0, networkRate: work.networkRate } },
    programs: scriptsOf(work).map((script, index) => {
      const [x, y] = coordinates(index);
      return { x, y, clockRate: work.rates[index]!, script };
    }),
  }));
