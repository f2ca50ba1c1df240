import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { machines } from '../../manifests/machines.ts';
import { type Campaign, type CampaignPlan, dealtRuns, runNumber } from '../../properties/explore/campaign.ts';
import { type CampaignIdentity, Ledger, ledgerSchema } from '../../properties/explore/ledger.ts';
import { generationOf } from '../../properties/generated-subject.ts';
import { scheduleKinds } from '../../scenarios/schedule.ts';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { machineNamed } from '../known-machines.ts';
import { called } from '../testing/called.ts';
import { openCampaign } from './order.ts';

const folder = temporaryFolder('shards');

const shards = (of: number) => Array.from({ length: of }, (_, index) => ({ number: index + 1, of }));

test('each run of a campaign is dealt to exactly one shard, all schedules of a scenario to the same', () => {
  fc.assert(
    fc.property(
      fc.subarray([...scheduleKinds], { minLength: 1 }),
      fc.nat(500),
      fc.integer({ min: 1, max: 20 }),
      (strategies, runs, of) => {
        const dealt = shards(of).map((shard) =>
          Array.from({ length: dealtRuns({ strategies, shard }, runs) }, (_, at) =>
            runNumber({ strategies, shard }, at),
          ),
        );

        expect(dealt.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: runs }, (_, run) => run));
        const scenarios = dealt.map((own) => new Set(own.map((run) => Math.floor(run / strategies.length))));
        expect(scenarios.reduce((sum, { size }) => sum + size, 0)).toBe(Math.ceil(runs / strategies.length));
      },
    ),
  );
});

/** The ledger of a campaign or of a shard, as its file has it. */
async function ledgerOf(machine: string, plan: CampaignPlan, runs: number, mutants: readonly string[]) {
  const campaign: Campaign = await openCampaign({ subject: { machine, mutants }, plan });
  const identity: CampaignIdentity = {
    version: '0',
    machine,
    scenario: null,
    mutants: [...mutants],
    seed: plan.seed,
    strategies: [...plan.strategies],
    coverage: plan.coverage,
    shard: plan.shard ?? null,
  };
  const ledger = new Ledger(identity);
  ledger.add(campaign.batch(0, dealtRuns(plan, runs), false));
  return Ledger.of(ledgerSchema.parse(JSON.parse(JSON.stringify(ledger.save()))));
}

const textOf = (ledger: Ledger): string => JSON.stringify(ledger.save());

const generating = (
  await Promise.all(
    machines.map(async ({ name }) => ((await generationOf(await machineNamed(name))) ? [name] : [])),
  )
).flat();

test('there are machines with a generator', () => {
  expect(generating).toEqual(
    expect.arrayContaining([
      'cell',
      'cellbe',
      'sunway',
      'tca',
      'grape',
      'chiplet',
      'chiplet-network',
      'interchiplet',
      'raft',
    ]),
  );
});

describe.each(generating)('shards of generated scenarios of %s', (machine) => {
  test('come to the ledger of one campaign, character by character, in whatever order they are put together', async () => {
    const plan: CampaignPlan = { seed: 5, strategies: ['fifo', 'random', 'pct'], coverage: true };
    // Three schedules of each scenario: more shards than scenarios, so that some have nothing to do.
    const runs = effort({ short: 2, long: 17 });
    const of = effort({ short: 3, long: 16 });
    const whole = await ledgerOf(machine, plan, runs, []);

    const parts = await Promise.all(
      shards(of).map((shard) => ledgerOf(machine, { ...plan, shard }, runs, [])),
    );

    expect(whole.runs).toBe(runs);
    expect(textOf(Ledger.merged(parts))).toBe(textOf(whole));
    const [first, ...rest] = parts;
    const halves = [Ledger.merged([...rest].reverse()), first!];
    expect(halves[0]!.parts).toHaveLength(of - 1);
    expect(textOf(Ledger.merged(halves))).toBe(textOf(whole));
  });
});

