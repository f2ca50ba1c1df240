import { asyncInstructions } from './async-instructions.ts';
import { atomicInstructions } from './atomic-instructions.ts';
import { barrierInstructions } from './barrier-instructions.ts';
import { bitInstructions } from './bit-instructions.ts';
import { bulkInstructions } from './bulk-instructions.ts';
import { compareInstructions } from './compare-instructions.ts';
import { convertInstructions } from './convert-instructions.ts';
import type { Definition, Definitions } from './definition.ts';
import { deviceCalls } from './device-calls.ts';
import { dotInstructions } from './dot-instructions.ts';
import { groupInstructions } from './group-instructions.ts';
import { integerInstructions } from './integer-instructions.ts';
import { matrixInstructions } from './matrix-instructions.ts';
import { memoryInstructions } from './memory-instructions.ts';
import { patternInstructions } from './pattern-instructions.ts';
import type { KnownNames } from './ptx-error.ts';
import { realFormInstructions } from './real-form-instructions.ts';
import { realInstructions } from './real-instructions.ts';
import type { Form } from './resolved.ts';
import { stackInstructions } from './stack-instructions.ts';
import { textureInstructions } from './texture-instructions.ts';
import { isValueType } from './value-type.ts';
import { videoInstructions } from './video-instructions.ts';
import { warpInstructions } from './warp-instructions.ts';

const definitions: Definitions = {
  ...integerInstructions,
  ...bitInstructions,
  ...patternInstructions,
  ...dotInstructions,
  ...videoInstructions,
  ...asyncInstructions,
  ...deviceCalls,
  ...groupInstructions,
  ...realInstructions,
  ...realFormInstructions,
  ...compareInstructions,
  ...convertInstructions,
  ...memoryInstructions,
  ...textureInstructions,
  ...matrixInstructions,
  ...atomicInstructions,
  ...bulkInstructions,
  ...barrierInstructions,
  ...warpInstructions,
  ...stackInstructions,
};

/** The names of all instructions. */
export const instructionNames: readonly string[] = Object.keys(definitions)
  .filter((name) => !name.includes(' '))
  .sort();

/** The definition of an instruction; undefined for an unknown one. */
export const definitionOf = (base: string): Definition | undefined =>
  Object.hasOwn(definitions, base) ? definitions[base] : undefined;

/** The words of an instruction, sorted into name, types and the rest. */
export function formOf(words: readonly string[]): Form {
  // Copies between two shared memories name both.
  const both = words.includes('shared::cta') && words.includes('shared::cluster');
  const [first = '', ...behind] = both
    ? words
    : words.map((word) => word.replace(/^(shared|param)::.*/, '$1'));
  const packs = first === 'cvt' && behind[0] === 'pack';
  const [base, rest] = packs ? ['cvt.pack', behind.slice(1)] : [first, behind];
  return {
    base,
    types: rest.filter(isValueType),
    words: rest.filter((word) => !isValueType(word)),
    written: words.join('.'),
  };
}

/** What is wrong with a form, in words, with the names to choose from; undefined when nothing is. */
export function misfitOf(
  form: Form,
  definition: Definition,
): { readonly what: string; readonly names: KnownNames } | undefined {
  const { words, types } = definition;
  const known = [...words, ...new Set(types.flat())];
  const misfit = (found: string, of: string, choice: readonly string[]) => ({
    what: `found "${found}" in ${form.written}, expected one of: ${choice.join(', ')}`,
    names: { found, known: choice, of: `${of} of ${form.base}` },
  });
  const odd = form.words.find((word) => !words.includes(word));
  if (odd !== undefined) return misfit(odd, 'words', known);
  const wrong = form.types.find((type, at) => !types[at]?.includes(type));
  if (wrong !== undefined) return misfit(wrong, 'types', [...new Set(types.flat())]);
  if (form.types.length < (definition.typesLeast ?? types.length))
    return misfit('no type', 'types', [...new Set(types.flat())]);
  const again = form.words.find(
    (word, at) => form.words.indexOf(word) !== at && !definition.repeated?.includes(word),
  );
  const clash = definition.exclusive
    ?.map((group) => form.words.filter((word) => group.includes(word)))
    .find((list) => list.length > 1);
  const tooMany = again === undefined ? clash : [again, again];
  if (tooMany !== undefined)
    return {
      what: `found "${tooMany.join('" and "')}" in ${form.written}, expected one of them once`,
      names: { found: tooMany[1]!, known: [tooMany[0]!], of: `words of ${form.base}` },
    };
  return undefined;
}
