import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { main } from './main.ts';
import { KeptTerminal } from './terminal.ts';

const folder = temporaryFolder('check-depth');

async function called(...args: string[]) {
  const terminal = new KeptTerminal(false, 100);
  const exitCode = await main(['check', ...args, '--json'], terminal);
  return { exitCode, report: JSON.parse(terminal.stdout), err: terminal.stderr };
}
const broken = 'scenarios/protocols/broken-promise.yaml';
const commit = 'scenarios/protocols/two-phase-commit.yaml';

describe('how far a check goes', () => {
  test('to a depth: what is found there is all that ticks up to it can come to, and it is not the end', async () => {
    const { exitCode, report } = await called(commit, '--depth', '3');
    const threads = await called(commit, '--depth', '3', '--workers', '2');
    const whole = await called(commit);

    expect([exitCode, report.verdict, report.depth]).toEqual([4, 'incomplete', 2]);
    expect(report.unexplored).toBeGreaterThan(0);
    expect(report.states).toBeLessThan(whole.report.states);
    expect({ ...threads.report, wallSeconds: 0 }).toEqual({ ...report, wallSeconds: 0 });
  });

  test('to a tick other than that of the scenario', async () => {
    const { report, exitCode } = await called(broken, '--until', '5', '--no-record');

    // What must be so at rest stays open.
    expect(exitCode).toBe(4);
    expect(report).toMatchObject({ verdict: 'incomplete', unexplored: 0 });
    expect(report.cut).toBeGreaterThan(0);
  });

  test('to the states for which a constraint holds', async () => {
    const file = join(folder, 'early.mjs');
    writeFileSync(
      file,
      "export const early = (state) => !['committed', 'aborted'].includes(state.actor('ResourceManager[0]').state);",
    );

    const { report, exitCode } = await called(commit, '--constraint', `${file}#early`);

    expect([exitCode, report.verdict]).toEqual([0, 'ok']);
    expect(report.states).toBeLessThan(288);
    const wrong = await called(commit, '--constraint', `${file}#late`);
    expect([wrong.exitCode, wrong.err]).toEqual([
      2,
      expect.stringContaining(`found no export "late" in "${file}"`),
    ]);
  });

  test.each([
    ['(state) => state.nobody.state', "it threw: Cannot read properties of undefined (reading 'state')"],
    ['(state) => { state.messages.length < 4; }', 'it returned undefined, expected true or false'],
  ])('and refuses a constraint that gives no answer: %s', async (written, why) => {
    const file = join(folder, `unanswered-${written.length}.mjs`);
    writeFileSync(file, `export const unanswered = ${written};`);

    const { err, exitCode } = await called(commit, '--constraint', `${file}#unanswered`);

    expect(exitCode).toBe(2);
    expect(err).toContain(`KRN022 --constraint: ${why}`);
    expect(err).toContain('help: let it return true for a state that is entered');
  });

  test('to the end whatever it finds: one counterexample of each kind, each with a recording', async () => {
    const recording = join(folder, 'kinds.json');
    const file = join(folder, 'lossy.yaml');
    const lines = [
      'name: lossy',
      'machine: two-phase-commit',
      'config: { resourceManagers: 2 }',
      'faults: [{ mutant: hasty-manager }, { duplicate: { from: "ResourceManager[*]" } }]',
    ];
    writeFileSync(file, lines.join('\n'));

    const one = await called(file, '--keep-going', '--record', recording);
    const two = await called(file, '--keep-going', '--workers', '2', '--no-record');

    expect([one.exitCode, one.report.unexplored]).toEqual([1, 0]);
    const kinds = one.report.counterexamples.map((found: { verdict: string }) => found.verdict);
    expect(kinds.length).toBeGreaterThan(1);
    expect(new Set(kinds).size).toBeGreaterThan(1);
    for (const { recording, verdict, what } of one.report.counterexamples) {
      const terminal = new KeptTerminal(false, 80);
      await main(['replay', recording, '--json'], terminal);
      expect([what, JSON.parse(terminal.stdout).same]).toEqual([what, true]);
      expect(['violated', 'error', 'deadlock']).toContain(verdict);
    }
    const bare = ({ verdict, what, alike }: Record<string, unknown>) => [verdict, what, alike];
    expect(two.report.counterexamples.map(bare)).toEqual(one.report.counterexamples.map(bare));
    expect(one.err).toContain(`found, one of each kind (${kinds.length}):`);
  });
});

