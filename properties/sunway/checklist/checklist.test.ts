import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hostCalls } from '../../actors/sunway/calls/host-calls.ts';
import { cpeCalls } from '../../actors/sunway/cpe-context.ts';
import { checklistText, featureRows, isNamedIn } from './checklist.ts';

const root = new URL('../../', import.meta.url);
const written = new URL('machines/sunway/CHECKLIST.md', root);

/** Bad input alone: these files are named where no other one uses a function. */
const ofErrors = ['properties/sunway/error-cases.test.ts', 'properties/sunway/refusals.test.ts'];

/** Test files that may be named, in the order in which they are looked through. */
const found = [
  'properties/sunway',
  'machines/sunway/monitors',
  'machines/sunway/monitors/race',
  'actors/sunway/tasks',
].flatMap((folder) =>
  readdirSync(new URL(folder, root))
    .filter((file) => file.endsWith('.test.ts') && file !== 'checklist.test.ts')
    .sort()
    .map((file) => `${folder}/${file}`),
);
const tests = [...found.filter((path) => !ofErrors.includes(path)), ...ofErrors];
const texts = new Map(tests.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
const testOf = (name: string) => tests.find((path) => isNamedIn(texts.get(path)!, name));

/** What a context offers beside the runtime: access to data, work, results, and hardware primitives (specification 2.4, 6.2). */
const beside = ['ld', 'st', 'ldBlock', 'stBlock', 'faa', 'compute', 'rplyRead', 'rplySet', 'tell'];
const primitives = ['synr', 'sync', 'synp'];

describe('the checklist', () => {
  test('is what its rows and the tests say', () => {
    const text = checklistText(({ name }) => testOf(name));
    if (process.env['CHECKLIST'] === 'write') writeFileSync(written, text);

    expect(readFileSync(written, 'utf8')).toBe(text);
    expect(featureRows).toHaveLength(144);
  });

  test('has a row for every function of both contexts', () => {
    const known = new Set([
      ...featureRows.flatMap(({ name, aliases }) => [name, ...aliases]),
      ...beside,
      ...primitives,
    ]);

    const offered = [...Object.keys(hostCalls), ...Object.keys(cpeCalls)];

    expect(offered.filter((name) => !known.has(name))).toEqual([]);
  });

  test('names no function that neither context has', () => {
    const named = featureRows.slice(0, 135).flatMap(({ name, aliases }) => [name, ...aliases]);

    expect(named.filter((name) => !(name in hostCalls || name in cpeCalls))).toEqual([]);
  });

  test.each(featureRows.map(({ id, name }) => [id, name]))(
    '%s: the test file that is named contains %s',
    (id, name) => {
      const row = readFileSync(written, 'utf8')
        .split('\n')
        .find((line) => line.startsWith(`| ${id} `));
      const path = row?.match(/\[(.*\.test\.ts)\]/)?.[1];

      expect(path).toBeDefined();
      expect(isNamedIn(readFileSync(new URL(path!, root), 'utf8'), name!)).toBe(true);
    },
  );
});
