import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sunwayMutants } from '../../machines/sunway/mutants.ts';
import { caughtBy, invariants, invariantsText } from './invariants.ts';
import { sunwayProperties } from './sunway-properties.ts';

const root = new URL('../../', import.meta.url);
const written = new URL('properties/sunway/README.md', root);
const table = /^\| id \|[\s\S]*?\|$(?=\n\n|\n$)/m;

test('the README has the table of the invariants', () => {
  const text = readFileSync(written, 'utf8');
  if (process.env['INVARIANTS'] === 'write') writeFileSync(written, text.replace(table, invariantsText()));

  expect(readFileSync(written, 'utf8')).toContain(invariantsText());
});

test('the invariants are P1 to P24, and each has something that must catch a fault', () => {
  expect(invariants.map(({ id }) => id)).toEqual(Array.from({ length: 24 }, (_, k) => `P${k + 1}`));
  const without = invariants.filter(
    ({ faults, wrongScenarios = [] }) => Object.keys(faults).length + wrongScenarios.length === 0,
  );
  // Every fault that changes memory is one of P5: S-26 and S-27 are named where they belong.
  expect(without.map(({ id }) => id)).toEqual(['P5']);
});

test('every property and every planted fault belongs to an invariant', () => {
  const watched = new Set(invariants.flatMap(({ properties }) => properties));

  expect(sunwayProperties.filter((one) => !watched.has(one))).toEqual([]);
  expect([...sunwayMutants.keys()].filter((id) => !caughtBy.has(id))).toEqual([]);
  expect([...caughtBy.keys()].filter((id) => !sunwayMutants.has(id))).toEqual([]);
  expect([...watched].filter((one) => ![...caughtBy.values()].includes(one))).toEqual([]);
});

test.each(invariants.map((one) => [one.id, one] as const))(
  '%s: the tests and scenarios that are named are there',
  (_id, { tests, wrongScenarios = [] }) => {
    for (const [file, name] of tests) expect(readFileSync(new URL(file, root), 'utf8')).toContain(name);
    for (const name of wrongScenarios)
      expect(existsSync(new URL(`scenarios/sunway/${name}.yaml`, root))).toBe(true);
  },
);
