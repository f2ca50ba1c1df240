/** A template as one Ruby program (GRAPE specification 5). */
export interface ErbProgram {
  readonly ruby: string;
  /** Pieces of text that the program writes: `_text(0)` writes the first. */
  readonly texts: readonly string[];
  /** For each line of the program, from 1, the line of the template. */
  readonly lines: readonly number[];
}

/** Methods by which the program writes a piece of text, and the value of an expression. */
export const textMethod = '_text';
export const valueMethod = '_value';

const tag = /<%%|<%([=#]?)((?:%%>|[^%]|%(?!>))*)%>/g;

/**
 * Turns a template into one Ruby program: `<% code %>`, `<%= expression %>`, `<%# comment %>`, and `<%%` for a plain `<%`. Newlines after tags stay.
 *
 * Details: names given from outside are assigned first, in the same scope.
 */
export function erbProgram(source: string, defines: Readonly<Record<string, string>> = {}): ErbProgram {
  const texts: string[] = [];
  const pieces: string[] = [];
  const lines: number[] = [0];
  let line = 1;
  const write = (ruby: string) => {
    pieces.push(ruby);
    for (const at of ruby.split('\n').keys()) lines.push(line + at);
  };
  for (const [name, value] of Object.entries(defines)) write(`${name} = ${value}`);
  let text = '';
  const flush = () => {
    if (text !== '') {
      write(`${textMethod}(${texts.length})`);
      texts.push(text);
    }
    text = '';
  };
  let at = 0;
  // Behind the last end of a tag there is none, and each beginning of one would be followed to the end of the text.
  const end = source.lastIndexOf('%>') + 2;
  for (const match of source.slice(0, end).matchAll(tag)) {
    text += source.slice(at, match.index);
    at = match.index + match[0].length;
    const [whole, kind, code = ''] = match;
    if (whole === '<%%') {
      text += '<%';
      continue;
    }
    const before = lineAt(source, match.index);
    flush();
    line = before;
    const ruby = code.replaceAll('%%>', '%>');
    if (kind === '=') write(`${valueMethod}((${ruby}))`);
    else if (kind === '') write(ruby);
    line = lineAt(source, at);
  }
  text += source.slice(at).replaceAll('<%%', '<%');
  flush();
  return { ruby: pieces.join('\n'), texts, lines };
}

const lineAt = (source: string, index: number): number => source.slice(0, index).split('\n').length;
