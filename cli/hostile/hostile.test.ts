import { expect, test } from 'vitest';
import { exitCodes } from '../exit-codes.ts';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';
import { Draw } from './draw.ts';
import { type Ended, faultsOf } from './judge.ts';
import { damaged } from './mutations.ts';

const ended: Ended = {
  exitCode: 2,
  out: '',
  err: 'found a comma\n',
  seconds: 0.1,
  silentSeconds: 0.1,
  left: [],
  changed: [],
};

test('the judge of hostile cases notices each way to end badly, and nothing else', () => {
  const faults = (changes: Partial<Ended>, ...args: string[]) =>
    faultsOf(['run', ...args], { ...ended, ...changes });

  expect(faults({})).toEqual([]);
  expect(faultsOf(['cell', 'check', 'x'], { ...ended, exitCode: 64 })).toEqual([]);
  expect(faults({ exitCode: 64 })).toEqual(['exit code 64']);
  expect(faults({ exitCode: exitCodes.defect })).toEqual(['exit code 3']);
  expect(faults({ exitCode: null })).toEqual(['exit code null']);
  expect(faults({ err: 'Error: x\n    at run (/a/b.ts:1:2)\n' })).toHaveLength(1);
  expect(faults({ err: 'Maximum call stack size exceeded' })).toHaveLength(1);
  expect(faults({ err: '' })).toEqual(['exit code 2 without a word']);
  expect(faults({ silentSeconds: 31 })).toHaveLength(1);
  expect(faults({ left: ['.x.part'], changed: ['a.yaml'] })).toEqual(['leaves .x.part', 'changes a.yaml']);
  expect(faults({}, '--json')).toEqual(['--json gives nothing']);
  expect(faults({ out: '{}\n{}\n' }, '--json')).toHaveLength(1);
  expect(faults({ out: '{}\n' }, '--json')).toEqual([]);
});

test('a text is damaged the same way again', () => {
  const text = Buffer.from('name: a\nconfig: { N: 4 }\n');
  const all = Array.from({ length: 50 }, (_, index) => damaged(text, new Draw(1, index)));

  expect(Array.from({ length: 50 }, (_, index) => damaged(text, new Draw(1, index)))).toEqual(all);
  expect(new Set(all.map((one) => one.text.toString('latin1'))).size).toBeGreaterThan(40);
});

test.each([
  ['run', 'x.yaml', '--json', '--record', '-'],
  ['run', 'x.yaml', '--export', 'csv=a', '--plot', 'a'],
  ['run', '-', '--tape', '-'],
  ['run', 'README.md', '--record', 'README.md'],
])('files that exclude each other are refused before anything is done: %s', async (...args) => {
  const terminal = new KeptTerminal();

  expect(await main(args, terminal)).toBe(2);
  expect(terminal.stderr).toMatch(/^lockstep: .*found .*expected/);
});
