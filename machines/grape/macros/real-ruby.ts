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
 * Details: text goes there and back as hexadecimal digits, so that nothing in it can be taken for Ruby. What a program prints is kept apart from its
 * text. Errors: `MacroError`, with the line of the template.
 */
export function expandWith(
  vm: RubyVm,
  source: string,
  defines: Readonly<Record<string, string>> = {},
  file?: string,
): Expansion {
  const { ruby, texts, lines } = erbProgram(source, defines);
  const [verdict, ...words] = vm.eval(frame(ruby, texts)).toString().split(',');
  const [first = '', second = '', line = '0'] = words.map(fromHex);
  if (verdict === 'done') return { text: first, stdout: second };
  const kind = macroErrorKinds.find((one) => one === first) ?? 'StandardError';
  const told: string = kind === first ? second : `${first}: ${second}`;
  throw new MacroError(kind satisfies MacroErrorKind, lines[Number(line)] || 1, told, file);
}

/** The program with what it writes its text by, and what tells the outcome. */
const frame = (ruby: string, texts: readonly string[]): string => `
module LockstepMacros
  TEXTS = ${JSON.stringify(texts.map(toHex))}.map { |hex| [hex].pack("H*").force_encoding("UTF-8") }
  class Paper
    attr_reader :text
    def initialize = @text = String.new(encoding: "UTF-8")
    def write(*pieces)
      pieces.each { |piece| @text << piece.to_s }
      pieces.sum { |piece| piece.to_s.bytesize }
    end
    def puts(*lines)
      return write("\\n") if lines.empty?
      lines.each { |line| line.is_a?(Array) ? line.each { |one| puts(one) } : write(line.to_s, line.to_s.end_with?("\\n") ? "" : "\\n") }
      nil
    end
    def print(*pieces) = write(*pieces)
    def flush = self
    def sync = true
  end
  OUT = Paper.new
  def self.answer(*words) = [words.first, *words.drop(1).map { |word| word.to_s.unpack1("H*") }].join(",")
  # In the program's own file; a place elsewhere is where Ruby was called.
  def self.line(error)
    return error.message[/^macros:(\\d+)/, 1] if error.is_a?(SyntaxError)
    (error.backtrace || []).filter_map { |place| place[/^macros:(\\d+)/, 1] }.first
  end
end
def ${textMethod}(at) = LockstepMacros::OUT.write(LockstepMacros::TEXTS[at])
def ${valueMethod}(value) = LockstepMacros::OUT.write(value)
lockstep_stdout, $stdout = $stdout, LockstepMacros::Paper.new
begin
  eval([${JSON.stringify(toHex(ruby))}].pack("H*").force_encoding("UTF-8"), TOPLEVEL_BINDING.dup, "macros", 1)
  LockstepMacros.answer("done", LockstepMacros::OUT.text, $stdout.text)
rescue Exception => error
  LockstepMacros.answer("failed", error.class, error.message, LockstepMacros.line(error))
ensure
  $stdout = lockstep_stdout
end
`;

const toHex = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('');

const fromHex = (hex: string): string =>
  new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
