import { erbProgram } from './erb.ts';
import { MacroError } from './errors.ts';
import { type Expansion, Interpreter, type Node } from './interpreter.ts';

/** Parses Ruby to a tree. */
type Parse = (source: string) => {
  readonly value: Node;
  readonly errors: readonly {
    readonly message: string;
    readonly location: { readonly startOffset: number };
  }[];
};

let parser: Promise<Parse> | undefined;

/** The Ruby parser, loaded when the first text with macros comes. */
async function rubyParser(): Promise<Parse> {
  parser ??= import('@ruby/prism').then(async ({ loadPrism }) => (await loadPrism()) as unknown as Parse);
  return parser;
}

/** True when a source has macros. */
export const hasMacros = (source: string): boolean => source.includes('<%');

/**
 * Expands the macros of a source (GRAPE specification 5).
 *
 * Details: text without macros is returned as it is, and nothing is loaded. `defines` are Ruby expressions by name, as `-e name=value` gives
 * them. Errors: `MacroError`.
 */
export async function expandMacros(
  source: string,
  defines: Readonly<Record<string, string>> = {},
  file?: string,
): Promise<Expansion> {
  if (!hasMacros(source)) return { text: source, stdout: '' };
  const program = erbProgram(source, defines);
  const interpreter = new Interpreter(program, file);
  const { value, errors } = (await rubyParser())(program.ruby);
  const [error] = errors;
  if (error)
    throw new MacroError('SyntaxError', interpreter.lineOf(error.location.startOffset), error.message, file);
  return interpreter.run(value);
}
