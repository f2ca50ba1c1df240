import fc from 'fast-check';
import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { z } from 'zod';
import { canonical, TapeChoices } from '../../kernel/choices.ts';
import { component } from '../../kernel/kit.ts';
import type { Probe } from '../../kernel/message.ts';
import { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../../machines/machine.ts';
import { watch } from '../property.ts';
import { never, shown } from '../temporal/temporal.ts';
import { failureSummary } from './failure-summary.ts';
import { historyOf } from './history.ts';
import { scopeOpening } from './scope-opening.ts';
import { toyTrials } from './testing/toy-trials.ts';
import { Trials } from './trial.ts';

type Shown = Probe & { type: 'first' | 'second' | 'other'; key: number };
const c = component<{ left: readonly (readonly Shown[])[] }, { type: 'go' }>();

/** Shows some things in each of its steps. */
const teller = setup({
  types: {} as {
    context: { left: readonly (readonly Shown[])[] };
    events: { type: 'go' };
    input: readonly (readonly Shown[])[];
  },
  actions: {
    go: c.act((me, _event, out) => {
      const [now = [], ...left] = me.left;
      for (const one of now) out.probe(one);
      me.left = left;
      if (left.length > 0) out.post({ to: out.self, type: 'go', delay: 1 });
    }),
  },
}).createMachine({ id: 'teller', context: ({ input }) => ({ left: input }), on: { go: { actions: 'go' } } });

function trialsOf(told: readonly (readonly Shown[])[]): Trials {
  const machine: Machine<unknown> = {
    name: 'teller',
    config: z.unknown(),
    programs: z.unknown(),
    mutants: new Map(),
    assemble: () => {
      const wiring = new Wiring();
      wiring.begin({ to: wiring.place('A', teller, told), type: 'go' });
      return { wiring, result: () => null };
    },
    figures: () => [],
  };
  const key = { key: 'key' } as const;
  const observers = [
    never('no second after a first', shown<Shown>('second', key), { after: shown<Shown>('first', key) }),
  ];
  return new Trials(toyTrials(machine).scenario, machine as unknown as Machine, {
    sentences: observers.map(({ sentence }) => sentence),
    watch: (run) => watch(run, observers),
    observers: () => observers,
  });
}

/** The step with the last `first` before the `second` that is wrong first, gone through by hand. */
function byHand(told: readonly (readonly Shown[])[]): number | undefined {
  const openings = new Map<number, number>();
  for (const [index, step] of told.entries())
    for (const { type, key } of step) {
      if (type === 'second' && openings.has(key)) return openings.get(key);
      if (type === 'first') openings.set(key, index);
    }
  return undefined;
}

test('the step that opened the scope is the last one of the key of what is wrong', () => {
  const one = fc.record({ type: fc.constantFrom('first', 'second', 'other'), key: fc.nat(2) });
  let wrong = 0;
  fc.assert(
    fc.property(
      fc.array(fc.array(one as fc.Arbitrary<Shown>, { maxLength: 2 }), { minLength: 2, maxLength: 9 }),
      (told) => {
        const trials = trialsOf(told);
        const { tape } = trials.attempt(canonical);
        const history = historyOf(trials, new TapeChoices(tape));
        const failure = failureSummary(history.trial.outcome);
        const expected = byHand(told);
        expect(failure !== undefined).toBe(expected !== undefined);
        if (failure === undefined) return;
        wrong++;
        expect(scopeOpening(trials, history, failure, {})?.index).toBe(expected);
      },
    ),
    { numRuns: 200, seed: 3 },
  );
  expect(wrong).toBeGreaterThan(50);
});
