import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { beforeEach, describe, expect, test } from 'vitest';
import { openPostgres } from '../../farm/postgres.ts';
import {
  type OwnInstance,
  sharedInstance,
  startInstance,
  stopInstance,
} from '../../farm/testing/instance.ts';
import { freshDatabase, workWhileKilled } from '../../farm/testing/killed-farm.ts';
import { main } from '../main.ts';
import { KeptTerminal } from '../terminal.ts';

// Takes some seconds: campaigns on a real PostgreSQL, which `.ci/run` starts, with workers that are processes.

const home = 'out/farm-postgres-test';
const what = 'scenarios/library/snapshot-unordered.yaml';
let address = '';

async function lockstep(...args: readonly string[]) {
  const terminal = new KeptTerminal();
  const code = await main([...args], terminal);
  return {
    code,
    err: terminal.stderr,
    json: terminal.stdout === '' ? undefined : JSON.parse(terminal.stdout),
  };
}
const farm = (verb: string, ...args: readonly string[]) =>
  lockstep('farm', verb, ...args, '--database', address);

async function add(...args: readonly string[]): Promise<number> {
  const { json, err } = await farm('add', what, '--json', ...args);
  if (!json?.campaigns) throw new Error(err);
  return json.campaigns[0].id;
}

const statusOf = async (id: number) => (await farm('status', String(id), '--json')).json.campaigns[0];

async function sql(text: string, to = address): Promise<void> {
  const database = await openPostgres(to);
  try {
    await database.script(text);
  } finally {
    await database.close();
  }
}

const withUser = (user: string): string => {
  const url = new URL(address);
  url.username = user;
  return url.href;
};

test('an address where nobody answers, and what is no address, are told', async () => {
  const nobody = await lockstep('farm', 'status', '--database', 'postgres://someone:secret@127.0.0.1:1/farm');
  const none = await lockstep('farm', 'status', '--database', 'mysql://someone:secret@localhost/farm');

  expect(nobody.code).toBe(2);
  expect(nobody.err).toBe(
    'lockstep: postgres://someone@127.0.0.1:1/farm: found "connect ECONNREFUSED 127.0.0.1:1" (ECONNREFUSED), expected a PostgreSQL that answers\n  help: check that it runs, its name and its port: postgres://USER@HOST:PORT/DATABASE\n',
  );
  expect(none.code).toBe(2);
  expect(none.err).toContain(
    '--database: found "mysql://someone:…@localhost/farm", expected the address of a PostgreSQL',
  );
});

