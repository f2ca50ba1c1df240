import { invariant } from '../../../kernel/errors.ts';
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

let loading: Promise<void> | undefined;
let parser: Parse | undefined;
/** What was expanded elsewhere, by source and definitions. */
const handed = new Map<string, Expansion>();

const keyOf = (source: string, defines: Readonly<Record<string, string>>): string =>
  JSON.stringify([source, defines]);

/** An expansion for who has no parser. Errors: as `expandLoaded`. */
export const handedExpansion = (
  source: string,
  defines: Readonly<Record<string, string>>,
  file?: string,
): readonly (readonly [key: string, Expansion])[] =>
  hasMacros(source) ? [[keyOf(source, defines), expandLoaded(source, defines, file)]] : [];

/** Takes expansions: no parser is needed then. */
export function takeExpansions(expansions: ReturnType<typeof handedExpansion>): void {
  for (const [key, expansion] of expansions) handed.set(key, expansion);
}

/** True where any text can be expanded, not only those that were handed over. */
export const canExpand = (): boolean => parser !== undefined;

/** Loads the Ruby parser, once. Where there is none, what was handed over must do. */
export function loadMacros(): Promise<void> {
  loading ??= import('@ruby/prism')
    .then(async ({ loadPrism }) => {
      parser = (await loadPrism()) as unknown as Parse;
    })
    .catch((error: unknown) => {
      if (handed.size === 0) throw error;
    });
  return loading;
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
  if (hasMacros(source)) await loadMacros();
  return expandLoaded(source, defines, file);
}

/** As `expandMacros`, when the parser is loaded already or the source has no macros; `stepsMax` is another limit of steps. */
export function expandLoaded(
  source: string,
  defines: Readonly<Record<string, string>> = {},
  file?: string,
  stepsMax?: number,
): Expansion {
  if (!hasMacros(source)) return { text: source, stdout: '' };
  const known = handed.get(keyOf(source, defines));
  if (known) return known;
  invariant(parser !== undefined, 'the parser of macros is loaded before the first text with macros comes');
  const program = erbProgram(source, defines);
  const interpreter = new Interpreter(program, file, stepsMax);
  if (nesting(program.ruby) > nestingMax) throw tooDeep(file);
  const { value, errors } = parsed(program.ruby, file);
  const [error] = errors;
  if (error)
    throw new MacroError('SyntaxError', interpreter.lineOf(error.location.startOffset), error.message, file);
  return withinStack(() => interpreter.run(value), file);
}

/** Brackets and `case` that may be open at a time: of more than some 130 that nothing closes, the parser has no end. */
const nestingMax = 100;

/** How many brackets and `case` are open at a time, at most. */
function nesting(ruby: string): number {
  let [depth, most] = [0, 0];
  for (const [word] of ruby.matchAll(/[([{]|[)\]}]|\bcase\b|\bend\b/g)) {
    depth = /[([{]|case/.test(word) ? depth + 1 : Math.max(0, depth - 1);
    most = Math.max(most, depth);
  }
  return most;
}

/** Parses; what is nested deeper than the parser can follow ends it with a trap, or with an answer that cannot be read, after which another one is needed. */
function parsed(ruby: string, file: string | undefined): ReturnType<Parse> {
  try {
    return withinStack(() => parser!(ruby), file);
  } catch {
    loading = undefined;
    throw tooDeep(file);
  }
}

/** Errors: `MacroError` where the text is nested too deep to be followed. */
function withinStack<T>(work: () => T, file: string | undefined): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError && error.message.includes('call stack')) throw tooDeep(file);
    throw error;
  }
}

const tooDeep = (file: string | undefined): MacroError =>
  new MacroError(
    'SyntaxError',
    1,
    'found Ruby that is nested too deep, or that the parser cannot follow',
    file,
  );
