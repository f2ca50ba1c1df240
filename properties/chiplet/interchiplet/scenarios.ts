import fc from 'fast-check';
import type { ScriptStep } from '../../../actors/chiplet/interchiplet/script.ts';
import type { WrittenScenario } from '../../../scenarios/written.ts';

/*
 * Processes under a coordinator that come to their end whatever the order of arrivals: what they do together is a list, and each does its share in the
 * order of that list. Locks that they compete for may stand anywhere in it, one or one in the other: nobody waits for anybody while he has one. The
 * order in which requests for a lock arrive in the network may be one that the list does not allow (chiplet specification 9.4, 9.6).
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
  fc.record({
    kind: fc.constant('sleep' as const),
    who: fc.nat(3),
    /** Of the host: as long as some commands take. */
    seconds: fc.constantFrom(0, 0.000_002, 0.000_05),
  }),
);

/** Locks that a process takes, one in the other, and gives back. */
const locked = fc.record({
  kind: fc.constant('lock' as const),
  who: fc.nat(3),
  uids: fc.constantFrom<readonly number[]>([250], [251], [250, 251]),
  cycles: fc.nat(300),
});

/** A list of what four processes do, with the clocks of processes and network. */
export interface JointWork {
  readonly steps: readonly JointStep[];
  readonly rates: readonly number[];
  readonly networkRate: number;
}
type Joint<T> = T extends fc.Arbitrary<infer Step> ? Step : never;
type JointStep = Joint<typeof joint> | Joint<typeof locked>;

const workOf = (step: fc.Arbitrary<JointStep>): fc.Arbitrary<JointWork> =>
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 14 }),
    rates: fc.array(fc.constantFrom(1, 0.5, 2, 3), { minLength: 4, maxLength: 4 }),
    networkRate: fc.constantFrom(1, 2, 0.5),
  });

/** Work without races: only the order of the list decides. */
export const orderedWork = workOf(joint);

/** Work in which processes may also compete for locks. */
export const contendedWork = workOf(fc.oneof({ weight: 2, arbitrary: joint }, locked));

/** Where the four processes are. */
export const places = ['0,0', '0,1', '1,0', '1,1'] as const;
const coordinates = (index: number): [number, number] => [index >> 1, index & 1];

/** The script of each process. */
export function scriptsOf({ steps }: JointWork): readonly (readonly ScriptStep[])[] {
  const scripts: ScriptStep[][] = places.map(() => []);
  for (const step of steps)
    switch (step.kind) {
      case 'compute':
        scripts[step.who]!.push(['compute', step.cycles]);
        break;
      case 'sleep':
        scripts[step.who]!.push(['sleep', step.seconds]);
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
        break;
      case 'lock': {
        const { who, uids, cycles } = step;
        for (const uid of uids) scripts[who]!.push(['lock', uid]);
        scripts[who]!.push(['compute', cycles]);
        for (const uid of [...uids].reverse()) scripts[who]!.push(['unlock', uid]);
        break;
      }
      default:
        return step satisfies never;
    }
  return scripts;
}

/** When rounds agree, and what a first round is given: the cycles of one before it, and latencies that may not be those of its messages. */
const rules = fc.record(
  {
    rounds: fc.integer({ min: 1, max: 5 }),
    error: fc.constantFrom(0, 0.005, 0.3, 1),
    previousCycles: fc.constantFrom(0, 100, 1000),
    flitBytes: fc.constantFrom(8, 63, 100, 8192),
    delay: fc.array(
      fc
        .tuple(fc.nat(2000), fc.nat(3), fc.nat(3), fc.integer({ min: 1, max: 70 }), fc.nat(40))
        .filter(([, from, to]) => from !== to)
        .map(([cycle, from, to, first, more]) =>
          [cycle, ...coordinates(from), ...coordinates(to), 0, 2, first, first + more].join(' '),
        ),
      { minLength: 1, maxLength: 4 },
    ),
  },
  { requiredKeys: ['rounds', 'error'] },
);

/** Generated processes under a coordinator (chiplet specification 9). */
export const coordinatorScenarios: fc.Arbitrary<WrittenScenario> = fc
  .tuple(contendedWork, rules)
  .map(([work, given]) => ({
    name: 'generated: processes',
    config: { ...given, networkRate: work.networkRate },
    programs: scriptsOf(work).map((script, index) => {
      const [x, y] = coordinates(index);
      return { x, y, clockRate: work.rates[index]!, script };
    }),
  }));
