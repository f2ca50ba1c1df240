import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openEmbedded } from '../../farm/embedded.ts';
import { openPostgres } from '../../farm/postgres.ts';
import { isSmaller, type SmallestRun } from '../../farm/tally.ts';
import { sharedInstance } from '../../farm/testing/instance.ts';
import { freshDatabase } from '../../farm/testing/killed-farm.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { bugOf } from '../../properties/explore/bug.ts';
import { plannedRun } from '../../properties/explore/campaign.ts';
import { lockstepVersion } from '../../scenarios/version.ts';
import { openCampaign } from '../fuzz/order.ts';
import { strategiesOption } from '../fuzz/strategies-option.ts';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

// Takes some seconds: campaigns with the processes of their runners, on the embedded database; most on PostgreSQL where there is one, which opens in no time.

const home = 'out/farm-test';
const folder = `${home}/farm`;
const strategies = strategiesOption('portfolio');

async function lockstep(...args: readonly string[]) {
  const terminal = new KeptTerminal();
  const code = await main([...args], terminal);
  return {
    code,
    err: terminal.stderr,
    json: terminal.stdout === '' ? undefined : JSON.parse(terminal.stdout),
  };
}
/** Where the database is. */
let where: readonly string[] = ['--folder', folder];
const farm = (verb: string, ...args: readonly string[]) => lockstep('farm', verb, ...args, ...where);

/** A scenario of the machine that tests have. */
function scenario(name: string, config: object): string {
  const file = `${home}/${name}.yaml`;
  writeFileSync(
    file,
    `name: ${name}\nmachine: ../../farm/testing/cards.ts#cards\nconfig: ${JSON.stringify(config)}\n`,
  );
  return file;
}

/** Adds a campaign; gives its number. */
async function add(what: string, ...args: readonly string[]): Promise<number> {
  const { json, err } = await farm('add', what, '--json', ...args);
  if (!json?.campaigns) throw new Error(err);
  return json.campaigns[0].id;
}

const statusOf = async (id: number) => (await farm('status', String(id), '--json')).json.campaigns[0];

beforeAll(() => {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
});

describe('on the embedded database', () => {
  test('a campaign comes to what one process comes to', async () => {
    const what = 'scenarios/library/alternating-bit-delivers.yaml';
    const runs = effort({ short: 500, long: 10_000 });
    const id = await add(what, '--runs', String(runs), '--range', String(runs / 20));

    const worked = await farm('work', '--workers', '2', '--json');
    const status = await farm('status', String(id), '--ledger', `${home}/farm.json`, '--json');
    await lockstep('fuzz', what, '--runs', String(runs), '--out', `${home}/alone`);

    expect(worked.code, worked.err).toBe(0);
    expect(worked.json).toMatchObject({ runs, findings: [], interrupted: false });
    expect(status.json.campaigns[0]).toMatchObject({ runs, done: runs, waiting: 0, underWay: 0 });
    expect(readFileSync(`${home}/farm.json`, 'utf8')).toBe(readFileSync(`${home}/alone/ledger.json`, 'utf8'));
  });

  test('one process at a time has it', async () => {
    const database = await openEmbedded(folder, false);
    const { code, err } = await farm('status');
    await database.close();

    expect(code).toBe(2);
    expect(err).toContain(`found process ${process.pid} in it, expected nobody`);
    expect(existsSync(`${folder}/in-use`)).toBe(false);
  });

  test.each(['status', 'findings', 'work'])('%s makes none', async (verb) => {
    const nowhere = `${home}/nowhere`;
    const { code, err } = await lockstep('farm', verb, '--folder', nowhere);

    expect(code).toBe(2);
    expect(err).toContain(`${nowhere}: found no farm in it`);
    expect(existsSync(nowhere)).toBe(false);
  });

  test.each(['/dev/null', '/proc/nowhere/deep', 'package.json/below'])('cannot lie in %s', async (place) => {
    const { code, err } = await lockstep('farm', 'add', 'register', '--folder', place);

    expect(code).toBe(2);
    expect(err).toMatch(/cannot be written: .*\n {2}help: /);
  });
});

test('the process of a runner whose parent is killed ends without a word', () => {
  // The parent dies while its runner is amid a batch that would take minutes.
  const parent = `
    import { ChildRunner } from './cli/farm/child-runner.ts';
    const identity = { seed: 1, strategies: ['random'], coverage: false };
    const runner = new ChildRunner({ subject: { machine: 'raft', mutants: [] }, identity }, undefined);
    await runner.firstEnd;
    runner.batch(0, 10_000_000);
    const { lastSign } = runner;
    setInterval(() => {
      if (runner.lastSign !== lastSign) process.kill(process.pid, 'SIGKILL');
    }, 20);`;

  // It is over when the runner, which has the same standard error, is over, too.
  const { signal, stderr, error } = spawnSync(
    'node',
    ['--import', './cli/modules/register.mjs', '--input-type=module', '-e', parent],
    { encoding: 'utf8', env: { ...process.env, TMPDIR: resolve(home) }, timeout: 60_000 },
  );

  expect({ signal, stderr, error }).toEqual({ signal: 'SIGKILL', stderr: '', error: undefined });
});

