import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { main } from './main.ts';
import { KeptTerminal } from './terminal.ts';

// Takes some seconds: a project of a user as `lockstep init` makes it. `npm run package` goes through the verbs once more, each as a process of its own, with the package instead of the sources.

const folder = 'out/own-project';

/** A second machine, with what the first has no need of. */
const counter = `
import { component, defineMachine, Wiring } from 'lockstep';
import { setup } from 'xstate';
const { update } = component();
export const ticker = setup({ actions: { count: update((me) => { me.count++; }) } }).createMachine({
  id: 'ticker', initial: 'counting', context: { count: 0 }, states: { counting: { on: { tick: { actions: 'count' } } } },
});
/** The smallest machine: one actor that counts three messages. */
export const counter = defineMachine({
  name: 'counter', summary: 'one actor that counts',
  verbs: {
    summary: 'how far it counts',
    load: async () => (command, { terminal }) => {
      command.argument('<ticks>').action((ticks) => terminal.out(\`\${Number(ticks) * 3}\\n\`));
    },
  },
  verifies: [{
    name: 'counts', summary: 'counts of counters',
    recognises: ({ json }) => typeof json === 'object' && json !== null && 'count' in json,
    *rows({ json }) {
      yield { id: 'count', what: 'messages', expected: json.count, found: 3, passed: json.count === 3, tolerance: 0 };
    },
  }],
  assemble() {
    const wiring = new Wiring();
    const at = wiring.reserve('Ticker');
    wiring.place(at, ticker, {});
    for (let n = 0; n < 3; n++) wiring.begin({ to: at, type: 'tick', delay: n });
    return { wiring, result: (run) => ({ count: run.part(at).context.count }) };
  },
});
`;
const configuration = `
import { defineConfig } from 'lockstep';
import { counter } from './counter.mjs';
import { lockServer } from './machine.ts';
export default defineConfig({ machines: [lockServer, counter], scenarios: 'scenarios' });
`;
const files = {
  'lockstep.config.ts': configuration,
  'counter.mjs': counter,
  'scenarios/mutant.yaml':
    'name: by module\nmachine: ../machine.ts#lockServer\nfaults: [{ mutant: hasty-server }]\n',
  'right.json': '{ "count": 3 }\n',
  'wrong.json': '{ "count": 4 }\n',
};

function lockstepIn(project: string) {
  return async (...args: string[]) => {
    const terminal = new KeptTerminal();
    const here = process.cwd();
    process.chdir(project);
    try {
      return { code: await main(args, terminal), out: terminal.stdout, err: terminal.stderr };
    } finally {
      process.chdir(here);
    }
  };
}

describe('a project of a user', () => {
  const lockstep = lockstepIn(folder);

  beforeAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    expect(await main(['init', folder], new KeptTerminal())).toBe(0);
    for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
    // As `npm init` writes it: modules are modules all the same.
    writeFileSync(`${folder}/package.json`, '{ "type": "commonjs" }\n');
  });

  test('is listed with its properties, its planted faults and its scenarios', async () => {
    const { machines, scenarios } = JSON.parse((await lockstep('list', '--json')).out) as {
      machines: { name: string; properties: string[]; mutants: object[] }[];
      scenarios: { file: string }[];
    };

    expect(machines.find(({ name }) => name === 'lock-server')).toMatchObject({
      properties: ['at most one client works', 'whoever asks gets the lock'],
      mutants: [
        {
          id: 'hasty-server',
          sentence: 'the server takes it that a client who asks again has given the lock back',
        },
      ],
    });
    expect(scenarios.map(({ file }) => file)).toContain('scenarios/three-clients.yaml');
  });

  test('is listed without files that are no scenarios, whatever is in them', async () => {
    writeFileSync(`${folder}/scenarios/compose.yaml`, 'machine: { cpus: 2 }\n');
    writeFileSync(`${folder}/scenarios/torn.yaml`, 'name: [torn\nmachine: lock-server\n');

    const { code, out } = await lockstep('list', 'lock-server');

    expect(code).toBe(0);
    expect(out).toMatch(/scenarios\n( {2}scenarios\/(hasty-server|three-clients)\.yaml .*\n){2}\nproperties/);
  });

  test('runs, is recorded and replays', async () => {
    expect((await lockstep('run', 'scenarios/three-clients.yaml', '--record', 'three.json')).code).toBe(0);
    expect((await lockstep('replay', 'three.json')).code).toBe(0);
  });

  test('is checked', async () => {
    const { code, out } = await lockstep('check', 'scenarios/three-clients.yaml', '--json');

    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ states: 720 });
  });

  test('is found wrong with a planted fault, named by its module, and explained', async () => {
    const { code, out } = await lockstep(
      'check',
      'scenarios/mutant.yaml',
      '--json',
      '--record',
      'mutant.json',
    );

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'violated' });
    expect((await lockstep('explain', 'mutant.json')).code).toBe(0);
    expect((await lockstep('replay', 'mutant.json')).err).toContain('violated');
  });

  test('is fuzzed by its name and by its module, on threads, too', async () => {
    expect(
      (await lockstep('fuzz', 'lock-server', '--runs', '30', '--workers', '2', '--out', 'f1')).code,
    ).toBe(0);

    const found = ['--mutant', 'hasty-server', '--runs', '30', '--out', 'f2'];
    expect((await lockstep('fuzz', `./machine.ts#lockServer`, ...found)).code).toBe(1);
    const recording = readdirSync(`${folder}/f2`, { recursive: true, encoding: 'utf8' }).find(
      (file) => file.endsWith('.json') && !file.includes('ledger'),
    );
    expect((await lockstep('explain', `f2/${recording}`)).code).toBe(0);
  });

  test('has a schema, a diagram, a verb and reference data of its own', async () => {
    expect(JSON.parse((await lockstep('schema', 'lock-server')).out)).toMatchObject({
      description: 'clients who share a lock that a server lends',
    });
    expect((await lockstep('diagram', `protocol.ts#server`)).out).toContain('lent');
    expect((await lockstep('counter', '4')).out).toBe('12\n');
    expect((await lockstep('verify', 'right.json')).code).toBe(0);
    expect((await lockstep('verify', 'wrong.json')).code).toBe(1);
  });

  test('is refused with place and cure when it is none', async () => {
    writeFileSync(`${folder}/none.yaml`, `name: none\nmachine: ./protocol.ts#server\n`);
    writeFileSync(`${folder}/missing.yaml`, `name: none\nmachine: ./machine.ts#lockServe\n`);

    expect(await lockstep('run', 'none.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('defineMachine'),
    });
    expect((await lockstep('run', 'missing.yaml')).err).toContain('did you mean "lockServer"');
  });
});

test('a project of a user in plain JavaScript does what its README shows', async () => {
  const project = `${folder}-javascript`;
  const lockstep = lockstepIn(project);
  rmSync(project, { recursive: true, force: true });
  await main(['init', project, '--javascript'], new KeptTerminal());

  const shown = readFileSync(`${project}/README.md`, 'utf8').matchAll(/^npx lockstep ([^#\n]+)/gm);
  const commands = [...shown].map(([, words]) => words!.trim());

  expect(commands).toHaveLength(4);
  for (const command of commands)
    expect([command, (await lockstep(...command.split(' '))).code]).toEqual([
      command,
      command.includes('check scenarios/hasty') ? 1 : 0,
    ]);
});
