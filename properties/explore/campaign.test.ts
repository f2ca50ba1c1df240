import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TapeChoices } from '../../kernel/choices.ts';
import { effort } from '../../kernel/testing/effort.ts';
import type { Given } from '../../machines/machine.ts';
import { machines } from '../../manifests/machines.ts';
import { propertiesNamed } from '../../manifests/testing/named.ts';
import { loadScenario, parseScenario } from '../../scenarios/load.ts';
import type { ScheduleKind } from '../../scenarios/schedule.ts';
import { Campaign, type CampaignPlan, plannedRun, runsOf } from './campaign.ts';
import { type CampaignIdentity, Ledger, ledgerSchema } from './ledger.ts';
import { givenSubject, type Subject } from './subject.ts';
import { Trials } from './trial.ts';

/** A memory without a lock, and two who use it in one cycle: some orders show it, others do not. */
const racy = `name: unlocked
machine: cell
config: { N: 3, K: 1, memSize: 64 }
programs:
  - [[0, put, 0, 1, 32, 2]]
  - [[0, get, 10, 0, 8, 2], [1, read, 32]]
faults: [{ mutant: M-26 }]
`;

const plan: CampaignPlan = { seed: 7, strategies: ['random', 'fifo'], coverage: true };

const identity: CampaignIdentity = {
  version: '0',
  machine: 'cell',
  scenario: null,
  mutants: [],
  seed: plan.seed,
  strategies: [...plan.strategies],
  coverage: true,
};

const { scenario, machine } = await parseScenario(racy, 'racy.yaml', machines);
const campaign = new Campaign(givenSubject(scenario, machine, await propertiesNamed('cell')), plan);

const strategies = fc.uniqueArray(fc.constantFrom<ScheduleKind>('random', 'fifo', 'pct', 'pos'), {
  minLength: 1,
});
const plans = fc.record({
  seed: fc.integer({ min: 0, max: 0xffff_ffff }),
  strategies,
  coverage: fc.constant(false),
});

test('strategies take turns, and each meets every scenario once', () => {
  fc.assert(
    fc.property(plans, fc.nat(200), (some, first) => {
      const count = some.strategies.length;
      const runs = Array.from({ length: count }, (_, turn) => plannedRun(some, first * count + turn));

      expect(runs.map(({ strategy }) => strategy)).toEqual(some.strategies);
      expect(new Set(runs.map(({ scenario }) => scenario))).toEqual(new Set([first]));
    }),
  );
});

test('no two runs of a campaign have the same seed, and another campaign has others', () => {
  const seeds = (seed: number) =>
    Array.from({ length: 5000 }, (_, number) => plannedRun({ ...plan, seed }, number).seed);

  expect(new Set(seeds(1)).size).toBe(5000);
  expect(new Set([...seeds(1), ...seeds(2)]).size).toBeGreaterThan(9990);
  expect(seeds(1).every((seed) => Number.isInteger(seed) && seed >= 0 && seed <= 0xffff_ffff)).toBe(true);
});

test('the runs of each strategy are counted', () => {
  fc.assert(
    fc.property(plans, fc.nat(50), (some, runs) => {
      const made = Array.from({ length: runs }, (_, number) => plannedRun(some, number).strategy);
      for (const strategy of some.strategies)
        expect(runsOf(strategy, runs, some)).toBe(made.filter((one) => one === strategy).length);
    }),
  );
});

test('a run is the same whenever it is carried out', () => {
  const numbers = [3, 4, 6, 8, 10];
  const there = numbers.map((number) => campaign.attempt(number));
  const back = numbers
    .toReversed()
    .map((number) => campaign.attempt(number))
    .reverse();

  expect(back.map(({ tape, fingerprint }) => ({ tape, fingerprint }))).toEqual(
    there.map(({ tape, fingerprint }) => ({ tape, fingerprint })),
  );
  expect(new Set(there.map(({ fingerprint }) => fingerprint)).size).toBeGreaterThan(1);
});

test('the ledger does not depend on how the runs are cut into batches, nor on being saved in between', () => {
  const whole = new Ledger(identity);
  whole.add(campaign.batch(0, 60, false));
  expect(whole.findings).not.toEqual([]);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 59 }), { maxLength: 5 }),
      fc.nat(5),
      (places, saved) => {
        const cuts = [0, ...places.sort((a, b) => a - b), 60];
        let ledger = new Ledger(identity);
        cuts.slice(1).forEach((end, index) => {
          ledger.add(campaign.batch(cuts[index]!, end - cuts[index]!, false));
          if (index === saved)
            ledger = Ledger.of(ledgerSchema.parse(JSON.parse(JSON.stringify(ledger.save()))));
        });

        expect(JSON.stringify(ledger.save())).toBe(JSON.stringify(whole.save()));
      },
    ),
    { numRuns: effort({ short: 3, long: 8 }), seed: 27 },
  );
});