describe('what a check writes', () => {
  test('is told where nothing was found and a file for it was named', async () => {
    const [recording, trace] = [join(folder, 'none.json'), join(folder, 'none.txt')];

    const { err, exitCode } = await called(commit, '--record', recording, '--trace', trace);

    expect(exitCode).toBe(0);
    expect(err).toContain(`nothing was found: no recording is written to ${recording}\n`);
    expect(err).toContain(`nothing was found: no trace is written to ${trace}\n`);
    expect(existsSync(recording) || existsSync(trace)).toBe(false);
  });

  test('a counterexample as a trace of states: what is changed in each step, and all of it as ITF', async () => {
    const [text, itf] = [join(folder, 'trace.txt'), join(folder, 'trace.itf.json')];

    await called(broken, '--no-record', '--trace', text);
    await called(broken, '--no-record', '--trace', itf);

    const steps = readFileSync(text, 'utf8');
    expect(steps).toContain('before the first tick\n    ResourceManager[0] = working\n');
    expect(steps).toContain('    ResourceManager[0].heard = null\n');
    expect(steps).toContain('step 1, tick 1\n  Turns -> Turns: turn.next\n');
    expect(steps).toContain('    ResourceManager[0]: working -> prepared\n');
    const { vars, states } = JSON.parse(readFileSync(itf, 'utf8'));
    expect(vars).toEqual(expect.arrayContaining(['tick', 'messages', 'ResourceManager[1]']));
    expect(states.at(-1)['ResourceManager[1]'].state).toBe('committed');
    expect(JSON.stringify(states)).not.toContain('#unserializable');
    expect(states[0]['ResourceManager[0]'].context.heard).toEqual({ tag: 'None', value: { '#tup': [] } });
  });

  test('the graph of states for Graphviz and as a picture, up to some hundred', async () => {
    const [dot, svg, big] = ['s.dot', 's.svg', 'big.svg'].map((name) => join(folder, name));

    const { report } = await called(broken, '--keep-going', '--no-record', '--graph', dot!);
    await called(broken, '--keep-going', '--no-record', '--graph', svg!);
    const five = join(folder, 'five.yaml');
    writeFileSync(five, 'name: five\nmachine: two-phase-commit\nconfig: { resourceManagers: 5 }\n');
    const refused = await called(five, '--max-states', '500', '--graph', big!);

    const lines = readFileSync(dot!, 'utf8').split('\n');
    expect(lines.filter((line) => /^ {2}s\d+ \[/.test(line)).length).toBe(report.states);
    expect(lines.filter((line) => line.includes(' -> s')).length).toBeGreaterThanOrEqual(report.states - 1);
    expect(lines.filter((line) => line.includes('#b00020')).length).toBe(1);
    const picture = readFileSync(svg!, 'utf8');
    expect(picture.match(/<rect [^>]*rx="8"/g)?.length).toBe(report.states);
    expect([refused.exitCode, existsSync(big!)]).toEqual([2, false]);
    // What was explored is told all the same.
    expect(refused.report.states).toBeGreaterThan(400);
  });

  test('the graph of an asynchronous machine, in which is told what the network does', async () => {
    const [model, dot] = ['network.yaml', 'network.dot'].map((name) => join(folder, name));
    const config = '{ servers: 2, clients: 1 }';
    const network = '{ lossy: 1, crashes: { max: 1, recover: true, of: ["Server[0]"] }, partitions: 1 }';
    writeFileSync(model!, `name: network\nmachine: abd\nconfig: ${config}\nnetwork: ${network}\n`);

    await called(model!, '--no-record', '--max-states', '300', '--graph', dot!);

    const labels = new Set(readFileSync(dot!, 'utf8').match(/(?<=-> s\d+ \[label=")[^"]*/g));
    expect(labels).toContain('Client[0] -> Server[0]: Put');
    expect(labels).toContain('lost: Client[0] -> Server[0]: Put');
    expect(labels).toContain('crash of Server[0]');
    expect(labels).toContain('Server[0] comes back');
    expect(labels).toContain('the network splits');
    expect(labels).toContain('the network is whole again');
    expect([...labels].filter((label) => label.includes('network.'))).toEqual([]);
  });

  test('what the exploration has covered, and what is never met', async () => {
    const { err } = await called(commit, '--coverage');

    expect(err).toContain('covered by the exploration');
    expect(err).toMatch(/resourceManager +5\/5/);
  });

  test.each([
    [['--graph', 'states.png'], 'expected a name that ends in .dot or .svg'],
    [['--graph', 'states.dot', '--workers', '2'], '--graph: found together with --workers 2'],
    [['--depth', '3', '--all-properties'], '--depth: found together with --all-properties'],
    [['--constraint', 'nothing'], '--constraint: found "nothing", expected file.ts#export'],
  ])('nothing where it cannot: %s', async (options, words) => {
    const { exitCode, err } = await called(commit, ...options);

    expect(exitCode).toBe(2);
    expect(err).toContain(words);
  });
});
