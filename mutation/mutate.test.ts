import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Equivalents } from './equivalents.ts';
import { families, sourcesOf } from './families.ts';
import { byFuzz } from './judges.ts';
import { mutantsOf, replacedModule } from './mutant.ts';
import { projectFolder } from './project-files.ts';
import { Reach } from './reach.ts';
import { figuresOf, type Row, reportText } from './report.ts';
import { drawn } from './sample.ts';

const file = 'actors/protocols/register.ts';

describe('a sample', () => {
  const all = mutantsOf(file);

  test('is the same for the same seed, and another one for another', () => {
    const ids = (seed: number) => [...drawn(all, seed)].map(({ id }) => id);

    expect(ids(1)).toEqual(ids(1));
    expect(ids(1)).not.toEqual(ids(2));
    expect(ids(1).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });

  test('names each mutant by an id of its own', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });
});

test.each(families)('the sources of $name are there, without their tests and their views', (family) => {
  const [sources, withViews] = [sourcesOf(family, false), sourcesOf(family, true)];

  expect(sources.length).toBeGreaterThan(10);
  expect(withViews.length).toBeGreaterThan(sources.length);
  expect(withViews.filter((one) => one.includes('.test.'))).toEqual([]);
});

test('a changed module notes that it was reached, and its types are gone', () => {
  const mutant = mutantsOf('actors/cell/fnv.ts').find(({ mutation }) => mutation.form === 'expression')!;

  const { code } = replacedModule(mutant);

  expect(code).toContain('globalThis.__mutantReached = true');
  expect(code).not.toContain(': number');
});

test('a module reaches what it imports, and what that imports, but for types', () => {
  const reach = new Reach();

  const reached = reach.from('machines/protocols/register.ts');

  expect(reached).toContain(file);
  expect(reached).toContain('kernel/kit.ts');
  expect(reached).not.toContain('properties/properties.ts');
});

describe('the processes that judge', () => {
  const family = families.find(({ name }) => name === 'kernel')!;
  const register = { ...family, machines: ['register'] };
  const plan = { runs: 100, seed: 1 };
  const asItIs = { scenarios: {}, ends: {}, known: [] };

  test.each([
    ['noticed', 'actors/protocols/register.ts', 'removed assignment', true],
    ['not noticed where nothing reaches it', 'machines/cell/cycle-scale.ts', 'arithmetic', false],
  ])('a change is %s', { timeout: 60_000 }, async (_, place, asked, expected) => {
    const mutant = mutantsOf(place).find(({ operator }) => operator === asked)!;

    const judgement = await byFuzz(register, asItIs, plan, mutant);

    expect(judgement).toMatchObject({ noticed: expected });
  });
});

describe('a report', () => {
  const judgement = { how: '', seconds: 1 };
  const one = (id: string, noticed: boolean): Row => ({
    id,
    file: 'a.ts',
    line: 1,
    operator: 'constant',
    before: id,
    after: `${id}!`,
    judgements: { fuzz: { ...judgement, noticed, reached: true, changed: noticed } },
  });
  const rows = [one('a', true), one('b', false), one('c', false)];
  const equivalents = new Equivalents([
    { file: 'a.ts', before: 'c', after: 'c!', why: 'nobody could ever see it' },
  ]);

  test('leaves equivalent mutants out of its figures', () => {
    expect(figuresOf(rows, equivalents)).toMatchObject({
      mutants: 3,
      equivalent: 1,
      by: { fuzz: { noticed: 1, of: 2 } },
      unnoticedByFuzz: { unreached: 0, same: 1, changed: 0 },
    });
  });

  test('names those that nobody noticed with what was changed', () => {
    const text = reportText(rows, equivalents, 'title');

    expect(text).toContain('fuzz       noticed 1 of 2 (50 %)');
    expect(text).toMatch(/noticed by nobody:\n {2}b\n {4}- b\n {4}\+ b!\n/);
    expect(text).toMatch(/equivalent:\n {2}c\n/);
  });
});

test('every equivalent mutant is argued, and still one that can be made', () => {
  for (const { file: place, before, after } of Equivalents.kept().all) {
    const made = mutantsOf(place).some((one) => one.before === before && one.after === after);
    expect(made, `${place}: ${before}`).toBe(true);
  }
});

test('nothing is written to the sources', () => {
  const text = readFileSync(join(projectFolder, file), 'utf8');

  for (const mutant of mutantsOf(file)) replacedModule(mutant);

  expect(readFileSync(join(projectFolder, file), 'utf8')).toBe(text);
});
