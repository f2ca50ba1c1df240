import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tellFailure } from './failure.ts';
import { KeptTerminal } from './terminal.ts';
import { called } from './testing/called.ts';

describe('a mistake in the command line', () => {
  test.each([
    [['rnu'], 2, 'unknown command "rnu"', 'did you mean "run"?'],
    [['run', 'x.yaml', '--jsn'], 2, 'unknown option "--jsn"', 'did you mean "--json"?'],
    [['run'], 2, 'missing required argument "scenario"', 'usage: lockstep run [options] <scenario>'],
    [
      ['run', 'x.yaml', '--until', '-3'],
      2,
      '--until: found "-3", expected a whole number of at least 0',
      '--until 7',
    ],
    [
      ['run', 'x.yaml', '--engine', 'xsate'],
      2,
      '--engine: found "xsate", expected compiled or xstate',
      'did you mean "xstate"?',
    ],
    [
      ['run', 'scenarios/cell/worked-trace.yaml', '--export', 'vdc=x'],
      2,
      'unknown kind of export "vdc"',
      'did you mean "vcd"?',
    ],
    [
      ['run', 'x.yaml', '--export', 'vcd'],
      2,
      'found --export vcd, expected --export KIND=FILE',
      '--export vcd=run.vcd',
    ],
    [
      ['run', 'x.yaml', '--record', '--quiet'],
      2,
      'found the option --quiet as the value of --record',
      'give --record its value; a file of that name: --record=--quiet',
    ],
    [
      ['chiplet', 'popnet', '-A', '-c', '2'],
      2,
      'found the option -c as the value of -A',
      'give -A its value',
    ],
    [['replay', 'x', '--record', 'y'], 2, 'unknown option "--record"', 'known options of lockstep replay: '],
    [['schema', 'cel'], 2, 'unknown machine "cel"', 'did you mean "cell" or "cellbe"?'],
    [['diagram', 'cell/dma-modul'], 2, 'unknown actor "cell/dma-modul"', 'did you mean "cell/dma-module"?'],
    [['diagram'], 2, 'found no actor to draw', '--list'],
    [['verify', 'nowhere.json'], 2, 'found no file or folder "nowhere.json"', 'check the path'],
    [['cell'], 2, 'found no verb after "lockstep cell"', 'known verbs: workload, arb, check'],
    [['cell', 'wrkload'], 2, 'unknown command "wrkload"', 'did you mean "workload"?'],
    [['cell', 'arb', 'nowhere.json'], 2, 'nowhere.json: found no such file', 'check the path'],
    [['cell', 'check', 'nowhere.jsonl'], 64, 'nowhere.jsonl: found no such file', 'check the path'],
    [['cell', 'check', 'x', '--jsn'], 64, 'unknown option "--jsn"', 'did you mean "--json"?'],
  ])('%j is told with what helps', async (args, expected, what, help) => {
    const { exitCode, out, err } = await called(...args);

    expect(err.split('\n')[0]).toBe(`lockstep: ${what}`);
    expect(err.split('\n')[1]).toContain(help);
    expect(err).not.toMatch(/\n\s+at /);
    expect([exitCode, out]).toEqual([expected, '']);
  });

  test('gives a script its one object, too', async () => {
    const { exitCode, out } = await called('schema', 'cel', '--json');

    expect(exitCode).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ error: { kind: 'usage' }, exitCode: 2 });
  });

  test('that is no command at all shows the help', async () => {
    const { exitCode, err } = await called();

    expect(exitCode).toBe(2);
    expect(err).toMatch(/^Usage: lockstep/);
  });
});

test('a defect shows where it happened and asks for a report', () => {
  const terminal = new KeptTerminal();

  const exitCode = tellFailure(new TypeError('x is undefined'), terminal, true);

  expect(exitCode).toBe(3);
  expect(terminal.stderr).toMatch(/^TypeError: x is undefined\n\s+at .*main\.test\.ts/);
  expect(terminal.stderr).toContain('Please report it');
  expect(JSON.parse(terminal.stdout)).toMatchObject({ error: { kind: 'defect' } });
});

test('help and version go to standard output and are no mistake', async () => {
  const version = await called('--version');
  const help = await called('help', 'run');

  expect(version).toEqual({ exitCode: 0, out: '0.1.0\n', err: '' });
  expect(help.exitCode).toBe(0);
  expect(help.out).toContain('--schedule <kind>');
});

test('list names machines, scenarios, properties, planted faults and exports', async () => {
  const { out } = await called('list', '--json');

  const { machines, scenarios, exporters } = JSON.parse(out);
  expect(machines[0]).toMatchObject({
    name: 'cell',
    properties: expect.arrayContaining(['ring segments never overlap']),
  });
  expect(machines[0].mutants).toContainEqual({ id: 'M-01', sentence: expect.any(String) });
  expect(scenarios).toContainEqual({
    file: 'scenarios/cell/worked-trace.yaml',
    name: 'worked trace',
    machine: 'cell',
    about: 'Four transfers on two rings, two of which wait. Checked by hand and by two independent programs.',
  });
  expect(exporters.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(['perfetto', 'vcd', 'mermaid', 'csv', 'log']),
  );
});

