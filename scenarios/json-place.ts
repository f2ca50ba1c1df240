const token =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/uy;

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
    const after = follow(next, match[1] ?? (match[2] === undefined ? 'plain' : 'text'), open);
    if (after === undefined) return startOfToken(text, offset);
    next = after;
    offset = token.lastIndex;
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
