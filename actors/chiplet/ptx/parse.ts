import peggy from 'peggy';
import { ptxGrammar } from './grammar.ts';
import { PtxError, type PtxSource } from './ptx-error.ts';
import type { Place, PtxText, Routine, Variable } from './syntax.ts';
import { isValueType, valueTypes } from './value-type.ts';

/** What the grammar gives for a whole text, in the order of the text. */
type Item =
  | Variable
  | Routine
  | { readonly kind: 'alias'; readonly name: string; readonly of: string; readonly at: Place }
  | { readonly kind: 'version'; readonly number: string }
  | { readonly kind: 'target'; readonly words: readonly string[] }
  | { readonly kind: 'bits'; readonly bits: number };

/** The part of a syntax error of peggy that is told. */
interface SyntaxFinding {
  readonly message: string;
  readonly found: string | null;
  /** Null where the grammar itself found fault. */
  readonly expected:
    | readonly { readonly type: string; readonly text?: string; readonly description?: string }[]
    | null;
  readonly location: { readonly start: Place & { readonly offset: number } };
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
    .map((one) => (one.kind === 'variable' ? sizedByValues(one) : one))
    .map((one) => checked(source, one));
  const version = items.find((one) => one.kind === 'version');
  const bits = items.find((one) => one.kind === 'bits');
  return {
    version: version?.number ?? '',
    targets: items.flatMap((one) => (one.kind === 'target' ? one.words : [])),
    addressBits: bits?.bits === 32 ? 32 : 64,
    items: kept,
    aliases: items.filter((one) => one.kind === 'alias'),
  };
}

/** A routine with a type that there is not is left out, too. Errors: E-PTX for a variable. */
function checked<Kept extends Variable | Routine>(source: PtxSource, one: Kept): Kept {
  try {
    checkTypes(source, one);
  } catch (error) {
    if (one.kind === 'variable' || !(error instanceof PtxError)) throw error;
    return { ...one, error: one.error ?? error };
  }
  return one;
}

/** Bodies that may be left out of one text: a text with more of them is none. */
const brokenMost = 64;

/** The items of a text. A body that cannot be read is left out, its routine has the error: the others of the text are read. */
function itemsOf(source: PtxSource): readonly Item[] {
  const broken = new Map<string, PtxError>();
  for (let { text } = source; ; ) {
    try {
      const items = parser().parse(text) as readonly Item[];
      return items.map((one) => withError(one, broken));
    } catch (error) {
      const found = syntaxError(source, error);
      const offset = (error as SyntaxFinding).location?.start.offset;
      const body = broken.size < brokenMost ? bodyAround(text, offset ?? -1) : undefined;
      if (body === undefined) throw found;
      const above = text.slice(0, body.head).split('\n');
      broken.set(`${above.length}:${above.at(-1)!.length + 1}`, found);
      const blank = text.slice(body.from, body.to).replace(/[^\n]/g, ' ');
      text = `${text.slice(0, body.from)}${blank}${text.slice(body.to)}`;
    }
  }
}

const withError = (one: Item, broken: ReadonlyMap<string, PtxError>): Item => {
  const error = one.kind === 'routine' ? broken.get(`${one.at.line}:${one.at.column}`) : undefined;
  return error === undefined ? one : ({ ...one, error } as Routine);
};

/** The routine whose body has a place: where it begins, and its body without the braces. */
function bodyAround(text: string, offset: number) {
  for (const { index: head, 0: header } of text.matchAll(/\.(?:entry|func)\b[^;{}]*\{/g)) {
    if (head > offset) return undefined;
    const from = head + header.length;
    let depth = 1;
    for (const { index, 0: one } of text.slice(from).matchAll(/\/\/.*|\/\*[\s\S]*?\*\/|"[^"]*"|[{}]/g)) {
      if (one === '{') depth++;
      if (one === '}') depth--;
      const to = from + index;
      if (depth === 0 && offset >= from && offset <= to) return { head, from, to };
      if (depth === 0) break;
    }
  }
  return undefined;
}

/** What the parser found fault with. */
function syntaxError(source: PtxSource, error: unknown): PtxError {
  if (error instanceof RangeError)
    return source.error(
      { line: 1, column: 1 },
      'found braces in braces, expected fewer',
      'write less of them',
    );
  if (!(error instanceof Error) || !('location' in error)) throw error;
  const { found, expected, location, message } = error as unknown as SyntaxFinding;
  const names = expected?.map(({ type, text, description }) =>
    type === 'literal' ? `"${text}"` : description,
  );
  const wanted = [...new Set(names?.filter((one) => one !== undefined && one !== ''))].slice(0, 8).join(', ');
  return source.error(
    location.start,
    expected === null
      ? `found ${JSON.stringify(source.lineAt(location.start).slice(0, 60))}, ${message}`
      : `found ${found === null ? 'the end of the text' : JSON.stringify(found)}, expected ${wanted || 'an instruction'}`,
    'compare the line with what PTX allows there; statements end with a semicolon',
  );
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
