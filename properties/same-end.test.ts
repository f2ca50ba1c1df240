import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { z } from 'zod';
import { RandomChoices } from '../kernel/choices.ts';
import { component } from '../kernel/kit.ts';
import { Run } from '../kernel/run.ts';
import { Wiring } from '../kernel/wiring.ts';
import type { Machine } from '../machines/machine.ts';
import { watch } from './property.ts';
import { sameEndSentence, withSameEnd } from './same-end.ts';

/** Adds up what it gets, or keeps the last of it. */
interface Sum {
  readonly keepsLast: boolean;
  value: number;
}
const { update, post } = component<Sum, { type: 'add'; by: number }>();
const sum = setup({
  types: {} as { context: Sum; events: { type: 'add'; by: number }; input: boolean },
  actions: {
    add: update((one, { by }) => {
      one.value = one.keepsLast ? by : one.value + by;
    }),
  },
}).createMachine({
  id: 'sum',
  context: ({ input }) => ({ keepsLast: input, value: 0 }),
  on: { add: { actions: 'add' } },
});
const giver = setup({
  types: {} as { context: Sum; events: { type: 'add'; by: number }; input: number },
  actions: { give: post<'add'>((one) => ({ to: 0, type: 'add', by: one.value }) as never) },
}).createMachine({
  id: 'giver',
  context: ({ input }) => ({ keepsLast: false, value: input }),
  on: { add: { actions: 'give' } },
});

const config = z.strictObject({ keepsLast: z.boolean() });
type Config = z.output<typeof config>;

/** Three givers and who takes what they give. */
const machine: Machine<Config, null, number> = {
  name: 'sum',
  config,
  programs: z.null(),
  mutants: new Map(),
  assemble: ({ config: { keepsLast } }) => {
    const wiring = new Wiring();
    const taker = wiring.reserve('Sum');
    wiring.place(taker, sum, keepsLast);
    for (const by of [1, 2, 3]) {
      const one = wiring.reserve(`Giver[${by}]`);
      wiring.place(one, giver, by);
      wiring.begin({ to: one, type: 'add', by: 0 });
    }
    return { wiring, result: (run) => (run.part(taker).context as unknown as Sum).value };
  },
  figures: () => [],
};

function violationsOf(keepsLast: boolean, seed: number): readonly string[] {
  const given = { name: '', config: { keepsLast }, programs: null, mutants: [], scheduled: true };
  const assembly = machine.assemble(given);
  const run = new Run(assembly.wiring, { choices: new RandomChoices(seed) });
  const watching = withSameEnd(
    machine,
    (value) => value,
    (one) => watch(one, []),
  );
  const watched = watching(run, given, assembly);
  run.toEnd();
  watched.end();
  return run.outcome.violations.map(({ property }) => property);
}

const seeds = [1, 2, 3, 4, 5, 6, 7, 8];

test('a sum is the same whatever comes first', () => {
  expect(seeds.flatMap((seed) => violationsOf(false, seed))).toEqual([]);
});

test('what was last depends on the order, and that is found', () => {
  expect(seeds.flatMap((seed) => violationsOf(true, seed))).toContain(sameEndSentence);
});
