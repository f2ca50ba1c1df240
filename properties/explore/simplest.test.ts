import { describe, expect, test } from 'vitest';
import { TapeChoices } from '../../kernel/choices.ts';
import { machines } from '../../manifests/machines.ts';
import { generationNamed } from '../../manifests/testing/named.ts';
import { parseScenario } from '../../scenarios/load.ts';
import { bugOf } from './bug.ts';
import { Campaign } from './campaign.ts';
import { simplestFailure } from './simplest.ts';
import { GeneratedSubject, givenSubject } from './subject.ts';
import { Trials } from './trial.ts';

const { machine, properties, arbitrary } = await generationNamed('cell');
const plan = { seed: 3, strategies: ['random' as const], coverage: false };
const generated = (...mutants: string[]) =>
  new Campaign(new GeneratedSubject({ machine, properties, arbitrary, seed: plan.seed, mutants }), plan);

const sizeOf = ({ programs }: { readonly programs: unknown }) => JSON.stringify(programs).length;

/** The first run of a campaign that fails in a way that these words name. */
function firstFailure(campaign: Campaign, words: string) {
  for (let number = 0; number < 300; number++) {
    const { failure } = campaign.attempt(number);
    if (failure && bugOf(failure).includes(words)) return { number, kind: failure };
  }
  throw new Error(`no run fails with ${words}`);
}

describe('the simplest run that fails', () => {
  test('of a machine with two bugs shows the one that was found', () => {
    const campaign = generated('M-18', 'M-20');
    const { number, kind } = firstFailure(campaign, 'status answers');

    const { scenario, tape, complete } = simplestFailure(campaign, number, kind, 'found.yaml');

    expect(complete).toBe(true);
    expect(new Trials(scenario, machine, properties).attempt(new TapeChoices(tape)).failure).toEqual(kind);
    expect(scenario.file).toBe('found.yaml');
    expect(sizeOf(scenario)).toBeLessThan(sizeOf(campaign.subject.scenario(number)));
  });

  test('of a given scenario has that scenario, and a tape that is shorter or smaller', async () => {
    const text = `name: unlocked
machine: cell
config: { N: 3, K: 1, memSize: 64 }
programs:
  - [[0, put, 0, 1, 32, 2]]
  - [[0, get, 10, 0, 8, 2], [1, read, 32]]
faults: [{ mutant: M-26 }]
`;
    const { scenario } = await parseScenario(text, 'unlocked.yaml', machines);
    const campaign = new Campaign(givenSubject(scenario, machine, properties), plan);
    const { number, kind } = firstFailure(campaign, 'CK-19');

    const simplest = simplestFailure(campaign, number, kind, 'found.yaml');

    expect(simplest.scenario).toBe(scenario);
    const nonZero = (tape: readonly number[]) => tape.filter((pick) => pick > 0).length;
    expect(nonZero(simplest.tape)).toBeGreaterThan(0);
    expect(nonZero(simplest.tape)).toBeLessThan(nonZero(campaign.attempt(number).tape) / 4);
    expect(new Trials(scenario, machine, properties).attempt(new TapeChoices(simplest.tape)).failure).toEqual(
      kind,
    );
  });

  test('is what was found when there is no time', () => {
    const campaign = generated('M-05');
    const { number, kind } = firstFailure(campaign, '');

    const { scenario, attempts, complete } = simplestFailure(campaign, number, kind, 'found.yaml', {
      shouldStop: () => true,
    });

    expect(complete).toBe(false);
    expect(attempts).toBeLessThan(5);
    expect(scenario.config).toEqual(campaign.subject.scenario(number).config);
  });
});

test('failures are the same bug whatever the number of actors', () => {
  const stuck = (...actors: string[]) => ({ verdict: 'deadlock' as const, what: actors.join(', ') });

  const three = bugOf(
    stuck('Ring in work', 'Dma[0] in acquiring', 'Dma[1] in acquiring', 'Dma[7] in acquiring'),
  );

  expect(three).toBe(bugOf(stuck('Ring in work', 'Dma[4] in acquiring')));
  expect(three).not.toBe(bugOf(stuck('Ring in idle', 'Dma[4] in acquiring')));
  expect(three).not.toBe(bugOf({ ...stuck('Ring in work', 'Dma[4] in acquiring'), verdict: 'livelock' }));
});
