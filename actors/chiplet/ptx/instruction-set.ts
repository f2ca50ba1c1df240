import { bitInstructions } from './bit-instructions.ts';
import { compareInstructions } from './compare-instructions.ts';
import { convertInstructions } from './convert-instructions.ts';
import type { Definition, Definitions } from './definition.ts';
import { integerInstructions } from './integer-instructions.ts';
import { memoryInstructions } from './memory-instructions.ts';
import { realInstructions } from './real-instructions.ts';
import type { Form } from './resolved.ts';
import { isValueType } from './value-type.ts';
import { warpInstructions } from './warp-instructions.ts';

const definitions: Definitions = {
  ...integerInstructions,
  ...bitInstructions,
  ...realInstructions,
  ...compareInstructions,
  ...convertInstructions,
  ...memoryInstructions,
  ...warpInstructions,
};

/** The names of all instructions. */
export const instructionNames: readonly string[] = Object.keys(definitions).sort();

/** The definition of an instruction; undefined for an unknown one. */
export const definitionOf = (base: string): Definition | undefined =>
  Object.hasOwn(definitions, base) ? definitions[base] : undefined;

/** The words of an instruction, sorted into name, types and the rest. */
export function formOf(words: readonly string[]): Form {
  const [base = '', ...rest] = words;
  return {
    base,
    types: rest.filter(isValueType),
    words: rest.filter((word) => !isValueType(word)),
    written: words.join('.'),
  };
}

/** What is wrong with a form: the word and what is allowed instead; undefined when nothing is. */
export function misfitOf(
  form: Form,
  { words, types }: Definition,
): { readonly found: string; readonly known: readonly string[]; readonly of: string } | undefined {
  const odd = form.words.find((word) => !words.includes(word));
  const known = [...words, ...new Set(types.flat())];
  if (odd !== undefined) return { found: odd, known, of: `words of ${form.base}` };
  const wrong = form.types.find((type, at) => !types[at]?.includes(type));
  if (wrong !== undefined)
    return { found: wrong, known: [...new Set(types.flat())], of: `types of ${form.base}` };
  if (form.types.length < types.length)
    return { found: 'no type', known: [...new Set(types.flat())], of: `types of ${form.base}` };
  return undefined;
}
