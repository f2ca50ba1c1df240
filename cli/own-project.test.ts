import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

// Takes some seconds: a project of a user, with each verb as a process of its own.

const folder = 'out/own-project';
const files = {
  'races/short.yaml':
    'name: short race\nmachine: relay\nconfig: { passes: 4 }\nexpect: { verdict: ok, result: { held: [2, 2, 1] } }\n',
  'races/lost.yaml':
    'name: lost race\nmachine: ../machine.ts#relay\nfaults: [{ mutant: two-batons }]\nexpect: { verdict: violated }\n',
  'right.json': '{ "relay": 1200 }\n',
  'wrong.json': '{ "relay": 1600 }\n',
};

function lockstep(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('node', [resolve('cli/lockstep.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

describe('a machine in a project of its own', () => {
  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(`${folder}/races`, { recursive: true });
    cpSync('build/sample', folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
    // As `npm init` writes it: modules are modules all the same.
    writeFileSync(`${folder}/package.json`, '{ "type": "commonjs" }\n');
  });

  test('is listed with its properties, its planted faults and its scenarios', () => {
    const { machines, scenarios } = JSON.parse(lockstep('list', '--json').out) as {
      machines: { name: string; properties: string[]; mutants: object[] }[];
      scenarios: { file: string }[];
    };

    expect(machines.find(({ name }) => name === 'relay')).toMatchObject({
      properties: ['there is one baton at most'],
      mutants: [{ id: 'two-batons', sentence: 'a runner passes two batons' }],
    });
    expect(scenarios.map(({ file }) => file)).toContain('races/short.yaml');
  });

  test('runs, is recorded and replays', () => {
    expect(lockstep('run', 'races/short.yaml', '--record', 'short.json').code).toBe(0);
    expect(lockstep('replay', 'short.json').code).toBe(0);
  });

  test('is checked', () => {
    const { code, out } = lockstep('check', 'races/short.yaml', '--json');

    expect(code).toBe(0);
    // The baton is passed four times: with whom it is tells a state.
    expect(JSON.parse(out)).toMatchObject({ states: 6 });
  });

  test('is found wrong with a planted fault, named by its module, and explained', () => {
    const { code, out } = lockstep('check', 'races/lost.yaml', '--json', '--record', 'lost.json');

    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'violated' });
    expect(lockstep('explain', 'lost.json').code).toBe(0);
    expect(lockstep('replay', 'lost.json').err).toContain('violated');
  });

  test('is fuzzed by its name and by its module, on threads, too', () => {
    expect(lockstep('fuzz', 'relay', '--runs', '30', '--workers', '2', '--out', 'f1').code).toBe(0);

    const { code } = lockstep(
      'fuzz',
      './machine.ts#relay',
      '--mutant',
      'two-batons',
      '--runs',
      '30',
      '--out',
      'f2',
    );
    expect(code).toBe(1);
    const recording = readdirSync(`${folder}/f2`, { recursive: true, encoding: 'utf8' }).find(
      (file) => file.endsWith('.json') && !file.includes('ledger'),
    );
    expect(lockstep('explain', `f2/${recording}`).code).toBe(0);
  });

  test('has a schema, a diagram, a verb and reference data of its own', () => {
    expect(JSON.parse(lockstep('schema', 'relay').out)).toMatchObject({
      description: 'runners in a circle who pass a baton',
    });
    expect(lockstep('diagram', 'relay.ts#runner').out).toContain('ready');
    expect(lockstep('relay', '4').out).toBe('1600 m\n');
    expect(lockstep('verify', 'right.json').code).toBe(0);
    expect(lockstep('verify', 'wrong.json').code).toBe(1);
  });

  test('is refused with place and cure when it is none', () => {
    writeFileSync(`${folder}/none.yaml`, 'name: none\nmachine: ./relay.ts#runner\n');
    writeFileSync(`${folder}/missing.yaml`, 'name: none\nmachine: ./machine.ts#rely\n');

    expect(lockstep('run', 'none.yaml')).toMatchObject({
      code: 2,
      err: expect.stringContaining('defineMachine'),
    });
    expect(lockstep('run', 'missing.yaml').err).toContain('did you mean "relay"');
  });
});
