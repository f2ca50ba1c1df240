import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { calledAt } from './testing/called.ts';

const folder = temporaryFolder('swarm');

const called = calledAt(80);

const commit = 'scenarios/protocols/two-phase-commit.yaml';

test('tells what each search came to, and the share of the states that they covered together; it is never the whole answer', async () => {
  const { exitCode, out } = await called(
    ...['check', commit, '--swarm', '4', '--memory', '1M', '--known', '288', '--json'],
  );

  expect(exitCode).toBe(4);
  const { verdict, way, rows, covered } = JSON.parse(out);
  expect([verdict, way, rows.length]).toEqual(['incomplete', 'swarm', 4]);
  for (const row of rows) expect(row).toMatchObject({ states: 288, exhausted: true });
  expect(covered.map(({ searches }: { searches: number }) => searches)).toEqual([1, 2, 4]);
  for (const { states, share } of covered)
    expect([Math.abs(states - 288) < 8, share > 0.97]).toEqual([true, true]);
});

test('records what it finds, and finds it again from its ledger', async () => {
  const scenario = join(folder, 'faulty.yaml');
  writeFileSync(scenario, `${readFileSync('scenarios/protocols/broken-promise.yaml', 'utf8')}`);
  const words = ['check', scenario, '--swarm', '3', '--out', join(folder, 'faulty')];
  const record = join(folder, 'faulty.json');

  const first = await called(...words, '--record', record, '--json');
  const again = await called(...words, '--no-record', '--json');
  const replayed = await called('replay', record, '--json');

  const [{ counterexample }, other] = [first, again].map(({ out }) => JSON.parse(out));
  expect([first.exitCode, again.exitCode, replayed.exitCode]).toEqual([1, 1, 1]);
  expect(counterexample.recording).toBe(record);
  expect(other.counterexample.why).toBe(counterexample.why);
  expect(JSON.parse(replayed.out).verdict).toBe(counterexample.verdict);
});

test('is the same swarm in shards, whoever carries them out', async () => {
  const out = (name: string) => join(folder, name);
  const words = ['check', commit, '--swarm', '5', '--seed', '7', '--memory', '32K'];
  await called(...words, '--out', out('whole'));
  for (const shard of ['1', '2']) await called(...words, '--shard', `${shard}/2`, '--out', out(shard));

  const { exitCode, err } = await called('merge', out('1'), out('2'), '--out', out('all'));

  expect(exitCode).toBe(4);
  expect(err).toContain('two phase commit: 5 of 5 searches'.replace('two phase', 'two-phase'));
  const [whole, all] = ['whole', 'all'].map((name) =>
    JSON.parse(readFileSync(join(out(name), 'ledger.json'), 'utf8')),
  );
  expect(all).toEqual(whole);
  const twice = await called('merge', out('1'), out('1'), '--out', out('twice'));
  expect(twice.err).toContain('found search 1 a second time');
  const other = await called(...words.with(5, '8'), '--out', out('whole'));
  expect([other.exitCode, other.err]).toEqual([2, expect.stringContaining('expected one of the same order')]);
});

test.each([
  [['--swarm', '2', '--symmetry'], '--symmetry: found together with --swarm'],
  [['--swarm', '2', '--resume'], '--resume: found together with --swarm'],
  [['--known', '2'], '--known: found without --swarm, expected both'],
])('%j is refused', async (options, words) => {
  const { exitCode, err } = await called('check', commit, ...options);

  expect([exitCode, err.includes(words)]).toEqual([2, true]);
});
