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
import { type Located, type Path, placeAt } from './located.ts';
import { exceededByYaml, tooDeep } from './text-limits.ts';

export type { Path } from './located.ts';

/**
 * A YAML (or JSON) text as plain data that still knows where everything in it was written.
 *
 * Details: `errors` holds every mistake of syntax, and the limit that the text exceeds; `data` is only meaningful when there is none.
 */
export class LocatedDocument implements Located {
  readonly data: unknown;
  readonly errors: readonly ScenarioError[];
  readonly #lines = new LineCounter();
  readonly #document: Document.Parsed;

  constructor(
    text: string,
    readonly file: string,
  ) {
    // Keys that come twice are looked for below: the reader compares each with each.
    const options = { lineCounter: this.#lines, prettyErrors: false, uniqueKeys: false };
    let exceeded = exceededByYaml(text);
    let document: Document.Parsed | undefined;
    try {
      if (!exceeded) document = parseDocument(text, options);
      // The reader puts its own end of the stack among the mistakes of the text, once or more.
      const full = document?.errors.find(({ message }) => message.includes('call stack'));
      if (full) exceeded = tooDeep(full.pos[0]);
    } catch (error) {
      // The stack has an end; what fills it is not worth counting in more ways than `exceededByYaml` does.
      if (!(error instanceof RangeError)) throw error;
      exceeded = tooDeep(0);
    }
    this.#document = document ?? parseDocument('', options);
    if (exceeded) {
      const { what, help, offset } = exceeded;
      this.errors = [new ScenarioError('SCN005', placeAt(file, text, offset), what, help)];
      return;
    }
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
    const lines = text.split('\n');
    const lineAt = ({ line }: Place) => lines[line - 1]?.trim().slice(0, 60) ?? '';
    // A warning is a tag nobody knows: the value would silently become something else.
    const mistakes = [...this.#document.errors, ...this.#document.warnings].map((error) => {
      const at = this.#place(error.pos[0]);
      const line = lineAt(at);
      if (error.code === 'MULTIPLE_DOCS')
        return new ScenarioError('SCN002', at, 'found a second document after "---", expected one');
      return new ScenarioError(
        'SCN002',
        at,
        `found ${line === '' ? 'the end of the text' : JSON.stringify(line)}: ${error.message}`,
      );
    });
    // One unclosed bracket is told as often as there are brackets.
    const told = new Set<string>();
    const found = mistakes.filter(({ message }) => !told.has(message) && told.add(message));
    const anchors = new Map<string, Node>();
    visit(this.#document, {
      Node: (_, node) => {
        if (isAlias(node)) {
          const target = anchors.get(node.source);
          const at = this.#placeOf(node);
          if (!target)
            found.push(
              new ScenarioError(
                'SCN002',
                at,
                `found "*${node.source}", expected the name of an anchor above`,
              ),
            );
          else if (contains(target, node))
            found.push(new ScenarioError('SCN002', at, `found "*${node.source}" inside what it stands for`));
          return;
        }
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        const lost = inexactInteger(node);
        if (lost !== undefined)
          found.push(
            new ScenarioError(
              'SCN013',
              this.#placeOf(node),
              `found the integer ${lost.written}, which as a number becomes ${lost.read}, expected one that a number holds exactly`,
              `from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER} every integer is held; where 64 bits are taken, such as in records of the grape machine, write it as text: "${lost.written}"`,
            ),
          );
        if (!isMap(node)) return;
        const keys = new Set<string>();
        for (const { key } of node.items) {
          if (isNode(key) && !isScalar(key))
            found.push(
              new ScenarioError('SCN002', this.#placeOf(key), 'found a collection as a key, expected a name'),
            );
          const name = keyText(key);
          if (name === undefined) continue;
          if (keys.has(name)) {
            const at = this.#placeOf(key as Node);
            found.push(
              new ScenarioError('SCN003', at, `found a key again in "${lineAt(at)}", expected each key once`),
            );
          }
          keys.add(name);
        }
      },
    });
    return found;
  }
}

/** An integer that is another one as a number. */
function inexactInteger(node: Node): { readonly written: string; readonly read: bigint } | undefined {
  if (!isScalar(node) || typeof node.value !== 'number' || Number.isSafeInteger(node.value)) return undefined;
  const written = node.source;
  if (written === undefined || !/^[-+]?\d+$/.test(written) || !Number.isFinite(node.value)) return undefined;
  const read = BigInt(node.value);
  return BigInt(written.replace('+', '')) === read ? undefined : { written, read };
}

function contains(outer: Node, inner: Node): boolean {
  if (!outer.range || !inner.range) return false;
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

const keyText = (key: unknown): string | undefined => (isScalar(key) ? String(key.value) : undefined);

const asNode = (value: unknown): Node | null => (isNode(value) ? value : null);
