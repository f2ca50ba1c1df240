import { describe, expect, test } from 'vitest';
import { canonical, RandomChoices, RecordingChoices, TapeChoices } from '../../kernel/choices.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { grapeMachine } from '../../machines/grape.ts';
import { type GrapeGiven, workloads } from './workloads.ts';

const engines = [
  { engine: 'compiled', state: 'mutable' },
  { engine: 'compiled', state: 'immutable' },
  { engine: 'xstate', state: 'immutable' },
] as const;

/** A run from its beginning to its end, and all that it shows. */
function courseOf(given: GrapeGiven, options: RunOptions) {
  const { wiring, result } = grapeMachine.assemble(given);
  const run = new Run(wiring, options);
  const probes: unknown[] = [];
  run.probes$.subscribe(({ probe, tick }) => probes.push({ ...probe, tick }));
  run.toEnd();
  return { outcome: run.outcome, fingerprints: run.fingerprints, result: result(run), probes };
}

describe.each(Object.entries(workloads))('the workload %s', (_name, workload) => {
  const given = workload({ nBB: 2 });

  test('is the same run on every engine, in canonical order', () => {
    const [first, ...others] = engines.map((one) => courseOf(given, { ...one, choices: canonical }));

    expect(first!.outcome.verdict).toBe('ok');
    for (const other of others) expect(other).toEqual(first);
  });

  test('is the same run on every engine, fed a tape that was recorded at random', () => {
    const recording = new RecordingChoices(new RandomChoices(9));
    courseOf(given, { choices: recording });

    const [first, ...others] = engines.map((one) =>
      courseOf(given, { ...one, choices: new TapeChoices(recording.tape) }),
    );

    expect(recording.tape.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toEqual(first);
  });

  test.each([
    [effort({ short: 5, long: 1 }), engines[0]],
    // Persistent contexts and XState take longer: prime steps meet all phases of slots and transfers.
    [effort({ short: 23, long: 7 }), engines[1]],
    [effort({ short: 97, long: 31 }), engines[2]],
  ] as const)(
    'goes on from a snapshot at every tick, or one in %i, as if it had never stopped, %o',
    (step, options) => {
      const { wiring } = grapeMachine.assemble(workload({ nBB: 2, hostCall: 0, hostWord: 0 }));
      const whole = new Run(wiring, options);
      const prints: string[] = [];
      while (whole.tick()) prints.push(whole.fingerprint);
      const run = new Run(wiring, options);

      for (let tick = 0; run.tick(); tick++) {
        if (tick % step !== 0 || tick + 1 === prints.length) continue;
        const again = Run.restore(wiring, run.snapshot(), options);
        again.tick();
        expect(again.fingerprint).toBe(prints[tick + 1]);
        // What no fingerprint shows shows at the end.
        if (tick % 16 === 0) again.toEnd();
        if (again.ended) expect(again.fingerprint).toBe(prints.at(-1));
      }

      expect(prints.length).toBeGreaterThan(100);
    },
  );
});

test('a part that kept a draft would be seen: the engines differ in nothing but how contexts are kept', () => {
  const [mutable, immutable] = (['mutable', 'immutable'] as const).map((state) => {
    const run = new Run(grapeMachine.assemble(workloads.stream({ nBB: 2 })).wiring, { state });
    const prints: string[] = [];
    while (run.tick()) if (run.now % 16 === 0) prints.push(run.fingerprint);
    return prints;
  });

  expect(mutable!.length).toBeGreaterThan(50);
  expect(immutable).toEqual(mutable);
});