describe('a campaign', () => {
  beforeAll(async () => {
    if (sharedInstance) where = ['--database', await freshDatabase(sharedInstance, 'farm_commands')];
  });

  test('keeps of each kind of failure the smallest run, made simple', async () => {
    const what = scenario('three-faults', { hands: 5, never: [0, 1, 2, 3, 4] });
    const runs = effort({ short: 200, long: 1000 });
    const id = await add(what, '--runs', String(runs));

    const worked = await farm('work', '--workers', '2');
    const { code, json, err } = await farm('findings', String(id), '--json');

    expect(worked.code, worked.err).toBe(1);
    expect(code).toBe(1);
    const expected = await smallestOf(what, runs);
    expect(
      json.findings
        .map(({ what: sentence, smallest }: { what: string; smallest: number }) => [
          `violated: ${sentence}`,
          smallest,
        ])
        .sort(),
    ).toEqual([...expected.values()].map(({ bug, run }) => [bug, run]).sort());
    expect(expected.size).toBe(5);
    expect(json.findings.reduce((sum: number, { failures }: { failures: number }) => sum + failures, 0)).toBe(
      runs,
    );
    expect(err).toContain('card 4 never comes first');
    for (const { id: finding } of json.findings) {
      const shown = await farm('show', String(finding), '--out', `${home}/shown`, '--json');
      expect(shown.err).toContain(
        `replay it: npx lockstep replay ${home}/shown/finding-${finding}.recording.json`,
      );
      const replayed = await lockstep('replay', `${home}/shown/finding-${finding}.recording.json`);
      expect(replayed.err).toContain('all equal; the end is equal, too');
    }
  });

  test('shows what was found of a machine of a module in any folder, where it replays', async () => {
    const machine = './templates/typescript/machine.ts#lockServer';
    const id = await add(machine, '--mutant', 'hasty-server', '--runs', '20');
    await farm('work');
    const [finding] = (await farm('findings', String(id), '--json')).json.findings;

    for (const out of [`${home}/lock`, `${home}/lock/a/b`, 'out/lock-shown']) {
      const { json } = await farm('show', String(finding.id), '--out', out, '--json');
      const replayed = await lockstep('replay', `${out}/finding-${finding.id}.recording.json`);
      expect(replayed.err).toContain('all equal; the end is equal, too');
      const [scenario] = json.files;
      expect((await lockstep('run', scenario, '--no-record')).code).toBe(0);
      rmSync(out, { recursive: true });
    }
  });

  test('finds the run that its process dies of, and carries out all others', async () => {
    const campaign = await opened(scenario('nothing-yet', { hands: 7 }));
    const deadlyRun = lonelyRun(campaign);
    const order = orderOf(campaign, deadlyRun);
    const what = scenario('deadly', { hands: 7, deadly: order });
    const id = await add(what, '--runs', '60', '--range', '20');

    const worked = await farm('work', '--json');

    const { strategy, seed } = plannedRun(campaign.plan, deadlyRun);
    expect(worked.json.findings).toEqual([
      expect.objectContaining({
        campaign: id,
        verdict: 'error',
        what: 'the process died',
        failures: 1,
        first: deadlyRun,
      }),
    ]);
    expect(await statusOf(id)).toMatchObject({ done: 60, waiting: 0, refused: 0 });
    const shown = await farm('show', String(worked.json.findings[0].id));
    expect(shown.err).toContain(`run ${deadlyRun} (${strategy}, seed ${seed})`);
    expect(shown.err).toContain('three processes died of it: at last the process ended by SIGKILL');
    expect(shown.err).toContain(
      `carry it out: npx lockstep run ${what} --schedule ${strategy} --seed ${seed}`,
    );
  });

  test('tells of a run that has no end, counts those before it, and takes the rest up again', async () => {
    const campaign = await opened(scenario('nothing-yet', { hands: 7 }));
    const wrong = lonelyRun(campaign);
    const what = scenario('endless', { hands: 7, endless: orderOf(campaign, wrong) });
    const id = await add(what, '--runs', '60', '--range', '20');
    const left = 20 - (wrong % 20);

    process.env['LOCKSTEP_STEP_SECONDS'] = '1';
    const worked = await farm('work');
    delete process.env['LOCKSTEP_STEP_SECONDS'];
    const status = await farm('status', String(id), '--json');
    const retried = await farm('retry', String(id), '--json');
    const after = await statusOf(id);

    expect(worked.err).toContain('endless.yaml: found no end of a step after 1 s');
    expect(status.json.campaigns[0]).toMatchObject({ done: 60 - left, refused: left, waiting: 0 });
    expect(status.err).toContain(`lockstep farm retry ${id}`);
    expect(retried.json).toEqual({ campaign: id, retried: left });
    expect(after).toMatchObject({ done: 60 - left, refused: 0, waiting: left });
    expect((await farm('cancel', String(id), '--json')).json).toEqual({ campaign: id, cancelled: left });
    expect(await statusOf(id)).toMatchObject({ done: 60 - left, cancelled: left, waiting: 0 });
    // A ledger that lacks runs could not tell so.
    const early = await farm('status', String(id), '--ledger', `${home}/early.json`);
    expect(early.code).toBe(2);
    expect(early.err).toContain(
      `--ledger: found ${60 - left} of 60 runs of campaign ${id} done, expected all of them`,
    );
    expect(early.err).toContain(`farm retry ${id}`);
    expect(existsSync(`${home}/early.json`)).toBe(false);
    expect((await farm('work')).code).toBe(0);
  });

  test('a worker that has another machine tells so, and its range goes back', async () => {
    const id = await add(scenario('other', { hands: 3 }), '--runs', '10');
    await sql("UPDATE lockstep.campaign SET first_end = '0123456789abcdef' WHERE id = $1", [id]);

    const worked = await farm('work');

    expect(worked.code).toBe(2);
    expect(worked.err).toMatch(/found that its run 0 ends in [0-9a-f]{16} here, expected 0123456789abcdef/);
    expect(await statusOf(id)).toMatchObject({ done: 0, waiting: 10 });
    await farm('cancel', String(id));
  });

  test('modules that were changed in the database are not carried out', async () => {
    const id = await add(scenario('changed', { hands: 2 }), '--runs', '10');
    await sql("UPDATE lockstep.bundle SET files = jsonb_set(files, '{folder}', '\"elsewhere\"')", []);

    const worked = await farm('work');

    expect(worked.code).toBe(2);
    expect(worked.err).toMatch(/found modules of the hash [0-9a-f]{16}…, expected [0-9a-f]{16}…/);
    expect(await statusOf(id)).toMatchObject({ done: 0, waiting: 10 });
    await sql("UPDATE lockstep.bundle SET files = jsonb_set(files, '{folder}', '\".\"')", []);
    await farm('cancel', String(id));
  });

  test('campaigns of another version wait for workers of theirs', async () => {
    const id = await add('scenarios/library/gossip-counter.yaml', '--runs', '10');
    await sql("UPDATE lockstep.campaign SET version = '99.0.0' WHERE id = $1", [id]);

    expect((await farm('status', String(id))).err).toContain(
      `it waits for workers with Lockstep 99.0.0, this is ${lockstepVersion}: npm install lockstep@99.0.0`,
    );
    await farm('cancel', String(id));
  });
});

