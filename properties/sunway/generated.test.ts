import { describe, expect, test } from 'vitest';
import { RandomChoices, TapeChoices } from '../../kernel/choices.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import type { Given } from '../../machines/machine.ts';
import { type SunwayConfig, type SunwayPrograms, sunwayConfig } from '../../machines/sunway/config.ts';
import { sunwayMutants } from '../../machines/sunway/mutants.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { Campaign } from '../explore/campaign.ts';
import { GeneratedSubject } from '../explore/subject.ts';
import { Trials } from '../explore/trial.ts';
import { caughtBy } from './invariants.ts';
import { sunwayMachineProperties } from './machine-properties.ts';
import { type PhaseKind, sunwayScenarios, sunwayScenariosOf } from './scenarios.ts';

type SunwayGiven = Given<SunwayConfig, SunwayPrograms>;

const subjectOf = (
  mutants: readonly string[] = [],
  arbitrary = sunwayScenarios,
  seed = 3,
): GeneratedSubject =>
  new GeneratedSubject({
    machine: sunwayMachine,
    properties: sunwayMachineProperties,
    arbitrary,
    seed,
    mutants,
  });

/** What a generated scenario gives the machine, with a configuration that differs. */
function givenOf(index: number, change: object, mutants: readonly string[] = []): SunwayGiven {
  const { name, config, programs } = subjectOf().scenario(index);
  const changed = sunwayConfig.parse({ ...(config as SunwayConfig), ...change });
  return { name, config: changed, programs: programs as SunwayPrograms, mutants, scheduled: true };
}

/** The n-th scenario whose programs come to their end: of those that a signal stops nobody knows how memory ends. */
function wholeGivenOf(n: number, change: object): SunwayGiven {
  for (let index = 0, met = 0; ; index++) {
    const given = givenOf(index, change);
    if (
      [given.programs].flat().every((one) => 'slave' in one && one.memory.after !== undefined) &&
      met++ === n
    )
      return given;
  }
}

const levels = [
  ['tlm', 1],
  ['tlm', 2],
  ['functional', 1],
  ['flit', 2],
] as const;

test.each([0, 1, 2, 3])(
  'a generated program ends with the memory of its sequential reference, whatever seed, fidelity and freedom: %i',
  (n) => {
    for (const [fidelity, seed] of levels) {
      const given = wholeGivenOf(n, { fidelity, fuzz: { maxJitter: 40 * seed, reorder: true } });
      const { wiring, result } = sunwayMachine.assemble(given);
      const run = new Run(wiring, { choices: new RandomChoices(seed) });
      run.toEnd();

      const expected = [given.programs].flat().map((one) => ('slave' in one ? one.memory.after : undefined));
      expect(result(run).told.map(({ memory }) => memory)).toEqual(expected);
      expect(expected).toEqual(expected.map(() => expect.stringMatching(/^[0-9a-f]{8}$/)));
    }
  },
);

/** Whether a run that goes on from a snapshot in its middle ends as the run that never stopped. */
function goesOnAsBefore(given: SunwayGiven): boolean {
  const { wiring } = sunwayMachine.assemble(given);
  const options = (): RunOptions => ({ choices: new RandomChoices(5) });
  const whole = new Run(wiring, options());
  const ticks: number[] = [];
  whole.ticks$.subscribe((tick) => ticks.push(tick));
  whole.toEnd();
  const stopped = new Run(wiring, options());
  stopped.until(ticks[Math.floor(ticks.length / 2)]);
  const again = Run.restore(wiring, stopped.snapshot(), options());
  again.toEnd();
  return again.fingerprint === whole.fingerprint;
}

test('a generated program goes on from a snapshot, which a part that keeps something outside of its context does not', () => {
  for (const index of [1, 3, 4]) expect(goesOnAsBefore(givenOf(index, {}))).toBe(true);

  expect([1, 3, 4].every((index) => goesOnAsBefore(givenOf(index, {}, ['S-32'])))).toBe(false);
});

/** What a run says, without its clock: when, who, to whom, what. */
function storyOf(given: SunwayGiven): readonly string[] {
  const lines: string[] = [];
  const run = new Run(sunwayMachine.assemble(given).wiring);
  run.messages$.subscribe(({ message, from, to }) => {
    if (to !== 'Node.Clock') lines.push(`${message.due} ${from} ${to} ${message.event.type}`);
  });
  run.toEnd();
  return lines;
}

test('a generated program whose idle cycles are visited says the same as one whose idle cycles are skipped', () => {
  for (const index of [1, 4])
    expect(storyOf(givenOf(index, { skipAhead: false }))).toEqual(storyOf(givenOf(index, {})));
});

test('a recorded run of a generated program is the same again', () => {
  const trials = new Trials(subjectOf().scenario(2), sunwayMachine, sunwayMachineProperties);
  const { tape, fingerprint, failure } = trials.attempt(new RandomChoices(11));

  expect(failure).toBeUndefined();
  expect(trials.attempt(new TapeChoices(tape)).fingerprint).toBe(fingerprint);
});

/** The kinds of phases that a fault is looked for in, so that a few runs are enough; whole programs find it as well, later. */
const foundIn: Readonly<Record<string, readonly PhaseKind[]>> = {
  'S-01': ['moves'],
  'S-02': ['moves'],
  'S-03': ['moves'],
  'S-04': ['rmaBroadcasts'],
  'S-05': ['moves', 'bounces'],
  'S-06': ['bounces'],
  'S-07': ['moves'],
  'S-08': ['moves'],
  'S-09': ['meetings'],
  'S-10': ['turns'],
  'S-11': ['turns'],
  'S-12': ['rmaBroadcasts', 'multicasts'],
  'S-13': ['passes'],
  'S-20': ['moves'],
  'S-21': ['meetings'],
  'S-22': ['meetings'],
  'S-23': ['turns'],
  'S-24': ['heaps'],
  'S-25': ['meetings'],
  'S-26': ['exchanges'],
  'S-27': ['reductions'],
  'S-28': ['tables'],
  'S-29': ['taskFetches'],
  'S-30': ['cached'],
  'S-31': ['moves'],
  'S-33': ['moves'],
  'S-34': ['rmaBroadcasts', 'multicasts'],
  'S-35': ['nodeMeetings'],
  'S-36': ['alarms'],
};

describe('a planted fault is found in generated scenarios by the property that it is planted for', () => {
  const found = [...sunwayMutants].flatMap(([id, { sentence }]) => {
    const property = caughtBy.get(id);
    return property ? [[id, sentence, property.sentence] as const] : [];
  });

  test.each(found)(
    '%s: %s',
    (id, _sentence, property) => {
      // Of the first seeds the one by which all are found soonest.
      const seed = 2;
      const subject = subjectOf([id], foundIn[id] && sunwayScenariosOf(...foundIn[id]), seed);
      const campaign = new Campaign(subject, { seed, strategies: ['random', 'delay'], coverage: false });
      const isCaught = (number: number): boolean =>
        campaign.attempt(number).outcome.violations.some((one) => one.property === property);

      expect(Array.from({ length: 100 }, (_, number) => number).some(isCaught)).toBe(true);
    },
    60_000,
  );
});
