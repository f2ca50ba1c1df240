import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { calledAt } from './testing/called.ts';

const folder = temporaryFolder('check');

const called = calledAt(80);

/** Writes a scenario of the Cell machine with three SPUs. */
function scenario(name: string, ...rest: string[]): string {
  const file = join(folder, `${name}.yaml`);
  const lines = [`name: ${name}`, 'machine: cell', 'config: { N: 3, K: 1, memSize: 64 }', ...rest];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const three = 'programs: [[[0, put, 0, 1, 32, 2]], [[0, put, 0, 2, 32, 2]], [[0, get, 0, 1, 32, 2]]]';

/** No program asks for a status, waits with a bound or fails. */
const idle = [
  'status answers are exact',
  'with bounded waiting every urgent request starts by its bound',
  'no program raises an exception',
];

test('three transfers on one ring are well under every schedule, and the figures are exact', async () => {
  const file = scenario('three', three);

  const { exitCode, out, err } = await called('check', file, '--json');

  expect(exitCode).toBe(0);
  expect(out.trimEnd()).not.toContain('\n');
  const { wallSeconds, ...found } = JSON.parse(out);
  expect(wallSeconds).toBeGreaterThan(0);
  expect(found).toMatchObject({
    machine: 'cell',
    scenario: 'three',
    verdict: 'ok',
    way: 'states',
    states: 8,
    depth: 5,
    unexplored: 0,
    quiet: 1,
    properties: expect.arrayContaining(['ring segments never overlap']),
    notJudged: [],
    judgedAtRest: [],
    idle,
  });
  expect(err).toContain('three (cell): ok under every schedule');
});

test('a property is named of which nothing that it looks at came', async () => {
  const file = scenario('one put', 'programs: [[[0, put, 0, 1, 32, 1]]]');

  const { out, err } = await called('check', file, '--json', '--workers', '2');

  expect(JSON.parse(out).idle).toEqual(idle);
  expect(err).toContain(`of these, what they look at came in no run:\n  ${idle.join('\n  ')}\n`);
});

test('without reduction there are as many states and more deliveries', async () => {
  const file = scenario('one', 'programs: [[[0, put, 0, 1, 32, 1]]]');

  const reduced = JSON.parse((await called('check', file, '--json')).out);
  const full = JSON.parse((await called('check', file, '--json', '--no-reduction')).out);

  expect([full.states, full.verdict, full.reduction]).toEqual([reduced.states, reduced.verdict, false]);
  // What its properties see comes in every order.
  expect(full.transitions).toBeGreaterThan(5 * reduced.transitions);
});

test('a lost grant is a deadlock, with a recording that replays', async () => {
  const file = scenario('lost', 'programs: [[[0, put, 0, 1, 32, 4]]]', 'faults: [{ mutant: D-02 }]');
  const recording = join(folder, 'lost.json');

  const { exitCode, out, err } = await called('check', file, '--json', '--record', recording);

  expect(exitCode).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'deadlock',
    counterexample: { verdict: 'deadlock', actors: ['Cell.Controller', 'Cell.Spu[0].Dma'], recording },
  });
  expect(err).toContain('lost (cell): deadlock under some schedule: Cell.Controller in work');
  expect(err).toContain('One run that shows it:\n2 ticks');
  expect(err).toContain(`replay it: npx lockstep replay ${recording}`);
  expect(JSON.parse(readFileSync(recording, 'utf8')).end.verdict).toBe('deadlock');
  const replayed = JSON.parse((await called('replay', recording, '--json')).out);
  expect(replayed).toMatchObject({ same: true, toEnd: true, verdict: 'deadlock' });
});

test('a planted fault is found in the states, and by running every tape', async () => {
  const file = scenario('free', 'programs: [[[0, put, 0, 1, 32, 1]]]', 'faults: [{ mutant: M-17 }]');

  const merged = await called('check', file, '--json');
  const all = await called('check', file, '--json', '--all-properties', '--no-record');

  expect(JSON.parse(merged.out)).toMatchObject({
    verdict: 'violated',
    way: 'states',
    counterexample: { what: 'each byte follows one command of its own in the same cycle' },
  });
  expect(all.exitCode).toBe(1);
  expect(JSON.parse(all.out)).toMatchObject({
    verdict: 'violated',
    way: 'tapes',
    notJudged: [],
    counterexample: { what: 'each byte follows one command of its own in the same cycle' },
  });
});

