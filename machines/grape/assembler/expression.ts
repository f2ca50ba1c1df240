import { RubyError } from '../macros/errors.ts';
import { arithmetic } from '../macros/numbers.ts';

/** A number as Ruby has them: an integer of any size, or a float. */
export type RubyNumber = bigint | number;

/** The text of a constant cannot be evaluated. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/**
 * Evaluates the text of a constant: numbers, + - * / ** %, parentheses, unary signs, Math.sqrt, Math::PI and variables, with Ruby's rules
 * (GRAPE specification 2.11): integers divide to integers, downward; one float makes the result a float.
 *
 * Errors: `ExpressionError` for anything else.
 */
export function evaluate(text: string, variables: ReadonlyMap<string, RubyNumber> = new Map()): RubyNumber {
  const parser = new Parser(wordsOf(text), variables);
  const value = parser.sum();
  parser.end();
  return value;
}

const word =
  /\s*(\d[\d_]*\.\d[\d_]*(?:[eE][+-]?\d+)?|\d[\d_]*[eE][+-]?\d+|0[xX][\da-fA-F_]+|0[bB][01_]+|\d[\d_]*|Math::PI|Math::E|Math\.\w+|[A-Za-z_]\w*|\*\*|[-+*/%(),])/y;

function wordsOf(text: string): string[] {
  const words: string[] = [];
  word.lastIndex = 0;
  while (text.slice(word.lastIndex).trim() !== '') {
    const at = word.lastIndex;
    const match = word.exec(text);
    if (!match) throw new ExpressionError(`"${text.slice(at).trim()}" is no part of an expression`);
    words.push(match[1]!);
  }
  return words;
}

/** Binding strength as in Ruby: sums, products, signs, powers (to the right). */
class Parser {
  #at = 0;
  readonly #words: readonly string[];
  readonly #variables: ReadonlyMap<string, RubyNumber>;
  constructor(words: readonly string[], variables: ReadonlyMap<string, RubyNumber>) {
    this.#words = words;
    this.#variables = variables;
  }

  sum(): RubyNumber {
    let value = this.#product();
    for (;;) {
      if (this.#takes('+')) value = calculate('+', value, this.#product());
      else if (this.#takes('-')) value = calculate('-', value, this.#product());
      else return value;
    }
  }

  end(): void {
    if (this.#at < this.#words.length) throw new ExpressionError(`"${this.#words[this.#at]}" is unexpected`);
  }

  #product(): RubyNumber {
    let value = this.#signed();
    for (;;) {
      if (this.#takes('*')) value = calculate('*', value, this.#signed());
      else if (this.#takes('/')) value = calculate('/', value, this.#signed());
      else if (this.#takes('%')) value = calculate('%', value, this.#signed());
      else return value;
    }
  }

  /** A sign before a power belongs to its result: -2 ** 2 is -4. */
  #signed(): RubyNumber {
    if (this.#takes('-')) {
      const value = this.#signed();
      return typeof value === 'bigint' ? -value : -value;
    }
    if (this.#takes('+')) return this.#signed();
    return this.#power();
  }

  #power(): RubyNumber {
    const base = this.#atom();
    return this.#takes('**') ? calculate('**', base, this.#signed()) : base;
  }

  #atom(): RubyNumber {
    const text = this.#words[this.#at++];
    if (text === undefined) throw new ExpressionError('the expression ends too early');
    if (text === '(') {
      const value = this.sum();
      this.#expect(')');
      return value;
    }
    if (/^0[xXbB]/.test(text)) return BigInt(text.replaceAll('_', ''));
    if (/^\d/.test(text)) {
      const digits = text.replaceAll('_', '');
      return /[.eE]/.test(digits) ? Number(digits) : BigInt(digits);
    }
    if (text === 'Math::PI') return Math.PI;
    if (text === 'Math::E') return Math.E;
    if (text.startsWith('Math.')) return this.#call(text.slice('Math.'.length));
    const value = this.#variables.get(text);
    if (value === undefined) throw new ExpressionError(`"${text}" is no number`);
    return value;
  }

  #call(name: string): number {
    const known = functions.get(name);
    if (!known) throw new ExpressionError(`Math.${name} is not known`);
    this.#expect('(');
    const value = this.sum();
    this.#expect(')');
    return known(Number(value));
  }

  #takes(text: string): boolean {
    if (this.#words[this.#at] !== text) return false;
    this.#at++;
    return true;
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw new ExpressionError(`"${text}" is missing`);
  }
}

const functions: ReadonlyMap<string, (x: number) => number> = new Map([
  ['sqrt', Math.sqrt],
  ['cbrt', Math.cbrt],
  ['sin', Math.sin],
  ['cos', Math.cos],
  ['exp', Math.exp],
  ['log', Math.log],
]);

/** Largest exponent of a power of integers: beyond, the number fits into no word. */
const exponentMax = 4096n;

/** One operation by Ruby's rules. Errors: `ExpressionError` for a division of integers by zero and for powers that are no number. */
function calculate(op: '+' | '-' | '*' | '/' | '%' | '**', a: RubyNumber, b: RubyNumber): RubyNumber {
  if (op === '**' && typeof a === 'bigint' && typeof b === 'bigint' && (b < 0n || b > exponentMax))
    throw new ExpressionError(`the power ${a} ** ${b} is no integer of reasonable size`);
  try {
    return arithmetic(op, a, b) as RubyNumber;
  } catch (error) {
    if (error instanceof RubyError) throw new ExpressionError(error.message);
    throw error;
  }
}
