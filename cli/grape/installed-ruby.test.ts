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
async function outcome(expand: () => unknown): Promise<unknown> {
  try {
    return await expand();
  } catch (error) {
    if (error instanceof MacroError) return { kind: error.kind, line: error.line };
    throw error;
  }
}

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
