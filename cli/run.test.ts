import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scheduleKinds } from '../scenarios/schedule.ts';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { exportKinds } from './export-request.ts';
import { main } from './main.ts';
import { KeptTerminal } from './terminal.ts';
import { calledAt } from './testing/called.ts';

const folder = temporaryFolder('run');

const trace = 'scenarios/cell/worked-trace.yaml';
const at = (name: string): string => join(folder, name);

/** A memory without a lock, and two who use it in one cycle: in the default order nobody notices. */
const racy = `name: unlocked
machine: cell
config: { N: 4, K: 1, memSize: 256 }
programs:
  - [[0, put, 0, 1, 32, 8], [1, put, 16, 2, 64, 8]]
  - [[0, get, 100, 0, 8, 8], [2, read, 32], [3, read, 33]]
  - [[0, get, 100, 1, 32, 8]]
faults: [{ mutant: M-26 }]
`;

/** Writes a scenario of three SPUs; `rest` are further lines. */
function scenario(name: string, ...rest: string[]): string {
  const file = at(`${name}.yaml`);
  const lines = [
    `name: ${name}`,
    'machine: cell',
    'config: { N: 3, K: 1, memSize: 64 }',
    'programs: [[[0, put, 0, 1, 32, 4]]]',
  ];
  writeFileSync(file, `${[...lines, ...rest].join('\n')}\n`);
  return file;
}

const called = calledAt(80);

test.each([
  ['run', '--record'],
  ['run', '--plot'],
  ['check', '--record'],
])('%s tells its verdict before it tells that %s cannot be written', async (verb, option) => {
  writeFileSync(at('a-file'), '');
  const file = at('a-file/below.svg');
  const scenario = 'scenarios/cell/never-arrives.yaml';

  const { exitCode, err, out } = await called(verb, scenario, option, file);
  const json = await called(verb, scenario, option, file, '--json');

  const text = out + err;
  const verdict = text.indexOf('deadlock');
  expect(exitCode).toBe(2);
  expect(verdict).toBeGreaterThanOrEqual(0);
  expect(text.indexOf(`${file}: cannot be written`)).toBeGreaterThan(verdict);
  expect(json.exitCode).toBe(2);
  expect(JSON.parse(json.out)).toMatchObject({ verdict: 'deadlock', notWritten: [{ file }] });
});

describe('a run that does not come to rest', () => {
  const scenario = at('endless.yaml');
  writeFileSync(scenario, 'name: endless\nmachine: alternating-bit\n');

  test('is cut, and its properties hold so far', async () => {
    const { exitCode, err } = await called('run', scenario);

    expect(exitCode).toBe(0);
    expect(err).toMatch(/\(alternating-bit\): ok so far, cut after tick 9999\n/);
    expect(err).toContain('2 properties hold so far');
  });

  test('goes on as far as is asked', async () => {
    const { out } = await called('run', scenario, '--until', '10100', '--json');

    expect(JSON.parse(out)).toMatchObject({ verdict: 'ok', ticks: 10_101, until: 10_100 });
  });
});

