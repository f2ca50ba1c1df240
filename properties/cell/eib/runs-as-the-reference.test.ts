import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EibProbe } from '../../../actors/cell/eib/protocol.ts';
import { Run } from '../../../kernel/run.ts';
import { effort } from '../../../kernel/testing/effort.ts';
import {
  assembleCellbe,
  type CellbeConfig,
  cellbeConfig,
  cellbePrograms,
} from '../../../machines/cell/cellbe.ts';
import { differenceIn } from './runs-as-the-reference.ts';
import { cellbeScenarios } from './scenarios.ts';

/** Generated runs in canonical order: what was given, what was shown, what came out. */
const runs = fc
  .sample(cellbeScenarios, { seed: 19, numRuns: effort({ short: 24, long: 60 }) })
  .map((scenario) => {
    const config = cellbeConfig.parse(scenario.config);
    const programs = cellbePrograms.parse(scenario.programs);
    const given = { name: scenario.name, config, programs, mutants: [], scheduled: false };
    const assembly = assembleCellbe(given);
    const run = new Run(assembly.wiring);
    const seen: EibProbe[] = [];
    run.probes$.subscribe(({ probe }) => seen.push(probe as unknown as EibProbe));
    run.until(20_000);
    return { given, seen, ended: run.ended, result: assembly.result(run) };
  });

test('generated runs bring what the plain loop brings, refused commands and full queues among them', () => {
  const found = runs.map(({ given, seen, result }) =>
    differenceIn(given, seen, Number.MAX_SAFE_INTEGER, result),
  );

  expect(runs.every(({ ended }) => ended)).toBe(true);
  expect(found.filter((why) => why !== undefined)).toEqual([]);
  expect(runs.filter(({ result }) => result.exceptions.length > 0).length).toBeGreaterThan(5);
});

/** A bus with another number than the one that ran. */
const others: readonly (readonly [keyof CellbeConfig, (config: CellbeConfig) => Partial<CellbeConfig>])[] = [
  ['ringsPerDirection', ({ ringsPerDirection }) => ({ ringsPerDirection: 3 - ringsPerDirection })],
  ['maxPerRing', ({ maxPerRing }) => ({ maxPerRing: maxPerRing === 1 ? 2 : 1 })],
  ['ringStartGapBusCycles', (config) => ({ ringStartGapBusCycles: config.ringStartGapBusCycles + 9 })],
  ['commandsPerBusCycle', (config) => ({ commandsPerBusCycle: config.commandsPerBusCycle === 1 ? 2 : 1 })],
  ['commandLatencyBusCycles', (config) => ({ commandLatencyBusCycles: config.commandLatencyBusCycles + 1 })],
  ['setupBusCycles', ({ setupBusCycles }) => ({ setupBusCycles: setupBusCycles + 1 })],
  ['listFetchBusCycles', ({ listFetchBusCycles }) => ({ listFetchBusCycles: listFetchBusCycles + 1 })],
  ['mfcQueue', () => ({ mfcQueue: 3 })],
  ['mfcProxyQueue', () => ({ mfcProxyQueue: 2 })],
  ['commandCredits', () => ({ commandCredits: 3 })],
  ['tagGroups', () => ({ tagGroups: 1 })],
  ['calibrated', ({ calibrated }) => ({ calibrated: !calibrated })],
];

test.each(others)('a bus with another %s is told apart', (_name, other) => {
  const found = runs.filter(({ given, seen, result }) => {
    const config = { ...given.config, ...other(given.config) };
    return differenceIn({ ...given, config }, seen, Number.MAX_SAFE_INTEGER, result) !== undefined;
  });

  expect(found.length).toBeGreaterThan(0);
});

test('the first cycle that differs is told, and figures that differ where all cycles are alike', () => {
  const { given, seen, result } = runs.find(({ seen: probes }) => probes.length > 20)!;
  const start = seen.find((probe) => probe.type === 'START')!;
  const moved = seen.map((probe) => (probe === start ? { ...start, t: start.t + 1 } : probe));

  expect(differenceIn(given, moved, Number.MAX_SAFE_INTEGER, result)).toMatch(
    new RegExp(`^bus cycle ${start.t}: expected START .*; found nothing$`),
  );
  expect(differenceIn(given, seen, Number.MAX_SAFE_INTEGER, { ...result, packets: 0 })).toMatch(
    /^the result has packets 0, expected/,
  );
});