test('findings of shards are those of one campaign', async () => {
  const plan: CampaignPlan = { seed: 3, strategies: ['fifo', 'random'], coverage: false };
  const runs = effort({ short: 20, long: 90 });
  const whole = await ledgerOf('cell', plan, runs, ['M-03', 'M-11', 'M-17']);
  expect(whole.findings.length).toBeGreaterThan(2);

  const parts = await Promise.all(
    shards(7).map((shard) => ledgerOf('cell', { ...plan, shard }, runs, ['M-03', 'M-11', 'M-17'])),
  );

  expect(textOf(Ledger.merged(parts))).toBe(textOf(whole));
});

describe('on the command line', () => {
  const at = (name: string): string => join(folder, name);
  const fuzz = (name: string, ...more: string[]) =>
    called(
      'fuzz',
      'register',
      '--mutant',
      'lost-write',
      '--runs',
      '40',
      '--keep-going',
      '--no-coverage',
      '--out',
      at(name),
      ...more,
    );

  test('shards are fuzzed apart and merged, with the recording of what was found first', async () => {
    await fuzz('whole');
    for (const number of [1, 2, 3]) await fuzz(`part-${number}`, '--shard', `${number}/3`);

    const { exitCode, out } = await called(
      'merge',
      at('part-3'),
      join(at('part-1'), 'ledger.json'),
      at('part-2'),
      '--out',
      at('all'),
      '--json',
    );

    expect(exitCode).toBe(1);
    expect(readFileSync(join(at('all'), 'ledger.json'), 'utf8')).toBe(
      readFileSync(join(at('whole'), 'ledger.json'), 'utf8'),
    );
    const told = JSON.parse(out);
    expect(told).toMatchObject({ runs: 40, verdict: 'failed' });
    const [finding] = told.findings;
    const recording = join(at('all'), 'failure-1.recording.json');
    expect(finding.files).toContain(recording);
    expect(readFileSync(recording, 'utf8')).toBe(
      readFileSync(join(at('whole'), 'failure-1.recording.json'), 'utf8').replaceAll(at('whole'), at('all')),
    );
    expect(readFileSync(join(at('all'), 'failure-1.txt'), 'utf8')).toContain(`replay ${recording}`);
    expect((await called('replay', recording, '--quiet')).exitCode).toBe(1);
    // A merged ledger is one of a campaign, which goes on.
    const more = await called(
      'fuzz',
      'register',
      '--mutant',
      'lost-write',
      '--runs',
      '45',
      '--keep-going',
      '--no-coverage',
      '--out',
      at('all'),
    );
    expect(more.err).toContain('goes on after 40 runs');
  });

  test.each(['all', 'merged/a/b'])(
    'of a machine of a module, what was found replays from %s',
    async (out) => {
      // As the jobs of a matrix do, from the folder that has the module.
      const written = join('templates', 'typescript', 'machine.ts#lockServer');
      for (const number of [1, 2])
        await called(
          ...['fuzz', written, '--mutant', 'hasty-server', '--runs', '20', '--keep-going', '--no-coverage'],
          ...['--shard', `${number}/2`, '--out', at(`module/${number}`)],
        );

      const { out: told } = await called(
        ...['merge', at('module/1'), at('module/2'), '--out', at(`module-${out}`), '--json'],
      );

      const [finding] = JSON.parse(told).findings;
      const recording = finding.files.find((file: string) => file.endsWith('.recording.json'));
      const replayed = await called('replay', recording, '--quiet');
      expect(replayed.exitCode, replayed.err).toBe(1);
      const scenario = readFileSync(recording.replace('.recording.json', '.yaml'), 'utf8');
      expect(JSON.parse(readFileSync(recording, 'utf8')).scenario.text).toBe(scenario);
      const run = await called(
        'run',
        recording.replace('.recording.json', '.yaml'),
        '--no-record',
        '--quiet',
      );
      expect(run.err).not.toContain('SCN022');
    },
  );

  test('what is missing is told, and can be added later', async () => {
    for (const number of [1, 2])
      await called('fuzz', 'raft', '--runs', '10', '--shard', `${number}/2`, '--out', at(`raft-${number}`));

    const half = await called('merge', at('raft-1'), '--out', at('raft-half'));
    expect(half.exitCode).toBe(4);
    expect(half.err).toContain('not the whole campaign yet: 1 of 2 shards, 1/2 with 5 runs');
    const both = await called('merge', at('raft-half'), at('raft-2'), '--out', at('raft-all'));
    expect(both.exitCode).toBe(0);
  });

  test('a shard to which no run falls judges nothing, and says so', async () => {
    const empty = await called('fuzz', 'raft', '--runs', '3', '--shard', '5/5', '--out', at('empty'));
    expect(empty.exitCode).toBe(4);
    expect(empty.err).toContain('raft shard 5/5: no run was carried out, so nothing is judged');

    const none = await called('fuzz', 'raft', '--runs', '0', '--out', at('none'), '--json');
    expect(none.exitCode).toBe(4);
    expect(JSON.parse(none.out)).toMatchObject({ verdict: 'incomplete', runs: 0 });
    const merged = await called('merge', at('none'), '--out', at('none-all'), '--json');
    expect(merged.exitCode).toBe(4);
    expect(JSON.parse(merged.out)).toMatchObject({ verdict: 'open', runs: 0 });
  });

  test('what shards wrote is not replaced by what they are merged to', async () => {
    await called('fuzz', 'raft', '--runs', '4', '--shard', '1/2', '--out', at('own'));
    const before = readFileSync(join(at('own'), 'ledger.json'), 'utf8');
    const { exitCode, err } = await called('merge', at('raft-2'), at('own'), '--out', at('own'));

    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /--out: found .*own, the folder of .*ledger\.json, which is read, expected another folder/,
    );
    expect(readFileSync(join(at('own'), 'ledger.json'), 'utf8')).toBe(before);
  });

  test('a shard goes on where it was left', async () => {
    await fuzz('left', '--shard', '2/3', '--runs', '20');
    await fuzz('left', '--shard', '2/3');

    expect(readFileSync(join(at('left'), 'ledger.json'), 'utf8')).toBe(
      readFileSync(join(at('part-2'), 'ledger.json'), 'utf8'),
    );
  });

  test.each([
    ['a shard twice', ['part-1', 'part-1'], 'found shard 1/3 twice'],
    ['two campaigns', ['part-1', 'raft-1'], 'found ledgers of two campaigns: machine "register" and "raft"'],
    ['shards of different numbers', ['raft-1', 'raft-all'], 'found shard'],
    ['a ledger that there is not', ['part-1', 'nowhere'], 'nowhere'],
  ])('%s is refused', async (_, parts, words) => {
    const { exitCode, err } = await called('merge', ...parts.map(at), '--out', at('refused'));

    expect(exitCode).toBe(2);
    expect(err).toContain(words);
    expect(existsSync(at('refused'))).toBe(false);
  });

  test.each(['0/4', '5/4', '1', 'a/b', '1/0', '-1/3', '1/1000000'])(
    '--shard %s is refused',
    async (shard) => {
      const { exitCode, err } = await fuzz('never', '--shard', shard);

      expect(exitCode).toBe(2);
      expect(err).toContain(`--shard: found "${shard}", expected I/N`);
    },
  );

  test('something else than a ledger is refused', async () => {
    writeFileSync(at('else.json'), '{"format":"something"}');

    const { exitCode, err } = await called('merge', at('else.json'), '--out', at('refused'));

    expect(exitCode).toBe(2);
    expect(err).toContain('else.json');
  });

  test('campaigns of rows are merged as well', async () => {
    const races = (name: string, ...more: string[]) =>
      called(
        'sunway',
        'races',
        '--only',
        'S12',
        '--schedules',
        '7',
        '--ledger',
        join(at(name), 'ledger.json'),
        ...more,
      );
    await races('races');
    for (const number of [1, 2, 3]) await races(`races-${number}`, '--shard', `${number}/3`);

    const { exitCode, out } = await called(
      'merge',
      ...[1, 2, 3].map((number) => at(`races-${number}`)),
      '--out',
      at('races-all'),
      '--json',
    );

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ campaign: 'sunway races', shards: 3, failed: 0 });
    expect(readFileSync(join(at('races-all'), 'ledger.json'), 'utf8')).toBe(
      readFileSync(join(at('races'), 'ledger.json'), 'utf8'),
    );
    const missing = await called('merge', at('races-1'), at('races-2'), '--out', at('refused'));
    expect([missing.exitCode, missing.err]).toEqual([2, expect.stringContaining('expected each shard')]);
  });
});
