import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { checked } from '../check/testing/checked.ts';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

const folder = temporaryFolder('checked');

const sentences = [
  'ring segments never overlap',
  'the memories at the end of a cycle follow from those before it and its accesses in some order',
  'byte i of a transfer moves in cycle start + i, exactly once',
  'each byte follows one command of its own in the same cycle',
  'status answers are exact',
  'the barrier opens when each of the 2N+1 parties has reported once',
  'every accepted request of a run until idle finishes',
  'the ids of a DMA module are pairwise distinct',
  'with bounded waiting every urgent request starts by its bound',
  'the checker finds nothing',
  'every cycle brings what the plain loop of the specification brings',
  'requests start when and where they do when they are arbitrated alone',
  'no program raises an exception',
];

test.each([
  ['put', 4],
  ['exchange', 6],
  ['polling', 8],
])(
  'all sentences about the Cell machine are judged under every schedule: checked-%s',
  async (name, states) => {
    expect(await checked(`scenarios/cell/checked-${name}.yaml`)).toMatchObject({
      exitCode: 0,
      verdict: 'ok',
      states,
      properties: sentences,
      notJudged: [],
      judgedAtRest: [],
      open: [],
    });
  },
);

/** The sentences that check finds broken in a scenario of a small machine with a planted fault. */
async function broken(mutant: string, ...options: readonly string[]) {
  const file = join(folder, `${mutant}.yaml`);
  const sound = readFileSync('scenarios/cell/checked-polling.yaml', 'utf8');
  writeFileSync(file, sound.replace(/^expect:.*$/m, `faults: [{ mutant: ${mutant} }]`));
  const terminal = new KeptTerminal(false, 80);
  await main(['check', file, '--json', '--no-record', ...options], terminal);
  const { counterexample, counterexamples = [counterexample] } = JSON.parse(terminal.stdout);
  return (counterexamples as readonly { what: string }[]).map(({ what }) => what);
}

test.each([
  ['M-08', 'byte i of a transfer moves in cycle start + i, exactly once'],
  // The party that was not waited for reports while the arbiter asks requests.
  ['M-13', 'each of the 2N+1 entities reports the end of each cycle exactly once'],
  ['M-17', 'each byte follows one command of its own in the same cycle'],
])('the planted fault %s is found by check', async (mutant, sentence) => {
  expect(await broken(mutant)).toEqual([sentence]);
});

test('the checker and the plain loop find a planted fault under every schedule, too', async () => {
  const found = await broken('M-08', '--keep-going');

  expect(found).toContain('every cycle brings what the plain loop of the specification brings');
  expect(found.some((sentence) => sentence.startsWith('CK-07 '))).toBe(true);
});

test('a flag that overtakes its data is found among all orders of two transfers and a program that polls', async () => {
  // With every order of what the sentences look at, the check did not come to an end.
  expect(await checked('scenarios/cell/hazard.yaml')).toMatchObject({
    exitCode: 1,
    verdict: 'violated',
    states: 3,
  });
}, 120_000);
