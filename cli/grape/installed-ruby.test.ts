import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MacroError } from '../../machines/grape/macros/errors.ts';
import { expandMacros } from '../../machines/grape/macros/expand.ts';
import { expandWith, type RubyVm } from '../../machines/grape/macros/real-ruby.ts';
import { startRuby } from './real-ruby.ts';
import { expanded } from './source-file.ts';

/** A golden case of macros: a template, names given from outside, and the text or the kind of error that CRuby gives. */
interface MacroCase {
  readonly name: string;
  readonly source: string;
  readonly defines: Readonly<Record<string, string | number>>;
  readonly text?: string;
  readonly stdout?: string;
  readonly error?: string;
}

const ruby = await startRuby();
const cases: readonly MacroCase[] = JSON.parse(
  readFileSync(new URL('../../properties/grape/golden/macro_cases.json', import.meta.url), 'utf8'),
);
const definesOf = ({ defines }: MacroCase): Record<string, string> =>
  Object.fromEntries(Object.entries(defines).map(([name, value]) => [name, String(value)]));

const withRuby = (source: string): string => expandWith(ruby!, source, {}, 'f.vsm').text;

/** What a source expands to and prints, or the kind and the place of its error. */
interface Outcome {
  readonly text?: string;
  readonly stdout?: string;
  readonly kind?: string;
  readonly line?: number;
}

/** The own evaluator says so where a real Ruby may know more; `--ruby auto` asks it then. */
const isRefusal = ({ kind }: Outcome): boolean => kind === 'Unsupported' || kind === 'NoMethodError';

async function outcome(expand: () => Outcome | Promise<Outcome>): Promise<Outcome> {
  try {
    return await expand();
  } catch (error) {
    if (error instanceof MacroError) return { kind: error.kind, line: error.line };
    throw error;
  }
}

