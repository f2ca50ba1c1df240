import { describe, expect, test } from 'vitest';
import { MacroError } from './errors.ts';
import { expandLoaded, expandMacros, loadMacros } from './expand.ts';

/** What an expression writes, or the kind and the words of its error. */
async function written(expression: string): Promise<string> {
  try {
    return (await expandMacros(`<%= (${expression}) %>`, {}, 'f.vsm')).text;
  } catch (error) {
    if (error instanceof MacroError) return `${error.kind}: ${error.what}`;
    throw error;
  }
}

describe('the own evaluator of macros writes what CRuby 3.4 writes', () => {
  test.each([
    ['Integer("010")', '8'],
    ['"%.1f %.0f %.2f" % [-2.25, 0.5, 1e22]', '-2.2 0 10000000000000000000000.00'],
    ['"%.0e %g" % [2.5, 2.5e-5]', '2e+00 2.5e-05'],
    ['Integer(" -0b11 ")', '-3'],
    ['Integer("12345678901234567890123")', '12345678901234567890123'],
    ['Integer("3.7")', 'ArgumentError: invalid value for Integer(): "3.7"'],
    ['Integer("")', 'ArgumentError: invalid value for Integer(): ""'],
    ['Integer(nil)', "TypeError: can't convert nil into Integer"],
    ['Float("")', 'ArgumentError: invalid value for Float(): ""'],
    ['Float("1_0e3")', '10000.0'],
    ['"%f" % "abc"', 'ArgumentError: invalid value for Float(): "abc"'],
    ['"%d" % "x"', 'ArgumentError: invalid value for Integer(): "x"'],
    ['"%+x" % -255', '-ff'],
    ['"0x1f".to_i(16)', '31'],
    ['"0b11".to_i(2)', '3'],
    ['"1__2".to_i', '1'],
    ['"12abc".to_i', '12'],
    ['1234.567.round(-2)', '1200'],
    ['-1250.round(-2)', '-1300'],
    ['1.005.round(2)', '1.01'],
    ['-2.5.round', '-3'],
    ['1234.567.round(1)', '1234.6'],
    ['10.0.divmod(3).inspect', '[3, 1.0]'],
    ['-7.divmod(2).inspect', '[-4, 1]'],
    ['Math.log(10, 2)', '3.321928094887362'],
    ['{a: 1, b: 0}.select { |k, v| v > 0 }.inspect', '{a: 1}'],
    ['{a: 1, b: 0}.reject { |k, v| v > 0 }.inspect', '{b: 0}'],
    ['"a\\tb\\e\\a\\u0001".inspect', '"a\\tb\\e\\a\\u0001"'],
    [':"a b".inspect', ':"a b"'],
    ['{"a b": 1, c?: 2}.inspect', '{"a b": 1, c?: 2}'],
    [':[]=.inspect', ':[]='],
    ['defined?(puts)', 'method'],
    ['nil + 1', "NoMethodError: undefined method '+' for nil"],
    ['nosuch', "NameError: undefined local variable or method 'nosuch' for main"],
    ['nosuch(1)', "NoMethodError: undefined method 'nosuch' for main"],
    ['{a: 1}.fetch(:b)', 'KeyError: key not found: :b'],
  ])('%s', async (expression, text) => {
    expect(await written(expression)).toBe(text);
  });
});

describe('the own evaluator of macros refuses, by name, what it would do wrongly', () => {
  test.each([
    ['"%x" % -255', 'format of a negative number in another base without a sign'],
    ['"%3$s %1$s" % [1, 2, 3]', 'a directive of format with a number, a name or a star of its own'],
    ['"%<a>d" % {a: 1}', 'a directive of format with a number, a name or a star of its own'],
    ['10.pow(3, 7)', 'pow with 2 arguments'],
    ['"0b11".to_i(0)', 'to_i with base 0'],
    ['[1, [2, [3]]].flatten(1)', 'flatten with 1 argument'],
    ['[3, 1].max(1)', 'max with 1 argument'],
    ['"hello".gsub("l") { |m| m.upcase }', 'gsub with a block'],
    ['[1, 2].uniq { |x| x % 2 }', 'uniq with a block'],
    ['(0.0..1.0).step(0.5).to_a', 'step of floats on a range'],
    ['def q(a, d: 4) = a + d; q(1, d: 1)', 'a parameter after *, with a keyword, ** or & is not evaluated'],
  ])('%s', async (expression, what) => {
    expect(await written(expression)).toBe(`Unsupported: ${what}`);
  });
});

test('brackets nest a hundred deep with those of the template itself; what nests deeper is told', async () => {
  const within = (count: number) =>
    expandMacros(`<% x = ${'('.repeat(count)}7${')'.repeat(count)} %><%= x %>`);

  expect((await within(100)).text).toBe('7');
  await expect(within(101)).rejects.toThrow('nested too deep');
});

describe('a macro text takes as many steps as it may, one for each part that is evaluated, and none more', () => {
  // In the order of evaluation: the assignment, its value.
  test.each([
    ['<% 1 %>', 1],
    ['<% x = 1 %>', 2],
    ['<% 1\n2\n3 %>', 3],
  ])('%s takes %i', async (text, steps) => {
    await loadMacros();

    expect(expandLoaded(text, {}, 'f.vsm', steps).text).toBe('');
    expect(() => expandLoaded(text, {}, 'f.vsm', steps - 1)).toThrow(
      `Unsupported: more than ${steps - 1} steps`,
    );
  });

  test.each([
    'while true do end',
    'loop { }',
    'def again = again()\nagain',
    '2000.times { }',
    '(1..2000).each { }',
    '([1] * 2000).map(&:succ)',
    '1.step(2000) { }',
  ])('what goes on is refused in its line: %s', async (endless) => {
    await loadMacros();

    expect(() => expandLoaded(`a\nb\n<% ${endless} %>`, {}, 'f.vsm', 1000)).toThrow(
      /f\.vsm:[34]:1 E_MACRO Unsupported: more than 1000 steps/,
    );
  });
});
