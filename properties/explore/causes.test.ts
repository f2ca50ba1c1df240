import { describe, expect, test } from 'vitest';
import { RandomChoices, type Tape, TapeChoices } from '../../kernel/choices.ts';
import { partWords } from './cause-words.ts';
import { explainFailure } from './explain.ts';
import { explanationPage } from './explanation-page.ts';
import { Effects, MeaningChoices } from './follow-meaning.ts';
import { historyOf } from './history.ts';
import { explainedMutants } from './testing/explained-mutants.ts';
import { oneFaultLeft } from './testing/one-fault-left.ts';
import { shiftedCoin } from './testing/shifted-coin.ts';
import { threeDice } from './testing/three-dice.ts';
import { refutations } from './testing/verify-causes.ts';
import { watchdogTrials } from './testing/watchdog.ts';
import { Wording } from './wording.ts';

const layout = { about: 'watchdog', replay: 'npx lockstep replay watchdog.json' };

/** Random tapes under which the toy machine fails. */
function failingTapes(count: number): readonly Tape[] {
  const trials = watchdogTrials();
  const found: Tape[] = [];
  for (let seed = 0; found.length < count && seed < 1000; seed++) {
    const { failure, tape } = trials.attempt(new RandomChoices(seed));
    if (failure) found.push(tape);
  }
  return found;
}

describe('the cause of a failure', () => {
  test.each(failingTapes(12).map((tape) => ({ tape })))(
    'is the fault that struck and never the order of messages that commute: $tape',
    ({ tape }) => {
      const explanation = explainFailure(watchdogTrials(), tape)!;

      const { causes } = explanation.causes;
      const words = new Wording(explanation.history);
      expect(causes.map(({ parts }) => parts.map((part) => partWords(part, words)))).toEqual([
        ['a fault struck: drop of heartbeat (Node -> Watchdog)'],
      ]);
      const [{ passing }] = causes as [(typeof causes)[0]];
      expect(watchdogTrials().attempt(new TapeChoices(passing.tape)).failure).toBeUndefined();
      expect(passing.rested).toBe(true);
    },
  );

  test('is none when the run that seemed to pass fails behind the end of the recording', () => {
    const tape = failingTapes(1)[0]!;
    const trials = watchdogTrials(20);
    const until = trials.attempt(new TapeChoices(tape)).outcome.violations[0]!.tick;

    const explanation = explainFailure(trials, tape, { until })!;

    expect(explanation.causes).toMatchObject({ causes: [], randomTried: 128 });
    const page = explanationPage(explanation, layout);
    expect(page).not.toContain('all is well');
    expect(page).not.toContain('passes, to');
  });

  test('is a question that keeps its answer when another order shifts its place among the picks', () => {
    const trials = shiftedCoin();
    const asked = Array.from({ length: 64 }, (_, seed) => historyOf(trials, new RandomChoices(seed)));
    // The second guest came first, so that the porter was asked in front of the coin, which fell on the wrong side.
    const shifted = asked.filter(
      ({ trial, decisions }) =>
        trial.failure && decisions.some(({ what, pick }) => what.includes('mood') && pick === 0),
    );
    expect(shifted.length).toBeGreaterThan(0);

    for (const { trial } of shifted) {
      const explanation = explainFailure(trials, trial.tape)!;
      const words = new Wording(explanation.history);
      expect(
        explanation.causes.causes.map(({ parts }) => parts.map((part) => partWords(part, words))),
      ).toEqual([['"Coin side" was answered 1 of 0..1']]);
    }
  });

  test('is, where no single thing makes the difference, the fewest that do together, each of them needed', () => {
    const trials = threeDice();
    const explanation = explainFailure(trials, [1, 1, 1])!;

    const [cause] = explanation.causes.causes;
    const words = new Wording(explanation.history);
    expect(cause!.parts.map((part) => partWords(part, words))).toEqual([
      '"Cup first" was answered 1 of 0..1',
      '"Cup second" was answered 1 of 0..1',
    ]);
    expect(cause!.needed).toHaveLength(2);
    for (const tape of cause!.needed)
      expect(trials.attempt(new TapeChoices(tape)).failure).toMatchObject({ what: 'no ones' });
  });

  test('is no fault that, where it strikes, uses up what another one struck with', () => {
    const trials = oneFaultLeft();
    expect(trials.attempt(new TapeChoices([1])).failure).toBeUndefined();

    const explanation = explainFailure(trials, [0, 1])!;

    expect(explanation.faults.map(({ message }) => message.event.type)).toEqual(['letter']);
    expect(explanation.causes.causes).toHaveLength(0);
    expect(explanationPage(explanation, layout)).not.toContain('all else the same');
  });

  test('is told with how far the passing run was followed', () => {
    const page = explanationPage(explainFailure(watchdogTrials(), failingTapes(1)[0]!)!, layout);

    expect(page.replaceAll(/\s+/g, ' ')).toMatch(
      /a fault struck: drop of heartbeat \(Node -> Watchdog\)\. Without that fault, and all else the same, the run passes, to its rest after tick \d+\./,
    );
  });
});