describe('a run that is as it should be', () => {
  test('is one JSON object on standard output', async () => {
    const { exitCode, out } = await called('run', trace, '--json');

    expect(exitCode).toBe(0);
    expect(out.trimEnd()).not.toContain('\n');
    expect(JSON.parse(out)).toMatchObject({
      machine: 'cell',
      scenario: 'worked trace',
      verdict: 'ok',
      ticks: 6,
      violations: [],
      result: { cycles: 6, memHash: 'a671638b', totalWait: 3 },
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      engine: 'compiled',
      schedule: 'fifo',
      wallSeconds: expect.any(Number),
      asExpected: true,
    });
  });

  test('is the same on the interpreter', async () => {
    const compiled = JSON.parse((await called('run', trace, '--json')).out);
    const interpreted = JSON.parse((await called('run', trace, '--json', '--engine', 'xstate')).out);

    expect(interpreted.engine).toBe('xstate');
    expect(interpreted.fingerprint).toBe(compiled.fingerprint);
    expect(interpreted.result).toEqual(compiled.result);
  });

  test('tells figures and properties, and draws when it is asked to', async () => {
    const { out, err } = await called('run', trace, '--sketch');

    expect(out).toBe('');
    expect(err).toMatch(/^worked trace \(cell\): ok\nFour transfers/);
    expect(err).toContain('ring 0 →  S0  . a a a a d');
    expect(err).toMatch(/ {2}total wait +3 cycles/);
    expect(err).toMatch(/\n\d+ properties hold; \d+ had nothing to judge in this run\n/);
    expect(err).toContain(`as ${trace} expects: verdict ok, result`);
  });

  test('does not claim of a property that it holds when it had nothing to judge', async () => {
    const { err } = await called('run', 'scenarios/chiplet/ring-pipeline.yaml');
    const { notJudged, properties } = JSON.parse(
      (await called('run', 'scenarios/chiplet/ring-pipeline.yaml', '--json')).out,
    );

    expect(err).toContain('\n8 properties hold; 1 had nothing to judge in this run\n');
    expect([properties.length, notJudged.length]).toEqual([9, 1]);
    expect(notJudged).toContain(
      'packets in a mesh or torus take a shortest way, one dimension after the other',
    );
    expect(notJudged).not.toContain(
      'every packet arrives once, at its target, or is lost, and none stays in a network that has come to rest',
    );
  });

  test('tells nothing when asked for quiet', async () => {
    expect(await called('run', trace, '--quiet')).toEqual({ exitCode: 0, out: '', err: '' });
  });

  test('draws by itself for a person at a terminal', async () => {
    const terminal = new KeptTerminal(true, 80);

    await main(['run', trace], terminal);

    expect(terminal.stderr).toContain('ring 0 →  S0');
  });

  test('is written as every kind of export and as a picture', async () => {
    const exports = exportKinds.flatMap((kind) => ['--export', `${kind}=${at(kind)}`]);

    const { out } = await called(
      'run',
      trace,
      ...exports,
      '--plot',
      at('new/trace.svg'),
      '--json',
      '--quiet',
    );

    expect(JSON.parse(readFileSync(at('perfetto'), 'utf8'))).toHaveProperty('traceEvents');
    expect(readFileSync(at('vcd'), 'utf8')).toContain('$enddefinitions');
    expect(readFileSync(at('mermaid'), 'utf8')).toContain('sequenceDiagram');
    expect(readFileSync(at('csv'), 'utf8').split('\n')).toHaveLength(JSON.parse(out).deliveries + 2);
    expect(JSON.parse(readFileSync(at('log'), 'utf8').split('\n')[0] ?? '')).toMatchObject({
      format: 'cell-log/1',
      N: 4,
    });
    expect(readFileSync(at('plantuml'), 'utf8')).toMatch(/^@startuml\n/);
    expect(JSON.parse(readFileSync(at('itf'), 'utf8')).states).toHaveLength(7); // the initial one and six ticks
    expect(readFileSync(at('shiviz'), 'utf8')).toContain('ring.request');
    expect(readFileSync(at('new/trace.svg'), 'utf8')).toMatch(/^<svg /);
    expect(JSON.parse(out).files).toContainEqual({ kind: 'plot', file: at('new/trace.svg') });
  });

  test('can be cut, and then is not compared with what the whole run must come to', async () => {
    const { exitCode, out } = await called('run', trace, '--until', '2', '--json', '--quiet');

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ticks: 3, until: 2 });
    expect(JSON.parse(out)).not.toHaveProperty('asExpected');
  });
});

describe('a run that is not what its scenario expects', () => {
  test('fails and names path, expectation and finding', async () => {
    const file = scenario('hopeful', 'expect: { ticks: 9, result: { bytes: 5 } }');

    const { exitCode, out, err } = await called('run', file, '--no-record', '--json');

    expect(exitCode).toBe(1);
    expect(err).toContain(
      `not as ${file} expects:\n  expect.ticks: expected 9, found 5\n  expect.result.bytes: expected 5, found 4`,
    );
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'ok',
      asExpected: false,
      differences: [
        { path: 'ticks', expected: 9, found: 5 },
        { path: 'result.bytes', expected: 5, found: 4 },
      ],
    });
  });
});

