const token = /[ \t\r\n]*(?:([{}[\],:])|(")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;
// One character after another: a pattern for whole texts takes exponential time on one that does not end.
const characters = /(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,1000}/uy;

/** Where a text ends whose opening mark was read, behind its closing one; undefined when it is none. */
function endOfText(text: string, start: number): number | undefined {
  let offset = start;
  for (;;) {
    characters.lastIndex = offset;
    if (!characters.test(text)) return text[offset] === '"' ? offset + 1 : undefined;
    offset = characters.lastIndex;
  }
}

/** What may come next. */
type Next = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

/**
 * The offset of the first character with which a text stops being JSON, its length when it ends too early.
 *
 * Use when `JSON.parse` has failed: the messages of the engine seldom say where.
 */
export function jsonErrorOffset(text: string): number {
  const open: ('{' | '[')[] = [];
  let next: Next = 'value';
  let offset = 0;
  for (;;) {
    token.lastIndex = offset;
    const match = token.exec(text);
    if (!match) return startOfToken(text, offset);
    const end = match[2] === undefined ? token.lastIndex : endOfText(text, token.lastIndex);
    if (end === undefined) return startOfToken(text, offset);
    const after = follow(next, match[1] ?? (match[2] === undefined ? 'plain' : 'text'), open);
    if (after === undefined) return startOfToken(text, offset);
    next = after;
    offset = end;
  }
}

function startOfToken(text: string, offset: number): number {
  return offset + (/^[ \t\r\n]*/.exec(text.slice(offset))?.[0].length ?? 0);
}

/** What may come after a token where `next` was to come; undefined when the token may not stand there. */
function follow(next: Next, found: string, open: ('{' | '[')[]): Next | undefined {
  const inside = open.at(-1);
  const closes = (found === '}' && inside === '{') || (found === ']' && inside === '[');
  if (closes && (next === 'keyOrEnd' || next === 'valueOrEnd' || next === 'commaOrEnd')) {
    open.pop();
    return afterValue(open);
  }
  switch (next) {
    case 'value':
    case 'valueOrEnd':
      if (found === '{' || found === '[') {
        open.push(found);
        return found === '{' ? 'keyOrEnd' : 'valueOrEnd';
      }
      return found === 'plain' || found === 'text' ? afterValue(open) : undefined;
    case 'key':
    case 'keyOrEnd':
      return found === 'text' ? 'colon' : undefined;
    case 'colon':
      return found === ':' ? 'value' : undefined;
    case 'commaOrEnd':
      if (found !== ',') return undefined;
      return inside === '{' ? 'key' : 'value';
    case 'nothing':
      return undefined;
  }
}

const afterValue = (open: readonly string[]): Next => (open.length === 0 ? 'nothing' : 'commaOrEnd');
