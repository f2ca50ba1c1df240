import { expect, test } from 'vitest';
import { LocatedDocument } from './located-document.ts';
import { exceededByJson, exceededByYaml, nestingMax, yamlTokensMax } from './text-limits.ts';

test('a text nested as deep as the limit is read, one that is nested deeper is told with the place', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const blocks = (depth: number) =>
    Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}a:\n`).join('');

  for (const exceeded of [exceededByJson, exceededByYaml]) {
    expect(exceeded(nested(nestingMax))).toBeUndefined();
    expect(exceeded(nested(nestingMax + 1))).toMatchObject({
      what: `found values nested more than ${nestingMax} deep (nestingMax)`,
      offset: nestingMax,
    });
  }
  expect(exceededByYaml(blocks(nestingMax))).toBeUndefined();
  expect(exceededByYaml(blocks(nestingMax + 1))?.what).toContain('nestingMax');
  // Blocks that begin in one line, the first line included.
  expect(exceededByYaml('- '.repeat(nestingMax))).toBeUndefined();
  expect(exceededByYaml('- '.repeat(nestingMax + 1))).toMatchObject({ offset: 2 * nestingMax });
  // Brackets in a text are none.
  expect(exceededByJson(JSON.stringify(nested(1_000)))).toBeUndefined();
});

test('a YAML text of very many words is refused before it is read', () => {
  // Two seconds: the limit itself is counted.
  const words = (count: number) => `[${'1,'.repeat(count / 2)}]`;

  expect(exceededByYaml(words(1_000))).toBeUndefined();
  expect(exceededByYaml(words(yamlTokensMax))?.what).toContain('yamlTokensMax');
});

test('what is nested too deep is told once, before the reader meets the end of the stack', () => {
  const { errors } = new LocatedDocument('- '.repeat(5_000), 's.yaml');

  expect(errors.map(({ code, what }) => `${code} ${what}`)).toEqual([
    `SCN005 found values nested more than ${nestingMax} deep (nestingMax)`,
  ]);
});

test('one mistake is told once, however often the reader meets it', () => {
  const { errors } = new LocatedDocument(`a: { b: ${'['.repeat(40)} }\nc: 1\n`, 's.yaml');

  expect(errors.length).toBeGreaterThan(0);
  expect(new Set(errors.map(({ message }) => message)).size).toBe(errors.length);
});