describe('a violation', () => {
  test('is told in six things: sentence, tick, who did what, schedule, commands, file', async () => {
    const recording = at('violated.json');
    const file = scenario('short segment', 'faults: [{ mutant: M-05 }]');

    const { exitCode, err } = await called('run', file, '--record', recording);

    expect(exitCode).toBe(1);
    const places = [
      /\nviolated: \S/,
      /\nin tick \d+, /,
      /\n(what led to it|found when the run was over; the last messages until then):\n {2}tick \d+ {2}/,
      /\nschedule: the default one, first come, first served\n/,
      /\nreplay it: npx lockstep replay .*violated\.json\n/,
      /\nexplain it: npx lockstep explain .*violated\.json\n/,
      /\nrecording written: .*violated\.json\n/,
    ].map((pattern) => err.search(pattern));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expect(err.match(/\n {2}tick /g)?.length).toBeLessThanOrEqual(12);
    expect(existsSync(recording)).toBe(true);
  });

  test('that the scenario expects is as it should be', async () => {
    const file = scenario('expected', 'faults: [{ mutant: M-05 }]', 'expect: { verdict: violated }');

    const { exitCode, err } = await called('run', file);

    expect(exitCode).toBe(0);
    expect(err).toContain('violated: ');
    expect(err).not.toContain('recording written');
    expect(err).toContain(
      '\nexplain it: the same command with --record FILE, then npx lockstep explain FILE\n',
    );
  });

  test('of another order says in what the schedule differs, and its recording replays', async () => {
    const recording = at('unlocked.json');
    const file = at('unlocked.yaml');
    writeFileSync(file, racy);

    const first = await called(
      'run',
      file,
      '--schedule',
      'random',
      '--seed',
      '1',
      '--record',
      recording,
      '--json',
    );
    const again = await called('replay', recording, '--json');
    const byTape = await called('run', file, '--tape', recording, '--no-record', '--json');

    expect(first.err).toMatch(
      /schedule: \d+ of \d+ picks are not the default's, first in tick \d+: "[^"]+" took number \d+ of 0\.\.\d+/,
    );
    expect(JSON.parse(again.out)).toMatchObject({ same: true, toEnd: true });
    expect(JSON.parse(byTape.out).fingerprint).toBe(JSON.parse(first.out).fingerprint);
    expect(JSON.parse(byTape.out).fingerprint).not.toBe(
      JSON.parse((await called('run', file, '--no-record', '--json')).out).fingerprint,
    );
  });
});

describe('a run that gets stuck', () => {
  test('as a deadlock names who waits, in which state, since when, for what', async () => {
    const { exitCode, err } = await called(
      'run',
      scenario('stuck', 'faults: [{ mutant: D-02 }]'),
      '--no-record',
    );

    expect(exitCode).toBe(1);
    expect(err).toContain('deadlock in tick 1: nothing is under way, and 2 actors wait\n');
    expect(err).toContain(
      '  Cell.Controller (phaseD) waits since tick 1 for DMA modules that have not ended the cycle: Cell.Spu[0].Dma\n',
    );
    expect(err).toContain(
      '  Cell.Spu[0].Dma (intake.ready, engine.acquiring) waits since tick 1 for the command bus: Cell.Bus\n',
    );
    expect(err).toContain(
      'no circle among them: what they wait for was never sent, or is held back, or was lost',
    );
  });

  test('as a livelock names the tick and what repeats', async () => {
    const { exitCode, out, err } = await called(
      'run',
      'scenarios/cell/endless-tick.yaml',
      '--no-properties',
      '--json',
    );

    expect(exitCode).toBe(0);
    expect(JSON.parse(out).livelock.repeating[0]).toMatchObject({ type: 'ring.freed' });
    expect(err).toMatch(
      /livelock in tick \d+: more than \d+ deliveries in one tick\namong its last deliveries these repeat:\n {2}\d+ × /,
    );
  });
});

describe('a failed run of which nobody asked a recording', () => {
  const machine = `
import { component, defineMachine, Wiring } from 'lockstep';
import { setup } from 'xstate';
const c = component();
let runs = 0;
const counter = setup({ types: {}, actions: { count: c.act((me, _event, out) => {
  me.count = me.moody ? ++runs : 1;
  out.report({ property: 'nothing is counted', actors: ['Counter'], why: 'one was' });
}) } }).createMachine({
  id: 'counter', context: ({ input }) => ({ ...input, count: 0 }), initial: 'here', states: { here: { on: { go: { actions: 'count' } } } },
});
const counting = (name, moody) => defineMachine({
  name, summary: name,
  assemble: () => {
    const wiring = new Wiring();
    wiring.begin({ to: wiring.place('Counter', counter, { moody }), type: 'go' });
    return { wiring, result: () => ({}) };
  },
});
export const steady = counting('steady', false);
export const moody = counting('moody', true);
`;
  const failed = async (name: string) => {
    writeFileSync(at('counting.mjs'), machine);
    writeFileSync(at(`${name}.yaml`), `name: run test ${name}\nmachine: ./counting.mjs#${name}\n`);
    return called('run', at(`${name}.yaml`));
  };

  test('is carried out again for one, with checkpoints', async () => {
    const { exitCode, err } = await failed('steady');

    expect(exitCode).toBe(1);
    expect(err).toContain('recording written: out/run-test-steady.recording.json');
    expect(
      JSON.parse(readFileSync('out/run-test-steady.recording.json', 'utf8')).checkpoints.length,
    ).toBeGreaterThan(0);
  });

  test('is not recorded when it does not come to the same again, and says so', async () => {
    const { exitCode, err } = await failed('moody');

    expect(exitCode).toBe(1);
    expect(err).toContain(
      'not recorded: carried out again with the same picks it came to other contexts in the end',
    );
    expect(existsSync('out/run-test-moody.recording.json')).toBe(false);
  });
});

