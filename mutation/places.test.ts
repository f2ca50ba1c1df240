import { describe, expect, test } from 'vitest';
import { families } from './families.ts';
import { notedFile, placesFlag, placesReached, placesText } from './places.ts';

describe('a file that notes what is carried out', () => {
  test('does what it does without the notes, and notes the places that it passes', async () => {
    const { module, places } = notedFile('actors/cell/policies/random.ts', 0);
    const noted: Record<number, number> = {};
    Reflect.set(globalThis, placesFlag, noted);

    const { nextRandom } = await import(`data:text/javascript,${encodeURIComponent(module.code)}`);
    const { nextRandom: plain } = await import('../actors/cell/policies/random.ts');
    Reflect.set(globalThis, placesFlag, noted);
    const loaded = Object.keys(noted).length;

    expect([1, 2, 3].map((seed) => nextRandom(seed))).toEqual([1, 2, 3].map((seed) => plain(seed)));
    expect(Object.keys(noted).length).toBeGreaterThan(loaded);
    expect(places.flatMap(({ mutants }) => mutants).length).toBeGreaterThan(10);
  });
});

test('fuzz tells the places that it reaches, and those that it never does', {
  timeout: 120_000,
}, async () => {
  const family = { ...families.find(({ name }) => name === 'kernel')!, machines: ['register'] };

  const found = await placesReached(family, ['kernel/calendar.ts', 'actors/protocols/register.ts'], {
    runs: 5,
    seed: 1,
  });

  expect(found.reached).toBeGreaterThan(0);
  expect(found.reached).toBeLessThan(found.mutants);
  expect(placesText(found, 'places of two files')).toMatch(/^places of two files\n\d+ of \d+ mutants/);
});
