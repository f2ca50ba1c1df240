/** As much of JSON Schema as the schemas of scenarios use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema | readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly not?: Schema;
  readonly pattern?: string;
}

/** Text for a cell of a Markdown table. */
export const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

/** Code for a cell of a Markdown table. */
export const code = (text: string): string => (text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``);

/** The keys of an object, nested ones with dots, as a Markdown table; empty for a schema without keys. */
export function keysTable(schema: Schema): string {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return '';
  return `| key | values | when absent | meaning |\n|---|---|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}`;
}

const branchesOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? [];

function rowsOf(schema: Schema, prefix: string): readonly (readonly string[])[] {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
    const objects = [one, ...branchesOf(one)].filter(({ properties }) => properties);
    const absent =
      one.default !== undefined && !(typeof one.default === 'object' && one.default !== null)
        ? code(JSON.stringify(one.default))
        : required.has(name) && one.default === undefined
          ? 'must be there'
          : '';
    const row = [code(`${prefix}${name}`), code(shortType(one)), absent, cell(one.description ?? '')];
    return [row, ...objects.flatMap((object) => rowsOf(object, `${prefix}${name}.`))];
  });
}

/** A type in a few words. */
function shortType(schema: Schema): string {
  const branches = branchesOf(schema);
  if (branches.length > 0) return [...new Set(branches.map(shortType))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => String(one)).join(' | ');
  if (schema.properties) return '{ … }';
  if (Array.isArray(schema.items)) return `[${schema.items.map(shortType).join(', ')}]`;
  if (schema.items) return `list of ${shortType(schema.items as Schema)}`;
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  const range = rangeOf(schema);
  return `${schema.type === 'boolean' ? 'true | false' : (schema.type ?? 'anything')}${range === '' ? '' : ` ${range}`}`;
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): string {
  const real = (bound: number | undefined) =>
    bound !== undefined && Math.abs(bound) < 2 ** 53 - 1 ? bound : undefined;
  const [low, high] = [real(minimum), real(maximum)];
  if (low !== undefined && high !== undefined) return `${low}..${high}`;
  if (low !== undefined) return `>= ${low}`;
  if (high !== undefined) return `<= ${high}`;
  if (exclusiveMinimum !== undefined && exclusiveMaximum !== undefined)
    return `> ${exclusiveMinimum}, < ${exclusiveMaximum}`;
  if (exclusiveMinimum !== undefined) return `> ${exclusiveMinimum}`;
  return '';
}

/** A schema as a type, in the manner of TypeScript, with what it means as comments. */
export function typeText(schema: Schema, indent = ''): string {
  const branches = branchesOf(schema);
  if (branches.length === 1) return typeText(branches[0]!, indent);
  if (branches.length > 1) {
    const inner = `${indent}  `;
    const texts = [...new Set(branches.map((one) => `${comment(one, inner)}| ${typeText(one, inner)}`))];
    const short = texts.map((text) => text.slice(2)).join(' | ');
    return texts.every((text) => !text.includes('\n')) && short.length < 100
      ? short
      : `\n${inner}${texts.join(`\n${inner}`)}`;
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.properties) {
    const required = new Set(schema.required ?? []);
    const inner = `${indent}  `;
    const lines = Object.entries(schema.properties).map(
      ([name, one]) =>
        `${inner}${comment(one, inner)}${name}${required.has(name) && one.default === undefined ? '' : '?'}: ${typeText(one, inner)}\n`,
    );
    return lines.length === 0 ? '{}' : `{\n${lines.join('')}${indent}}`;
  }
  if (Array.isArray(schema.items)) return `[${schema.items.map((one) => typeText(one, indent)).join(', ')}]`;
  if (schema.items) {
    const item = typeText(schema.items as Schema, indent);
    return (schema.items as Schema).not ? '[]' : /[|\n]/.test(item) ? `Array<${item}>` : `${item}[]`;
  }
  if (typeof schema.additionalProperties === 'object' && Object.keys(schema.additionalProperties).length > 0)
    return `{ [name: string]: ${typeText(schema.additionalProperties, indent)} }`;
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  return (schema.type as string | undefined) ?? 'unknown';
}

const comment = ({ description }: Schema, indent: string): string =>
  description ? `// ${description}\n${indent}` : '';
