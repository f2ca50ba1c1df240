import { erbProgram, textMethod, valueMethod } from './erb.ts';
import { MacroError, type MacroErrorKind, macroErrorKinds } from './errors.ts';
import type { Expansion } from './interpreter.ts';

/** A Ruby that evaluates a program and gives back its value: CRuby in WebAssembly is one. */
export interface RubyVm {
  eval(program: string): { toString(): string };
}

/**
 * Expands the macros of a source with a real Ruby (GRAPE specification 5): the same program as the own evaluator's, with all that Ruby knows.
 *
 * Details: text goes there and back as hexadecimal digits, so that nothing in it can be taken for Ruby. What a program prints or warns of is kept
 * apart from its text. A Ruby remembers: methods and constants of one expansion are there in the next.
 *
 * Gotchas: nothing ends an endless loop; counting Ruby's steps makes it ten times slower. Errors: `MacroError`, with the line of the template.
 */
export function expandWith(
  vm: RubyVm,
  source: string,
  defines: Readonly<Record<string, string>> = {},
  file?: string,
): Expansion {
  const { ruby, texts, lines } = erbProgram(source, defines);
  const [verdict, ...words] = evaluated(vm, frame(ruby, texts), file).split(',');
  const [first = '', second = '', line = '0'] = words.map(fromHex);
  if (verdict === 'done') return { text: first, stdout: second };
  const kind = macroErrorKinds.find((one) => one === first) ?? 'StandardError';
  const told: string = kind === first ? second : `${first}: ${second}`;
  throw new MacroError(kind satisfies MacroErrorKind, lines[Number(line)] || 1, told, file);
}

/** The program's value; a program that takes Ruby itself down, as `exit!` does, has none. */
function evaluated(vm: RubyVm, program: string, file: string | undefined): string {
  try {
    return vm.eval(program).toString();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new MacroError('StandardError', 1, `Ruby has ended: ${why}`, file);
  }
}

/** The program with what it writes its text by, and what tells the outcome. */
const frame = (ruby: string, texts: readonly string[]): string => `
require "stringio"
module LockstepMacros
  class << self
    attr_reader :text, :printed
    def begin(texts)
      @texts = texts
      @text = String.new(encoding: "UTF-8")
      @printed = StringIO.new(String.new(encoding: "UTF-8"))
      $stdout = $stderr = @printed
      [:STDOUT, :STDERR].each do |name|
        Object.send(:remove_const, name)
        Object.const_set(name, @printed)
      end
    end
    def write_text(at) = write(@texts[at])
    def write(value)
      @text << value.to_s
      nil
    end
    def answer(*words) = [words.first, *words.drop(1).map { |word| word.to_s.unpack1("H*") }].join(",")
    # In the program's own file; a place elsewhere is where Ruby was called.
    def line(error)
      return error.message[/^macros:(\\d+)/, 1] if error.is_a?(SyntaxError)
      (error.backtrace || []).filter_map { |place| place[/^macros:(\\d+)/, 1] }.first
    end
    # Ruby draws a syntax error into the program, which nobody wrote in this form: its first sentence is enough.
    def told(error)
      return error.message unless error.is_a?(SyntaxError)
      error.message[/\\^[~^]* (.+)/, 1] || error.message
    end
  end
end
def ${textMethod}(at) = LockstepMacros.write_text(at)
def ${valueMethod}(value) = LockstepMacros.write(value)
LockstepMacros.begin(${JSON.stringify(texts.map(toHex))}.map { |hex| [hex].pack("H*").force_encoding("UTF-8") })
begin
  eval([${JSON.stringify(toHex(ruby))}].pack("H*").force_encoding("UTF-8"), TOPLEVEL_BINDING.dup, "macros", 1)
  LockstepMacros.answer("done", LockstepMacros.text, LockstepMacros.printed.string)
rescue Exception => error
  LockstepMacros.answer("failed", error.class, LockstepMacros.told(error), LockstepMacros.line(error))
end
`;

const toHex = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

const fromHex = (hex: string): string =>
  new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
