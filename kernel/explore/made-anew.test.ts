import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setup } from 'xstate';
import type { InjectedFault } from '../faults.ts';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import { Run } from '../run.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';
import type { Exchange } from './symmetry.ts';
import { byAllTapes, byExploration } from './testing/by-all-tapes.ts';
import { inTurns } from './testing/in-turns.ts';
import { randomWiring } from './testing/random-wiring.ts';

/* State machines that are made anew for each wiring and each member, as `provide` in an `assemble` does. */

const all = { findingsMax: Number.POSITIVE_INFINITY };
const tapes = fc.array(fc.nat(1000), { minLength: 400, maxLength: 400 });

interface Traveller {
  readonly self: Address;
  readonly index: number;
  ready: boolean;
}
const { choose, post, when } = component<Traveller, { type: 'tick' }>();

/** Begins ready or not, by choice; waits for a tick in a state that is not its first. */
const traveller = setup({
  types: {} as { context: Traveller; events: { type: 'tick' }; input: Omit<Traveller, 'ready'> },
  guards: { ready: when((one) => one.ready) },
  actions: {
    draw: choose('ready', 2, (one, _event, pick) => {
      one.ready = pick === 1;
    }),
    begin: post((one) => ({ to: one.self, type: 'tick', delay: 1 })),
  },
}).createMachine({
  id: 'traveller',
  context: ({ input }) => ({ ...input, ready: false }),
  initial: 'packing',
  states: {
    packing: {
      entry: ['draw', 'begin'],
      always: [{ guard: 'ready', target: 'waiting' }, { target: 'resting' }],
    },
    waiting: { on: { tick: 'gone' } },
    resting: { on: { tick: 'waiting' } },
    gone: {},
  },
});
const names = ['Traveller[0]', 'Traveller[1]'];
const travellers = (): Wiring => {
  const wiring = new Wiring();
  names.forEach((name, index) => {
    const self = wiring.reserve(name);
    wiring.place(self, traveller.provide({}), { self, index });
  });
  return wiring;
};

describe('a machine whose parts are made anew for each wiring', () => {
  test('and choose where they begin has no errors that are none', () => {
    const { verdict, findings, states } = new Explorer(travellers, all).toEnd();

    expect({ verdict, findings, states }).toEqual({ verdict: 'ok', findings: [], states: 4 + 4 });
  });

  test('can have them exchanged', () => {
    const symmetry = {
      actors: names,
      exchange: (data: Record<string, unknown>, { address, index }: Exchange) => ({
        ...data,
        ...('self' in data && { self: address(data['self'] as Address) }),
        ...('index' in data && { index: index(data['index'] as number) }),
        ...('to' in data && { to: address(data['to'] as Address) }),
      }),
    };
    const explorer = new Explorer(travellers, { ...all, symmetry });

    expect(explorer.toEnd()).toMatchObject({ verdict: 'ok', states: 3 + 3 });
  });

  test('has the states and the findings of all runs under all tapes, whoever explores them', () => {
    const crash = fc.constantFrom<readonly InjectedFault[]>(
      [],
      [{ kind: 'crash', actor: 'Kid[2]', restart: 1 }],
      [{ kind: 'crash', actor: 'Rover[*]', restart: 2 }],
    );
    let [several, foundCount] = [0, 0];
    fc.assert(
      fc.property(tapes, crash, (tape, faults) => {
        const make = () => randomWiring(tape, (machine) => machine.provide({}));
        const expected = byAllTapes(make, [], 400, faults);
        fc.pre(expected !== undefined);
        const explorer = new Explorer(make, { ...all, faults });
        const { transitions } = explorer.toEnd();
        const { states, found } = byExploration(explorer);
        expect(found).toEqual(expected.found);
        // A run keeps what an actor held that has crashed.
        if (faults.length === 0) expect(states).toEqual(expected.states);
        expect(inTurns(make, { ...all, faults }, 3, [7]).transitions).toBe(transitions);
        if (expected.ways > 2) several++;
        foundCount += found.length;
      }),
      { seed: 11, numRuns: 25 },
    );
    expect([several > 8, foundCount > 15]).toEqual([true, true]);
  });

  test('and are other ones each time cannot be explored (KRN017)', () => {
    let count = 0;
    const fickle = (): Wiring => {
      const wiring = travellers();
      const states = Object.fromEntries(Array.from({ length: ++count }, (_, index) => [`s${index}`, {}]));
      wiring.place('Odd', setup({}).createMachine({ id: 'odd', initial: 's0', states }), 0);
      return wiring;
    };

    expect(() => new Explorer(fickle)).toThrow(
      'KRN017 Odd: it was "odd" and is "odd", or one with other states',
    );
  });

  test('goes on from a snapshot in a wiring that is another one', () => {
    fc.assert(
      fc.property(tapes, fc.nat(3), (tape, ticks) => {
        const make = () => randomWiring(tape, (machine) => machine.provide({}));
        const run = new Run(make());
        run.until(ticks);
        fc.pre(run.outcome.failure === undefined);

        const other = Run.restore(make(), run.snapshot());

        run.toEnd();
        other.toEnd();
        expect(other.fingerprint).toBe(run.fingerprint);
      }),
      { seed: 2, numRuns: 50 },
    );
  });
});
