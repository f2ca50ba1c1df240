import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../kernel/choices.ts';
import { Explorer } from '../../kernel/explore/explorer.ts';
import type { Observation } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { type EventMap, refinement, type StateMap } from './refinement.ts';
import type { SmallMachine } from './specification.ts';
import { type Way, type WayMap, walkers } from './testing/walkers.ts';

/** Numbers below `count`, the same for the same seed. */
function numbers(seed: number): (count: number) => number {
  const choices = new RandomChoices(seed);
  return (count) => choices.pick('number', count);
}

const list = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A random map of places, of which each has 0 to 2 ways out. */
const randomMap = (below: (count: number) => number, places: number, words: number): WayMap =>
  list(places, () =>
    list(below(3), (): Way => {
      const shows = list([0, 1, 1, 2][below(4)]!, () => 'abc'[below(words)]!);
      return { to: below(places), shows: words === 0 ? [] : shows };
    }),
  );

/** How far a plain search goes: sequences of so many steps. */
const stepsMax = 6;

/** All runs of walkers with so many steps at most, each as the places and what the last step showed; the shortest first. */
function* runsOf(maps: readonly WayMap[]): Generator<{ places: number[][]; shown: string[] }> {
  let runs = [{ places: [maps.map(() => 0)], shown: [] as string[] }];
  for (let steps = 0; steps <= stepsMax; steps++) {
    yield* runs;
    runs = runs.flatMap(({ places, shown }) =>
      maps.flatMap((map, walker) =>
        map[places.at(-1)![walker]!]!.map(({ to, shows }) => ({
          places: [...places, places.at(-1)!.with(walker, to)],
          shown: [...shown, ...shows],
        })),
      ),
    );
    if (runs.length > 20_000) return;
  }
}

const placesOf = (state: GlobalState): number[] =>
  state.named<{ at: number }>('Walker[*]').map(({ context }) => context.at);

/** Steps of the shortest run that contradicts a refinement; undefined when none does. */
function found(
  maps: readonly WayMap[],
  specification: Parameters<typeof refinement>[1]['specification'],
  map: StateMap | EventMap,
) {
  const explorer = new Explorer(walkers(maps), {
    observers: [refinement('it refines', { specification, map })],
  });
  const { findings, verdict } = explorer.toEnd();
  expect(['ok', 'violated']).toContain(verdict);
  return findings[0] && { finding: findings[0], steps: explorer.routeTo(findings[0]).steps.length };
}

const count = Number(process.env['SEEDS'] ?? 150);

