import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandBus } from '../actors/cell/command-bus.ts';
import { emptyCoverage } from '../kernel/coverage.ts';
import { temporaryFolder } from '../scenarios/testing/temporary-folder.ts';
import { coverageText } from './coverage/coverage-text.ts';
import { heatOf, levelOf } from './diagram/heat.ts';
import { mermaidStatechart } from './diagram/mermaid.ts';
import { calledAt } from './testing/called.ts';

const folder = temporaryFolder('coverage');

const at = (name: string): string => join(folder, name);
const trace = 'scenarios/cell/worked-trace.yaml';

const called = calledAt(80);

const covered = (file: string, ...more: string[]) =>
  called('run', trace, '--coverage', at(file), '--quiet', ...more);

describe('lockstep run --coverage', () => {
  test('writes the file, and adds to it the next time', async () => {
    const first = await called('run', trace, '--coverage', at('twice.json'));
    const once = JSON.parse(readFileSync(at('twice.json'), 'utf8'));
    await covered('twice.json', '--schedule', 'random', '--seed', '3');
    const twice = JSON.parse(readFileSync(at('twice.json'), 'utf8'));

    expect(first.err).toContain(`coverage written: ${at('twice.json')}`);
    expect(once).toMatchObject({ format: 'lockstep-coverage/1', runs: 1 });
    expect(twice.runs).toBe(2);
    const grants = 'free: bus.acquire -> held';
    expect(once.transitions.bus[grants]).toEqual([expect.any(Number), 1]);
    expect(twice.transitions.bus[grants][1]).toBe(2);
  });

  test('is refused for the engine that does not count, and for a file that holds something else', async () => {
    writeFileSync(at('other.json'), '{ "format": "lockstep-recording/1" }');

    const engine = await covered('engine.json', '--engine', 'xstate');
    const other = await covered('other.json');

    expect(engine.err).toContain('found --coverage with --engine xstate');
    expect(existsSync(at('engine.json'))).toBe(false);
    expect(other.err).toContain(
      `${at('other.json')}:1:1 format: found "lockstep-recording/1", expected "lockstep-coverage/1"`,
    );
    expect([engine.exitCode, other.exitCode]).toEqual([2, 2]);
  });
});

describe('lockstep coverage', () => {
  test('shows a row for each type of actor, and names what is missing', async () => {
    await covered('shown.json');

    const { exitCode, out, err } = await called('coverage', at('shown.json'), '--json');

    expect(exitCode).toBe(0);
    expect(err).toMatch(/^1 run\n/);
    expect(err).toMatch(/^request +5\/5 +5\/6 +1\/3/m);
    expect(err).toContain('guard never true: new: request.queued [empty] -> finished');
    expect(err).toContain('guard never false: granted: request.begin [atStart] -> running');
    expect(err).toMatch(/expected to show .* new ones \(Good-Turing\)/);
    const { runs, types, unseen } = JSON.parse(out);
    expect(runs).toBe(1);
    expect(types.map(({ type }: { type: string }) => type)).toContain('dma');
    expect(unseen.inOneRun).toBe(unseen.seen);
  });

  test('names eight of what is missing, and counts the rest unless all is asked for', () => {
    const states = Object.fromEntries(Array.from({ length: 11 }, (_, k) => [`s${k}`, [0, 0] as const]));
    const coverage = { ...emptyCoverage, runs: 1, states: { door: states } };

    expect(coverageText(coverage, false)).toContain('state never entered: s7\n  … and 3 more');
    expect(coverageText(coverage, true)).toContain('state never entered: s10\n');
  });

  test('puts files together', async () => {
    await covered('one.json');
    await covered('other.json.gz', '--seed', '4', '--schedule', 'random');

    const { err } = await called('coverage', at('one.json'), at('other.json.gz'), '--all');

    expect(err).toMatch(/^2 runs\n/);
    expect(err).not.toMatch(/… and \d+ more/);
  });

  test.each([
    ['nothing', undefined, 'found no such file'],
    ['no JSON', 'runs: 1', '1:1 found "runs: 1", expected JSON'],
    [
      'another version',
      '{"format":"lockstep-coverage/9"}',
      'found "lockstep-coverage/9", expected "lockstep-coverage/1"',
    ],
    [
      'damage',
      JSON.stringify({ format: 'lockstep-coverage/1', ...emptyCoverage, runs: -1 }),
      'runs: found -1, expected an integer of at least 0',
    ],
  ])('refuses %s in plain words', async (name, text, words) => {
    const file = at(`${name}.json`);
    if (text !== undefined) writeFileSync(file, text);

    const { exitCode, err } = await called('coverage', file);

    expect(err).toContain(file);
    expect(err).toContain(words);
    expect(exitCode).toBe(2);
  });
});

describe('a statechart with heat', () => {
  const coverage = {
    ...emptyCoverage,
    runs: 2,
    states: { bus: { free: [1000, 2], held: [10, 2] } },
    transitions: { bus: { 'free: bus.acquire -> held': [10, 2] } },
  } as const;

  test('says how often states and transitions were seen, and colours states', () => {
    expect(mermaidStatechart(commandBus, 'bus', heatOf(commandBus, coverage))).toBe(`---
title: bus
---
stateDiagram-v2
  direction TB
  state "bus" as bus {
    [*] --> free
    free : free ×1000
    held : held ×10
    held : bus.acquire [isDeclined] / complain ×0
    held : bus.release / complain ×0
    contended : contended ×0
    contended : bus.acquire [isDeclined] / complain ×0
    contended : bus.acquire / queue ×0
    contended : bus.release [isHolder] / countRelease, showRelease, acknowledge, passOn, stamp, grant ×0
    contended : bus.release / complain ×0
    free --> held : bus.acquire / hold, stamp, grant ×10
    held --> contended : bus.acquire / queue ×0
    held --> free : bus.release [isHolder] / countRelease, showRelease, acknowledge, letGo ×0
    contended --> held : bus.release [passesToLast] / countRelease, showRelease, acknowledge, passOn, stamp, grant ×0
  }
  note right of bus
    bus.command [isHolder] / count, showCommand ×0
    bus.command / complain ×0
    bus.release / complain ×0
  end note
  classDef heat0 fill:#ffffff,stroke:#c62828,stroke-width:2px,color:#c62828
  class contended heat0
  classDef heat2 fill:#ffcc80,stroke:#8d6e63,color:#000000
  class held heat2
  classDef heat4 fill:#bf360c,stroke:#8d6e63,color:#ffffff
  class free heat4
`);
  });

  test('has levels by the logarithm of the count', () => {
    expect([0, 1, 9, 10, 99, 100, 999, 1000].map((count) => levelOf(count, 1000))).toEqual([
      0, 1, 1, 2, 2, 3, 3, 4,
    ]);
    expect([0, 1].map((count) => levelOf(count, 1))).toEqual([0, 4]);
  });

  test('is refused when the file has nothing of the actor', async () => {
    await covered('cell.json');

    const { exitCode, err } = await called('diagram', 'common/mutex', '--coverage', at('cell.json'));
    const drawn = await called('diagram', 'cell/command-bus', '--coverage', at('cell.json'));

    expect(err).toContain('found no coverage of "mutex"');
    expect(exitCode).toBe(2);
    expect(drawn.out).toMatch(/classDef heat4/);
  });
});
