import { describe, expect, test } from 'vitest';
import { Run } from '../../../kernel/run.ts';
import { assembleCellbe } from '../../../machines/cell/cellbe.ts';
import { cellbeConfig } from '../../../machines/cell/cellbe-config.ts';
import { cellbeMutants } from '../../../machines/cell/cellbe-mutants.ts';
import { shifted } from '../../../machines/cell/cellbe-workloads.ts';
import { cellbeMachineProperties } from './machine-properties.ts';

function violations(
  mutants: readonly string[],
  until = Number.MAX_SAFE_INTEGER,
  distance = 1,
): readonly string[] {
  // With the published gap of 3 a fourth packet of 8 cycles never finds its ring with three on it.
  const config = cellbeConfig.parse({ memory: 'zero', ringStartGapBusCycles: 2 });
  const programs = shifted(config.elements, distance, 16384);
  const given = { name: 'neighbours', config, programs, mutants, scheduled: false };
  const assembly = assembleCellbe(given);
  const run = new Run(assembly.wiring);
  const watching = cellbeMachineProperties.watch(run, given, assembly);
  run.until(until);
  watching.end();
  return [...new Set(run.outcome.violations.map(({ property }) => property))];
}

describe('the rules of the Element Interconnect Bus watch every run of cellbe', () => {
  test('and find nothing in a sound one, also when it is cut short', () => {
    expect(violations([])).toEqual([]);
    expect(violations([], 150)).toEqual([]);
  });

  test.each([...cellbeMutants.keys()])('and find the planted fault %s', (mutant) => {
    const found = [1, 2].flatMap((distance) => violations([mutant], undefined, distance));

    expect(found).not.toEqual([]);
  });
});
