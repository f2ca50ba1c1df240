import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { changedText } from './mutant.ts';
import { mutationsOf, type OperatorName } from './operators.ts';

/** What becomes of a text, by operator. */
function changes(text: string): Partial<Record<OperatorName, string[]>> {
  const source = ts.createSourceFile('x.ts', text, ts.ScriptTarget.ES2023, true);
  const found: Partial<Record<OperatorName, string[]>> = {};
  for (const mutation of mutationsOf(source))
    found[mutation.operator] = [...(found[mutation.operator] ?? []), changedText(text, mutation)];
  return found;
}

describe('an operator', () => {
  test.each<[OperatorName, string, string[]]>([
    ['boundary', 'a < b', ['a <= b']],
    ['relational', 'a < b', ['a >= b']],
    ['relational', 'a === b', ['a !== b']],
    ['arithmetic', 'a + b', ['a - b']],
    ['arithmetic', 'a % b', ['a * b']],
    ['logical', 'a && b', ['(a) || (b)']],
    ['boolean', 'f(true)', ['f(false)']],
    ['boolean', 'f(!a)', ['f((a))']],
    ['constant', 'f(3)', ['f(4)', 'f(2)']],
    ['constant', 'f(0)', ['f(1)']],
    ['negated condition', 'if (a) b = c;', ['if (!(a)) b = c;']],
    ['negated condition', 'const x = a ? b : c;', ['const x = !(a) ? b : c;']],
    ['forgotten case', 'if (a) b = c; else d = e;', ['if (a) b = c; else {}']],
    ['forgotten case', 'switch (a) { case 1: b(); }', ['switch (a) {  }']],
    ['removed assignment', 'a = b;', ['']],
    ['removed assignment', 'a++;', ['']],
    ['removed reset', 'a = 0;', ['']],
    ['removed reset', 'a.clear();', ['']],
    ['removed call', 'a.push(b);', ['']],
    [
      'removed statement',
      'for (;;) { if (a) continue; b(); }',
      ['for (;;) {  b(); }', 'for (;;) { if (a)  b(); }'],
    ],
    ['swapped arguments', 'f(a, b)', ['f(b, a)']],
    ['rounding', 'Math.floor(a)', ['Math.ceil(a)']],
    ['tie', 'Math.min(a, b)', ['Math.max(a, b)']],
    ['tie', 'a.find(f)', ['a.findLast(f)']],
    ['tie', 'a.sort(f)', ['a.sort((one, other) => (f)(other, one))']],
    ['forgotten entry', "x({ guard: 'g', target: 't' })", ["x({  target: 't' })"]],
    [
      'forgotten entry',
      "x({ actions: ['a', 'b'] })",
      ['x({  })', "x({ actions: ['b'] })", "x({ actions: ['a'] })"],
    ],
  ])('"%s" changes %s', (operator, text, expected) => {
    expect(changes(text)[operator]).toEqual(expected);
  });
});

test('of two that are equal either is the larger one: the boundary stays', () => {
  for (const text of [
    'if (a > b) b = a;',
    'if (a <= b) { a = b; }',
    'm = a > b ? a : b;',
    'm = a < b ? a : b;',
  ])
    expect(changes(text).boundary).toBeUndefined();
  for (const text of [
    'if (a > b) c = a;',
    'if (a > b) b += a;',
    'm = a > b ? a : c;',
    'if (a > b) b = a; else c = 1;',
  ])
    expect(changes(text).boundary).toHaveLength(1);
});

test.each([
  'import { a } from "./b.ts";',
  'type A = 1 | 2;',
  'interface A { readonly a: true }',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program.
  'const why = `found ${a + 1}, expected less`;',
  'const { index: at, 0: header } = found;',
  'invariant(a < b, "why");',
  'throw new Error("a" + b);',
  // The order of factors is no matter.
  'const product = Math.imul(a, b);',
  "const kind = field.oneOf('a', 'b');",
])('nothing is changed in %s', (text) => {
  expect(changes(text)).toEqual({});
});
