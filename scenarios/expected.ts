import { z } from 'zod';
import type { Path } from './located-document.ts';

/** What one place of a file may hold, as a piece of JSON Schema. */
export type Expected = z.core.JSONSchema.BaseSchema;

/** A zod schema as JSON Schema of what may be written in a file; what cannot be said in JSON Schema allows anything. */
export function expectationOf(schema: z.ZodType): Expected {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Expected;
}

/**
 * What is expected at a path below `from`: every alternative that unions on the way leave open.
 *
 * Details: a union on the way is narrowed to the alternatives that the value found there could be.
 */
export function expectedAt(from: Expected, path: Path, value: unknown): readonly Expected[] {
  let here = alternatives(from, from);
  let found = value;
  for (const step of path) {
    here = fittingOf(here, found)
      .flatMap((one) => below(one, step))
      .flatMap((one) => alternatives(one, from));
    found =
      typeof found === 'object' && found !== null ? (found as Record<PropertyKey, unknown>)[step] : undefined;
  }
  return here;
}

/** The branches of a union, in the order of the schema; undefined when it is none. */
export const branchesOf = (one: Expected): readonly Expected[] | undefined =>
  (one.anyOf ?? one.oneOf) as Expected[] | undefined;

/** The keys a mapping may have. */
export const keysOf = (alternatives: readonly Expected[]): readonly string[] => [
  ...new Set(alternatives.flatMap((one) => Object.keys(one.properties ?? {}))),
];

/** The texts and numbers that a place is limited to; empty when it is not. */
export function valuesOf(alternatives: readonly Expected[]): readonly unknown[] {
  return [
    ...new Set(alternatives.flatMap((one) => (one.const !== undefined ? [one.const] : (one.enum ?? [])))),
  ];
}

/** The description that the schema gives to a place. */
export const descriptionOf = (alternatives: readonly Expected[]): string | undefined =>
  alternatives.find((one) => one.description !== undefined)?.description;

/** What is expected, in words: `an integer from 1 to 64`; undefined when the schema allows anything. */
export function describeExpected(alternatives: readonly Expected[]): string | undefined {
  const values = valuesOf(alternatives).map((value) => JSON.stringify(value));
  const listed =
    values.length > 1
      ? `one of ${values.slice(0, 24).join(', ')}${values.length > 24 ? ', …' : ''}`
      : values[0];
  const others = alternatives.filter((one) => valuesOf([one]).length === 0).map(phrase);
  const phrases = [...new Set(listed === undefined ? others : [listed, ...others])];
  return phrases.length === 0 || phrases.includes(undefined) ? undefined : phrases.join(', or ');
}

/**
 * The key or index by which the branches of a union are told apart: the first that each limits to listed values; undefined when there is
 * none, or nothing to tell apart.
 */
export function tagOf(branches: readonly Expected[]): PropertyKey | undefined {
  const [first, ...others] = branches.map(limitedPlaces);
  if (!first || others.length === 0) return undefined;
  return first.find(({ step }) => others.every((places) => places.some((other) => other.step === step)))
    ?.step;
}

/** False when a value has at a place what a branch does not allow there. */
export function tagFits(branch: Expected, tag: PropertyKey, value: unknown): boolean {
  const allowed = limitedPlaces(branch).find(({ step }) => step === tag)?.values;
  return allowed === undefined || value === undefined || allowed.includes(value);
}

/** Those alternatives that a value could be meant as; all of them when it could be none. */
export function fittingOf(alternatives: readonly Expected[], value: unknown): readonly Expected[] {
  const fitting = alternatives.filter((one) => couldBe(one, value));
  return fitting.length > 0 ? fitting : alternatives;
}

function limitedPlaces(
  one: Expected,
): readonly { readonly step: PropertyKey; readonly values: readonly unknown[] }[] {
  const named = Object.entries(one.properties ?? {});
  const numbered = (one.prefixItems ?? []).map((item, index) => [index, item] as const);
  return [...named, ...numbered]
    .map(([step, place]) => ({
      step,
      values: typeof place === 'object' ? valuesOf([place as Expected]) : [],
    }))
    .filter(({ values }) => values.length > 0);
}