/** Expressions of the kinds that macros are made of. Left out is what C libraries decide: 1e15, the last digit of Math.exp(1). */
const expressions: readonly string[] = [
  '7 / -2',
  '-7 % 3',
  '7.5 % 2',
  '-7.divmod(2).inspect',
  '2.5.round',
  '-3.5.round',
  '0.125.round(2)',
  '2.675.round(2)',
  '1.005.round(2)',
  '-1.15.round(1)',
  '1250.round(-2)',
  '2**-1',
  '2**0.5',
  '255.to_s(2)',
  '"ff".to_i(16)',
  '"0x1f".to_i(16)',
  '"0b1".to_i(16)',
  '" -12_3x".to_i',
  '"3.7xyz".to_f',
  '1e20',
  '1e16',
  '123456789012345.0',
  '0.0001',
  '0.00001',
  '1.0 / 3',
  '-0.0',
  '1.0 / 0',
  '1e100',
  '3.99.floor',
  '-3.5.truncate',
  '0.1 + 0.2',
  '"%05.2f|%-6d|%+d|%x|%o|%b|%e|%g" % [3.14159, 42, 7, 255, 8, 5, 12345.678, 0.0001]',
  '"%s %p %c %%" % [nil, "a", 65]',
  '"%.3s|%5s|%-5s|" % ["abcdef", "a", "b"]',
  'format("%.10g %g %g", 0.1, 1e10, 123456789)',
  '"%d" % nil',
  '"%08x" % 255',
  '"%x" % -1',
  '"%#x" % 31',
  '[1.5, 2].sum',
  '{a: 1, "b" => 2, 3 => nil}.inspect',
  '{b: 1, a: 2}.sort_by { |k, v| v }.inspect',
  '{b: 1, a: 2}.sort.inspect',
  '{a: 1}.map { |k, v| "#{k}#{v}" }.join',
  '{a: 1, b: 2}.reject { |k, v| v > 1 }',
  '{a: 1, b: 2}.find { |k, v| v > 1 }.inspect',
  '{a: 1, b: 2}.sum { |k, v| v }',
  '{a: 1, b: 2}.count { |k, v| v > 1 }',
  '{a: 1, b: 2}.partition { |k, v| v > 1 }.inspect',
  '{a: 1}.any? { |k, v| v > 1 }',
  '{a: 1}.each_with_index.to_a',
  '{a: 1}.max_by { |k, v| v }',
  '[3, 1, 2].sort { |a, b| b <=> a }.inspect',
  '[3, "a"].sort',
  '[1, 2, 3, 4].each_slice(2).map { |a, b| a * b }.inspect',
  '[1, 2, 3].inject { |a, b| a * b }',
  '[1, 2, 3].reduce(10, :+)',
  '[1, 2, 3].zip([4, 5], [6]).inspect',
  '[[1, 2], [3, 4]].transpose.inspect',
  '[1, 2, 3].rotate(-1).inspect',
  '[1, 2, 3][-2..].inspect',
  '[1, 2, 3][5, 1].inspect',
  '[1, 2, 3][3, 1].inspect',
  '[1, 2, 3][..1].inspect',
  '([1, 2] * ",").inspect',
  '([1, 2, 2, 3] - [2]).inspect',
  '[nil, 1, nil].compact.inspect',
  '[1, 2, 2.0].uniq.inspect',
  '[1, [2, [3]]].flatten.inspect',
  '[1, 2, 3].first(2).inspect',
  '[1, 2, 3].last(5).inspect',
  '[].max.inspect',
  '[].sum',
  '[].inject(:+).inspect',
  '(1..10).step(3).to_a.inspect',
  '(1...10).to_a.length',
  '("a".."e").to_a.join',
  '("aa".."ad").to_a.join',
  '(1..10).select(&:even?).inspect',
  '%w[a b c].map(&:upcase).inspect',
  '"abc"[0, 2]',
  '"abc"[-1]',
  '"abc"[1..]',
  '"abc"[5].inspect',
  '"hello world".capitalize',
  '"hello".tr("a-y", "b-z")',
  '"hello".tr("el", "ip")',
  '"hello".sub("l", "\\\\\\\\0")',
  '"hello".index("l")',
  '"a,b,,c,,".split(",").inspect',
  '"a b  c ".split.inspect',
  '" a\\t\\n".strip.inspect',
  '"a\\n\\n".chomp.inspect',
  '"abc".center(8, "*")',
  '"abc".center(2)',
  '"héllo".length',
  '"héllo".upcase',
  '"a" <=> "b"',
  '"a" * 3',
  '"a#{1}b".inspect',
  "'#{x} #x #$x'.inspect",
  ':a.inspect',
  ':"9a".inspect',
  ':a?.to_s',
  'nil.to_a.inspect',
  'nil.to_s.inspect',
  '1 <=> "a"',
  '1 == 1.0',
  '1.eql?(1.0)',
  '"1" == 1',
  '5[0]',
  '-5 >> 1',
  '1 << 70',
  '0b1010 ^ 0xf',
  '0o17 + 017',
  '?a',
  'Math.sqrt(2)',
  'Math.hypot(3, 4)',
  'Math.log2(8)',
  'Math.log(8, 2)',
  'Math.log(100, 10)',
  'Math.cbrt(27)',
  'Math.sqrt(-1)',
  '1 / 0',
  '1 % 0',
  '1.0 % 0',
  '5.3 % 0.1',
  '-5.3 % 2.1',
  '5.3 % -2.1',
  '1.0 % 0.0',
  '1 % 0.0',
  '1.0.divmod(0)',
  '"%.0f %.0f %.2f" % [0.5, 1.5, 1e22]',
  '"%.0e %.1e %g" % [2.5, 1.25, 2.5e-5]',
  '"%f %e" % [1.0 / 0, 0.0 / 0]',
  '-7.5.divmod(2).inspect',
  '"a" + 1',
  '1 + "a"',
  '1 + nil',
  '[1] + nil',
  'nil[0]',
  '[1, 2].nosuch',
  '1.nosuch',
  'true.nosuch',
  'nosuch(1)',
  'NOSUCH',
  'x = 5; x += 1 if x > 3; x',
  'a, *b = [1, 2, 3]; b.inspect',
  'a, (b, c) = 1, [2, 3]; c',
  'case 5 when 1..3 then "low" when 4..6 then "mid" else "high" end',
  'i = 0; i += 1 until i == 5; i',
  'i = 0; begin; i += 1; end while i < 3; i',
  'x = nil; x ||= 4; x',
  'h = {}; h[:a] ||= 1; h[:a] += 1; h.inspect',
  'def f(a, b = 2, *c); [a, b, c]; end; f(1, 3, 4).inspect',
  'def g(a) = a + 1; g',
  '[[1, [2, 3]]].each { |a, (b, c)| x = b + c; p x }',
  '[1, 2, 3].each_with_index { |x, i| p [x, i] }.inspect',
  '3.downto(1) { |i| print i }',
  '1.step(10, 4) { |i| print i, " " }',
  '1.0.step(2.0, 0.5) { |i| print i, " " }',
  '10.step(1, -3) { |i| print i, " " }',
  'puts [1, [2, [nil]]], nil',
  'p',
  'p 1, 2',
  'defined?(foo).inspect',
  'defined?(x = 1)',
  'defined?(String)',
  'defined?(@a).inspect',
  '[3, 5].minmax.inspect',
  '5.clamp(1, 3)',
  '"%s" % [[1, 2]]',
  '"%s and %s" % [1]',
  '"%d apples" % 3.99',
  '"%5.1f|" % -2.25',
  '"%e" % 0',
  '"%g" % 100000',
  '"%g" % 1000000',
  '"%c" % "hello"',
  '"%+.2e" % 12345.678',
  '"% d" % 5',
  '"%b" % 10',
  '"%-8s|" % :sym',
];

