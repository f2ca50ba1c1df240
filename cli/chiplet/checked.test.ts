import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { machines } from '../../manifests/machines.ts';
import { chipletSentences } from '../../properties/chiplet/machine-properties.ts';
import { judgedScenario } from '../../properties/judged-scenario.ts';
import { loadScenario } from '../../scenarios/load.ts';
import { explorationOf } from '../check/exploration.ts';
import { checked } from '../check/testing/checked.ts';

/* All properties of chiplets are judged by `check`, on scenarios that are small enough for all schedules; all scenarios can be explored. */

const folder = new URL('../../scenarios/chiplet/', import.meta.url).pathname;
const fileOf = (name: string): string => join(folder, `${name}.yaml`);
const atMeetings = /meeting|synchronisation file/;
const ofSystem = chipletSentences.system.filter((sentence) => !atMeetings.test(sentence));
/** With the states and the ends that there are, and the sentences that are judged. */
const small = {
  'two-packets': [21, 1, chipletSentences.network],
  'system-schedules': [97, 1, [...ofSystem, ...chipletSentences.network]],
  'interchiplet-lock-order': [47, 2, chipletSentences.interchiplet],
  'interchiplet-seed-matmul': [72, 1, chipletSentences.interchiplet],
} as const;

let written: string;
beforeAll(() => {
  written = mkdtempSync(join(tmpdir(), 'lockstep-chiplet-'));
});
afterAll(() => rmSync(written, { recursive: true, force: true }));

test.each(Object.entries(small))(
  '%s: all properties are judged under every schedule',
  async (name, [states, quiet, sentences]) => {
    const found = await checked(fileOf(name));

    expect([found.states, found.quiet]).toEqual([states, quiet]);
    expect(found).toMatchObject({ exitCode: 0, verdict: 'ok', unexplored: 0, open: [], notJudged: [] });
    expect(found.properties).toEqual(sentences);
  },
);

test('threads come to the states of one thread where actors share a memory', async () => {
  const [alone, together] = [
    await checked(fileOf('system-schedules')),
    await checked(fileOf('system-schedules'), '--workers', '2'),
  ];
  const figures = ({ states, transitions, quiet }: typeof alone) => [states, transitions, quiet];

  expect(figures(together)).toEqual(figures(alone));
});

describe.each([
  [
    'two-packets',
    { 'tail-lost': 'every packet arrives once', 'slow-heads': 'a flit is seen at the other end of its wire' },
  ],
  [
    'system-schedules',
    {
      'value-changed': 'the values that come from a chiplet',
      'received-when-sent': 'a message through the network comes when',
      'values-reversed': 'a chiplet sends one message a cycle',
    },
  ],
  [
    'interchiplet-lock-order',
    { 'I-02': 'a lock is taken in simulated time', 'I-06': 'a latency record serves one transaction' },
  ],
])('%s', (name, faults) => {
  test.each(Object.entries(faults))(
    '%s is found by the property that must catch it',
    async (mutant, sentence) => {
      const file = join(written, `${name}-${mutant}.yaml`);
      const text = readFileSync(fileOf(name), 'utf8').replaceAll(
        /(file|module): /g,
        `$1: ${dirname(fileOf(name))}/`,
      );
      writeFileSync(file, `${text.replace(/^expect:[\s\S]*/m, '')}faults: [{ mutant: ${mutant} }]\n`);

      const { exitCode, verdict, counterexample } = await checked(file);

      expect([exitCode, verdict]).toEqual([1, 'violated']);
      expect(counterexample.what).toMatch(new RegExp(`^${sentence}`));
    },
  );
});

test.each(readdirSync(folder).filter((file) => file.endsWith('.yaml')))(
  '%s can be explored',
  async (file) => {
    const loaded = await judgedScenario(await loadScenario(join(folder, file), machines));
    const { make, options, unjudged } = explorationOf(loaded, {
      reduction: true,
      statesMax: 1000,
      symmetry: false,
    });
    const explorer = new Explorer(make, options);

    // The first call ends where an actor is found to read the time: the exploration begins anew with the tick in its states.
    // Those of full size take a second for ten deliveries.
    const deliveries = file.endsWith('-full.yaml') ? effort({ short: 20, long: 200 }) : 200;
    for (let calls = 0; calls < 2; calls++) explorer.go(deliveries);

    expect(explorer.figures.transitions).toBeGreaterThan(0);
    expect(explorer.figures.states).toBeGreaterThan(1);
    expect(unjudged).toEqual([]);
  },
);
