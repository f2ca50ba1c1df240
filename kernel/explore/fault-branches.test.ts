import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordingChoices, TapeChoices } from '../choices.ts';
import type { InjectedFault } from '../faults.ts';
import { Run } from '../run.ts';
import { effort } from '../testing/effort.ts';
import { Explorer } from './explorer.ts';
import { GuidedChoices } from './guide.ts';
import type { Observer } from './observer.ts';
import { byAllTapes, byExploration } from './testing/by-all-tapes.ts';
import { inTurns } from './testing/in-turns.ts';
import { randomWiring } from './testing/random-wiring.ts';

const all = { findingsMax: Number.POSITIVE_INFINITY };
const tapes = fc.array(fc.nat(1000), { minLength: 400, maxLength: 400 });
const odds = fc.oneof(
  fc.constant({ budget: 1 }),
  fc.constant({ budget: 2 }),
  fc.constant({ probability: 0.5 }),
  fc.constant({ probability: 1, budget: 1 }),
);
const names = fc.constantFrom(undefined, '*', 'Rover[0]', 'Rover[1]', 'Kid[*]', 'Kid[2]');
const place = fc.record({ from: fc.constantFrom(undefined, 'world', 'Rover[0]'), to: names });
const messageFault: fc.Arbitrary<InjectedFault> = fc
  .tuple(fc.constantFrom('drop' as const, 'duplicate' as const, 'reorder' as const), place, odds)
  .map(([kind, where, often]) =>
    kind === 'reorder' ? { kind, ticks: 1, ...where, ...often } : { kind, ...where, ...often },
  );
const crashFault: fc.Arbitrary<InjectedFault> = fc
  .tuple(fc.constantFrom('Rover[0]', 'Rover[*]', 'Kid[2]'), odds, fc.constantFrom(undefined, 1, 2))
  .map(([actor, often, restart]) => ({
    kind: 'crash',
    actor,
    ...often,
    ...(restart !== undefined && { restart }),
  }));

/** Remembers who got something last: sees messages that are lost, doubled or late. */
const counting: Observer<{ count: number }> = {
  sentence: 'few messages come',
  begin: () => ({ count: 0 }),
  see: (memory, observation) => {
    if (observation.kind === 'probe') return undefined;
    memory.count++;
    return {
      actors: [observation.to],
      why: `message ${memory.count}: ${observation.event.type} from ${observation.from}`,
    };
  },
};
const unique = (texts: readonly string[]) => [...new Set(texts)].sort();

describe('an exploration of random machines with faults', () => {
  test('on messages finds the states, the ends and the faults of all runs under all tapes', () => {
    let struck = 0;
    fc.assert(
      fc.property(tapes, fc.array(messageFault, { minLength: 1, maxLength: 2 }), (tape, faults) => {
        const make = () => randomWiring(tape);
        const expected = byAllTapes(make, [counting], 400, faults);
        fc.pre(expected !== undefined);

        for (const reduction of [false, true]) {
          const explorer = new Explorer(make, { ...all, observers: [counting], faults, reduction });
          explorer.toEnd();
          const { states, ends, found } = byExploration(explorer);
          expect({ states: unique(states), ends: unique(ends), found }).toEqual({
            states: expected.states,
            ends: expected.ends,
            found: expected.found,
          });
        }
        const plain = byAllTapes(make, [counting], 400);
        if (plain && plain.found.join() !== expected.found.join()) struck++;
      }),
      { seed: 7, numRuns: effort({ short: 20, long: 80 }) },
    );
    expect(struck).toBeGreaterThan(effort({ short: 4, long: 20 }));
  });

  test('that crash and begin anew finds what all runs under all tapes come to', () => {
    let struck = 0;
    fc.assert(
      fc.property(tapes, crashFault, fc.option(messageFault, { freq: 1 }), (tape, crash, more) => {
        const make = () => randomWiring(tape);
        const faults = more ? [crash, more] : [crash];
        const expected = byAllTapes(make, [counting], 400, faults);
        fc.pre(expected !== undefined);

        for (const reduction of [false, true]) {
          const explorer = new Explorer(make, { ...all, observers: [counting], faults, reduction });
          explorer.toEnd();
          expect(byExploration(explorer).found).toEqual(expected.found);
        }
        if (expected.found.some((one) => one.includes('lockstep.restart'))) struck++;
      }),
      { seed: 8, numRuns: effort({ short: 20, long: 80 }) },
    );
    expect(struck).toBeGreaterThan(effort({ short: 4, long: 15 }));
  });

  test('gives a way to everything it finds, which a run takes and a tape repeats; by several who share the states, too', () => {
    let shown = 0;
    fc.assert(
      fc.property(tapes, fc.oneof(crashFault, messageFault), (tape, fault) => {
        const make = () => randomWiring(tape);
        const options = { faults: [fault] };
        const explorer = new Explorer(make, { ...all, ...options });
        const { findings, transitions } = explorer.toEnd();
        for (const finding of findings) {
          const route = explorer.routeTo(finding);
          const guided = new GuidedChoices(route);
          const choices = new RecordingChoices(guided);
          const run = new Run(make(), { choices, ...options });
          guided.follow(run);
          const { violations, failure, deadlock } = run.until(route.tick);
          const again = new Run(make(), { choices: new TapeChoices(choices.tape), ...options });
          again.until(route.tick);
          const found =
            finding.verdict === 'violated'
              ? violations.some(
                  ({ actors, why }) => `${actors} ${why}` === `${finding.actors} ${finding.why}`,
                )
              : finding.verdict === 'error'
                ? failure?.message === finding.why
                : finding.verdict === 'deadlock' && run.toEnd().deadlock !== undefined;

          expect([finding.verdict, finding.why, deadlock?.tick, found]).toEqual([
            finding.verdict,
            finding.why,
            deadlock?.tick,
            true,
          ]);
          expect(again.outcome.violations).toEqual(violations);
          shown++;
        }
        expect(inTurns(make, options, 2, [5]).transitions).toBe(transitions);
      }),
      { seed: 9, numRuns: effort({ short: 32, long: 80 }) },
    );
    expect(shown).toBeGreaterThan(effort({ short: 24, long: 60 }));
  });
});
