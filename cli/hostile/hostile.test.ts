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
  err: 'a.yaml:1:2 found a comma, expected a name\n  help: write a name\n',
  seconds: 0.1,
  silentSeconds: 0.1,
  cut: false,
  made: [],
  changed: [],
};
const refusal = (more: object) =>
  JSON.stringify({ error: { kind: 'input', message: 'found a comma' }, exitCode: 2, ...more });

test('the judge of hostile cases notices each way to end badly, and nothing else', () => {
  const faults = (changes: Partial<Ended>, ...args: string[]) =>
    faultsOf({ args: ['run', ...args], target: 'a.yaml' }, { ...ended, ...changes });
  const ofVerb = (exitCode: number, verb: string) =>
    faultsOf({ args: verb.split(' ') }, { ...ended, exitCode });

  expect(faults({})).toEqual([]);
  expect(ofVerb(64, 'cell check x')).toEqual([]);
  expect(ofVerb(4, 'check x')).toEqual([]);
  expect(ofVerb(4, 'run x')).toEqual(['exit code 4']);
  expect(ofVerb(1, 'schema x')).toEqual(['exit code 1']);
  expect(ofVerb(1, 'tca bench x')).toEqual(['exit code 1']);
  expect(ofVerb(130, 'run x')).toEqual(['exit code 130']);
  expect(faults({ exitCode: 64 })).toEqual(['exit code 64']);
  expect(faults({ exitCode: exitCodes.defect })).toEqual(['exit code 3']);
  expect(faults({ exitCode: null })).toEqual(['exit code null']);
  expect(faults({ exitCode: null, cut: true })).toEqual([]);
  expect(faults({ exitCode: null, cut: true, silentSeconds: 31 })).toHaveLength(2);
  for (const told of [
    'Error: x\n    at run (/a/b.ts:1:2)\n',
    'Maximum call stack size exceeded',
    'found undefined',
    'found NaN here',
    'at -Infinity',
    'next=9007199254740991',
    '[object Object]',
    'Invalid input: expected string',
    'EISDIR: illegal operation',
    'a\u001b[2J',
  ])
    expect(faults({ err: ended.err + told }), told).toHaveLength(1);
  expect(faults({ err: 'a.yaml: bad\n' })).toEqual(['exit code 2 without a cure']);
  expect(faults({ err: 'bad\n  help: mend it\n' })).toEqual(['exit code 2 without a place']);
  expect(faults({ err: ended.err + 'x'.repeat(5000) })).toHaveLength(1);
  expect(faults({ exitCode: 1, err: '' })).toEqual(['exit code 1 without a word']);
  expect(faults({ silentSeconds: 31 })).toHaveLength(1);
  expect(faults({ changed: ['a.yaml'], made: [{ name: 'x.json', bytes: 9, damaged: false }] })).toEqual([
    'makes x.json, though it refuses what it is given',
    'changes a.yaml',
  ]);
  expect(
    faults({
      exitCode: 0,
      made: [
        { name: '.x.part', bytes: 1, damaged: false },
        { name: 'a.csv', bytes: 0, damaged: false },
        { name: 'b.json', bytes: 7, damaged: true },
      ],
    }),
  ).toEqual(['leaves .x.part', 'a.csv is empty', 'b.json is half a file']);
  expect(faults({}, '--json')).toEqual(['--json gives nothing']);
  expect(faults({ out: '{}\n{}\n' }, '--json')).toHaveLength(1);
  expect(faults({ out: '[]\n' }, '--json')).toHaveLength(1);
  expect(faults({ out: '{}\n', exitCode: 0 }, '--json')).toEqual([]);
  expect(faults({ out: refusal({}) }, '--json')).toEqual([]);
  expect(faults({ out: refusal({ exitCode: 1 }) }, '--json')).toHaveLength(1);
  expect(faults({ out: refusal({ error: { kind: 'defect', message: '' } }) }, '--json')).toHaveLength(2);
  expect(faults({ out: refusal({}), exitCode: 1 }, '--json')).toHaveLength(1);
});

test('a text is damaged the same way again', () => {
  const text = Buffer.from('name: a\nconfig: { N: 4 }\n');
  const all = Array.from({ length: 15 }, (_, index) => damaged(text, new Draw(1, index)));

  expect(Array.from({ length: 15 }, (_, index) => damaged(text, new Draw(1, index)))).toEqual(all);
  expect(new Set(all.map((one) => one.text.toString('latin1'))).size).toBeGreaterThan(10);
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