test('every tape is run up to a limit', async () => {
  const file = scenario('tapes', 'programs: [[[0, put, 0, 1, 32, 1]]]');

  const { exitCode, out } = await called('check', file, '--json', '--all-properties', '--max-states', '50');

  expect(exitCode).toBe(4);
  expect(JSON.parse(out)).toMatchObject({ verdict: 'incomplete', runs: 50 });
});

describe('several threads', () => {
  test('come to the figures of one', async () => {
    // Its sentences are about states, and one is about what some run shows.
    const file = 'scenarios/library/multi-paxos.yaml';
    const figures = async (workers: string) => {
      const { exitCode, out } = await called('check', file, '--json', '--workers', workers);
      return { exitCode, ...JSON.parse(out), wallSeconds: 0 };
    };

    const one = await figures('1');

    expect(one.transitions).toBeGreaterThan(100);
    expect([await figures('2'), await figures('3')]).toEqual([one, one]);
  });

  test('record the run that one records, when something is wrong', async () => {
    const protocol = 'scenarios/protocols/peterson-swapped.yaml';
    const recording = async (workers: string) => {
      const file = join(folder, `by-${workers}.json`);
      const { exitCode } = await called('check', protocol, '--workers', workers, '--record', file);
      return { exitCode, text: readFileSync(file, 'utf8') };
    };

    expect(await recording('2')).toEqual(await recording('1'));
  });

  test('stop at the limit on states, and say so', async () => {
    const { exitCode, out } = await called(
      'check',
      'scenarios/protocols/two-phase-commit.yaml',
      '--json',
      '--workers',
      '2',
      '--max-states',
      '20',
    );

    expect(exitCode).toBe(4);
    expect(JSON.parse(out)).toMatchObject({ verdict: 'incomplete', limit: { at: 'states' } });
    expect(JSON.parse(out).unexplored).toBeGreaterThan(0);
  });

  test.each([
    ['0', [], '--workers: found "0", expected at least 1'],
    ['2', ['--all-properties'], '--workers: found together with --all-properties, expected one of them'],
  ])('are refused where they cannot be: %s', async (workers, more, words) => {
    const { exitCode, err } = await called('check', scenario('none', three), '--workers', workers, ...more);

    expect(exitCode).toBe(2);
    expect(err).toContain(words);
  });
});