describe.skipIf(sharedInstance === undefined)('a campaign on PostgreSQL', () => {
  beforeEach(async () => {
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    address = await freshDatabase(sharedInstance!, 'farm_test');
  });

  test('a database in which another tool has the schema of a farm stays as it is', async () => {
    await sql('CREATE SCHEMA lockstep; CREATE TABLE lockstep.campaign (x integer)');
    const { code, err } = await farm('add', what, '--runs', '10');

    expect(code).toBe(2);
    expect(err).toContain(
      'found the table lockstep.campaign of another tool, expected a schema lockstep that is free',
    );
    // Nothing was made in it.
    await sql('CREATE SCHEMA lockstep_queue');
  });

  test('a database without a farm, or that is not there, is told', async () => {
    const empty = await farm('status');
    const missing = await lockstep('farm', 'status', '--database', address.replace('farm_test', 'not_there'));

    expect(empty).toMatchObject({ code: 2, err: expect.stringContaining('found no farm in it') });
    expect(missing).toMatchObject({
      code: 2,
      err: expect.stringContaining('database "not_there" does not exist'),
    });
  });

  test('who has no right to make tables is told whom to ask', async () => {
    await sql('DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN');

    const { code, err } = await lockstep('farm', 'add', what, '--database', withUser('stranger'));

    expect(code).toBe(2);
    expect(err).toContain('permission denied for database farm_test');
    expect(err).toContain('GRANT CREATE, CONNECT ON DATABASE');
  });

  test('each run is counted once while workers are killed and the database is restarted', async () => {
    // Not that of the other tests, which go on meanwhile.
    const instance = startInstance();
    try {
      address = await freshDatabase(instance.address, 'farm_test');
      await survive(instance);
    } finally {
      stopInstance(instance);
    }
  }, 300_000);

  test('Ctrl-C finishes the present run, and the rest goes back', async () => {
    const id = await add('--runs', '20000', '--range', '50');
    const worker = spawn('node', ['cli/lockstep.mjs', 'farm', 'work', '--json', '--database', address], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    worker.stdout.on('data', (text) => {
      out += text;
    });
    while ((await statusOf(id)).done === 0) await sleep(100);
    worker.kill('SIGINT');
    const code = await new Promise((resolve) => worker.on('exit', resolve));

    const { runs } = JSON.parse(out);
    expect(code).toBe(130);
    expect(runs).toBeLessThan(20_000);
    expect(await statusOf(id)).toMatchObject({ done: runs, waiting: 20_000 - runs, underWay: 0 });
  });

  test('a disk that is full and a connection that is cut are waited for', async () => {
    const id = await add('--runs', '300', '--range', '50', '--lease', '3');
    // What PostgreSQL says of a full disk, until there is room again.
    await sql(
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON lockstep.result EXECUTE FUNCTION full_disk()`,
    );
    const line = await Line.open(address);
    const terminal = new KeptTerminal();
    const working = main(['farm', 'work', '--database', line.address], terminal);
    while (!terminal.stderr.includes('No space left')) await sleep(100);
    await sql('DROP TRIGGER full_disk ON lockstep.result; DROP FUNCTION full_disk');
    while (!terminal.stderr.includes('it goes on')) await sleep(100);
    line.cut();
    while (!terminal.stderr.includes('ECONNREFUSED')) await sleep(100);
    await line.mend();
    const code = await working;
    line.cut();

    expect(code, terminal.stderr).toBe(1);
    expect(terminal.stderr).toContain('(53100), expected room on its disk\n  help: make room there');
    expect(terminal.stderr).toContain('it is tried again for ');
    expect(await statusOf(id)).toMatchObject({ done: 300, waiting: 0, underWay: 0 });
  });

  test('tables of another version are brought up to date, and newer ones refused', async () => {
    const id = await add('--runs', '10');
    await sql(
      'DROP VIEW lockstep.progress, lockstep.jobs, lockstep.findings, lockstep.covered, lockstep.workers, lockstep.miscounted; UPDATE lockstep.version SET version = 1',
    );

    const old = await farm('status');
    const added = await farm('retry', String(id));
    const migrated = await statusOf(id);
    await sql('UPDATE lockstep.version SET version = 99');
    const newer = await Promise.all(['status', 'work'].map((verb) => farm(verb)));

    expect(old).toMatchObject({
      code: 2,
      err: expect.stringContaining('found tables of version 1, expected version 2'),
    });
    expect(added.code, added.err).toBe(0);
    expect(migrated).toMatchObject({ runs: 10, waiting: 10 });
    for (const one of newer)
      expect(one).toMatchObject({ code: 2, err: expect.stringContaining('update this one') });
  });
});

async function survive(instance: OwnInstance): Promise<void> {
  const id = await add('--runs', '2000', '--range', '50', '--lease', '3');

  const disturbed = await workWhileKilled({
    address,
    instance,
    workers: 4,
    killMilliseconds: 800,
    killsMax: 4,
    restarts: 2,
    restartMilliseconds: 1500,
    seed: 1,
    secondsMax: 240,
    tell: () => {},
  });
  const status = await farm('status', String(id), '--ledger', `${home}/farm.json`, '--json');
  await lockstep('fuzz', what, '--runs', '2000', '--keep-going', '--out', `${home}/alone`);

  expect(disturbed.killed).toBeGreaterThan(0);
  expect(disturbed.restarted).toBeGreaterThan(0);
  expect(status.json.campaigns[0]).toMatchObject({ runs: 2000, done: 2000, waiting: 0, underWay: 0 });
  expect(readFileSync(`${home}/farm.json`, 'utf8')).toBe(readFileSync(`${home}/alone/ledger.json`, 'utf8'));
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A line to a database that can be cut. */
class Line {
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();
  private constructor(
    readonly address: string,
    readonly to: URL,
    readonly port: number,
  ) {}

  static async open(to: string): Promise<Line> {
    const probe = createServer();
    const port = await new Promise<number>((resolve) =>
      probe.listen(0, '127.0.0.1', () => resolve((probe.address() as { port: number }).port)),
    );
    await new Promise((resolve) => probe.close(resolve));
    const url = new URL(to);
    url.port = String(port);
    const line = new Line(url.href, new URL(to), port);
    await line.mend();
    return line;
  }

  mend(): Promise<void> {
    const server = createServer((near) => {
      const far = connect(Number(this.to.port), this.to.hostname);
      for (const socket of [near, far]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.on('close', () => this.#sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
    this.#server = server;
    return new Promise((resolve) => server.listen(this.port, '127.0.0.1', resolve));
  }

  cut(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
