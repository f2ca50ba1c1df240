import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Choices,
  canonical,
  RandomChoices,
  RecordingChoices,
  type Tape,
  TapeChoices,
} from '../../kernel/choices.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { followEvents } from '../../machines/cell/event-log.ts';
import type { CellLogEvent } from '../../machines/cell/log-events.ts';
import { assembleBursts, assembleSteps, type CellAssembly } from '../../machines/cell.ts';
import type { CellGiven } from './arbitraries.ts';
import { campaignCase } from './campaign.ts';
import { logHash } from './checker/log-hash.ts';

/** The ways a machine is built and its order is chosen. */
const kinds = [
  ['steps under a random schedule', true, (seed: number) => new RandomChoices(seed)],
  ['steps in canonical order', true, () => canonical],
  ['bursts', false, () => canonical],
] as const;

function assembled(given: CellGiven, steps: boolean, scheduled: boolean): CellAssembly {
  return steps ? assembleSteps({ ...given, scheduled }) : assembleBursts(given);
}

/** A run with its event log. */
function logged(assembly: CellAssembly, make: (wiring: CellAssembly['wiring']) => Run) {
  const log: CellLogEvent[] = [];
  const run = make(assembly.wiring);
  followEvents(run, assembly, (event) => log.push(event));
  return { run, log };
}

function recorded(given: CellGiven, steps: boolean, source: Choices, options: RunOptions = {}) {
  const choices = new RecordingChoices(source);
  const assembly = assembled(given, steps, !source.canonical);
  const { run, log } = logged(assembly, (wiring) => new Run(wiring, { ...options, choices }));
  run.toEnd();
  const { outcome, fingerprint } = run;
  return { outcome, fingerprint, log, hash: logHash(log), result: assembly.result(run), tape: choices.tape };
}

const cases = fc.record({ one: campaignCase, cut: fc.double({ min: 0, max: 1, noNaN: true }) });

describe.each(kinds)('%s', (_, steps, source) => {
  test('a tape that was recorded gives the same log again, on every engine (P-13, CK-27)', () => {
    fc.assert(
      fc.property(campaignCase, ({ given, seed }) => {
        const first = recorded(given, steps, source(seed));
        // An empty tape is a canonical one, and would order the work of a cycle.
        const tape: Tape = first.tape.length > 0 ? first.tape : [0];
        const ways: RunOptions[] = [{}, { state: 'immutable' }, { engine: 'xstate' }];

        for (const way of ways) {
          const choices: Choices = source(seed).canonical ? canonical : new TapeChoices(tape);
          const { hash, fingerprint, result } = recorded(given, steps, choices, way);

          expect([hash, fingerprint, result]).toEqual([first.hash, first.fingerprint, first.result]);
        }
      }),
      { numRuns: effort({ short: 3, long: 12 }), seed: 27 },
    );
  });

  test('a run that goes on from a snapshot writes the rest of the same log (P-13)', () => {
    fc.assert(
      fc.property(cases, ({ one: { given, seed }, cut }) => {
        const straight = recorded(given, steps, source(seed));
        const scheduled = !source(seed).canonical;
        const stop = Math.floor(cut * straight.outcome.ticks);
        const before = logged(
          assembled(given, steps, scheduled),
          (wiring) => new Run(wiring, { choices: source(seed) }),
        );
        before.run.until(stop);
        const snapshot = before.run.snapshot();
        const assembly = assembled(given, steps, scheduled);
        const after = logged(assembly, (wiring) => Run.restore(wiring, snapshot, { choices: source(0) }));

        after.run.toEnd();

        const rest = after.log.map((event, index) => ({ ...event, n: before.log.length + index }));
        expect(logHash([...before.log, ...rest])).toBe(straight.hash);
        expect(after.run.outcome).toEqual(straight.outcome);
        expect(after.run.fingerprint).toBe(straight.fingerprint);
        expect(assembly.result(after.run)).toEqual(straight.result);
      }),
      { numRuns: effort({ short: 10, long: 40 }), seed: 27 },
    );
  });

  test('nobody who watches makes a difference: the result is the same without a log (P-13)', () => {
    fc.assert(
      fc.property(cases, ({ one: { given, seed }, cut }) => {
        const watched = recorded(given, steps, source(seed));
        const scheduled = !source(seed).canonical;
        const [unwatched, resumed] = [0, 1].map(() => assembled(given, steps, scheduled));
        const run = new Run(unwatched!.wiring, { choices: source(seed) });
        run.until(Math.floor(cut * watched.outcome.ticks));
        const other = Run.restore(resumed!.wiring, run.snapshot(), { choices: source(0) });

        run.toEnd();
        other.toEnd();

        expect(unwatched!.result(run)).toEqual(watched.result);
        expect(resumed!.result(other)).toEqual(watched.result);
        expect(other.fingerprint).toBe(run.fingerprint);
      }),
      { numRuns: effort({ short: 10, long: 40 }), seed: 27 },
    );
  });
});

test('another seed gives another log', () => {
  const cases = fc.sample(campaignCase, { seed: 8, numRuns: effort({ short: 6, long: 30 }) });

  const same = cases.filter(
    ({ given }) =>
      recorded(given, true, new RandomChoices(1)).hash === recorded(given, true, new RandomChoices(2)).hash,
  );

  expect(same.length).toBeLessThan(cases.length / 2);
});
