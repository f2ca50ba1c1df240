import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseBench } from '../../actors/chiplet/interchiplet/bench-line.ts';
import { delayText, parseDelay } from '../../actors/chiplet/interchiplet/delay-line.ts';
import { hopLatencies } from '../../actors/chiplet/interchiplet/hop-latencies.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { interchipletMachine } from '../../machines/chiplet/interchiplet.ts';
import { judge } from '../judge.ts';
import { loadScenario } from '../load.ts';
import { simulate } from '../simulate.ts';
import {
  interchipletGoldenSchema,
  interchipletRows,
  programsOfCase,
  runRound,
} from './interchiplet-cases.ts';

const golden = interchipletGoldenSchema.parse(
  JSON.parse(readFileSync('properties/chiplet/golden/interchiplet/golden.json', 'utf8')),
);

test('every round of the reference follows from the delay lines of the round before', () => {
  const rows = [...interchipletRows(golden)];

  expect(rows.filter(({ passed }) => !passed)).toEqual([]);
  expect(rows.length).toBe(325);
});

test.each(golden.cases.map((one) => [one.name, one] as const))(
  '%s: rounds with records are the same under every order of arrival',
  (_, one) => {
    const programs = programsOfCase(one);
    for (const [index, { logs, cycles }] of one.rounds.entries()) {
      // Who asks first for a lock is a matter of arrival until the network has told an order.
      if (index === 0 && one.name.startsWith('lock')) continue;
      const given = {
        networkRate: one.phase2ClockRate,
        error: one.errorThreshold,
        delay: one.rounds[index - 1]?.delay ?? [],
      };
      for (const seed of [1, 2, 3]) {
        const { result } = runRound(programs, given, { choices: new RandomChoices(seed) });
        expect(result.rounds[0]).toMatchObject({ logs, cycles });
      }
    }
  },
);

test('the network without contention gives the examples of the documents', () => {
  const took = (bench: string): string => {
    const [line] = hopLatencies(parseBench(bench, 'bench.txt'));
    return line!.latencies.join(' ');
  };

  expect(took('0 0 0 0 0 1 1251 0')).toBe('1250 1255');
  expect(took('0 0 0 0 1 1 1251 0')).toBe('1250 1260');
  expect(took('0 0 0 1 0 0 14 0')).toBe('13 18');
  expect(took('0 0 1 1 0 0 14 0')).toBe('13 23');
});

/** Cases in which packets do not meet. */
const uncontended = [
  'pingpong',
  'early-reader',
  'late-reader',
  'barrier4',
  'lock2',
  'lock-order',
  'rates',
  'ring',
];

test.each(uncontended)(
  '%s: the network without contention gives every delay line of the reference',
  (name) => {
    const { rounds } = golden.cases.find((one) => one.name === name)!;
    for (const { bench, delay, converged } of rounds) {
      if (converged) continue;
      const found = hopLatencies(parseBench(bench.join('\n'), 'bench.txt')).map(delayText);
      expect([...found].sort()).toEqual(delay.map((line) => line.trim()).sort());
    }
  },
);

test('a delay line is read and written back', () => {
  const text = '1000 0 0 1 1 65536 4 1 11 0 11';

  expect(parseDelay(`${text} \n\n`, 'delayInfo.txt').map(delayText)).toEqual([text]);
});

describe('lines that cannot be read', () => {
  test.each([
    ['0 0 0 0 1 1 4', '1:14 E-TRACE found the end of the line, expected desc'],
    ['0 0 0 0 1 1 0 0', '1:13 E-TRACE found "0", expected flits, a whole number from 1'],
    ['\n0 0 0 0 x 1 4 0', '2:9 E-TRACE found "x", expected the x of the target, a whole number from 0'],
    ['-1 0 0 0 1 1 4 0', '1:1 E-TRACE found "-1", expected src_cycle, a whole number from 0'],
    ['0 0 0 0 1 1 4 0 9', '1:17 E-TRACE found "9", expected the end of the line'],
  ])('of a trace: %s', (line, why) => {
    expect(() => parseBench(line, 'bench.txt')).toThrow(`bench.txt:${why}`);
  });

  test.each([
    ['1 0 0 0 1 0 4 1 2 0 2', '1:13 E-TRACE found a count of 4, expected 2 latencies for desc 0'],
    ['1 0 0 0 1 65536 2 1 2', '1:17 E-TRACE found a count of 2, expected 4 latencies for desc 65536'],
    ['1 0 0 0 1 0 2 1', '1:16 E-TRACE found the end of the line, expected lat1'],
  ])('of delays: %s', (line, why) => {
    expect(() => parseDelay(line, 'delayInfo.txt')).toThrow(`delayInfo.txt:${why}`);
  });
});

const folder = 'scenarios/chiplet';
const files = readdirSync(folder).filter((file) => /^interchiplet-.*\.yaml$/.test(file));

test.each(files)('%s comes to what it expects', async (file) => {
  const { scenario, machine } = await loadScenario(`${folder}/${file}`, [interchipletMachine as never]);
  const { outcome, result } = simulate(scenario, machine);

  expect(scenario.expect).toBeDefined();
  expect(judge(scenario.expect, { outcome, result })).toEqual([]);
});
