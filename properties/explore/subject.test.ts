import { expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { machines } from '../../manifests/machines.ts';
import { generatedNames, generationNamed } from '../../manifests/testing/named.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { GeneratedSubject } from './subject.ts';

const subjects = await Promise.all(
  (await generatedNames()).map(async (name) => {
    const generation = await generationNamed(name);
    const subjectOf = (seed: number, ...mutants: string[]) =>
      new GeneratedSubject({ ...generation, seed, mutants });
    return [name, subjectOf] as const;
  }),
);

/** Protocols are small: so many different scenarios at least come of 60 draws, of fewer in proportion, where other machines have a new one nearly every time. */
const fewScenarios: Readonly<Record<string, number>> = {
  'two-phase-commit': 6,
  register: 40,
  'mutual-exclusion': 12,
  mesi: 5,
  philosophers: 19,
  'alternating-bit': 30,
  bakery: 30,
  'k-state-ring': 10,
  'lamport-mutex': 30,
};

test.each(subjects)(
  'a generated scenario of %s is what a file with its text would be',
  async (_, subjectOf) => {
    const subject = subjectOf(1);
    for (let index = 0; index < effort({ short: 8, long: 60 }); index++) {
      const scenario = subject.scenario(index);

      const { scenario: read } = await parseScenario(scenario.text, scenario.file, machines);

      expect(read).toEqual({ ...scenario, text: scenario.text });
    }
  },
);

/** Scenarios drawn of a seed. */
const draws = effort({ short: 10, long: 30 });

test.each(subjects)('scenarios of %s depend on seed and number alone', (name, subjectOf) => {
  const texts = (seed: number) =>
    Array.from({ length: draws }, (_, index) => subjectOf(seed).scenario(index).text);

  const one = texts(1);

  expect(texts(1)).toEqual(one);
  expect(new Set([...one, ...texts(2)]).size).toBeGreaterThanOrEqual(
    Math.floor(((fewScenarios[name] ?? 51) * draws) / 30),
  );
});

/** The first of what may be very many. */
function firstOf<T>(all: Iterable<T>, most: number): readonly T[] {
  const found: T[] = [];
  for (const one of all) if (found.push(one) === most) break;
  return found;
}

test.each(subjects)(
  'what is simpler than a generated scenario of %s is a scenario, too',
  async (name, subjectOf) => {
    const subject = subjectOf(3);
    const generated = Array.from({ length: effort({ short: 2, long: 5 }) }, (_, index) =>
      firstOf(subject.simpler(subject.generate(index)), effort({ short: 6, long: 12 })),
    ).flat();

    const texts = generated.map((one) => subject.read(one, 'simpler.yaml').text);

    expect(texts.length).toBeGreaterThan(
      name in fewScenarios ? effort({ short: 1, long: 4 }) : effort({ short: 4, long: 10 }),
    );
    for (const text of texts) await parseScenario(text, 'simpler.yaml', machines);
  },
);

test('mutants are planted in every scenario', () => {
  const [, subjectOf] = subjects.find(([name]) => name === 'cell')!;

  const scenario = subjectOf(1, 'M-05', 'M-26').scenario(9);

  expect(scenario.faults).toEqual([{ mutant: 'M-05' }, { mutant: 'M-26' }]);
  expect(scenario.text).toContain('faults: [{mutant: M-05}, {mutant: M-26}]');
});
