import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml';
import { type Place, ScenarioError } from './errors.ts';

/** Steps from the root of a document to a value in it: keys and indices. */
export type Path = readonly PropertyKey[];

/**
 * A YAML (or JSON) text as plain data that still knows where everything in it was written.
 *
 * Details: `errors` holds every mistake of syntax; `data` is only meaningful when there is none.
 */
export class LocatedDocument {
  readonly data: unknown;
  readonly errors: readonly ScenarioError[];
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(
    text: string,
    readonly file: string,
  ) {
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const errors = this.#syntaxErrors(text);
    if (errors.length === 0) {
      try {
        this.data = this.#document.toJS();
      } catch (error) {
        // Aliases of aliases that would fill the memory.
        errors.push(
          new ScenarioError('SCN002', this.#place(0), error instanceof Error ? error.message : String(error)),
        );
      }
    }
    this.errors = errors;
  }

  /** Where the value at a path stands; the nearest value around it when it was not written. */
  at(path: Path): Place {
    let node = this.#document.contents as Node | null;
    let place = this.#placeOf(node);
    for (const step of path) {
      node = this.#child(node, step);
      if (!node) break;
      place = this.#placeOf(node);
    }
    return place;
  }

  /** Where a key of the mapping at a path stands; the mapping itself when it has no such key. */
  ofKey(path: Path, key: PropertyKey): Place {
    let node = this.#document.contents as Node | null;
    for (const step of path) node = this.#child(node, step);
    const resolved = this.#resolved(node);
    if (isMap(resolved)) {
      const pair = resolved.items.find((item) => keyText(item.key) === String(key));
      if (pair && isNode(pair.key)) return this.#placeOf(pair.key);
    }
    return this.at(path);
  }

  #child(node: Node | null, step: PropertyKey): Node | null {
    const resolved = this.#resolved(node);
    if (isSeq(resolved)) return asNode(resolved.items[Number(step)]);
    if (isMap(resolved))
      return asNode(resolved.items.find((item) => keyText(item.key) === String(step))?.value);
    return null;
  }

  #resolved(node: Node | null): Node | null {
    return isAlias(node) ? (node.resolve(this.#document) ?? null) : node;
  }

  #placeOf(node: Node | null): Place {
    return this.#place(node?.range?.[0] ?? 0);
  }

  #place(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    // An empty text has no first line for the counter.
    return { file: this.file, line: Math.max(1, line), column: Math.max(1, col) };
  }

  #syntaxErrors(text: string): ScenarioError[] {
    // A warning is a tag nobody knows: the value would silently become something else.
    const found = [...this.#document.errors, ...this.#document.warnings].map((error) => {
      const at = this.#place(error.pos[0]);
      const line = text.split('\n')[at.line - 1]?.trim().slice(0, 60) ?? '';
      if (error.code === 'DUPLICATE_KEY')
        return new ScenarioError('SCN003', at, `found a key again in "${line}", expected each key once`);
      if (error.code === 'MULTIPLE_DOCS')
        return new ScenarioError('SCN002', at, 'found a second document after "---", expected one');
      return new ScenarioError(
        'SCN002',
        at,
        `found ${line === '' ? 'the end of the text' : JSON.stringify(line)}: ${error.message}`,
      );
    });
    visit(this.#document, {
      Pair: (_, { key }) => {
        if (isNode(key) && !isScalar(key))
          found.push(
            new ScenarioError('SCN002', this.#placeOf(key), 'found a collection as a key, expected a name'),
          );
      },
      Alias: (_, alias) => {
        const target = alias.resolve(this.#document);
        const at = this.#placeOf(alias);
        if (!target)
          found.push(
            new ScenarioError('SCN002', at, `found "*${alias.source}", expected the name of an anchor above`),
          );
        else if (contains(target, alias))
          found.push(new ScenarioError('SCN002', at, `found "*${alias.source}" inside what it stands for`));
      },
    });
    return found;
  }
}

function contains(outer: Node, inner: Node): boolean {
  if (!outer.range || !inner.range) return false;
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

const keyText = (key: unknown): string | undefined => (isScalar(key) ? String(key.value) : undefined);

const asNode = (value: unknown): Node | null => (isNode(value) ? value : null);
