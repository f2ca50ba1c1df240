import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CampaignIdentity, Ledger, type SavedLedger } from '../../properties/explore/ledger.ts';
import { temporaryFolder } from '../../scenarios/testing/temporary-folder.ts';
import { ownThread } from '../threads/worker-pool.ts';
import { loadLedger, saveLedger } from './ledger-file.ts';
import { type CampaignOrder, openCampaign } from './order.ts';
import { runCampaign } from './run-campaign.ts';
import { type CampaignPool, campaignThreads, timedBatches } from './timed-batch.ts';

const folder = temporaryFolder('fuzz');

/** Two who use a memory without a lock in one cycle, so that some orders fail; one with a mutant that fails in other ways. */
const order: CampaignOrder = {
  subject: {
    file: 'racy.yaml',
    text: `name: unlocked
machine: cell
config: { N: 3, K: 1, memSize: 64 }
programs:
  - [[0, put, 0, 1, 32, 2]]
  - [[0, get, 10, 0, 8, 2], [1, read, 32]]
faults: [{ mutant: M-26 }]
`,
  },
  plan: { seed: 5, strategies: ['random'], coverage: true },
};

const identity: CampaignIdentity = {
  version: '0',
  machine: 'cell',
  scenario: 'racy',
  mutants: [],
  seed: 5,
  strategies: ['random'],
  coverage: true,
};

const campaign = await openCampaign(order);
const runs = 120;
const forEver = { runs, stopAtFailure: false, shouldStop: () => false };

/** The ledger that a worker pool comes to. */
async function ledgerOf(
  workerPool: CampaignPool,
  limits: Partial<typeof forEver> = {},
): Promise<SavedLedger> {
  const ledger = new Ledger(identity);
  await runCampaign(workerPool, ledger, { ...forEver, ...limits });
  await workerPool.end();
  return ledger.save();
}

/** The ledger of all runs by one thread. */
let whole: SavedLedger;
beforeAll(async () => {
  whole = await ledgerOf(ownThread(timedBatches(campaign)));
}, 60_000);

describe('two threads and one come to the same ledger', () => {
  test('when all kinds of failures are collected', async () => {
    expect(await ledgerOf(campaignThreads(order, 2))).toEqual(whole);
  });

  test('when the first failure ends the campaign', async () => {
    const one = await ledgerOf(ownThread(timedBatches(campaign)), { stopAtFailure: true });

    expect(await ledgerOf(campaignThreads(order, 2), { stopAtFailure: true })).toEqual(one);
    expect(one.findings).toHaveLength(1);
    expect(one.runs).toBeLessThan(runs);
  });
});

test.each([1, 2, 17, 80])(
  'interrupted after %i runs and resumed comes to the ledger of one that was not',
  async (after) => {
    const file = join(folder, `interrupted-${after}.json`);
    const first = new Ledger(identity);
    await runCampaign(ownThread(timedBatches(campaign)), first, {
      ...forEver,
      shouldStop: () => first.runs >= after,
    });
    saveLedger(file, first);
    const resumed = loadLedger(file, identity)!;
    await runCampaign(ownThread(timedBatches(campaign)), resumed, forEver);

    expect(first.runs).toBeGreaterThanOrEqual(after);
    expect(first.runs).toBeLessThan(runs);
    expect(resumed.save()).toEqual(whole);
  },
);

test('interrupted with two threads nothing that was begun is lost', async () => {
  const workerPool = campaignThreads(order, 2);
  let begun = 0;
  const counting: CampaignPool = {
    ...workerPool,
    run: (asked) => {
      begun += asked.count;
      return workerPool.run(asked);
    },
  };
  const ledger = new Ledger(identity);

  await runCampaign(counting, ledger, { ...forEver, shouldStop: () => ledger.runs > 0 });
  await workerPool.end();

  expect(ledger.runs).toBe(begun);
  expect(ledger.runs).toBeLessThan(runs);
});

test('what a run throws in a thread is heard of', async () => {
  const workerPool = campaignThreads(
    { ...order, plan: { seed: 5, strategies: ['nonsense' as 'random'], coverage: true } },
    1,
  );

  await expect(runCampaign(workerPool, new Ledger(identity), forEver)).rejects.toThrow(
    'run 0 (nonsense, seed ',
  );
  await workerPool.end();
});

test('a thread that cannot begin is heard of', async () => {
  const workerPool = campaignThreads({ ...order, subject: { machine: 'cell', mutants: ['M-99'] } }, 1);

  await expect(runCampaign(workerPool, new Ledger(identity), forEver)).rejects.toThrow('found "M-99"');
  await workerPool.end();
});

describe('a ledger file', () => {
  const saved = (change: (text: string) => string = (text) => text): string => {
    const file = join(folder, 'ledger.json');
    const ledger = new Ledger(identity);
    ledger.add(campaign.batch(0, 3, false));
    saveLedger(file, ledger);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    return file;
  };

  test('that is not there is none', () => {
    expect(loadLedger(join(folder, 'nowhere.json'), identity)).toBeUndefined();
  });

  test.each([
    [{ seed: 6 }, ':8:11 found the ledger of another campaign: seed 5, expected 6\n'],
    [
      { scenario: 'other' },
      ':6:15 found the ledger of another campaign: scenario "racy", expected "other"\n',
    ],
    [
      { strategies: ['fifo' as const] },
      ':9:17 found the ledger of another campaign: strategies ["random"], expected ["fifo"]\n',
    ],
    [{ version: '1' }, ':4:14 found the ledger of another campaign: version "0", expected "1"\n'],
  ])('of another campaign is refused at its place: %j', (other, message) => {
    const file = saved();

    expect(() => loadLedger(file, { ...identity, ...other })).toThrow(`${file}${message}`);
    expect(() => loadLedger(file, { ...identity, ...other })).toThrow('help: give another folder with --out');
  });

  test.each([
    [
      'of another version',
      (text: string) => text.replace('ledger/1', 'ledger/9'),
      ':2:12 format: found "lockstep-ledger/9", expected "lockstep-ledger/1"',
    ],
    [
      'that is cut',
      (text: string) => text.slice(0, 60),
      ' found the end of the text, expected the JSON of a ledger',
    ],
    ['whose ends are damaged', (text: string) => text.replace(/"kept": "./, '"kept": "x'), ' ends.kept: '],
    ['without runs', (text: string) => text.replace('"runs": 3,', ''), ' missing key "runs"'],
  ])('%s is refused at its place', (_, change, message) => {
    const file = saved(change);

    expect(() => loadLedger(file, identity)).toThrow(message);
    expect(() => loadLedger(file, identity)).toThrow(new RegExp(`^${file}:\\d+:\\d+ `));
  });
});

test('threads get the schedules of one generated scenario together, whatever a batch takes', async () => {
  const strategies: CampaignIdentity['strategies'] = ['random', 'pct', 'pos'];
  const ledger = new Ledger({ ...identity, scenario: null, strategies });
  const asked: { first: number; count: number }[] = [];
  const pool: CampaignPool = {
    underWayMax: 4,
    run: async ({ first, count }) => {
      asked.push({ first, count });
      const batch = {
        first,
        runs: count,
        deliveries: 0,
        cut: 0,
        ends: new Uint32Array(2 * count),
        failures: [],
        judged: {},
      };
      return { batch, milliseconds: 1 + 7 * (asked.length % 5) };
    },
    end: async () => {},
  };
  await runCampaign(pool, ledger, { runs: 1000, stopAtFailure: false, shouldStop: () => false });

  expect(asked.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter(({ first }) => first % strategies.length !== 0)).toEqual([]);
});
