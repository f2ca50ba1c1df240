import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import { type Choices, RandomChoices } from '../../kernel/choices.ts';
import { Run } from '../../kernel/run.ts';
import { PctChoices } from '../../kernel/schedules/pct.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { drawnProgram, oracleProgram } from './gasnet-oracle.ts';
import { configOf, runOf, wrongWith } from './gasnet-oracle-run.ts';
import { settings } from './gasnet-settings.arbitrary.ts';
import type { Trial } from './trial.ts';
import { givenOf } from './workloads.ts';

const parameters = { numRuns: effort({ short: 4, long: 12 }), seed: 23 };

test('random programs leave the bytes of a sequential memory, under any schedule', () => {
  const law = fc.property(drawnProgram, settings, fc.nat(999), (drawn, gasnet, seed) => {
    const schedules: (Choices | undefined)[] = [undefined, new RandomChoices(seed), new PctChoices(seed)];
    for (const choices of schedules) expect(wrongWith(drawn, gasnet, choices)).toBeUndefined();
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

  fc.assert(law, { numRuns: effort({ short: 1, long: 2 }), seed: 7 });
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

  const every = effort({ short: 997, long: 397 });
  for (let tick = 0; run.tick(); tick++) {
    if (tick % every !== every >> 1 || tick + 1 === prints.length) continue;
    const again = Run.restore(wiring, run.snapshot());
    again.tick();
    expect(again.fingerprint).toBe(prints[tick + 1]);
    again.toEnd();
    expect(again.fingerprint).toBe(prints.at(-1));
  }

  expect(whole.outcome.verdict).toBe('ok');
  expect(prints.length).toBeGreaterThan(500);
}, 60_000);
