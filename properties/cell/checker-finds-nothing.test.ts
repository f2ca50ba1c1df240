import { expect, test } from 'vitest';
import { put } from '../../actors/cell/instructions.ts';
import { Run } from '../../kernel/run.ts';
import { cellConfig } from '../../machines/cell/config.ts';
import { cellMutants } from '../../machines/cell/mutants.ts';
import { soundParts } from '../../machines/cell/parts.ts';
import { assembleSteps } from '../../machines/cell.ts';
import { watch } from '../property.ts';
import { given } from './arbitraries.ts';
import { INVARIANTS } from './checker/catalogue.ts';
import { checkerFindsNothing, invariantSentence } from './checker-finds-nothing.ts';
import { factsOf } from './context.ts';
import { trial } from './trial.ts';

const onePut = given('one put', cellConfig.parse({ N: 4, K: 1, memSize: 64, policy: 'etalon-ff' }), [
  [{ cycle: 0, instruction: put(0, 2, 8, 4) }],
]);

test('a finding is reported under the sentence of its invariant and names its cycle', () => {
  const parts = cellMutants.get('M-17')!.mutate(soundParts);

  const { outcome } = trial(onePut, { parts, properties: [checkerFindsNothing] });

  expect(outcome.violations[0]).toMatchObject({
    property: 'CK-13 each byte follows its own command in the same cycle, and there are no other commands',
    actors: ['Dma[0]'],
    why: 'cycle 4: 0:0: no command precedes the byte',
  });
});

test('every invariant has a sentence of its own', () => {
  expect(new Set(INVARIANTS.map(({ id }) => invariantSentence(id))).size).toBe(28);
});

test('a run that is cut short lacks its end, and that is no fault', () => {
  const assembly = assembleSteps(onePut);
  const run = new Run(assembly.wiring);
  const watching = watch(run, [checkerFindsNothing.of(factsOf(onePut))]);

  run.until(2);
  watching.end();

  expect(run.outcome.violations).toEqual([]);
});

test('the total waiting time must not exceed a limit that is given (CK-24)', () => {
  const busy = given('busy', cellConfig.parse({ N: 2, K: 1, memSize: 64, policy: 'etalon-ff' }), [
    Array.from({ length: 4 }, () => ({ cycle: 0, instruction: put(0, 1, 8, 8) })),
  ]);
  const violations = [16, 15].map((limit) => {
    const assembly = assembleSteps(busy);
    const run = new Run(assembly.wiring);
    const watching = watch(run, [checkerFindsNothing.of(factsOf(busy, limit))]);
    run.toEnd();
    watching.end();
    return run.outcome.violations.map(({ why }) => why);
  });

  expect(violations).toEqual([[], ['cycle 16: total waiting time 16, limit 15']]);
});
