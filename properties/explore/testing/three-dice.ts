import { setup } from 'xstate';
import { z } from 'zod';
import { component } from '../../../kernel/kit.ts';
import { Wiring } from '../../../kernel/wiring.ts';
import type { Machine } from '../../../machines/machine.ts';
import type { Trials } from '../trial.ts';
import { toyTrials } from './toy-trials.ts';

/*
 * A toy machine for tests: three dice are cast, of which the first and the second may not show a one. When both do, neither alone makes the difference,
 * and the third has nothing to do with it.
 */

interface Cup {
  first: number;
  second: number;
  third: number;
}
const cup = component<Cup, { type: 'cast' }>();
const cupMachine = setup({
  types: {} as { context: Cup; events: { type: 'cast' }; input: object },
  actions: {
    castFirst: cup.choose('first', 2, (c, _event, pick) => {
      c.first = pick;
    }),
    castSecond: cup.choose('second', 2, (c, _event, pick) => {
      c.second = pick;
    }),
    castThird: cup.choose('third', 2, (c, _event, pick) => {
      c.third = pick;
    }),
    complain: cup.report(({ first, second }) =>
      first + second > 0 ? { property: 'no ones', why: `${first + second} ones` } : undefined,
    ),
  },
}).createMachine({
  id: 'cup',
  context: { first: 0, second: 0, third: 0 },
  initial: 'on',
  states: { on: { on: { cast: { actions: ['castFirst', 'castThird', 'castSecond', 'complain'] } } } },
});

const machine: Machine<unknown> = {
  name: 'three-dice',
  config: z.unknown(),
  programs: z.unknown(),
  mutants: new Map(),
  assemble: () => {
    const wiring = new Wiring();
    wiring.boot.push({ to: wiring.place('Cup', cupMachine, {}), type: 'cast', delay: 1 });
    return { wiring, result: () => null };
  },
  figures: () => [],
};

/** Trials of the toy machine: with the tape `[1, 1, 1]` all three dice show a one. */
export const threeDice = (): Trials => toyTrials(machine);
