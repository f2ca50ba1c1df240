import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import { segmentBase } from '../../actors/tca/gasnet/layout.ts';
import { type Choices, RandomChoices } from '../../kernel/choices.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { PctChoices } from '../../kernel/schedules/pct.ts';
import type { TcaConfig } from '../../machines/tca/config.ts';
import { gasnetLayout } from '../../machines/tca/gasnet.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { type Drawn, drawnProgram, expectedAfter, oracleProgram } from './gasnet-oracle.ts';
import { gasnetConfigOf, gasnetTrial } from './gasnet-runs.ts';
import type { Trial } from './trial.ts';
import { givenOf } from './workloads.ts';

const parameters = { numRuns: 12, seed: 23 };

const settings = fc.record({
  channels: fc.constantFrom([0], [0, 1, 2, 3], [2, 3]),
  slots: fc.constantFrom(1, 2, 8),
  slotBytes: fc.constantFrom(576, 1024),
  sendBufferBytes: fc.constant(1024),
  splitMin: fc.constant(256),
  update: fc.constantFrom('eager', 'half'),
  completion: fc.constantFrom('acked', 'acked', 'local'),
  forceMode: fc.constantFrom('auto', 'auto', 'BtoB', 'BtoM', 'MtoB'),
  cacheEntries: fc.constantFrom(0, 2, 64),
  parallelPackets: fc.boolean(),
  scheduler: fc.constantFrom('split', 'perRequest'),
});
type Settings = typeof settings extends fc.Arbitrary<infer T> ? T : never;

const configOf = ({ nodes }: Drawn, gasnet: Settings, stopDetect = 'counter'): TcaConfig =>
  gasnetConfigOf(gasnet, { topology: 'ring', nodes, cpuBytes: 2 ** 20, gpuBytes: 2 ** 18, stopDetect });

/** The first byte in which the memories of a run differ from those of the oracle. */
function difference(config: TcaConfig, drawn: Drawn, { written }: Trial): string | undefined {
  const { layout } = gasnetLayout(config, config.gasnet!);
  for (const [node, memories] of expectedAfter(drawn).at(-1)!.entries())
    for (const kind of ['cpu', 'gpu'] as const) {
      const base = segmentBase(layout, node, kind);
      const at = memories[kind].findIndex((byte, k) => (written.get(base + k) ?? 0) !== byte);
      if (at >= 0) return `node ${node} ${kind} ${at}: ${written.get(base + at)}, not ${memories[kind][at]}`;
    }
  return undefined;
}

const runOf = (drawn: Drawn, gasnet: Settings, options: RunOptions = {}): Trial =>
  gasnetTrial(configOf(drawn, gasnet), oracleProgram(drawn), options);

test('random programs leave the bytes of a sequential memory, under any schedule', () => {
  const law = fc.property(drawnProgram, settings, fc.nat(999), (drawn, gasnet, seed) => {
    const schedules: (Choices | undefined)[] = [undefined, new RandomChoices(seed), new PctChoices(seed)];
    for (const choices of schedules) {
      const run = runOf(drawn, gasnet, choices && { choices });

      expect(run.run.outcome.failure?.message).toBeUndefined();
      expect(run.raised).toEqual([]);
      // A put that is only known to have left is in place when the other side has seen it.
      if (gasnet.completion === 'acked')
        expect(difference(configOf(drawn, gasnet), drawn, run)).toBeUndefined();
    }
  });

  fc.assert(law, parameters);
}, 60_000);

const usual = fc.sample(settings, { numRuns: 1, seed: 4 })[0]!;
const courseOf = (run: Trial) => ({
  raised: run.raised,
  ticks: run.run.outcome.ticks,
  result: run.result,
  bytes: [...run.written].sort(([a], [b]) => a - b),
});

test('the engines agree on bytes and times', () => {
  const law = fc.property(drawnProgram, settings, (drawn, gasnet) => {
    const [first, ...others] = [
      { engine: 'compiled', state: 'mutable' } as const,
      { engine: 'compiled', state: 'immutable' } as const,
      { engine: 'xstate' } as const,
    ].map((options) => courseOf(runOf(drawn, gasnet, options)));

    expect(first!.raised).toEqual([]);
    for (const other of others) expect(other).toEqual(first);
  });

  fc.assert(law, { numRuns: 2, seed: 7 });
}, 60_000);

test('a random program goes on from snapshots as if it had never stopped, in its handlers too', () => {
  const drawn = fc.sample(drawnProgram, { numRuns: 3, seed: 11 }).at(-1)!;
  const program = gasnetProgram(oracleProgram(drawn));
  const programs = Array.from({ length: drawn.nodes }, () => program);
  const { wiring } = tcaMachine.assemble(givenOf(configOf(drawn, { ...usual, slots: 2 }), programs));
  const whole = new Run(wiring);
  const prints: string[] = [];
  while (whole.tick()) prints.push(whole.fingerprint);
  const run = new Run(wiring);

  for (let tick = 0; run.tick(); tick++) {
    if (tick % 397 !== 0 || tick + 1 === prints.length) continue;
    const again = Run.restore(wiring, run.snapshot());
    again.tick();
    expect(again.fingerprint).toBe(prints[tick + 1]);
    again.toEnd();
    expect(again.fingerprint).toBe(prints.at(-1));
  }

  expect(whole.outcome.verdict).toBe('ok');
  expect(prints.length).toBeGreaterThan(500);
}, 60_000);
