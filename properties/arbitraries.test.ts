import { describe, expect, test } from 'vitest';
import { TapeChoices } from '../kernel/choices.ts';
import { effort } from '../kernel/testing/effort.ts';
import { machines } from '../manifests/machines.ts';
import { generatedNames, subjectNamed } from '../manifests/testing/named.ts';
import { parseScenario } from '../scenarios/load.ts';
import { type Batch, Campaign } from './explore/campaign.ts';
import { simplestFailure } from './explore/simplest.ts';
import { Trials } from './explore/trial.ts';

const names = await generatedNames();

/** Runs of each sound machine. */
const many = effort({ short: 3, long: 30 });

const subjectOf = (name: string, mutants: readonly string[] = []) => subjectNamed(name, 3, mutants);
const campaignOf = async (name: string, mutants: readonly string[] = []): Promise<Campaign> =>
  new Campaign(await subjectOf(name, mutants), {
    seed: 3,
    strategies: ['random', 'pct', 'delay'],
    coverage: false,
  });

/** A command of a program as data: one transfer, a list of them, or a wait. */
interface Command {
  readonly size?: number;
  readonly pieces?: readonly { readonly size: number }[];
}

test.each(names)('a sound machine passes in generated scenarios: %s', async (name) => {
  const { failures, runs } = (await campaignOf(name)).batch(0, many, false);

  expect(failures).toEqual([]);
  expect(runs).toBe(many);
});

test.each(names)(
  'a generated scenario is data: its text is the same scenario, run for run: %s',
  async (name) => {
    const subject = await subjectOf(name);
    const campaign = await campaignOf(name);
    for (let index = 0; index < effort({ short: 1, long: 5 }); index++) {
      const generated = subject.scenario(index);
      const { scenario, machine } = await parseScenario(generated.text, generated.file, machines);
      const { tape, fingerprint, outcome } = campaign.attempt(3 * index);

      const again = new Trials(scenario, machine, subject.properties).attempt(new TapeChoices(tape));

      expect(scenario).toEqual({ ...generated });
      expect(again.fingerprint).toBe(fingerprint);
      expect(again.outcome.deliveries).toBe(outcome.deliveries);
    }
  },
);

describe('a planted fault is found and made small', () => {
  /** Finds the first failure of a machine with a fault, in scenarios of a kind where one is given, and simplifies it. */
  async function smallest(name: string, mutant: string, runs: number, kind = '') {
    const campaign = await campaignOf(name, [mutant]);
    let first: Batch['failures'][number] | undefined;
    for (let run = 0; run < runs && !first; run++)
      if (campaign.scenarioOf(run).name.includes(kind)) [first] = campaign.batch(run, 1, true).failures;
    expect(first, `${mutant} in ${runs} runs`).toBeDefined();
    const { scenario, complete } = simplestFailure(campaign, first!.run, first!.kind, 'small.yaml');
    expect(complete).toBe(true);
    return { scenario, what: first!.kind.what };
  }

  const inLong = test.runIf(effort({ short: false, long: true }));

  // Takes three times as long as the others.
  inLong('tca: routers send everything westward, one transfer between two neighbours', async () => {
    const { scenario, what } = await smallest('tca', 'T-09', 60, 'transfers');

    expect(what).toBe('a write crosses as many cables as lie between its nodes');
    const operations = (scenario.programs as readonly { op: string; chain?: readonly object[] }[][]).flat();
    expect(operations.filter(({ op }) => op === 'start')).toHaveLength(1);
    expect(operations.find(({ op }) => op === 'start')!.chain).toHaveLength(2);
    expect(scenario.text).not.toContain('parameters');
  });

  test('chiplet: a link forgets the words of a packet, two packets over one link', async () => {
    const { scenario, what } = await smallest('chiplet-network', 'toggles-forgotten', 60);

    expect(what).toMatch(/^a link counts the bits/);
    const { packets } = scenario.programs as { packets: readonly (readonly number[])[] };
    const overLinks = packets.filter(([, fromX, fromY, toX, toY]) => fromX !== toX || fromY !== toY);
    expect(overLinks).toHaveLength(2);
  });

  test('grape: blocks carry out slots in unlike cycles, one call that does work', async () => {
    const { scenario } = await smallest('grape', 'G-08', 60);

    const { host } = scenario.programs as { host: readonly { call: string }[] };
    expect(host.filter(({ call }) => call !== 'init').length).toBeLessThanOrEqual(1);
    expect(scenario.config).toMatchObject({ nBB: 2, slotMin: 4, mode: 'pipelined' });
  });

  // Takes as long as all others together.
  test.each(effort({ short: [], long: ['G-14'] }))(
    'grape: %s, the tree leaves a block out, one pass over one record',
    async (mutant) => {
      const { scenario, what } = await smallest('grape', mutant, 120);

      expect(what).toBe('a reduced word is the tree of the words of all blocks');
      const { host } = scenario.programs as { host: readonly object[] };
      // To begin, a particle, a record, a run, and its result.
      expect(host.length).toBeLessThanOrEqual(5);
    },
  );

  test.each([
    ['G-01', /^a block gives the words/],
    ['G-04', /^the chip does what a plain loop/],
    ['G-18', /^the host receives the reduced words/],
  ])('grape: %s, which calculates otherwise, is found', async (mutant, sentence) => {
    const [first] = (await campaignOf('grape', [mutant])).batch(0, 400, true).failures;

    expect(first?.kind.what).toMatch(sentence);
  });

  test.each<[string, string]>([
    ...effort<[string, string][]>({
      short: [],
      long: [
        ['eib-short-path', 'a link carries one packet at a time'],
        ['eib-hasty-start', 'a ring keeps the gap between two starts'],
        ['eib-lost-packet', '.Mfc in '],
      ],
    }),
    ['eib-crowded-ring', 'a ring carries at most so many packets'],
  ])('cellbe: %s, in a handful of packets', async (mutant, words) => {
    const { scenario, what } = await smallest('cellbe', mutant, 200);

    expect(what).toContain(words);
    const { packetBytes } = scenario.config as { packetBytes: number };
    const commands = Object.values(scenario.programs as Record<string, readonly Command[]>).flat();
    const sizes = commands.flatMap(({ size, pieces = [] }) => [
      size ?? 0,
      ...pieces.map((piece) => piece.size),
    ]);
    const count = sizes.reduce((sum, size) => sum + Math.ceil(size / packetBytes), 0);
    expect(count).toBeLessThanOrEqual(5);
  });

  test.each([
    ['two-phase-commit', 'hasty-manager', { resourceManagers: 2 }],
    ['two-phase-commit', 'lost-decision', { resourceManagers: 1 }],
    ['mutual-exclusion', 'writes-swapped', { rounds: 1 }],
    ['register', 'lost-write', { clients: 1, writes: 1, reads: 1 }],
    ['register', 'early-answer', { clients: 2, writes: 1, reads: 1 }],
  ])('%s: %s in the least number of parts', async (name, mutant, config) => {
    const { scenario } = await smallest(name, mutant, 300);

    expect(scenario.config).toMatchObject(config);
  });
});
