import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

// Takes some seconds: a project of a user, with each verb as a process of its own.

const folder = 'out/own-project';
const files = {
  'relay.ts': `
import { setup } from 'xstate';
import { type Address, component } from 'lockstep';

export type Baton = { type: 'baton'; left: number };
export type RunnerContext = { next: Address; held: number };
export const kit = component<RunnerContext, Baton, Baton>();
export const runner = setup({
  types: {} as { context: RunnerContext; events: Baton; input: { next: Address } },
  guards: { goesOn: kit.when((_me, { left }) => left > 0) },
  actions: {
    hold: kit.update((me) => { me.held++; }),
    pass: kit.post(({ next }, { left }) => ({ to: next, type: 'baton', left: left - 1 })),
  },
}).createMachine({
  id: 'runner', initial: 'ready', context: ({ input }) => ({ ...input, held: 0 }),
  states: { ready: { on: { baton: [{ guard: 'goesOn', actions: ['hold', 'pass'] }, { actions: 'hold' }] } } },
});
`,
  'machine.ts': `
import fc from 'fast-check';
import { z } from 'zod';
import { always, defineMachine, type Mutant, mutantSentences, Wiring, withMutants } from 'lockstep';
import { kit, runner } from './relay.ts';

const mutants = new Map<string, Mutant<typeof runner>>([
  ['two-batons', { sentence: 'a runner passes two batons', mutate: (part) => part.provide({ actions: { pass: kit.post(({ next }, { left }) => [{ to: next, type: 'baton', left: left - 1 }, { to: next, type: 'baton', left: 0 }]) } }) }],
]);

export const relay = defineMachine({
  name: 'relay', summary: 'runners in a circle who pass a baton',
  config: z.strictObject({ runners: z.int().min(1).max(9).default(3), passes: z.int().min(0).default(5) }),
  mutants: mutantSentences(mutants),
  asynchronous: true,
  properties: [always('there is one baton at most', (state) => state.underWay('baton').length < 2)],
  generator: fc.record({ runners: fc.integer({ min: 1, max: 9 }), passes: fc.nat(20) }).map((config) => ({ name: 'generated: relay', config, programs: [] })),
  verbs: { summary: 'how long a race is', load: async () => (command, { terminal }) => {
    command.argument('<runners>').action((runners: string) => terminal.out(\`\${Number(runners) * 400} m\\n\`));
  } },
  verifies: [{
    name: 'relay-results', summary: 'results of races',
    recognises: ({ json }) => typeof json === 'object' && json !== null && 'relay' in json,
    *rows({ json }) {
      const { relay: given } = json as { relay: number };
      yield { id: 'length', what: 'metres', expected: given, found: 1200, passed: given === 1200, tolerance: 0 };
    },
  }],
  assemble: ({ config: { runners, passes }, mutants: planted }) => {
    const wiring = new Wiring({});
    const part = withMutants(runner, mutants, planted);
    const at = Array.from({ length: runners }, (_, n) => wiring.reserve(\`Runner[\${n}]\`));
    at.forEach((address, n) => wiring.place(address, part, { next: at[(n + 1) % runners]! }));
    wiring.begin({ to: at[0]!, type: 'baton', left: passes });
    return { wiring, result: (run) => ({ held: at.map((address) => Number(run.part(address).context['held'])) }) };
  },
});
`,
  'lockstep.config.ts': `
import { defineConfig } from 'lockstep';
import { relay } from './machine.ts';
export default defineConfig({ machines: [relay], scenarios: ['races'] });
`,
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
    for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text);
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
