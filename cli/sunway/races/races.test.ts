import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../scenarios/testing/temporary-folder.ts';
import { called } from '../../testing/called.ts';

const folder = temporaryFolder('races');

const races = (...words: readonly string[]) => called('sunway', 'races', ...words);

/** The cheapest program. */
const farm = ['--only', 'S12'];

test('tells each program and what it came to', async () => {
  const { exitCode, out } = await races('--only', 'S1', '--only', 'S4', '--schedules', '3');

  expect(exitCode).toBe(0);
  expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
    'program | schedules | result',
    'S4: strided tile | 3 | ok',
    '1 of 1 programs are right in all schedules, 0 are not',
    '',
  ]);
});

test('goes on where its ledger ends, tries again what was wrong, and refuses one of another order', async () => {
  const file = join(folder, 'ledger.json');
  const words = [...farm, '--ledger', file];
  const ledger = () => {
    const { hash: _, ...content } = JSON.parse(readFileSync(file, 'utf8'));
    return content;
  };

  await races(...words, '--schedules', '2');
  expect(ledger().rows).toEqual([{ row: 'S12: task farm', schedules: 2 }]);
  // What the ledger has is not run again.
  const wrong = { row: 'S12: task farm', schedules: 30, found: 'a report', at: 30 };
  writeFileSync(file, JSON.stringify({ ...ledger(), rows: [wrong] }));
  const { exitCode } = await races(...words, '--schedules', '31');
  expect(exitCode).toBe(0);
  expect(ledger().rows).toEqual([{ row: 'S12: task farm', schedules: 31 }]);

  const other = await races(...words, '--seed', '2');
  expect([other.exitCode, other.err]).toEqual([
    2,
    expect.stringContaining('found a ledger of sunway races with --seed 1 --edition small'),
  ]);
  const full = await races(...words, '--full');
  expect(full.err).toContain('go on with --seed 1 --edition small');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"schedules": 31', '"schedules": 37'));
  expect((await races(...words)).err).toContain('found content that was changed since it was written');
  writeFileSync(file, '[]');
  expect((await races(...words)).err).toContain('expected a ledger of this command');
});

test('finds the same with threads', async () => {
  const words = [...farm, '--schedules', '25', '--json'];

  const alone = await races(...words);
  const together = await races(...words, '--workers', '2');

  expect(JSON.parse(together.out)).toEqual(JSON.parse(alone.out));
  expect(JSON.parse(alone.out)).toEqual({
    rows: [{ program: 'S12: task farm', schedules: 25 }],
    schedules: 25,
    failed: 0,
  });
});

test.each([
  ['a program that there is not', ['--only', 'S99'], 'programs: S1: one to all, S2: RMA walk'],
  ['no threads', ['--workers', '0'], 'expected at least 1'],
  ['schedules without number', ['--schedules', 'many'], 'found "many"'],
])('refuses %s', async (_, words, told) => {
  const { exitCode, err } = await races(...words);

  expect(exitCode).toBe(2);
  expect(err).toContain(told);
});
