import { isResource } from '../../kernel/resource.ts';

/** A value of a context as the format writes it: it knows integers, texts, truth values, lists, sets, maps and records, and nothing else. */
export function itfValue(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)) return value;
  if (typeof value === 'bigint') return { '#bigint': value.toString() };
  // The format has no word for nothing: it is the record of a variant, as Apalache writes an option.
  if (value === null) return { tag: 'None', value: { '#tup': [] } };
  if (typeof value !== 'object') return { '#unserializable': String(value) };
  if (Array.isArray(value)) return value.map(itfValue);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<unknown>, itfValue);
  if (value instanceof Set) return { '#set': Array.from(value, itfValue) };
  if (value instanceof Map)
    return { '#map': Array.from(value, ([key, one]) => [itfValue(key), itfValue(one)]) };
  if (isResource(value))
    return value.describe ? itfValue(value.describe()) : { '#unserializable': value.constructor.name };
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, itfValue(one)]));
}
