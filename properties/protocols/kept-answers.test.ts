import { describe, expect, test, vi } from 'vitest';
import { Explorer } from '../../kernel/explore/explorer.ts';
import { KnownAnswers } from '../../kernel/explore/known-answers.ts';
import { Repetitions } from '../../kernel/explore/other-circumstances.ts';
import { StepExecutor } from '../../kernel/explore/step-executor.ts';
import { inTurns } from '../../kernel/explore/testing/in-turns.ts';
import { twoPhaseCommit } from '../../machines/protocols/two-phase-commit.ts';

const make = () =>
  twoPhaseCommit.assemble({
    name: 'two-phase commit',
    config: { resourceManagers: 5 },
    programs: [],
    mutants: [],
    scheduled: true,
  }).wiring;

describe('answers of the reduction that are kept', () => {
  /** What an exploration comes to, and whether its last questions found answers. `isFound`: what is counted; as it is when absent. */
  function explored(isFound?: boolean) {
    const { count } = KnownAnswers.prototype;
    vi.spyOn(KnownAnswers.prototype, 'count').mockImplementation(function (this: KnownAnswers, found) {
      count.call(this, isFound ?? found);
    });
    const find = vi.spyOn(KnownAnswers.prototype, 'find');
    const result = new Explorer(make).toEnd();
    const late = find.mock.results.slice(5000);
    vi.restoreAllMocks();
    return { result, asked: late.length, finds: late.some(({ value }) => value !== undefined) };
  }

  test('change nothing in what is found, whether keeping them pays or is given up', () => {
    const [given, always, never] = [explored(), explored(true), explored(false)];

    expect(given.asked).toBeGreaterThan(5000);
    expect([given.finds, always.finds, never.finds]).toEqual([true, true, false]);
    expect(always.result).toEqual(given.result);
    expect(never.result).toEqual(given.result);
  });

  test('are taken up by other threads, as is what comes of messages, instead of being worked out by each', () => {
    const countsOf = (explore: () => object) => {
      const spies = [vi.spyOn(StepExecutor.prototype, 'come'), vi.spyOn(KnownAnswers.prototype, 'search')];
      const { states } = explore() as { readonly states: number };
      const [steps, searches] = spies.map(({ mock }) => mock.calls.length);
      vi.restoreAllMocks();
      return { states, steps: steps!, searches: searches! };
    };

    const countsOnce = (explore: () => object) => {
      // Steps that are carried out once more, to see that they do the same, are none that a thread works out.
      const repeated = vi.spyOn(Repetitions.prototype, 'next').mockReturnValue(false);
      const counts = countsOf(explore);
      repeated.mockRestore();
      return counts;
    };
    const one = countsOnce(() => new Explorer(make).toEnd());
    const four = countsOnce(() => inTurns(make, {}, 4, [100, 7, 300]));

    expect(four.states).toBe(one.states);
    expect([one.steps > 1000, one.searches > 1000]).toEqual([true, true]);
    // Four times as many when each works out all for itself.
    expect(four.steps / one.steps).toBeLessThan(2);
    expect(four.searches / one.searches).toBeLessThan(2);
  });
});
