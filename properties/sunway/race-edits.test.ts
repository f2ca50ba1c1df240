import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RaceFindings } from '../../machines/sunway/monitors/race-monitor.ts';
import { type DeedProgram, deedCpes, deedPrograms, deeds, hostOf } from './race-edits.ts';
import { judgedRun } from './race-runs.ts';

const found = (program: DeedProgram, seed: number, without?: number): readonly RaceFindings[] => {
  const { verdict, lenient, strict } = judgedRun(
    { host: hostOf(program, without), config: { cpesPerCg: deedCpes } },
    { seed },
  );
  expect(verdict).toBe('ok');
  return [lenient, strict];
};

/** Kinds and calls of the errors, each once. */
const told = ({ errors }: RaceFindings): readonly string[] => [
  ...new Set(errors.map(({ kind, first, second }) => `${kind} ${first.name} ${second.name}`)),
];

/**
 * What a missing guard leads to besides: a thread that ends with a transfer outstanding on its LDM, of the same first operation (specification 7.3, FreeWhileInFlight). Each
 * rule is told by itself.
 */
const withoutEnds = (all: readonly string[], first: string): readonly string[] =>
  all.filter((one) => !one.startsWith(`FreeWhileInFlight ${first} `));

const wanted = (program: DeedProgram, deed: number): string => {
  const { kind, pair } = deeds[program.chosen[deed]!]!;
  return `${kind} ${pair[0]} ${pair[1]}`;
};

/** Any program, and the deed that is spoilt in it, under any schedule. */
const spoilt = fc
  .tuple(deedPrograms, fc.nat(99), fc.nat(9999))
  .map(([program, which, seed]) => ({ program, deed: which % program.chosen.length, seed }));

test('without the guard of a deed its two operations are told and nothing else; with it nothing is (P22)', () => {
  const left = new Set<number>();
  fc.assert(
    fc.property(spoilt, ({ program, deed, seed }) => {
      left.add(program.chosen[deed]!);
      for (const findings of found(program, seed, deed))
        expect(withoutEnds(told(findings), deeds[program.chosen[deed]!]!.pair[0])).toEqual([
          wanted(program, deed),
        ]);
      for (const findings of found(program, seed)) expect(told(findings)).toEqual([]);
    }),
    { numRuns: 40, seed: 5 },
  );

  expect([...left].sort()).toEqual(deeds.map((_, index) => index));
});

test.each(deeds.map(({ name }, index) => ({ name, index })))('a program needs $name', ({ index }) => {
  const order = (['before', 'guard', 'after'] as const).map((part) => ({ deed: 0, part }));
  const program = { chosen: [index], order };

  for (const findings of found(program, 1, 0))
    expect(withoutEnds(told(findings), deeds[index]!.pair[0])).toEqual([wanted(program, 0)]);
  for (const findings of found(program, 1)) expect(told(findings)).toEqual([]);
});