describe('symmetry', () => {
  const commit = 'scenarios/protocols/two-phase-commit.yaml';

  test('merges states that differ in the places of actors, and is told', async () => {
    const { exitCode, out, err } = await called('check', commit, '--json', '--symmetry');

    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'ok',
      states: 80,
      symmetry: {
        actors: ['ResourceManager[0]', 'ResourceManager[1]', 'ResourceManager[2]'],
        notSymmetric: [],
      },
    });
    expect(err).toContain('in the places of 3 actors only, ResourceManager[0] to ResourceManager[2]; ');
    expect(err).not.toContain('WARNING');
  });

  test('shows what it finds in a recording that replays', async () => {
    const recording = join(folder, 'symmetric.json');
    const file = 'scenarios/protocols/broken-promise.yaml';

    const args = ['check', file, '--json', '--symmetry', '--record', recording];
    const { exitCode, out, err } = await called(...args);

    expect(exitCode).toBe(1);
    const { counterexample } = JSON.parse(out);
    const replayed = JSON.parse((await called('replay', recording, '--json')).out);
    expect(replayed).toMatchObject({ same: true, verdict: 'violated' });
    // The run that is told is the one that was recorded.
    expect(err.split('One run that shows it:')[1]).toContain(counterexample.why);
  });

  test('goes with threads and with faults: the figures are those of one thread, and so is the recording', async () => {
    const lines = [
      'name: doubled',
      'machine: two-phase-commit',
      'config: { resourceManagers: 3 }',
      'faults: [{ duplicate: { from: "ResourceManager[*]" } }]',
    ];
    const file = join(folder, 'doubled.yaml');
    writeFileSync(file, lines.join('\n'));
    const by = async (...more: string[]) => {
      const recording = join(folder, 'doubled.json');
      const { out } = await called('check', file, '--json', '--symmetry', '--record', recording, ...more);
      return { report: JSON.parse(out), recording: readFileSync(recording, 'utf8') };
    };
    const whole = async (...more: string[]) => {
      const { out } = await called('check', commit, '--json', '--symmetry', ...more);
      return { ...JSON.parse(out), wallSeconds: 0, locals: 0 };
    };

    const [one, two] = [await by(), await by('--workers', '2')];

    expect(one.report).toMatchObject({ verdict: 'error', counterexample: { what: 'KRN004' } });
    expect(two.report.counterexample).toEqual(one.report.counterexample);
    expect(two.recording).toBe(one.recording);
    expect(await whole('--workers', '2')).toEqual(await whole());
  });

  test('is refused with a fault that means only some of the actors, by name', async () => {
    const file = join(folder, 'unlike.yaml');
    writeFileSync(
      file,
      'name: unlike\nmachine: two-phase-commit\nfaults: [{ drop: { to: "ResourceManager[1]" } }]\n',
    );

    const { exitCode, err } = await called('check', file, '--symmetry');

    expect(exitCode).toBe(2);
    expect(err).toContain(
      'the drop fault with to "ResourceManager[1]", which means ResourceManager[1] and not ResourceManager[0]; expected all of the 3',
    );
  });

  test.each([
    [three, [], '--symmetry: found the machine cell in'],
    ['', ['--all-properties'], '--symmetry: found together with --all-properties, expected one of them'],
  ])('is refused where there is none: %s', async (lines, more, words) => {
    const { exitCode, err } = await called('check', scenario('none', lines), '--symmetry', ...more);

    expect(exitCode).toBe(2);
    expect(err).toContain(words);
  });
});

test('a limit that is reached is no verdict', async () => {
  const { exitCode, out, err } = await called(
    'check',
    scenario('more', three),
    '--json',
    '--max-states',
    '3',
  );

  expect(exitCode).toBe(4);
  expect(JSON.parse(out).verdict).toBe('incomplete');
  expect(err).toContain('more (cell): nothing found so far, not everything explored');
  expect(err).toContain(
    'stopped inside one tick, which has more than 3 states of its own: --max-states raises this limit',
  );
});

describe.each(['1', '2'])(
  'what does not fit, with --workers %s, ends the check with what is known',
  (workers) => {
    const stopped = (file: string, ...options: string[]) =>
      called('check', file, '--json', '--workers', workers, ...options);

    test('states inside one tick', async () => {
      const { exitCode, out, err } = await stopped('scenarios/chiplet/hotspot.yaml', '--max-states', '300');

      expect(exitCode).toBe(4);
      expect(JSON.parse(out)).toMatchObject({ verdict: 'incomplete', limit: { at: 'states of a tick' } });
      expect(err).toContain('stopped inside one tick, which has more than 300 states of its own');
    });

    test('memory', async () => {
      const file = 'scenarios/chiplet/hotspot.yaml';
      const { exitCode, out, err } = await stopped(file, '--memory', '1M');

      expect(exitCode).toBe(4);
      expect(JSON.parse(out)).toMatchObject({ verdict: 'incomplete', limit: { at: 'memory' } });
      expect(err).toContain('stopped at 1 MiB of memory: --memory raises this limit');
    });
  },
);

test.each(['4', '4X', '0G', '-1G', 'G', '1e3M'])('--memory %s is refused', async (size) => {
  const { exitCode, err } = await called('check', scenario('none', three), `--memory=${size}`);

  expect(exitCode).toBe(2);
  expect(err).toContain(`--memory: found "${size}", expected a number with K, M, G or T`);
});
