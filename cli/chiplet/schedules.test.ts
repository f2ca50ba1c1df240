import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { called } from '../testing/called.ts';

const folder = temporaryFolder('schedules');

async function schedules(...words: string[]) {
  const { exitCode, out, err } = await called('chiplet', 'schedules', ...words);
  return { exitCode, err, told: out === '' ? undefined : JSON.parse(out) };
}

test('tells how many schedules gave the same values', async () => {
  const { exitCode, err, told } = await schedules('--systems', '2', '--schedules', '4', '--json');

  expect(exitCode).toBe(0);
  expect(told).toMatchObject({ schedules: 8, failed: 0 });
  expect(told.rows).toEqual([
    { system: 0, name: 'exchanges under many schedules, decoupled', schedules: 4 },
    { system: 1, name: 'exchanges under many schedules, coupled', schedules: 4 },
  ]);
  expect(err).toMatch(/^8 schedules of 2 systems, 0 systems failed; 8 of them now, \d+ a second\n$/);
});

test('stops at the first schedule of a system that is wrong, and names it', async () => {
  const words = ['--only', '1', '--schedules', '4', '--mutant', 'value-changed', '--json'];

  const { exitCode, err, told } = await schedules(...words);

  expect(exitCode).toBe(1);
  expect(told.failed).toBe(1);
  expect(told.rows).toEqual([expect.objectContaining({ system: 1, schedules: 1 })]);
  expect(err).toContain(
    'system 1 (exchanges under many schedules, coupled), schedule 0: without a schedule: ',
  );
});

test('goes on where its ledger ends, and refuses one of another order', async () => {
  const file = join(folder, 'ledger.json');
  const words = ['--only', '20', '--seed', '7', '--ledger', file];
  const ledger = () => JSON.parse(readFileSync(file, 'utf8'));

  await schedules(...words, '--schedules', '2');
  expect(ledger()).toMatchObject({ order: { seed: 7 }, rows: [{ row: 'system 20', schedules: 2 }] });
  const more = await schedules(...words, '--schedules', '5');
  expect(ledger()).toMatchObject({ rows: [{ row: 'system 20', schedules: 5 }] });
  expect(more.err).toContain('5 schedules of 1 systems, 0 systems failed; 3 of them now');

  const other = await schedules('--only', '20', '--seed', '8', '--ledger', file);
  expect(other.exitCode).toBe(2);
  expect(other.err).toContain(
    'found a ledger of chiplet schedules with --seed 7, expected one of the same order',
  );
  writeFileSync(file, '[]');
  expect((await schedules(...words)).err).toContain('expected a ledger of this command');
  expect((await schedules(...words.slice(0, -1), folder)).err).toContain('found a folder, expected a file');
});

test.each([
  ['a fault that is not in the catalogue', ['--mutant', 'value-chnged'], 'did you mean "value-changed"'],
  ['more schedules than there are numbers', ['--schedules', '1000001'], 'from 0 to 1000000'],
])('refuses %s', async (_, words, told) => {
  const { exitCode, err } = await schedules(...words);

  expect(exitCode).toBe(2);
  expect(err).toContain(told);
});
