import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { traceCompiled, traceInterpreted } from './equivalence.ts';
import { randomEvents, randomMachine } from './random-machine.ts';
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
      { numRuns: effort({ short: 1000, long: 2000 }), seed: 7 },
    );
    // The test is worth something only if the machines do something.
    expect(transitions).toBeGreaterThan(effort({ short: 1250, long: 2500 }));
    expect(parallel).toBeGreaterThan(effort({ short: 50, long: 100 }));
  });
});
