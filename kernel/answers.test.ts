import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { canonical, RandomChoices, RecordingChoices, TapeChoices } from './choices.ts';
import { Explorer } from './explore/explorer.ts';
import { component } from './kit.ts';
import { Run } from './run.ts';
import { Wiring } from './wiring.ts';

const { choose } = component<{ side: number }, { type: 'go' }>();

/** A machine that asks a question with so many answers. */
const asking = (count: number) => () => {
  const machine = setup({
    types: {} as { context: { side: number }; events: { type: 'go' } },
    actions: {
      roll: choose(
        'side',
        () => count,
        (die, _event, pick) => {
          die.side = pick;
        },
      ),
    },
  }).createMachine({
    id: 'die',
    context: { side: 0 },
    initial: 'lies',
    states: { lies: { on: { go: { actions: 'roll' } } } },
  });
  const wiring = new Wiring();
  wiring.begin({ to: wiring.place('Die', machine, undefined), type: 'go' });
  return wiring;
};

describe.each([0, -1, 1.5, Number.NaN])('a question with %d answers', (count) => {
  const said = `KRN008 Die: "go" threw: "Die side" was asked with ${count} answers, expected a whole number from 1`;

  test.each(['compiled', 'xstate'] as const)('is an error of its actor under all choices (%s)', (engine) => {
    for (const source of [canonical, new RandomChoices(1), new TapeChoices([3])]) {
      const choices = new RecordingChoices(source);
      const { verdict, failure } = new Run(asking(count)(), { choices, engine }).toEnd();
      const again = new Run(asking(count)(), { choices: new TapeChoices(choices.tape), engine }).toEnd();

      expect([verdict, failure?.message.split('\n')[0]]).toEqual(['error', said]);
      expect(again.failure?.message).toBe(failure?.message);
    }
  });

  test('is what the exhaustive checker finds', () => {
    const { findings } = new Explorer(asking(count)).toEnd();

    expect(findings.map(({ verdict, why }) => [verdict, why.split('\n')[0]])).toEqual([['error', said]]);
  });
});
