/** Names in few words: `Spu[0..3], Spu[5], Bus` for five of them. */
export function rangesOf(names: readonly string[]): string {
  const found: { readonly head: string; readonly tail: string; first: number; last: number }[] = [];
  const parts: (string | (typeof found)[number])[] = [];
  for (const name of names) {
    const [, head, number, tail] = /^(.*)\[(\d+)\](.*?)$/.exec(name) ?? [];
    if (head === undefined || tail === undefined) {
      parts.push(name);
      continue;
    }
    const at = Number(number);
    const known = found.find((one) => one.head === head && one.tail === tail && one.last === at - 1);
    if (known) known.last = at;
    else {
      const made = { head, tail, first: at, last: at };
      found.push(made);
      parts.push(made);
    }
  }
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const { head, tail, first, last } = part;
      return `${head}[${first === last ? first : `${first}..${last}`}]${tail}`;
    })
    .join(', ');
}

/** What actors of one kind have in common in their names. */
export const roleOf = (name: string): string => name.replaceAll(/\d+/g, '#');
