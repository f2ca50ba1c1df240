import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ScenarioError } from './errors.ts';
import { explainIssues } from './explain.ts';
import { LocatedDocument } from './located-document.ts';

function reported(schema: z.ZodType, text: string): readonly ScenarioError[] {
  const document = new LocatedDocument(text, 'x.yaml');
  const parsed = schema.safeParse(document.data, { reportInput: true });
  if (parsed.success) return [];
  return explainIssues(parsed.error.issues, schema, document);
}

/** What a schema finds wrong in a text: `line:column code what`. */
const findings = (schema: z.ZodType, text: string): readonly string[] =>
  reported(schema, text).map(({ at, code, what }) => `${at.line}:${at.column} ${code} ${what}`);

const of = (schema: z.ZodType) => z.strictObject({ v: schema });

describe('explainIssues', () => {
  it.each([
    [
      z.int().min(1).max(64),
      'v: abc',
      '1:4 SCN012 v: found "abc" (a string), expected an integer from 1 to 64',
    ],
    [z.int().min(1).max(64), 'v: 99', '1:4 SCN013 v: found 99, expected an integer from 1 to 64'],
    [z.int(), 'v: 1.5', '1:4 SCN012 v: found 1.5 (a number), expected an integer'],
    [
      z.int().min(3),
      'v: true',
      '1:4 SCN012 v: found true (a truth value), expected an integer of at least 3',
    ],
    [z.number().gt(0).lt(1), 'v: 2', '1:4 SCN013 v: found 2, expected a number above 0 and below 1'],
    [z.int().multipleOf(16), 'v: 8', '1:4 SCN013 v: found 8, expected an integer, a multiple of 16'],
    [z.string().min(1), 'v: ""', '1:4 SCN013 v: found "", expected a string of at least 1 character'],
    [z.string().regex(/^a+$/), 'v: b', '1:4 SCN015 v: found "b", expected a string matching /^a+$/'],
    [z.boolean(), 'v: 1', '1:4 SCN012 v: found 1 (a number), expected true or false'],
    [z.string(), 'v:', '1:3 SCN012 v: found nothing, expected a string'],
    [z.int().nullable(), 'v: a', '1:4 SCN012 v: found "a" (a string), expected an integer, or nothing'],
    [
      z.array(z.int()).min(2).max(3),
      'v: [1]',
      '1:4 SCN013 v: found a list of 1 item, expected a list of 2 to 3 items (each an integer)',
    ],
    [z.array(z.int()), 'v:\n  - 1\n  - x', '3:5 SCN012 v[1]: found "x" (a string), expected an integer'],
    [z.tuple([z.int(), z.string()]), 'v: [1, 2]', '1:8 SCN012 v[1]: found 2 (a number), expected a string'],
    [z.enum(['soft', 'hard']), 'v: sof', '1:4 SCN014 v: found "sof", expected one of "soft", "hard"'],
    [z.literal('x'), 'v: y', '1:4 SCN014 v: found "y", expected "x"'],
    [z.strictObject({ a: z.int() }), 'v: {}', '1:4 SCN011 missing key "a" in v, expected an integer'],
    [z.strictObject({ a: z.int() }), 'v: {a: 1, b: 2}', '1:11 SCN010 unknown key "b" in v'],
    [
      z.record(z.string().regex(/^a/), z.int()),
      'v: {b: 1}',
      '1:5 SCN010 v: found the key "b", expected a string matching /^a/',
    ],
    [z.int().refine((v) => v % 2 === 1, 'must be odd'), 'v: 4', '1:4 SCN015 v: found 4; must be odd'],
    [z.int({ error: 'found a dog' }), 'v: x', '1:4 SCN015 v: found a dog'],
  ])('says in words what is wrong (%#)', (schema, text, finding) => {
    expect(findings(of(schema), text)).toEqual([finding]);
  });

  const operation = z.union([
    z.tuple([z.int().min(0), z.literal('r'), z.int()]),
    z.tuple([z.int().min(0), z.literal('w'), z.int(), z.int().max(255)]),
  ]);

  it.each([
    ['[0, w, 2, 300]', '1:14 SCN013 v[3]: found 300, expected an integer of at most 255'],
    ['[0, x, 2]', '1:8 SCN014 v[1]: found "x", expected one of "r", "w"'],
    ['[0, r]', '1:4 SCN013 v: found a list of 2 items, expected a list of 3 items'],
    ['[0, w]', '1:4 SCN013 v: found a list of 2 items, expected a list of 4 items'],
    ['7', '1:4 SCN012 v: found 7 (a number), expected a list of 3 items, or a list of 4 items'],
  ])('reports of a union of tuples the branch that was meant by %s', (text, finding) => {
    expect(findings(of(operation), `v: ${text}`)).toEqual([finding]);
  });

  it('knows tags with several spellings', () => {
    const named = z.union([
      z.tuple([z.int(), z.enum(['r', 'read']), z.int()]),
      z.tuple([z.int(), z.enum(['w', 'write']), z.int(), z.int()]),
    ]);

    expect(findings(of(named), 'v: [0, x, 1]')).toEqual([
      '1:8 SCN014 v[1]: found "x", expected one of "r", "read", "w", "write"',
    ]);
    expect(findings(of(named), 'v: [0, write, 1]')).toEqual([
      '1:4 SCN013 v: found a list of 3 items, expected a list of 4 items',
    ]);
  });

  const shape = z.union([
    z.strictObject({ side: z.int() }),
    z.strictObject({ radius: z.number().gt(0), centre: z.int() }),
  ]);

  it.each([
    [
      '{ sid: 1 }',
      ['1:4 SCN011 missing key "side" in v, expected an integer', '1:6 SCN010 unknown key "sid" in v'],
    ],
    [
      '{ radius: 0, centre: a }',
      [
        '1:14 SCN013 v.radius: found 0, expected a number above 0',
        '1:25 SCN012 v.centre: found "a" (a string), expected an integer',
      ],
    ],
    [
      '[]',
      [
        '1:4 SCN012 v: found an empty list, expected a mapping with the key side, or a mapping with the keys radius, centre',
      ],
    ],
  ])('reports of a union of mappings the branch that was meant by %s', (text, expected) => {
    expect([...findings(of(shape), `v: ${text}`)].sort()).toEqual([...expected].sort());
  });

  it('offers all values when a text is none of a union', () => {
    const schema = of(z.union([z.enum(['fifo', 'random']), z.strictObject({ kind: z.string() })]));

    expect(findings(schema, 'v: randm')).toEqual([
      '1:4 SCN014 v: found "randm", expected one of "fifo", "random", or a mapping with the key kind',
    ]);
  });

  it('names only the keys of the branch that the tag says', () => {
    const schema = of(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('square'), side: z.int() }),
        z.strictObject({ kind: z.literal('circle'), radius: z.int() }),
      ]),
    );

    expect(findings(schema, 'v: { kind: sqare }')).toEqual([
      '1:12 SCN014 v.kind: found "sqare", expected one of "square", "circle"',
    ]);
    const [unknown] = reported(schema, 'v: { kind: circle, side: 1, radius: 2 }');
    expect([unknown?.what, unknown?.help]).toEqual(['unknown key "side" in v', 'known keys: kind, radius']);
  });

  it('finds the place of a value behind an alias', () => {
    const schema = z.strictObject({ a: z.unknown(), v: z.array(z.int()) });

    expect(findings(schema, 'a: &x [1, y]\nv: *x')).toEqual([
      '1:11 SCN012 v[1]: found "y" (a string), expected an integer',
    ]);
  });
});
