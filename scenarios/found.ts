const textMax = 60;

/** A value of a file as a report shows it: `"abc"`, `7`, `a list of 3 items`, `a mapping with the keys a, b`. */
export function describeFound(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string')
    return JSON.stringify(value.length > textMax ? `${value.slice(0, textMax)}…` : value);
  if (Array.isArray(value)) return listText(value.length);
  if (typeof value === 'object') {
    const keys = Object.keys(value);
    if (keys.length === 0) return 'an empty mapping';
    return `a mapping with the key${keys.length > 1 ? 's' : ''} ${keys.slice(0, 8).join(', ')}${keys.length > 8 ? ', …' : ''}`;
  }
  return String(value);
}

/** As `describeFound`, with the kind of a text or number in brackets: `"abc" (a string)`. */
export function describeFoundKind(value: unknown): string {
  const kind = { string: 'a string', number: 'a number', boolean: 'a truth value' }[typeof value as string];
  return kind ? `${describeFound(value)} (${kind})` : describeFound(value);
}

function listText(length: number): string {
  if (length === 0) return 'an empty list';
  return length === 1 ? 'a list of 1 item' : `a list of ${length} items`;
}
