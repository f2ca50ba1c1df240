import type { Place } from './errors.ts';
import { describeFound } from './found.ts';
import { jsonErrorOffset } from './json-place.ts';
import { type Located, type Path, placeAt } from './located.ts';
import { endOfText, exceededByJson } from './text-limits.ts';

/** A text that is not JSON, or nested too deep: where, and what was found and expected there. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  constructor(
    readonly at: Place,
    readonly what: string,
    /** What helps, where the text itself shows it. */
    readonly help?: string,
  ) {
    super(
      `${at.file}:${at.line}:${at.column} ${what}\n  help: ${help ?? 'mend the text there, or write the file anew'}`,
    );
  }
}

/** Reads JSON. `expected` is told where it is none. Errors: `JsonError`. */
export function parseJson(text: string, file: string, expected = 'JSON'): unknown {
  const exceeded = exceededByJson(text);
  if (exceeded) throw new JsonError(placeAt(file, text, exceeded.offset), exceeded.what, exceeded.help);
  try {
    return JSON.parse(text);
  } catch {
    const offset = jsonErrorOffset(text);
    const found =
      offset >= text.length ? 'the end of the text' : describeFound(text.slice(offset, offset + 20));
    throw new JsonError(placeAt(file, text, offset), `found ${found}, expected ${expected}`);
  }
}

/** JSON that was read, with the places of its values; they are looked for when somebody asks. */
export class LocatedJson implements Located {
  constructor(
    readonly text: string,
    readonly file: string,
    readonly data: unknown,
  ) {}

  at(path: Path): Place {
    return placeAt(this.file, this.text, this.#valueAt(path).offset);
  }

  ofKey(path: Path, key: PropertyKey): Place {
    const { offset, whole } = this.#valueAt(path);
    const found = whole ? entryOf(this.text, offset, key) : undefined;
    return placeAt(this.file, this.text, found?.key ?? offset);
  }

  #valueAt(path: Path): { readonly offset: number; readonly whole: boolean } {
    let offset = blanks(this.text, 0);
    for (const step of path) {
      const next = entryOf(this.text, offset, step);
      if (!next) return { offset, whole: false };
      offset = next.value;
    }
    return { offset, whole: true };
  }
}

/** Where an entry of the list or mapping stands that begins here: its key, and its value; of a key that comes twice the last, as JSON has it. */
function entryOf(
  text: string,
  start: number,
  step: PropertyKey,
): { readonly key: number; readonly value: number } | undefined {
  const isMapping = text[start] === '{';
  if (!isMapping && text[start] !== '[') return undefined;
  let found: { key: number; value: number } | undefined;
  let at = blanks(text, start + 1);
  for (let index = 0; text[at] !== '}' && text[at] !== ']' && at < text.length; index++) {
    const key = at;
    let name: PropertyKey = index;
    if (isMapping) {
      const end = endOfText(text, at);
      name = JSON.parse(text.slice(at, end));
      at = blanks(text, blanks(text, end) + 1);
    }
    if (String(name) === String(step)) found = { key, value: at };
    at = blanks(text, endOfValue(text, at));
    if (text[at] === ',') at = blanks(text, at + 1);
  }
  return found;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const found = text[at]!;
    if (found === '"') at = endOfText(text, at);
    else {
      if (depth === 0 && /[\s,\]}]/.test(found)) return at;
      if (found === '[' || found === '{') depth++;
      else if (found === ']' || found === '}') depth--;
      at++;
    }
    if (depth === 0 && /["\]}]/.test(text[at - 1]!)) return at;
  }
  return text.length;
}

function blanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}
