import { z } from 'zod';
import { besideAll } from './beside-scenario.ts';
import type { Reference } from './with-reference.ts';

/** What JSON Schema says of a value. */
export interface Schema {
  readonly minimum?: number;
  readonly type?: string | readonly string[];
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/**
 * Limits and defaults of the configuration of a machine, one a line: its place, the least and the most (of a list or a text: how long it is; `>` for what is
 * excluded), its default, its choices.
 */
export function limitsOf({ config }: { readonly config: z.ZodType }): readonly string[] {
  const lines: string[] = [];
  const visit = (schema: Schema, at: string): void => {
    const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema;
    const words = wordsOf(schema);
    if (words.length > 0) lines.push([at, ...words].join(' ').trim());
    for (const [name, one] of Object.entries(properties)) visit(one, at === '' ? name : `${at}.${name}`);
    for (const one of Array.isArray(items) ? items : items ? [items as Schema] : []) visit(one, `${at}[]`);
    if (typeof additionalProperties === 'object') visit(additionalProperties, `${at}.*`);
    for (const one of [...anyOf, ...oneOf]) visit(one, `${at}|`);
  };
  visit(schemaOf(config), '');
  return lines;
}

/** What JSON Schema says of what a configuration may be. */
export const schemaOf = (config: z.ZodType): Schema =>
  z.toJSONSchema(config, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    reused: 'inline',
  }) as Schema;

function wordsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, minItems, maxItems, minLength } = schema;
  const least =
    exclusiveMinimum !== undefined ? `>${exclusiveMinimum}` : String(minimum ?? minItems ?? minLength ?? '');
  const greatest = maximum ?? maxItems;
  const most = greatest === undefined || greatest === Number.MAX_SAFE_INTEGER ? '' : String(greatest);
  const isPlain = (value: unknown) => JSON.stringify(value) !== '{}';
  return [
    ...(least === '' && most === '' ? [] : [`${least}..${most}`]),
    ...('default' in schema && isPlain(schema.default) ? [`= ${JSON.stringify(schema.default)}`] : []),
    ...(schema.enum ? [`of ${schema.enum.join(' ')}`] : []),
    ...('const' in schema ? [`only ${schema.const}`] : []),
  ];
}

/** Numbers and names that a specification fixes: the scalars of a record are one line, each with its name, in the order of their names. */
export function fixedIn(tables: Readonly<Record<string, unknown>>): readonly string[] {
  const lines: string[] = [];
  const visit = (value: object, at: string): void => {
    const entries = Object.entries(value instanceof Map ? Object.fromEntries(value) : value);
    if (!Array.isArray(value)) entries.sort(([a], [b]) => (a < b ? -1 : 1));
    const isScalar = (one: unknown) =>
      typeof one !== 'object' && typeof one !== 'function' && one !== undefined;
    const plain = entries.filter(([, one]) => isScalar(one));
    const words = plain.map(([name, one]) => (Array.isArray(value) ? String(one) : `${name} ${one}`));
    if (words.length > 0) lines.push(`${at}: ${words.join(', ')}`);
    for (const [name, one] of entries)
      if (typeof one === 'object' && one !== null) visit(one, at === '' ? name : `${at}.${name}`);
  };
  visit(tables, '');
  return lines;
}

/** The first line in which the limits of a machine, and what is fixed in it, differ from what is declared; undefined when none does. */
export function limitsFault(
  machine: { readonly config: z.ZodType },
  fixed: Readonly<Record<string, unknown>>,
  declared: string,
): string | undefined {
  return lineFault([...limitsOf(machine), ...fixedIn(fixed)], declared);
}

/** The first line in which what was found differs from what is declared. */
export function lineFault(found: readonly string[], declared: string): string | undefined {
  const expected = declared.trim().split('\n');
  const at = found.findIndex((line, k) => line !== expected[k]);
  if (at >= 0) return `the machine has "${found[at]}", declared is "${expected[at] ?? 'nothing more'}"`;
  return found.length < expected.length ? `the machine lacks "${expected[found.length]}"` : undefined;
}

/** Choices beyond which only their number, the first and the last are written. */
const choicesMax = 12;

/** Limits and defaults of the programs of a machine, each line once: calls have many places in common. */
export const programLimitsOf = ({ programs }: { readonly programs: z.ZodType }): readonly string[] => [
  ...new Set(
    limitsOf({ config: programs }).map((line) => {
      const [place, choices] = line.split(' of ');
      const all = choices?.split(' ') ?? [];
      return all.length > choicesMax ? `${place} of ${all.length}: ${all[0]} to ${all.at(-1)}` : line;
    }),
  ),
];

/** Limits and defaults of programs are as declared, a line for all places that are alike. */
export const programLimitsAsDeclared = (
  machine: { readonly programs: z.ZodType },
  declared: string,
): Reference => besideAll(() => lineFault(programLimitsOf(machine), declared));

/** Limits and defaults of a configuration, and what a specification fixes, are as declared. */
export const limitsAsDeclared = (...of: Parameters<typeof limitsFault>): Reference =>
  besideAll(() => limitsFault(...of));