test('a run in which an actor cannot handle a message ends as an error that names both, without a stack', async () => {
  const file = scenario('twice', 'faults: [{ mutant: D-04 }]');

  const { exitCode, out, err } = await called('run', file, '--no-record', '--no-properties', '--json');

  expect(exitCode).toBe(1);
  expect(err).toContain(
    'error in tick 1: Cell.Spu[0].Dma could not handle "memory.reply"\n  KRN004 Cell.Spu[0].Dma: state "intake.ready, engine.counting" does not decide on "memory.reply"\n',
  );
  expect(err).not.toMatch(/\n\s+at /);
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'error',
    failure: { tick: 1, actor: 'Cell.Spu[0].Dma', event: 'memory.reply' },
  });
});

describe('the order of deliveries', () => {
  test.each([
    [['--schedule', 'pos', '--depth', '2'], '--depth has no effect on the schedule pos'],
    [['--schedule', 'pct', '--delays', '2'], '--delays has no effect on the schedule pct'],
    [['--schedule', 'randm'], 'unknown schedule "randm"'],
    [['--seed', '3'], '--seed has no effect on the schedule fifo'],
    [['--schedule', 'random', '--tape', 'x'], 'found --tape with --schedule or --seed, expected one way'],
  ])('of %j is refused', async (options, what) => {
    const { exitCode, err } = await called('run', trace, ...options);

    expect(err.split('\n')[0]).toBe(`lockstep: ${what}`);
    expect(exitCode).toBe(2);
  });

  test.each(scheduleKinds)('may be %s, whose recording replays', async (kind) => {
    const recording = at(`${kind}.recording.json`);
    const { exitCode, out } = await called('run', trace, '--schedule', kind, '--record', recording, '--json');

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'ok', result: { memHash: 'a671638b' } });
    expect((await called('replay', recording)).exitCode).toBe(0);
  });

  test('may be a tape written by hand', async () => {
    writeFileSync(at('tape.json'), '[1, 0, 2]');

    const { exitCode, out } = await called('run', trace, '--tape', at('tape.json'), '--json', '--quiet');

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      schedule: `tape ${at('tape.json')}`,
      result: { memHash: 'a671638b' },
    });
  });
});

describe('a replay', () => {
  test('that leaves the recorded run fails and says where', async () => {
    const file = at('trace.json');
    await called('run', trace, '--record', file, '--quiet');
    const recording = JSON.parse(readFileSync(file, 'utf8'));
    recording.scenario.text = recording.scenario.text.replace(
      '[0, put, 10, 2, 20, 4]',
      '[0, put, 11, 2, 20, 4]',
    );
    writeFileSync(file, JSON.stringify(recording));

    const { exitCode, out, err } = await called('replay', file, '--json');

    expect(exitCode).toBe(1);
    expect(err).toContain('NOT the recorded run: the replay leaves the recorded run');
    expect(JSON.parse(out)).toMatchObject({ same: false, difference: { tick: 0 } });
  });

  test('can be exported as the run itself was', async () => {
    const file = at('again.json');
    await called('run', trace, '--record', file, '--export', `csv=${at('run.csv')}`, '--quiet');

    const { exitCode, err } = await called('replay', file, '--export', `csv=${at('replay.csv')}`);

    expect(exitCode).toBe(0);
    expect(readFileSync(at('replay.csv'), 'utf8')).toBe(readFileSync(at('run.csv'), 'utf8'));
    expect(err).toContain('the recorded run: 6 of 6 checkpoints compared, all equal; the end is equal, too');
  });

  test('of what is no recording is refused at its place', async () => {
    const { exitCode, err } = await called('replay', trace);

    expect(exitCode).toBe(2);
    expect(err).toBe(
      `${trace}:1:1 SCN041 found "# The first worked t", expected JSON\n  help: this looks like a scenario: run it with \`lockstep run\`\n`,
    );
  });

  test('stops where it is told, with what was verified so far', async () => {
    const file = at('part.json');
    await called('run', trace, '--record', file, '--quiet');

    const { exitCode, out, err } = await called('replay', file, '--to', '3', '--json');

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ ticks: 4, same: true, toEnd: false, checkpointsEqual: 4 });
    expect(err).toContain('4 of 6 checkpoints compared, all equal; the end was not reached');
  });
});

