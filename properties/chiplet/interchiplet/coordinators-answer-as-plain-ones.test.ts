import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RandomChoices } from '../../../kernel/choices.ts';
import { Run } from '../../../kernel/run.ts';
import { interchipletMachine } from '../../../machines/chiplet/interchiplet.ts';
import { coordinatorsAnswerAsPlainOnes } from './coordinators-answer-as-plain-ones.ts';
import { coordinatorScenarios } from './scenarios.ts';

/** How many of some generated runs differ from plain coordinators, in some order of deliveries. */
const differing = (mutants: readonly string[]): number =>
  fc.sample(coordinatorScenarios, { numRuns: 40, seed: 11 }).filter((written, at) => {
    const given = {
      ...{ name: 'test', mutants, scheduled: true },
      config: interchipletMachine.config.parse(written.config),
      programs: interchipletMachine.programs.parse(written.programs),
    };
    const assembly = interchipletMachine.assemble(given);
    const run = new Run(assembly.wiring, { choices: new RandomChoices(at) });
    const compare = coordinatorsAnswerAsPlainOnes(run, given, assembly)!;
    run.toEnd();
    return compare() !== undefined;
  }).length;

test('sound coordinators answer as plain ones, whatever the order of deliveries', () => {
  expect(differing([])).toBe(0);
});

test.each(['I-02', 'I-06', 'I-11', 'I-12'])('%s is noticed', (mutant) => {
  expect(differing([mutant])).toBeGreaterThan(0);
});