async function sql(text: string, values: readonly unknown[]): Promise<void> {
  const [option, place] = where as [string, string];
  const database = await (option === '--folder' ? openEmbedded(place, false) : openPostgres(place));
  await database.query(text, values);
  await database.close();
}

const opened = (file: string) =>
  openCampaign({
    subject: { file, text: readFileSync(file, 'utf8') },
    plan: { seed: 1, strategies, coverage: false },
  });

type Opened = Awaited<ReturnType<typeof opened>>;

/** The order in which the cards come in a run. */
const orderOf = (campaign: Opened, run: number): string =>
  String((campaign.attempt(run).run.part(0 as never).context as { order: string }).order);

/** One of the first 60 runs whose order none of the others has. */
function lonelyRun(campaign: Opened): number {
  const orders = Array.from({ length: 60 }, (_, run) => orderOf(campaign, run));
  return orders.findIndex((one, run) => run > 20 && orders.filter((other) => other === one).length === 1);
}

/** By a look at each run. */
async function smallestOf(file: string, runs: number): Promise<ReadonlyMap<string, SmallestRun>> {
  const campaign = await opened(file);
  const smallest = new Map<string, SmallestRun>();
  for (let run = 0; run < runs; run++) {
    const { failure, tape } = campaign.attempt(run);
    if (!failure) continue;
    const one = { bug: bugOf(failure), run, size: campaign.scenarioOf(run).text.length + tape.length };
    const known = smallest.get(one.bug);
    if (!known || isSmaller(one, known)) smallest.set(one.bug, one);
  }
  return smallest;
}