describe('a request that no machine can carry out', () => {
  const scenario = (name: string, size: string, config = '') => {
    const file = at(name);
    writeFileSync(
      file,
      `name: ${name}\nmachine: cell\nconfig: { N: 2, K: 1, memSize: 64${config} }\nprograms: [${size}, []]\n`,
    );
    return file;
  };
  const module = (size: string) => {
    writeFileSync(
      at('sizes.mts'),
      `export function* wrong() { yield { op: 'put', my: 0, peer: 1, addr: 32, size: ${size} }; }\n`,
    );
    return '{ module: sizes.mts#wrong }';
  };

  test.each([
    ['negative', () => '[[0, put, 0, 1, 32, -4]]'],
    ['fractional', () => module('1.5')],
  ])('of %s size is the same for run, check and the checker of logs', async (name, program) => {
    const file = scenario(`${name}.yaml`, program());
    const log = at(`${name}.log`);

    const run = await called('run', file, '--no-record', '--json', '--export', `log=${log}`);
    const check = await called('check', file, '--no-record', '--json');
    const judged = await called('cell', 'check', log);

    expect([run.exitCode, JSON.parse(run.out).verdict]).toEqual([1, 'violated']);
    expect([check.exitCode, JSON.parse(check.out).verdict]).toEqual([1, 'violated']);
    expect(judged.exitCode).toBe(4);
  });

  test('is told in the result only where the configuration says so', async () => {
    const file = scenario('allowed.yaml', '[[0, put, 0, 1, 32, -4]]', ', programErrors: result');

    const { exitCode, out } = await called('run', file, '--no-record', '--json');

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'ok', result: { exceptions: [{ spu: 0 }] } });
    expect(JSON.parse(out).properties).not.toContain('no program raises an exception');
  });

  test('of no bytes may lie at the end of the memory, and the message says so', async () => {
    const fits = await called('run', scenario('end.yaml', '[[0, put, 64, 1, 64, 0]]'), '--no-record');
    const beyond = await called('run', scenario('beyond.yaml', '[[0, put, 65, 1, 64, 0]]'), '--no-record');

    expect(fits.exitCode).toBe(0);
    expect(beyond.err).toContain('own address 65 with 0 bytes is outside 0..64');
  });
});

test.each([[], ['--schedule', 'random', '--seed', '3']])(
  'what judged a run from its first step to its last is said to have judged it: %j',
  async (...options) => {
    const terminal = new KeptTerminal();
    await main(['run', 'scenarios/cell/worked-trace.yaml', '--json', ...options.flat()], terminal);

    expect(JSON.parse(terminal.stdout).notJudged).toEqual([
      'with bounded waiting every urgent request starts by its bound',
      'no program raises an exception',
    ]);
  },
);

/** Whose programs do as good as nothing, and the sentences that then still have something to judge. */
const idleRuns: [machine: string, given: object, judged: readonly RegExp[]][] = [
  ['interchiplet', { programs: [{ x: 0, y: 0, script: [['compute', 5]] }] }, []],
  ['sunway', { config: { cpesPerCg: 2 }, programs: { slave: [['compute', 5]] } }, []],
  [
    'cell',
    { config: { N: 2, K: 1, memSize: 8 }, programs: [[[0, 'read', 1]], []] },
    [/^the memories/, /^the barrier/, /^the checker/, /^every cycle/, /^requests start/],
  ],
  [
    'grape',
    { programs: { source: 'vlen 4\nupassa $lr0v $lr0v $lr8v\n' } },
    [/^all blocks/, /^a block/, /^a run/, /^the chip/],
  ],
];

test.each(idleRuns)(
  'an idle run of %s judges nothing that never came to be',
  async (machine, given, judged) => {
    const file = at(`idle-${machine}.json`);
    writeFileSync(file, JSON.stringify({ name: 'idle', machine, ...given }));

    const { properties, notJudged } = JSON.parse((await called('run', file, '--json', '--no-record')).out);
    const left = properties.filter((sentence: string) => !notJudged.includes(sentence));

    expect(left).toEqual(judged.map((sentence) => expect.stringMatching(sentence)));
  },
);

test('a scenario of a network alone that names the machine of systems is told which machine it is for', async () => {
  const file = at('network.yaml');
  const text = readFileSync('scenarios/chiplet/two-packets.yaml', 'utf8');
  writeFileSync(file, text.replace('machine: chiplet-network', 'machine: chiplet'));

  const { exitCode, err } = await called('run', file);

  expect(exitCode).toBe(2);
  expect(err).toContain('SCN020 machine: found a scenario of chiplet-network for "chiplet"');
  expect(err).toContain('write machine: chiplet-network');
});
