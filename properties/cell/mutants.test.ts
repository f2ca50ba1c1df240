import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Run } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { cellConfig, cellPrograms } from '../../machines/cell/config.ts';
import { cellMutants } from '../../machines/cell/mutants.ts';
import { soundParts } from '../../machines/cell/parts.ts';
import { assembleSteps } from '../../machines/cell.ts';
import { type CellGiven, given } from './arbitraries.ts';
import { startsAsArbitratedAlone } from './arbitrated-alone.ts';
import { campaignCase, killMutant } from './campaign.ts';
import { runsAsTheReference } from './runs-as-the-reference.ts';
import { trial } from './trial.ts';

const mutants = [...cellMutants.values()];

/** A workload of the golden directory (Cell specification 18.1). */
function workload(name: string): CellGiven {
  const file = new URL(`./golden/machine/${name}.workload.json`, import.meta.url);
  const { N, K, memSize, policy, programs } = JSON.parse(readFileSync(file, 'utf8'));
  return given(name, cellConfig.parse({ N, K, memSize, policy }), cellPrograms.parse(programs));
}

test('the catalogue has all mutants of Cell specification 21.4', () => {
  const numbers = new Set(
    mutants
      .map(({ id }) => id)
      .filter((id) => id.startsWith('M-'))
      .map((id) => id.slice(0, 4)),
  );

  expect([...numbers]).toEqual(Array.from({ length: 26 }, (_, i) => `M-${String(i + 1).padStart(2, '0')}`));
});

test.each(mutants.map(({ id, sentence }) => [id, sentence]))('%s is killed: %s', (id) => {
  const mutant = cellMutants.get(id)!;

  const { completeAfter, raised } = killMutant(mutant, { runsMin: 0, runsMax: 400, seed: 5 });

  expect(completeAfter, `raised ${JSON.stringify(raised)}`).toBeGreaterThan(0);
});

describe.each(mutants.filter(({ scheduleDependent }) => scheduleDependent).map(({ id }) => id))(
  '%s',
  (id) => {
    test('shows under random schedules only', () => {
      const parts = cellMutants.get(id)!.mutate(soundParts);
      const cases = fc.sample(campaignCase, { seed: 6, numRuns: effort({ short: 24, long: 60 }) });

      const canonical = cases.flatMap(({ given }) => trial(given, { parts }).raised);
      const random = cases.flatMap(({ given, seed }) => trial(given, { parts, seed }).raised);

      expect(canonical).toEqual([]);
      expect(random).not.toEqual([]);
    });
  },
);

test('waiting counted from the issue cycle contradicts the worked example of Cell specification 23.1 (M-24)', () => {
  const parts = cellMutants.get('M-24')!.mutate(soundParts);

  const [sound, faulty] = [trial(workload('ex2')), trial(workload('ex2'), { parts })];

  expect(sound.result.totalWait).toBe(2);
  expect(faulty.result.totalWait).toBe(5);
  expect(faulty.raised).toEqual([runsAsTheReference.sentence, startsAsArbitratedAlone.sentence, 'P-10']);
});

test('faults of different parts add up', () => {
  // Of the arbiter, of the commands and of the reports at the barrier; none of them hides what another one raises.
  const ids = ['M-03', 'M-17', 'M-14'];
  const parts = ids.reduce((all, id) => cellMutants.get(id)!.mutate(all), soundParts);

  const { raised } = trial(workload('ex2'), { parts });

  expect(raised).toEqual(expect.arrayContaining(['CK-13', 'CK-15', 'CK-16', 'CK-25']));
});

test('a planted fault leaves the sound parts as they were', () => {
  for (const { mutate } of mutants) mutate(soundParts);

  expect(trial(workload('ex1')).raised).toEqual([]);
});

const interpreted = mutants.filter((_, index) => index % effort({ short: 3, long: 1 }) === 0);

test.each(interpreted.map(({ id }) => id))('XState itself shows the fault %s as the tables do', (id) => {
  const parts = cellMutants.get(id)!.mutate(soundParts);
  const observed = (['compiled', 'xstate'] as const).map((engine) => {
    const assembly = assembleSteps(workload('ex2'), parts);
    const run = new Run(assembly.wiring, { engine, deliveriesPerTickMax: 500 });
    const probes: unknown[] = [];
    run.probes$.subscribe(({ probe }) => probes.push(structuredClone(probe)));
    const { verdict, deliveries, ticks } = run.until(100);
    return { verdict, deliveries, ticks, probes };
  });

  expect(observed[0]).toEqual(observed[1]);
});
