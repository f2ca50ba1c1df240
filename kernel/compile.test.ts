import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import { CompiledMachine } from './compile.ts';
import { traceCompiled, traceInterpreted } from './equivalence.ts';
import { component } from './kit.ts';
import { silentPort } from './port.ts';
import { randomEvents, randomMachine } from './random-machine.ts';
import { TransitionCounts } from './tables.ts';
import { effort } from './testing/effort.ts';

const tapes = fc.array(fc.nat(999), { minLength: 40, maxLength: 200, size: 'max' });
const events = fc.array(fc.record({ type: fc.constantFrom(...randomEvents, 'unknown'), v: fc.nat(20) }), {
  minLength: 1,
  maxLength: 8,
});

describe('the compiler', () => {
  test('agrees with XState in state, context and posts on random machines', () => {
    let transitions = 0;
    let parallel = 0;
    fc.assert(
      fc.property(
        tapes,
        fc.nat(99),
        events,
        fc.array(fc.nat(4), { maxLength: 8 }),
        (tape, input, sequence, picks) => {
          const machine = randomMachine(tape);

          const oracle = traceInterpreted(machine, input, sequence, picks);

          const mutable = traceCompiled(machine, input, sequence, picks, 'mutable');
          const functions = traceCompiled(machine, input, sequence, picks, 'functions');
          const immutable = traceCompiled(machine, input, sequence, picks, 'immutable');

          if (!isDeepStrictEqual(mutable, oracle)) expect(mutable).toEqual(oracle);
          if (!isDeepStrictEqual(functions, oracle)) expect(functions).toEqual(oracle);
          if (!isDeepStrictEqual(immutable, oracle)) expect(immutable).toEqual(oracle);
          transitions += oracle.steps.filter((step) => step.out.length > 0).length;
          if (JSON.stringify(oracle.steps.at(-1)?.value).includes(',')) parallel++;
        },
      ),
      { numRuns: effort({ short: 500, long: 2000 }), seed: 7 },
    );
    // The test is worth something only if the machines do something.
    expect(transitions).toBeGreaterThan(effort({ short: 625, long: 2500 }));
    expect(parallel).toBeGreaterThan(effort({ short: 25, long: 100 }));
  });

  test('counts in functions what it counts in tables', () => {
    let counted = 0;
    fc.assert(
      fc.property(tapes, fc.nat(99), events, (tape, input, sequence) => {
        const machine = randomMachine(tape);
        const [tables, functions] = [Number.MAX_SAFE_INTEGER, 1].map((usesBeforeFunction) => {
          const compiled = new CompiledMachine(machine, usesBeforeFunction);
          const [first, second] = [new TransitionCounts(compiled), new TransitionCounts(compiled)];
          // The first round makes the functions that the second one uses.
          for (const counts of [first, second])
            try {
              const snapshot = compiled.start(input, silentPort, 'mutable', counts);
              for (const event of sequence) compiled.react(snapshot, event, silentPort, counts);
            } catch {
              // It throws in each.
            }
          counted += second.guardTrue.reduce((sum, count) => sum + count, 0);
          return [second.taken, second.guardTrue, second.guardFalse];
        });
        expect(functions).toEqual(tables);
      }),
      { numRuns: effort({ short: 150, long: 1000 }), seed: 7 },
    );
    expect(counted).toBeGreaterThan(effort({ short: 500, long: 1000 }));
  });

  test('takes long rows of always-transitions in functions as in tables, and finds those without an end', () => {
    const { update, when } = component<{ left: number }, { type: 'go'; times: number }>();
    const round = ['b', 'c', 'd', 'e', 'f', 'g', 'a'];
    const machine = setup({
      types: {} as { context: { left: number }; events: { type: 'go'; times: number } },
      guards: { isOver: when(({ left }) => left === 0) },
      actions: {
        begin: update((c, { times }) => {
          c.left = times;
        }),
        count: update((c) => {
          c.left--;
        }),
      },
    }).createMachine({
      id: 'long',
      context: { left: 0 },
      initial: 'rest',
      states: {
        rest: { on: { go: { target: 'a', actions: 'begin' } } },
        ...Object.fromEntries(
          round.map((next, k) => [
            round.at(k - 1)!,
            {
              always: [
                { guard: 'isOver', target: 'rest' },
                { target: next, actions: 'count' },
              ],
            },
          ]),
        ),
      } as never,
    });

    const [tables, functions] = [Number.MAX_SAFE_INTEGER, 1].map((usesBeforeFunction) => {
      const compiled = new CompiledMachine(machine as never, usesBeforeFunction);
      const counts = new TransitionCounts(compiled);
      const snapshots = [counts, undefined].map((given) => {
        const snapshot = compiled.start(undefined, silentPort, 'mutable', given);
        for (const times of [0, 1, 3, 4, 5, 29, 8, 400])
          compiled.react(snapshot, { type: 'go', times } as never, silentPort, given);
        return [snapshot.configuration.name, snapshot.context];
      });
      const endless = compiled.start(undefined, silentPort);
      const react = () => compiled.react(endless, { type: 'go', times: -1 } as never, silentPort);
      return { counts: [counts.taken, counts.guardTrue, counts.guardFalse], snapshots, react };
    });

    expect(tables!.counts[0]!.reduce((sum, one) => sum + one)).toBe(8 + 8 + 450);
    expect(functions!.counts).toEqual(tables!.counts);
    expect(functions!.snapshots).toEqual(tables!.snapshots);
    for (const { react } of [tables!, functions!]) expect(react).toThrow(/KRN009.*more than 10000 steps/);
  });
});
