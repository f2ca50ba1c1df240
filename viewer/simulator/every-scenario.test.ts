import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { main } from '../../cli/main.ts';
import { KeptTerminal } from '../../cli/terminal.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { openingOf } from '../open/opening.ts';
import { Session } from './session.ts';

/*
 * Each scenario of the repository opens, goes to its end, and comes to the verdict, figures and fingerprint of the command line; `npm run test:long` tries all of them.
 */

const all = (readdirSync('scenarios', { recursive: true }) as string[])
  .filter((file) => file.endsWith('.yaml') && !file.startsWith('broken'))
  .map((file) => `scenarios/${file}`)
  .sort();
const sample = [
  'scenarios/protocols/two-phase-commit.yaml',
  'scenarios/library/raft.yaml',
  'scenarios/cell/worked-wait.yaml',
  'scenarios/grape/density.yaml',
  'scenarios/chiplet/two-packets.yaml',
  'scenarios/tca/gasnet-hello.yaml',
];

test.each(effort({ short: sample, long: all }))('%s', async (file) => {
  const terminal = new KeptTerminal();
  await main(['run', file, '--json', '--no-record'], terminal);
  const told = JSON.parse(terminal.stdout);

  const { run, difference } = await new Session().open(openingOf(file).opening);

  expect(difference).toBeUndefined();
  const { ending, columns, cutAt } = run;
  expect(cutAt).toBeUndefined();
  expect(ending).toMatchObject({
    verdict: told.verdict,
    ticks: told.ticks,
    fingerprint: told.fingerprint,
    deliveries: columns.count,
  });
  // What the command line tells for people.
  for (const { label, value } of ending.figures) {
    expect(terminal.stderr).toContain(label);
    expect(terminal.stderr).toContain(value);
  }
});
