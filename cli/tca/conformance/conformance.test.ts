import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../scenarios/testing/temporary-folder.ts';
import { called } from '../../testing/called.ts';

const folder = temporaryFolder('conformance');

const conformance = (...words: readonly string[]) => called('tca', 'conformance', ...words);

test('tells each row and what it came to', async () => {
  const { exitCode, out } = await conformance('--case', 'C01', '--nodes', '2', '--channels', '0');

  expect(exitCode).toBe(0);
  expect(out.split('\n').map((line) => line.replace(/ {2,}/g, ' | '))).toEqual([
    'case | topology | mode | channels | schedules | result',
    'C01 | pair(2) | auto | 0 | 1 | ok',
    'C01 | pair(2) | BtoB | 0 | 1 | ok',
    '2 of 2 rows passed, 0 failed',
    '',
  ]);
});

test('fails with a mandatory case that is not met, and tells what was found', async () => {
  const words = ['--case', 'C15,C24', '--nodes', '2', '--mode', 'auto', '--channels', '0', '--no-watch'];

  const { exitCode, out } = await conformance(...words, '--mutant', 'T-25', '--json');

  const { rows, passed, failed } = JSON.parse(out);
  expect(exitCode).toBe(1);
  expect([passed, failed]).toEqual([1, 1]);
  expect(rows[0]).toMatchObject({ case: 'C15', mandatory: true, schedule: 'fifo' });
  expect(rows[0].found).toContain('a flag at one node: found OK, expected BARRIER_MISMATCH');
});

test('finds the same with threads, in the same order', async () => {
  const words = ['--case', 'C15,C24', '--nodes', '2,4', '--mode', 'auto', '--schedules', '3', '--no-watch'];
  const fault = ['--mutant', 'T-25', '--json'];

  const alone = await conformance(...words, ...fault);
  const together = await conformance(...words, ...fault, '--workers', '2');

  expect(JSON.parse(together.out)).toEqual(JSON.parse(alone.out));
  expect([together.exitCode, alone.exitCode]).toEqual([1, 1]);
});

test('goes on where its ledger ends, and refuses one of another order', async () => {
  const file = join(folder, 'ledger.json');
  const words = ['--case', 'C24', '--nodes', '2', '--mode', 'auto', '--channels', '0', '--ledger', file];
  const rows = () => JSON.parse(readFileSync(file, 'utf8')).rows;

  await conformance(...words, '--schedules', '1');
  expect(rows()).toEqual([{ row: expect.stringContaining('C24'), schedules: 2 }]);
  await conformance(...words, '--schedules', '3');
  expect(rows()).toEqual([{ row: expect.stringContaining('C24'), schedules: 4 }]);
  // What the ledger has is not run again.
  const [row] = rows();
  const { hash: _, ...content } = JSON.parse(readFileSync(file, 'utf8'));
  const told = JSON.stringify({ ...content, rows: [{ ...row, schedules: 50 }] });
  writeFileSync(file, told);
  await conformance(...words, '--schedules', '3');
  expect(rows()).toEqual([{ row: expect.stringContaining('C24'), schedules: 50 }]);

  const other = await conformance(...words, '--seed', '2');
  expect(other.exitCode).toBe(2);
  expect(other.err).toContain('found a ledger of tca conformance with --seed 1');
  writeFileSync(file, '[]');
  expect((await conformance(...words)).err).toContain('expected a ledger of this command');
});

test.each([
  ['a case that there is not', ['--case', 'C99'], 'found "C99"'],
  ['a number of nodes that nothing has', ['--nodes', '3'], 'expected some of 2, 4, 8, 16'],
  ['a mode that there is not', ['--mode', 'BtoC'], 'BtoB'],
  ['channels that there are not', ['--channels', '05'], 'sets of the channels 0 to 3'],
  ['no threads', ['--workers', '0'], 'expected at least 1'],
  ['a fault that is not in the catalogue', ['--mutant', 'T-99'], 'found "T-99"'],
])('refuses %s', async (_, words, told) => {
  const { exitCode, err } = await conformance(...words);

  expect(exitCode).toBe(2);
  expect(err).toContain(told);
});
