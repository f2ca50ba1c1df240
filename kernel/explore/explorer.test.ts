import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordingChoices, TapeChoices } from '../choices.ts';
import { Run } from '../run.ts';
import { effort } from '../testing/effort.ts';
import { Explorer } from './explorer.ts';
import { GuidedChoices } from './guide.ts';
import type { Observer } from './observer.ts';
import { byAllTapes, byExploration } from './testing/by-all-tapes.ts';
import { jealous } from './testing/jealous.ts';
import { randomWiring } from './testing/random-wiring.ts';
import { twoPhaseCommit } from './testing/two-phase-commit.ts';

const all = { findingsMax: Number.POSITIVE_INFINITY };
const tapes = fc.array(fc.nat(1000), { minLength: 400, maxLength: 400 });

/** Looks at one kind of message only. */
const idle: Observer<{ count: number }> = {
  sentence: 'few rest',
  watches: ['rest'],
  begin: () => ({ count: 0 }),
  see: (memory) => (++memory.count > 2 ? { actors: [], why: `${memory.count} rest` } : undefined),
};

/** Looks at what is shown and at no message: remembers the moods of who showed some last. */
const moody: Observer<{ last: string }> = {
  sentence: 'moods change',
  watches: ['mood'],
  begin: () => ({ last: '' }),
  see: (memory, observation) => {
    if (observation.kind !== 'probe') return undefined;
    const now = `${observation.actor} ${JSON.stringify(observation.probe)}`;
    const again = memory.last === now;
    memory.last = now;
    return again ? { actors: [observation.actor], why: now } : undefined;
  },
};

describe('an exploration of random machines', () => {
  test.each([
    ['', []],
    [', with observers', [jealous, idle]],
    [', with one that looks at what is shown alone', [moody]],
  ])(
    'finds the states, the ends and the faults of all runs under all tapes, reduced or not%s',
    (_, observers) => {
      let [many, postponed] = [0, 0];
      fc.assert(
        fc.property(tapes, (tape) => {
          const make = () => randomWiring(tape);
          const expected = byAllTapes(make, observers, 1000);
          fc.pre(expected !== undefined);
          const { ways, ...everything } = expected;

          for (const reduction of [false, true]) {
            const explorer = new Explorer(make, { ...all, observers, reduction });
            postponed += explorer.toEnd().postponed;

            expect(byExploration(explorer)).toEqual(everything);
          }
          if (ways > 2) many++;
        }),
        { seed: 3, numRuns: effort({ short: 30, long: 150 }) },
      );
      expect([many > effort({ short: 10, long: 50 }), postponed > effort({ short: 20, long: 100 })]).toEqual([
        true,
        true,
      ]);
    },
  );

  test('gives a way to everything it finds, which a run takes and a tape repeats', () => {
    let shownCount = 0;
    fc.assert(
      fc.property(tapes, (tape) => {
        const make = () => randomWiring(tape);
        const explorer = new Explorer(make, all);
        for (const finding of explorer.toEnd().findings) {
          const route = explorer.routeTo(finding);
          const guided = new GuidedChoices(route);
          const choices = new RecordingChoices(guided);
          const run = new Run(make(), { choices });
          guided.follow(run);
          const { violations, failure, deadlock } = run.until(route.tick);
          const again = new Run(make(), { choices: new TapeChoices(choices.tape) });
          const found =
            finding.verdict === 'violated'
              ? violations.some(
                  ({ property, actors }) => `${actors} ${property}` === `${finding.actors} ${finding.what}`,
                )
              : finding.verdict === 'error'
                ? failure?.message === finding.why
                : `${deadlock?.waiting.map(({ actor }) => actor)}` === `${finding.actors}`;

          expect([finding.verdict, finding.why, found]).toEqual([finding.verdict, finding.why, true]);
          expect(finding.tape).toEqual(choices.tape);
          again.until(route.tick);
          expect(again.fingerprint).toBe(run.fingerprint);
          shownCount++;
        }
      }),
      { seed: 5, numRuns: effort({ short: 60, long: 150 }) },
    );
    expect(shownCount).toBeGreaterThan(100);
  });
});

describe('two-phase commit', () => {
  const agree: Observer<{ seen: string[] }> = {
    sentence: 'nobody commits when another one aborts',
    watches: ['decided'],
    begin: () => ({ seen: [] }),
    see: ({ seen }, observation) => {
      if (observation.kind !== 'probe') return undefined;
      const { verdict } = observation.probe as unknown as { verdict: string };
      if (!seen.includes(verdict)) seen.push(verdict);
      return seen.length > 1 ? { actors: [observation.actor], why: `it decides to ${verdict}` } : undefined;
    },
  };

  test.each([
    [3, 288],
    [5, 8832],
  ])(
    'of %i resource managers has %i states, with and without reduction, and its parties agree',
    (count, states) => {
      for (const reduction of [true, false]) {
        const found = new Explorer(() => twoPhaseCommit(count), { reduction }).toEnd();

        expect(found).toMatchObject({ verdict: 'ok', states, unexplored: 0, quiet: 0 });
      }
      expect(new Explorer(() => twoPhaseCommit(count), { observers: [agree] }).toEnd().verdict).toBe('ok');
    },
  );

  test('that commits before all are prepared is caught, on a way that a run can take', () => {
    const make = () => twoPhaseCommit(3, 'hasty');
    const explorer = new Explorer(make, { observers: [agree] });

    const { verdict, findings } = explorer.toEnd();

    expect(verdict).toBe('violated');
    expect(findings[0]).toMatchObject({ what: agree.sentence });
    const route = explorer.routeTo(findings[0]!);
    const guided = new GuidedChoices(route);
    const run = new Run(make(), { choices: guided });
    guided.follow(run);
    const decided: string[] = [];
    run.probes$.subscribe(({ probe }) => decided.push((probe as unknown as { verdict: string }).verdict));
    run.until(route.tick);
    expect(new Set(decided)).toEqual(new Set(['commit', 'abort']));
  });

  test('stops where it is told to, and says that it is not complete', () => {
    const explorer = new Explorer(() => twoPhaseCommit(5), { statesMax: 1000 });

    const { verdict, states, unexplored } = explorer.toEnd();

    expect([verdict, states >= 1000, unexplored > 0]).toEqual(['incomplete', true, true]);
  });

  test('with a last tick is complete within it', () => {
    const { verdict, cut, depth, states } = new Explorer(() => twoPhaseCommit(3), { until: 2 }).toEnd();

    expect([verdict, depth, cut > 0]).toEqual(['ok', 2, true]);
    expect(states).toBeLessThan(288);
  });
});
