/** A macro text that cannot be evaluated: the kind of error as Ruby names it, and the line of the source. */
export class MacroError extends Error {
  override readonly name = 'MacroError';
  /** `Unsupported` is what Ruby itself would evaluate and this evaluator does not. */
  readonly kind: MacroErrorKind;
  readonly line: number;
  /** What is wrong, without place and code. */
  readonly what: string;
  constructor(kind: MacroErrorKind, line: number, what: string, file = 'source.vsm') {
    super(
      `${file}:${line}:1 E_MACRO ${kind}: ${what}; ${
        kind === 'Unsupported'
          ? 'write it with integers, floats, strings, arrays, hashes, ranges and blocks'
          : 'see the Ruby text between <% and %>'
      }`,
    );
    this.kind = kind;
    this.line = line;
    this.what = what;
  }
}

/** Kinds of errors, by Ruby's names; `StandardError` are all others of a real Ruby. */
export const macroErrorKinds = [
  'SyntaxError',
  'NameError',
  'NoMethodError',
  'TypeError',
  'ArgumentError',
  'ZeroDivisionError',
  'IndexError',
  'KeyError',
  'StandardError',
  'Unsupported',
] as const;

/** A kind of error. */
export type MacroErrorKind = (typeof macroErrorKinds)[number];

/** Thrown by operations, which know no line; the interpreter adds it. */
export class RubyError extends Error {
  readonly kind: MacroErrorKind;
  constructor(kind: MacroErrorKind, what: string) {
    super(what);
    this.kind = kind;
  }
}