test('batches that are not the next ones are refused', () => {
  const ledger = new Ledger(identity);

  expect(() => ledger.add(campaign.batch(1, 1, false))).toThrow('run 1 was added after run -1');
});

test('a batch that stops at a failure ends with it', () => {
  const { runs, failures, ends } = campaign.batch(0, 1000, true);

  expect(failures.map(({ run }) => run)).toEqual([runs - 1]);
  expect(ends).toHaveLength(2 * runs);
  expect(campaign.batch(0, runs - 1, true).failures).toEqual([]);
});

test('a finding says when each strategy found it and how often', () => {
  const ledger = new Ledger(identity);
  ledger.add(campaign.batch(0, 60, false));
  const failing = Array.from({ length: 60 }, (_, number) => number).filter(
    (number) => campaign.attempt(number).failure,
  );
  const byRandom = failing.filter((number) => number % 2 === 0);

  expect(ledger.findings[0]).toMatchObject({
    kind: { verdict: 'violated', what: 'CK-19 accesses to one memory exclude each other' },
  });
  expect(ledger.findings[0]?.by.find(({ strategy }) => strategy === 'random')).toEqual({
    strategy: 'random',
    first: byRandom[0],
    failures: byRandom.length,
  });
});

describe('where no coverage is counted', () => {
  const ofFile = async (file: string, coverage: boolean) => {
    const loaded = await loadScenario(`scenarios/chiplet/${file}`, machines);
    const subject = givenSubject(loaded.scenario, loaded.machine, await propertiesNamed('chiplet'));
    return new Campaign(subject, { seed: 3, strategies: ['random', 'pct', 'pos'], coverage });
  };
  const numbers = [0, 1, 2, 3, 4, 5];

  test('fast twins do the work of the same runs, though their tapes stay those of the whole', async () => {
    const [whole, fast] = await Promise.all(
      [true, false].map((coverage) => ofFile('system-schedules.yaml', coverage)),
    );
    for (const number of numbers) {
      const { tape, outcome } = fast!.attempt(number);
      const { machine: chiplet, properties } = whole!.subject;
      const again = new Trials(whole!.scenarioOf(number), chiplet, properties).attempt(new TapeChoices(tape));

      expect(again.tape).toEqual(tape);
      expect([again.outcome.verdict, again.outcome.ticks]).toEqual([outcome.verdict, outcome.ticks]);
      expect(outcome.deliveries).toBeLessThan(again.outcome.deliveries / 2);
    }
  });

  test('a run that fails is told with all its parts', async () => {
    const [whole, fast] = await Promise.all(
      [true, false].map((coverage) => ofFile('system-deadlock.yaml', coverage)),
    );
    for (const number of numbers) {
      const { failure, fingerprint } = fast!.attempt(number);

      expect(failure?.what).toContain('Warp[0] in waitingForMessage');
      expect([failure, fingerprint]).toEqual([
        whole!.attempt(number).failure,
        whole!.attempt(number).fingerprint,
      ]);
    }
  });

  test('one that fails with fast twins alone is a defect', async () => {
    const { subject } = await ofFile('system-deadlock.yaml', false);
    const assemble = (given: Given) => {
      const { programs } = given as { programs: { hosts: object } };
      const hosts = { ...programs.hosts, gpu: { steps: [] } };
      return subject.machine.assemble(given.fast ? given : { ...given, programs: { ...programs, hosts } });
    };
    const differing = { ...subject, machine: { ...subject.machine, assemble } };

    expect(() =>
      new Campaign(differing, { seed: 3, strategies: ['random'], coverage: false }).attempt(0),
    ).toThrow(/^run 0 \(random, seed \d+\): only with fast twins of its parts it fails: deadlock, /);
  });
});

test('a run that cannot be carried out is named with its strategy and seed', () => {
  const broken: Subject = {
    machine: {
      ...machine,
      assemble: () => {
        throw new Error('no wires left');
      },
    },
    properties: undefined,
    scenario: () => scenario,
  };

  const { seed } = plannedRun(plan, 4);
  expect(() => new Campaign(broken, plan).batch(4, 1, false)).toThrow(
    `run 4 (random, seed ${seed}): machine cell: its assemble threw: no wires left`,
  );
});
