import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { component } from '../kit.ts';
import type { Address } from '../message.ts';
import { Wiring } from '../wiring.ts';
import { Explorer } from './explorer.ts';

/* What a recipe does must follow from context and event alone; otherwise what is explored is not what a run does. */

type Walker = { readonly self: Address; n: number };

/** A walker that goes one or two steps on, as `isLong` says. */
const walking = (isLong: (n: number) => boolean) => () => {
  const { act } = component<Walker, { type: 'walk' }>();
  const walker = setup({
    types: {} as { context: Walker; events: { type: 'walk' }; input: { self: Address } },
    actions: {
      walk: act((me, _event, out) => {
        me.n = (me.n + (isLong(me.n) ? 2 : 1)) % 7;
        out.post({ to: me.self, type: 'walk' });
      }),
    },
  }).createMachine({
    id: 'walker',
    context: ({ input }) => ({ ...input, n: 0 }),
    initial: 'on',
    states: { on: { on: { walk: { actions: 'walk' } } } },
  });
  const wiring = new Wiring({});
  const self = wiring.reserve('Walker');
  wiring.place(self, walker, { self });
  wiring.begin({ to: self, type: 'walk' });
  return wiring;
};

let calls = 0;
const met = new Set<number>();

test.each([
  ['Math.random', () => Math.random() < 0.5],
  ['Math.random, nearly always the same', () => Math.random() < 0.001],
  ['Date.now', () => Date.now() % 2 === 0],
  ['new Date', () => new Date().getMilliseconds() % 2 === 0],
  ['performance.now', () => performance.now() > 80_000_000],
  ['a counter of the module', () => ++calls % 2 === 0],
  ['a set of the module', (n: number) => met.size === met.add(n).size],
] as const)('a recipe that asks %s is refused', (_name, isLong) => {
  expect(() => new Explorer(walking(isLong)).toEnd()).toThrow(
    /^KRN025 Walker: "walk" came a second time in the same state, and did something else: alternative\[0\]\.context\.n is /,
  );
});

test('one that asks for chance or time and makes nothing of it is not refused', () => {
  const { random } = Math;
  const { now } = Date;

  expect(
    new Explorer(
      walking(() => Math.random() + new Date().getTime() < 0 && new Date(7).getTime() === 7),
    ).toEnd().states,
  ).toBe(8);
  expect([Math.random, Date.now, new Date().constructor]).toEqual([random, now, Date]);
});
