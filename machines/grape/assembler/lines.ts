/** A word of a line and its column, from 1. */
export interface Token {
  readonly text: string;
  readonly column: number;
}

/** A line with something on it: its components, which `;` separates. A component without words is an empty list. */
export interface Line {
  readonly number: number;
  readonly components: readonly (readonly Token[])[];
}

/**
 * Splits a source into lines, components and words (GRAPE specification 3.1).
 *
 * Details: `#` begins a comment; inside double quotes blanks, `#` and `;` are text. Blank lines are left out.
 */
export function linesOf(source: string): readonly Line[] {
  return source.split(/\r\n|\n|\r/).flatMap((text, index) => {
    const components = componentsOf(text);
    const blank = components.length === 1 && components[0]!.length === 0;
    return blank ? [] : [{ number: index + 1, components }];
  });
}

function componentsOf(text: string): Token[][] {
  const components: Token[][] = [[]];
  let quoted = false;
  let word = '';
  let began = 0;
  const finish = () => {
    if (word !== '') components.at(-1)!.push({ text: word, column: began + 1 });
    word = '';
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (!quoted && char === '#') break;
    if (!quoted && (char === ' ' || char === '\t')) finish();
    else if (!quoted && char === ';') {
      finish();
      components.push([]);
    } else {
      if (word === '') began = at;
      if (char === '"') quoted = !quoted;
      word += char;
    }
  }
  finish();
  return components;
}