test('the help of every command has examples, with options that it has', async () => {
  const { out: all } = await called('--help');
  const names = [...all.matchAll(/^ {2}([a-z]+) .* {2}/gm)].map(([, name]) => name!);
  const ofMachines = ['cell', 'chiplet', 'grape', 'sunway', 'tca', 'help'];

  for (const name of names.filter((one) => !ofMachines.includes(one))) {
    const { out } = await called('help', name);
    const [usage = '', examples = ''] = out.split('\nExamples:\n');
    const own = examples.split(/\n|&&/).filter((line) => line.includes(`lockstep ${name}`));

    expect(own.length, name).toBeGreaterThan(0);
    for (const [option] of own.join('\n').matchAll(/--[a-z-]+/g)) expect(usage, name).toContain(option);
  }
  expect(names).toContain('completion');
});

test('the list for people is short: machines with their counts, and what else can be listed', async () => {
  const { out, err } = await called('list');
  const { properties, mutants, scenarios } = JSON.parse((await called('list', 'cell', '--json')).out);
  const counts = [scenarios, properties, mutants].map(({ length }) => length).join(' +');

  expect(err).toBe('');
  expect(out).toMatch(/^ {2}machine +scenarios +properties +faults\n/);
  expect(out).toMatch(new RegExp(`^ {2}cell +${counts} {2}SPUs`, 'm'));
  expect(out).toContain('  lockstep list scenarios   files, and what each shows\n');
  expect(out.split('\n').length).toBeLessThan(45);
});

test('the list of scenarios holds every one, and nothing else', async () => {
  const { out } = await called('list', 'scenarios');

  expect(out).toContain('scenarios/cell/worked-trace.yaml');
  expect(out).not.toContain('scenarios/broken');
  expect(out).not.toContain('scenarios/chiplet/interchiplet/scripts.yml');
});

test('lists the properties and faults of the machine that is named', async () => {
  const { properties, mutants } = JSON.parse((await called('list', 'tca', '--json')).out);
  const of = async (kind: string) => (await called('list', kind, 'tca')).out.trimEnd().split('\n');

  expect(await of('properties')).toHaveLength(1 + properties.length);
  expect(await of('faults')).toHaveLength(1 + mutants.length);
});

test('lists are of one machine, or of what has a text, where that is asked for', async () => {
  const { out: mesi } = await called('list', 'mesi');
  const { out: scenarios } = await called('list', 'scenarios', 'PAXOS', '--machine', 'multi-paxos');
  const { out: properties } = await called('list', '--properties', '--machine', 'mesi', '--json');
  const { out: faults } = await called('list', 'faults', 'early', '--json');
  const { out: actors } = await called('list', 'actors', 'dma-module');

  expect(mesi).toContain('planted faults\n  writes-early  ');
  expect(scenarios.trim().split('\n')).toHaveLength(2);
  expect(JSON.parse(properties)).toEqual({
    properties: [
      { machine: 'mesi', sentence: 'while one cache may write the line, no other may read it' },
      { machine: 'mesi', sentence: 'a load finds what was stored last' },
    ],
  });
  expect(JSON.parse(faults).faults).toContainEqual({
    machine: 'mesi',
    id: 'writes-early',
    sentence: expect.stringContaining('as soon as it has the line'),
  });
  expect(actors).toBe('  cell/burst/dma-module\n  cell/dma-module\n');
});

test('what cannot be listed is refused with the nearest words', async () => {
  const [word, machine] = [await called('list', 'scenario'), await called('list', '--machine', 'mesy')];

  expect([word.exitCode, machine.exitCode]).toEqual([2, 2]);
  expect(word.err).toContain('did you mean "scenarios"');
  expect(machine.err).toContain('did you mean "mesi"');
});

test('help for a command that is none is refused with the nearest, below machines as well', async () => {
  const [nope, verb, known] = [
    await called('help', 'nope'),
    await called('help', 'cell', 'workloads'),
    await called('help', 'run'),
  ];

  expect([nope.exitCode, nope.out, nope.err]).toEqual([
    2,
    '',
    expect.stringContaining('unknown command "nope"'),
  ]);
  expect([verb.exitCode, verb.err]).toEqual([2, expect.stringContaining('did you mean "workload"?')]);
  expect([known.exitCode, known.out]).toEqual([0, expect.stringContaining('Usage: lockstep run')]);
});

test('schema prints the JSON Schema of scenario files', async () => {
  const { out } = await called('schema', 'cell');

  expect(JSON.parse(out)).toMatchObject({
    title: 'Lockstep scenario for cell',
    properties: { config: { properties: { N: { maximum: 1024 } } } },
  });
});

test('diagram prints a statechart, writes it where it is told, and names all actors', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-diagram-'));
  const file = join(folder, 'bus.mmd');

  const printed = await called('diagram', 'cell/command-bus');
  const written = await called('diagram', 'cell/command-bus', '--out', file);
  const names = await called('diagram', '--list');

  expect(printed.out).toMatch(/^---\ntitle: cell\/command-bus\n---\nstateDiagram-v2\n/);
  expect(written).toEqual({ exitCode: 0, out: '', err: `diagram written: ${file}\n` });
  expect(readFileSync(file, 'utf8')).toBe(printed.out);
  expect(names.out.split('\n')).toEqual(
    expect.arrayContaining(['cell/arbiter', 'cell/dma-module', 'cell/spu']),
  );
  rmSync(folder, { recursive: true });
});
