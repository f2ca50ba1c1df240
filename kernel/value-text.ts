/**
 * A value on one line, for reports: as JSON, and what JSON cannot tell apart by its own name, such as `Infinity`, `5n`, `Map{"a":1}` and `Set{1,2}`.
 *
 * Details: fields keep their order, those that are undefined are left out; nothing at all is `nothing`. Two values are compared by `transcriptOf`, not by this.
 */
export function valueText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'bigint':
      return `${value}n`;
    case 'undefined':
      return 'nothing';
    case 'object':
      return value === null ? 'null' : objectText(value);
    default:
      return String(value);
  }
}

function objectText(value: object): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (value instanceof Map)
    return `Map{${[...value].map(([key, one]) => `${valueText(key)}:${valueText(one)}`).join(',')}}`;
  if (value instanceof Set) return `Set{${[...value].map(valueText).join(',')}}`;
  const prototype = Object.getPrototypeOf(value);
  // What is no plain data says itself what it is.
  if (prototype !== Object.prototype && prototype !== null) return JSON.stringify(value) ?? 'nothing';
  const fields = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${valueText(one)}`).join(',')}}`;
}