test('a run that follows another one by its meaning, without changes, is that run', () => {
  for (const tape of failingTapes(12)) {
    const followed = historyOf(watchdogTrials(), new TapeChoices(tape));

    const choices = new MeaningChoices(followed, [], new Effects());
    const again = historyOf(watchdogTrials(), choices, {}, (run) => choices.follow(run));

    expect(again.trial.tape).toEqual(followed.trial.tape);
    expect(again.trial.fingerprint).toBe(followed.trial.fingerprint);
  }
});

test('the run that is explained is the recorded one; a simpler one is told beside it', () => {
  const tape = failingTapes(12).find((one) => one.filter((pick) => pick !== 0).length > 3)!;

  const explanation = explainFailure(watchdogTrials(), tape)!;

  expect(explanation.history.trial.tape).toEqual(tape);
  expect(explanation.simplified!.deviations).toBeLessThan(explanation.deviations);
  expect(explanationPage(explanation, layout)).toMatch(
    /the schedule: \d+ of \d+ picks are not first come, first served\na simpler run of \d+ of \d+ such picks fails in the same way\n/,
  );
});

describe('what is stated about failing runs of mutated protocols', () => {
  test('is verified by running with it and without it, by code that compares runs in another way', async () => {
    const seen = { runs: 0, causes: 0, refuted: [] as string[] };
    for await (const { name, causes, refuted } of explainedMutants(7)) {
      seen.runs++;
      seen.causes += causes;
      seen.refuted.push(...refuted.map((why) => `${name}: ${why}`));
      if (seen.runs === 12) break;
    }

    expect(seen.refuted).toEqual([]);
    expect(seen.causes).toBeGreaterThan(8);
  });

  test('is refuted when it is the cause of another run, or when more was changed than it says', async () => {
    const others = { wrongTape: 0, byPosition: 0, tried: 0 };
    for await (const { explanation, trials } of explainedMutants(7)) {
      const [cause] = explanation.causes.causes;
      if (!cause || cause.parts.length > 1) continue;
      const stating = (tape: Tape) => ({
        ...explanation,
        causes: { ...explanation.causes, causes: [{ ...cause, passing: { ...cause.passing, tape } }] },
      });
      if (refutations(trials, stating(explanation.tape)).length > 0) others.wrongTape++;
      for (let seed = 0; seed < 30; seed++) {
        const { failure, tape } = trials.attempt(new RandomChoices(seed));
        if (failure) continue;
        if (refutations(trials, stating(tape)).length > 0) others.byPosition++;
        break;
      }
      if (++others.tried === 6) break;
    }

    expect(others.wrongTape).toBe(6);
    expect(others.byPosition).toBeGreaterThan(2);
  });
});