describe('against a plain search', () => {
  test(`a map of states: every step of the graph is a step of the specification or none, ${count} times`, () => {
    let refused = 0;
    for (let seed = 0; seed < count; seed++) {
      const below = numbers(seed);
      const maps = list(1 + below(2), () => randomMap(below, 1 + below(3), 0));
      const values = 1 + below(4);
      const image = new Map<string, number>();
      const mapped = (places: readonly number[]) => {
        const key = places.join();
        if (!image.has(key)) image.set(key, below(values));
        return image.get(key)!;
      };
      // All images are drawn before the machine is explored, so that they do not depend on its order.
      list(3, (a) => list(3, (b) => mapped(maps.length === 1 ? [a] : [a, b])));
      const edges = new Set(list(values * 2, () => `${below(values)} ${below(values)}`));
      const initial = below(4) === 0 ? [below(values)] : [mapped(maps.map(() => 0))];

      // Breadth first over an explicit graph.
      let level = [maps.map(() => 0)];
      const seen = new Set(level.map(String));
      let expected = initial.includes(mapped(level[0]!)) ? undefined : 0;
      for (let steps = 1; expected === undefined && level.length > 0; steps++) {
        const next: number[][] = [];
        for (const places of level)
          for (const [walker, map] of maps.entries())
            for (const { to } of map[places[walker]!]!) {
              const after = places.with(walker, to);
              const [from, till] = [mapped(places), mapped(after)];
              if (from !== till && !edges.has(`${from} ${till}`)) expected = steps;
              if (!seen.has(String(after))) next.push(after);
              seen.add(String(after));
            }
        level = next;
      }
      const specification: SmallMachine<number> = {
        initial,
        next: (value) =>
          list(values, (to) => to)
            .filter((to) => edges.has(`${value} ${to}`))
            .map((state) => ({ state })),
      };

      expect([
        seed,
        found(maps, specification, { state: (state) => mapped(placesOf(state)) })?.steps,
      ]).toEqual([seed, expected]);
      if (expected !== undefined) refused++;
    }
    expect(refused).toBeGreaterThan(count / 5);
    expect(refused).toBeLessThan((4 * count) / 5);
  });

  test(`a specification of which a part is compared: every run is seen as some run of it, ${count} times`, () => {
    let [refused, accepted] = [0, 0];
    for (let seed = 0; seed < count; seed++) {
      const below = numbers(10_000 + seed);
      const maps = [randomMap(below, 1 + below(4), 0)];
      const images = list(4, () => below(2));
      const ways = randomMap(below, 2 + below(4), 0).map((out) => [...out, { to: below(2), shows: [] }]);
      const seenAs = ways.map(() => below(2));
      images[0] = seenAs[0]!;

      /** Whether some run of the specification is seen so, by trying all. */
      const isSeen = (values: readonly number[], at: number, place: number, hidden: number): boolean =>
        at === values.length - 1 ||
        ways[place]!.some(({ to }) =>
          seenAs[to] === values[at + 1]
            ? isSeen(values, at + 1, to, 0)
            : seenAs[to] === values[at] && hidden < ways.length && isSeen(values, at, to, hidden + 1),
        );
      let expected: number | undefined;
      for (const { places } of runsOf(maps)) {
        const values = places.map(([at]) => images[at!]!).filter((value, at, all) => value !== all[at - 1]);
        // Values alternate, so a hidden step is one that keeps the value.
        if (isSeen(values, 0, 0, 0)) continue;
        expected = places.length - 1;
        break;
      }
      const specification: SmallMachine<number> = {
        initial: [0],
        next: (place) => ways[place]!.map(({ to }) => ({ state: to })),
      };
      const map: StateMap = {
        state: (state) => images[placesOf(state)[0]!],
        of: (place: number) => seenAs[place],
      };

      const { steps } = found(maps, specification, map) ?? {};
      expect([seed, steps !== undefined && steps > stepsMax ? undefined : steps]).toEqual([seed, expected]);
      if (expected === undefined) accepted++;
      else refused++;
    }
    expect(Math.min(refused, accepted)).toBeGreaterThan(count / 10);
  });

  test(`a map of what is shown: every run shows what some run of the specification shows, wired or small, ${Math.ceil(count / 3)} times`, () => {
    let [refused, accepted] = [0, 0];
    const map: EventMap = {
      event: (observation: Observation) =>
        observation.kind === 'probe' ? (observation.probe as unknown as { what: string }).what : undefined,
    };
    for (let seed = 0; seed < count / 3; seed++) {
      const below = numbers(20_000 + seed);
      const maps = list(1 + below(2), () => randomMap(below, 1 + below(3), 2));
      const wired = list(1 + below(2), () =>
        randomMap(below, 1 + below(3), 2).map((out) => [...out, { to: 0, shows: ['ab'[below(2)]!] }]),
      );

      /** Whether the specification can show it all, by trying all its runs; `hidden` steps in a row at most. */
      const isShown = (
        shown: readonly string[],
        at: number,
        places: readonly number[],
        hidden: number,
      ): boolean =>
        at === shown.length ||
        wired.some((ways, walker) =>
          ways[places[walker]!]!.some(({ to, shows }) => {
            const here = shown.slice(at, at + shows.length);
            if (shows.length === 0 && hidden >= 9) return false;
            return (
              here.every((what, index) => what === shows[index]) &&
              isShown(shown, at + here.length, places.with(walker, to), shows.length === 0 ? hidden + 1 : 0)
            );
          }),
        );
      let expected: number | undefined;
      for (const { places, shown } of runsOf(maps)) {
        if (
          isShown(
            shown,
            0,
            wired.map(() => 0),
            0,
          )
        )
          continue;
        expected = places.length - 1;
        break;
      }
      type Small = { readonly places: readonly number[]; readonly rest: readonly string[] };
      const small: SmallMachine<Small, string> = {
        initial: [{ places: wired.map(() => 0), rest: [] }],
        next: ({ places, rest: [first, ...rest] }) =>
          first !== undefined
            ? [{ state: { places, rest }, shows: first }]
            : wired.flatMap((ways, walker) =>
                ways[places[walker]!]!.map(({ to, shows: [shows, ...left] }) => ({
                  state: { places: places.with(walker, to), rest: left },
                  ...(shows !== undefined && { shows }),
                })),
              ),
      };

      for (const specification of [small, walkers(wired)]) {
        const { steps } = found(maps, specification, map) ?? {};
        expect([seed, steps !== undefined && steps > stepsMax ? undefined : steps]).toEqual([seed, expected]);
      }
      if (expected === undefined) accepted++;
      else refused++;
    }
    expect(Math.min(refused, accepted)).toBeGreaterThan(count / 30);
  });
});

describe('a mistake in a specification is told as one', () => {
  const walker = walkers([[[{ to: 0, shows: [] }]]]);
  const count: StateMap = { state: () => 0 };

  test.each<[string, SmallMachine<{ n: number }>, StateMap, string]>([
    ['no initial state', { initial: [], next: () => [] }, count, 'without an initial state'],
    [
      'a state that is changed',
      {
        initial: [{ n: 0 }],
        next: (state) => {
          state.n++;
          return [];
        },
      },
      { state: () => ({ n: 0 }) },
      'next of the specification changed the state that it was given, to ',
    ],
    [
      'a map that gives a promise',
      { initial: [{ n: 0 }], next: () => [] },
      { state: async () => 0 },
      'the function "state" of the map gave a promise, expected a value',
    ],
  ])('%s', (_, specification, map, told) => {
    const check = () =>
      new Explorer(walker, { observers: [refinement('it refines', { specification, map })] }).toEnd();

    expect(check).toThrow(told);
  });
});
