import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Run } from '../../../kernel/run.ts';
import { type InterchipletResult, interchipletMachine } from '../../../machines/chiplet/interchiplet.ts';
import { plainDelays, wrongInRounds } from './rounds-keep-their-books.ts';
import { coordinatorScenarios } from './scenarios.ts';

/** What generated processes came to. */
const samples = fc.sample(coordinatorScenarios, { numRuns: 60, seed: 7 }).map((written) => {
  const config = interchipletMachine.config.parse(written.config);
  const programs = interchipletMachine.programs.parse(written.programs);
  const assembly = interchipletMachine.assemble({
    name: 'test',
    config,
    programs,
    mutants: [],
    scheduled: false,
  });
  const run = new Run(assembly.wiring, {});
  run.toEnd();
  return { coordinator: config, programs, result: assembly.result(run) };
});

type Round = InterchipletResult['rounds'][number];

/** How many samples are found wrong after one round of each was changed. */
const foundWith = (change: (round: Round, at: number) => Round): number =>
  samples.filter(
    ({ coordinator, programs, result }) =>
      wrongInRounds(coordinator, programs, { ...result, rounds: result.rounds.map(change) }) !== undefined,
  ).length;

describe('the books of rounds', () => {
  test('agree in sound runs, whether they converge or not', () => {
    expect(foundWith((round) => round)).toBe(0);
    expect(samples.some(({ result }) => result.converged)).toBe(true);
    expect(samples.some(({ result }) => !result.converged && result.rounds.length > 1)).toBe(true);
  });

  test.each<[string, (round: Round, at: number) => Round]>([
    ['a transaction is missing in a trace', (round) => ({ ...round, bench: round.bench.slice(1) })],
    ['cycles are others', (round) => ({ ...round, cycles: round.cycles + 1 })],
    ['a verdict is turned', (round) => ({ ...round, converged: !round.converged })],
    ['a number is another', (round, at) => ({ ...round, round: at })],
    [
      'a step goes on before it was issued',
      (round) => ({
        ...round,
        logs: Object.fromEntries(
          Object.entries(round.logs).map(([place, log]) => [
            place,
            log.map((row) => [...row.slice(0, -1), Number(row.at(-2)) - 1]),
          ]),
        ),
      }),
    ],
  ])('do not when %s', (_what, change) => {
    expect(foundWith(change)).toBeGreaterThan(samples.length / 2);
  });

  test('latencies are those of the golden example: 1251 flits over one hop and two, and a lock with its answer', () => {
    expect(plainDelays(['0 0 0 0 0 1 1251 0', '0 0 0 0 1 1 1251 0', '5 5 0 1 250 0 2 262144'])).toEqual([
      '5 0 1 250 0 262144 4 1 6 0 6',
      '0 0 0 0 1 0 2 1250 1255',
      '0 0 0 1 1 0 2 1250 1260',
    ]);
  });
});