describe.skipIf(ruby === undefined)(
  'a real Ruby (skipped without its packages, see README of the machine)',
  () => {
    test.each(cases.map((one) => [one.name, one] as const))(
      'and the own evaluator give the golden outcome: %s',
      async (_name, one) => {
        const real = await outcome(() => expandWith(ruby!, one.source, definesOf(one), 'f.vsm'));
        const own = await outcome(() => expandMacros(one.source, definesOf(one), 'f.vsm'));

        expect(real).toEqual(own);
        expect(real).toMatchObject(
          one.error === undefined ? { text: one.text, stdout: one.stdout } : { kind: one.error },
        );
      },
    );

    test.each([
      ['a struct', '<% pair = Struct.new(:a, :b).new(1, 2) %>nop <%= pair.a + pair.b %>', 'nop 3'],
      ['neighbours', '<%= [1, 4, 9].each_cons(2).map { |a, b| b - a }.join(" ") %>', '3 5'],
      ['a heredoc', '<% code = <<~VSM\n  nop 1\n  nop 2\nVSM\n%><%= code %>', 'nop 1\nnop 2\n'],
      ['text in a method', '<% def idle(n) %>nop <%= n %>\n<% end; idle(2); idle(3) %>', 'nop 2\nnop 3\n'],
      [
        'a method with a block',
        '<% def twice = 2.times { |k| yield k } %><% twice do |k| %>$r<%= k %> <% end %>',
        '$r0 $r1 ',
      ],
      [
        'a hash that counts',
        '<% h = Hash.new(0); "abca".each_char { |c| h[c] += 1 } %><%= h %>',
        '{"a" => 2, "b" => 1, "c" => 1}',
      ],
      ['a pattern', '<%= "a1b22".gsub(/\\d+/) { |d| (d.to_i * 2).to_s } %>', 'a2b44'],
      [
        'an error that is caught',
        '<% begin; nil + 1; rescue NoMethodError => e %>nop # <%= e.message %><% end %>',
        "nop # undefined method '+' for nil",
      ],
      ['a library', '<% require "json" %><%= JSON.parse("[1, 2]").sum %>', '3'],
      ['letters beyond ASCII', 'é <%= "\u{3b1}" %>', 'é α'],
    ])('knows what the own evaluator does not: %s', (_what, source, text) => {
      expect(withRuby(source)).toBe(text);
    });

    test('writes what the own evaluator writes, and fails as it fails, or the own evaluator refuses', async () => {
      for (const expression of expressions) {
        const source = `<%= (${expression}) %>`;
        const own = await outcome(() => expandMacros(source, {}, 'f.vsm'));
        if (isRefusal(own)) continue;

        expect({ expression, ...(await outcome(() => expandWith(ruby!, source, {}, 'f.vsm'))) }).toEqual({
          expression,
          ...own,
        });
      }
    });

    test('keeps what is printed by any name, and warned of, apart from the text', () => {
      const source = '<% p 1; $stdout.print "a"; STDOUT.puts "b"; pp :c; warn "d" %>text';

      expect(expandWith(ruby!, source)).toEqual({ text: 'text', stdout: '1\nab\n:c\nd\n' });
    });

    test('starts every expansion with new text and new locals', () => {
      expect(withRuby('<% n = 5 %><%= n %>')).toBe('5');
      expect(withRuby('<%= defined?(n).inspect %>')).toBe('nil');
    });

    test.each([
      ['a call of nothing', 'a\n<% x = 1\ny = nil + 1 %>', 3, "NoMethodError: undefined method '+' for nil"],
      ['what is raised', 'a\n\n<%= raise "too far" %>', 3, 'RuntimeError: too far'],
      [
        'a method, in its own line',
        '<% def f(n)\n n.nosuch\nend %>\n<%= f(1) %>',
        2,
        "undefined method 'nosuch' for an instance of Integer",
      ],
      [
        'a block, in a later round',
        '<% 3.times do |i| %>\n<%= 10 / (1 - i) %>\n<% end %>',
        2,
        'ZeroDivisionError: divided by 0',
      ],
      [
        'grammar, in one sentence',
        '\n<% def f(n) %>\n',
        2,
        'SyntaxError: expected an `end` to close the `def` statement',
      ],
      ['an end of its own', 'a\n<% exit %>', 2, 'SystemExit: exit'],
      [
        'a recursion without end',
        '<% def deep(n) = deep(n + 1)\ndeep(0) %>',
        1,
        'SystemStackError: stack level too deep',
      ],
      ['a file that is not there', '\n<%= File.read("a.vsm") %>', 2, 'Errno::ENOENT'],
    ])('tells an error at its line of the template: %s', (_what, source, line, told) => {
      expect(() => withRuby(source)).toThrow(`f.vsm:${line}:1 E_MACRO `);
      expect(() => withRuby(source)).toThrow(told);
    });

    test('is asked by --ruby auto for what the own evaluator does not support, and for all by --ruby real', async () => {
      const start = async (): Promise<RubyVm | undefined> => ruby;
      const source = 'nop <%= [1, 2].each_cons(2).to_a.length %>\n';

      expect((await expanded(source, 'f.vsm', { ruby: 'auto' }, start)).text).toBe('nop 1\n');
      expect((await expanded(source, 'f.vsm', { ruby: 'real' }, start)).text).toBe('nop 1\n');
      await expect(expanded(source, 'f.vsm', { ruby: 'own' }, start)).rejects.toThrow(/Unsupported/);
    });
  },
);
