import { CST, Lexer } from 'yaml';

/** How deep values may lie in each other in a text that is read: readers work downwards by calling themselves. */
export const nestingMax = 100;
/** Words, marks and blanks of a YAML text: what its reader keeps of each takes about 150 bytes and 2 microseconds. */
export const yamlTokensMax = 2_000_000;

/** A text that is not read, since reading it would take too much. */
export interface ExceededLimit {
  readonly what: string;
  readonly help: string;
  /** Where the limit was reached, in characters from the start. */
  readonly offset: number;
}

/** The limit that a text exceeds which is nested deeper than `nestingMax`. */
export const tooDeep = (offset: number): ExceededLimit => ({
  what: `found values nested more than ${nestingMax} deep (nestingMax)`,
  help: 'no file needs that: look for a bracket that is not closed',
  offset,
});

/** The limit that a JSON text exceeds. */
export function exceededByJson(text: string): ExceededLimit | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfText(text, at) - 1;
    else if (code === openBracket || code === openBrace) {
      if (++depth > nestingMax) return tooDeep(at);
    } else if (code === closeBracket || code === closeBrace) depth--;
  }
  return undefined;
}

/** Where a JSON text in quotation marks ends that begins here: behind its closing mark, or at the end of everything. */
export function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quote) return at + 1;
  }
  return text.length;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/** The limit that a YAML text exceeds; its words are counted, not put together. */
export function exceededByYaml(text: string): ExceededLimit | undefined {
  // The columns of the blocks that are open, innermost last, and the brackets.
  const columns: number[] = [];
  let brackets = 0;
  let tokens = 0;
  let offset = 0;
  let line = 0;
  let begins = true;
  // Values in one line each of which is the key of the next: `a: b: c: d`, no YAML, but read downwards.
  let chained = 0;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > yamlTokensMax)
      return {
        what: `found more than ${yamlTokensMax} words and marks (yamlTokensMax), expected at most so many`,
        help: 'programs of that size belong in a module: { module: file.ts#export }',
        offset,
      };
    // Marks of the reader's own, for the start of a document and the like, stand nowhere in the text.
    if (!text.startsWith(token, offset)) continue;
    const type = CST.tokenType(token);
    if (type === 'newline') {
      line = offset + token.length;
      begins = true;
    } else if (type === 'flow-seq-start' || type === 'flow-map-start') brackets++;
    else if (type === 'flow-seq-end' || type === 'flow-map-end') brackets = Math.max(0, brackets - 1);
    if (type !== 'newline' && type !== 'space' && type !== 'comment' && brackets === 0 && begins) {
      const column = offset - line;
      while (columns.length > 0 && columns.at(-1)! >= column) columns.pop();
      columns.push(column);
      begins = type === 'seq-item-ind' || type === 'explicit-key-ind' || type === 'map-value-ind';
    }
    if (type === 'map-value-ind') chained++;
    else if (type === 'newline' || type === 'comma') chained = 0;
    if (columns.length + brackets > nestingMax || chained > nestingMax) return tooDeep(offset);
    offset += token.length;
  }
  return undefined;
}
