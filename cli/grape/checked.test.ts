import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { checked } from '../check/testing/checked.ts';

const folder = temporaryFolder('checked');

const sentences = [
  'input port and reduction network are never busy together, and neither twice',
  'a port is busy as long as its header, words and latency take',
  'every word of the input port comes to its blocks once, in order and announced',
  'idp visits the records of a region in order, mode 2 without moving on',
  'external memory gives the words that the host stored',
  'all blocks carry out the same slots in the same cycles, each once and in order',
  'a block gives the words that the reference engine calculates from the same slots',
  'a run of n passes issues initialization, n bodies and finalization, nothing else',
  'a pass begins when its records are in place, and they stay until it has read them',
  'a reduced word is the tree of the words of all blocks',
  'the host receives the reduced words, converted, in their order and in time',
  'the chip does what a plain loop over its cycles does: codes, cycles, slots, results, warnings',
];

test.each<[string, number]>([
  ['power', 144],
  ...effort<[string, number][]>({
    short: [],
    long: [
      ['stride', 131],
      ['density', 232],
    ],
  }),
])('all sentences about the chip are judged under every schedule: %s', async (name, states) => {
  expect(await checked(`scenarios/grape/${name}.yaml`)).toMatchObject({
    exitCode: 0,
    verdict: 'ok',
    states,
    properties: sentences,
    notJudged: [],
    judgedAtRest: [],
    open: [],
  });
});

test.each<[string, string]>([
  ...effort<[string, string][]>({
    short: [],
    long: [
      ['G-01', 'a block gives the words that the reference engine calculates from the same slots'],
      ['G-19', 'a port is busy as long as its header, words and latency take'],
    ],
  }),
  ['G-08', 'all blocks carry out the same slots in the same cycles, each once and in order'],
])('the planted fault %s is found by check', async (mutant, sentence) => {
  const file = join(folder, `${mutant}.yaml`);
  const sound = readFileSync('scenarios/grape/stride.yaml', 'utf8');
  writeFileSync(
    file,
    sound
      .replace('stride.vsm', resolve('scenarios/grape/stride.vsm'))
      .replace(/^expect:[\s\S]*/m, `faults: [{ mutant: ${mutant} }]\n`),
  );

  expect(await checked(file)).toMatchObject({ exitCode: 1, counterexample: { what: sentence } });
});