/** False when a place that is fixed to one value holds another. */
function tagsFit(one: Expected, value: object): boolean {
  return limitedPlaces(one).every(
    ({ step, values }) =>
      values.length > 1 || tagFits(one, step, (value as Record<PropertyKey, unknown>)[step]),
  );
}

function alternatives(one: Expected, root: Expected): readonly Expected[] {
  const target = one.$ref?.startsWith('#/$defs/')
    ? root.$defs?.[one.$ref.slice('#/$defs/'.length)]
    : one.$ref === '#'
      ? root
      : undefined;
  if (target) return alternatives(target as Expected, root);
  const branches = branchesOf(one);
  if (!branches) return [one];
  // What a union says of itself (its description) holds for a branch that says nothing.
  const outer = one.description === undefined ? {} : { description: one.description };
  return branches.flatMap((branch) => alternatives(branch, root)).map((branch) => ({ ...outer, ...branch }));
}

function below(one: Expected, step: PropertyKey): readonly Expected[] {
  const property = one.properties?.[String(step)];
  if (property !== undefined) return schemas(property);
  if (typeof step === 'number')
    return schemas(one.prefixItems?.[step] ?? (Array.isArray(one.items) ? one.items[step] : one.items));
  return schemas(one.additionalProperties);
}

const schemas = (found: unknown): readonly Expected[] =>
  typeof found === 'object' && found !== null ? [found as Expected] : [];

function couldBe(one: Expected, value: unknown): boolean {
  switch (one.type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) && tagsFit(one, value);
    case 'array':
      return Array.isArray(value) && tagsFit(one, value);
    case 'integer':
      return typeof value === 'number';
    case 'null':
      return value === null;
    case undefined:
      return true;
    default:
      return typeof value === one.type;
  }
}

function phrase(one: Expected): string | undefined {
  switch (one.type) {
    case 'integer':
    case 'number':
      return `${one.type === 'integer' ? 'an integer' : 'a number'}${range(one)}${one.multipleOf === undefined ? '' : `, a multiple of ${one.multipleOf}`}`;
    case 'string':
      // What a pattern means, where it says so.
      if (one.pattern !== undefined && one.title !== undefined) return one.title;
      return `a string${length(one.minLength, one.maxLength, 'characters')}${one.pattern === undefined ? '' : ` matching /${one.pattern}/`}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'nothing';
    case 'array': {
      const inside = Array.isArray(one.items)
        ? undefined
        : describeExpected(schemas(one.items).flatMap((item) => alternatives(item, one)));
      return `a list${length(one.minItems, one.maxItems, 'items')}${inside === undefined ? '' : ` (each ${inside})`}`;
    }
    case 'object': {
      const keys = keysOf([one]);
      return keys.length === 0
        ? 'a mapping'
        : `a mapping with the key${keys.length > 1 ? 's' : ''} ${keys.join(', ')}`;
    }
    default:
      return undefined;
  }
}

function range(one: Expected): string {
  // Zod bounds every integer by what a double holds exactly, which tells a reader nothing.
  const least = one.minimum === Number.MIN_SAFE_INTEGER ? undefined : one.minimum;
  const most = one.maximum === Number.MAX_SAFE_INTEGER ? undefined : one.maximum;
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  const bounds = [
    least === undefined ? '' : `of at least ${least}`,
    one.exclusiveMinimum === undefined ? '' : `above ${one.exclusiveMinimum}`,
    most === undefined ? '' : `of at most ${most}`,
    one.exclusiveMaximum === undefined ? '' : `below ${one.exclusiveMaximum}`,
  ].filter((bound) => bound !== '');
  return bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`;
}

function length(least: number | undefined, most: number | undefined, what: string): string {
  if (least !== undefined && least === most) return ` of ${least} ${what}`;
  if (least !== undefined && most !== undefined) return ` of ${least} to ${most} ${what}`;
  if (least !== undefined && least > 0)
    return ` of at least ${least} ${least === 1 ? what.slice(0, -1) : what}`;
  return most === undefined ? '' : ` of at most ${most} ${most === 1 ? what.slice(0, -1) : what}`;
}
