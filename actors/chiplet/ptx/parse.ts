import peggy from 'peggy';
import { ptxGrammar } from './grammar.ts';
import type { PtxSource } from './ptx-error.ts';
import type { PtxText, Routine, Variable } from './syntax.ts';
import { isValueType, valueTypes } from './value-type.ts';

/** What the grammar gives for a whole text, in the order of the text. */
type Item =
  | Variable
  | Routine
  | { readonly kind: 'version'; readonly number: string }
  | { readonly kind: 'target'; readonly words: readonly string[] }
  | { readonly kind: 'bits'; readonly bits: number };

/** The part of a syntax error of peggy that is told. */
interface SyntaxFinding {
  readonly found: string | null;
  readonly expected: readonly {
    readonly type: string;
    readonly text?: string;
    readonly description?: string;
  }[];
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}

let generated: peggy.Parser | undefined;

/** The parser is the grammar's, whoever asks for it: made when the first text is read. */
const parser = (): peggy.Parser => {
  generated ??= peggy.generate(ptxGrammar, { cache: false });
  return generated;
};

/** Reads a PTX text. Errors: `PtxError` with file, line, column and the text of the line. */
export function parsePtx(source: PtxSource): PtxText {
  const items = itemsOf(source);
  const kept = items
    .filter((one) => one.kind === 'variable' || one.kind === 'routine')
    .map((one) => (one.kind === 'variable' ? sizedByValues(one) : one));
  for (const one of kept) checkTypes(source, one);
  const version = items.find((one) => one.kind === 'version');
  const bits = items.find((one) => one.kind === 'bits');
  return {
    version: version?.number ?? '',
    targets: items.flatMap((one) => (one.kind === 'target' ? one.words : [])),
    addressBits: bits?.bits === 32 ? 32 : 64,
    items: kept,
  };
}

function itemsOf(source: PtxSource): readonly Item[] {
  try {
    return parser().parse(source.text) as readonly Item[];
  } catch (error) {
    if (!(error instanceof Error) || !('location' in error)) throw error;
    const { found, expected, location } = error as unknown as SyntaxFinding;
    const names = expected.map(({ type, text, description }) =>
      type === 'literal' ? `"${text}"` : description,
    );
    const wanted = [...new Set(names.filter((one) => one !== undefined && one !== ''))]
      .slice(0, 8)
      .join(', ');
    throw source.error(
      location.start,
      `found ${found === null ? 'the end of the text' : JSON.stringify(found)}, expected ${wanted || 'an instruction'}`,
      'compare the line with what PTX allows there; statements end with a semicolon',
    );
  }
}

/** The grammar takes any letter and number for a type. */
function checkTypes(source: PtxSource, item: Variable | Routine): void {
  if (item.kind === 'variable') {
    if (isValueType(item.type)) {
      checkValues(source, item);
      return;
    }
    const found = String(item.type);
    throw source.error(item.at, `found the type ".${found}", expected one of PTX`, 'declare another type', {
      found,
      known: valueTypes,
      of: 'types',
    });
  }
  for (const one of [...item.parameters, ...item.results]) checkTypes(source, one);
  const visit = (body: Routine['body']): void => {
    for (const one of body ?? [])
      if (one.kind === 'variable') checkTypes(source, one);
      else if (one.kind === 'block') visit(one.body);
  };
  visit(item.body);
}

/** An array without a size has that of its values. */
function sizedByValues(one: Variable): Variable {
  if (one.length !== 0 || one.values === null) return one;
  return { ...one, length: Math.ceil(one.values.length / one.vector) };
}

/** Values are for variables in device memory, and as many as there is room for at most. */
function checkValues(source: PtxSource, { at, name, space, values, vector, length }: Variable): void {
  if (values === null) return;
  if (space !== 'global' && space !== 'const')
    throw source.error(
      at,
      `found values for ${name} of .${space}, expected them for .global or .const`,
      'store them when the kernel begins',
    );
  const room = vector * Math.max(1, length);
  if (values.length > room)
    throw source.error(
      at,
      `found ${values.length} values for ${name}, expected ${room} at most`,
      'declare a longer array',
    );
}
