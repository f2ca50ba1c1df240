import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { raceProperty } from '../machines/sunway/monitors/race-monitor.ts';
import { referenceSentence } from '../properties/with-reference.ts';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { checked } from './check/testing/checked.ts';

/* What only whole runs can be judged by is judged by `check` in the one run that is first come, first served. */

const folder = temporaryFolder('whole-run');
const wholeRun = 'first come, first served';
const textOf = (name: string): string =>
  readFileSync(new URL(`../scenarios/${name}.yaml`, import.meta.url), 'utf8');

function changed(name: string, change: (text: string) => string): string {
  const file = join(folder, `${name.replace('/', '-')}.yaml`);
  writeFileSync(file, change(textOf(name)));
  return file;
}

const faulty = (mutant: string) => (text: string) =>
  `${text.replace(/^expect:.*/m, '')}\nfaults: [{ mutant: ${mutant} }]\n`;

test('a network that differs from the plain one is violated, although all its properties hold', async () => {
  const found = await checked(changed('chiplet/two-packets', faulty('switch-for-all')));

  expect(found).toMatchObject({ exitCode: 1, verdict: 'violated', unexplored: 0, wholeRun });
  expect(found.counterexample).toMatchObject({ what: referenceSentence });
});

test('the same in an exploration that came to its limit', async () => {
  const file = changed('chiplet/two-packets', faulty('switch-for-all'));

  const found = await checked(file, '--max-states', '5');

  expect(found).toMatchObject({ exitCode: 1, verdict: 'violated' });
});

test('a race of every order is found; for other orders it stays open', async () => {
  const racing = (text: string) => text.replace(', race: { policy: off }', '');
  const sound = await checked(changed('sunway/two-pass', racing));

  expect(sound).toMatchObject({ exitCode: 4, verdict: 'incomplete', notJudged: [raceProperty], wholeRun });

  const early = join(folder, 'early.json');
  const slave = [
    ['dma_iget', 'own', { memory: 0 }, 64, 'got'],
    ['ld', 'own', 'i32'],
  ];
  const programs = { memory: { bytes: 256 }, statics: { own: 64 }, replies: ['got'], slave };
  const config = { cpesPerCg: 1, memoryMiB: 1, crossMiB: 0 };
  writeFileSync(early, JSON.stringify({ name: 'early', machine: 'sunway', config, programs }));
  const found = await checked(early);

  expect(found).toMatchObject({ exitCode: 1, verdict: 'violated', counterexample: { what: raceProperty } });
});

test('nothing of the kind is told of a protocol, whose properties are judged in all runs', async () => {
  const found = await checked(changed('protocols/two-phase-commit', (text) => text));

  expect(found).not.toHaveProperty('wholeRun');
});

test.each([['--depth', '3']])('with %s only what was asked for is judged', async (...options) => {
  const found = await checked(changed('chiplet/two-packets', faulty('switch-for-all')), ...options);

  expect(found).toMatchObject({ exitCode: 4 });
});

test('a run that is cut at a last tick is not said to be judged as a whole', async () => {
  const file = changed('chiplet/two-packets', (text) => text.replace(/^expect:.*/m, ''));

  expect(await checked(file)).toMatchObject({ wholeRun });
  expect(await checked(file, '--until', '5')).not.toHaveProperty('wholeRun');
});
