import { isResource } from '../../kernel/resource.ts';

/**
 * Data of an event as JSON can hold it: big integers as text, typed arrays and sets as lists, maps as lists of pairs, resources and functions as
 * a text that says what they are.
 */
export function plainData(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function') return '<function>';
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) || value instanceof Set) return Array.from(value, plainData);
  if (value instanceof Map) return Array.from(value.entries(), plainData);
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as Iterable<unknown>, plainData);
  if (isResource(value)) return `<${value.constructor.name}>`;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plainData(one)]));
}

/** What an event carries besides its type and its way. */
export function payloadOf(event: object): Readonly<Record<string, unknown>> {
  const { type: _type, to: _to, delay: _delay, ...payload } = event as Record<string, unknown>;
  return plainData(payload) as Record<string, unknown>;
}

/** The payload of an event as one line of JSON; empty when there is none. */
export function payloadText(event: object): string {
  const payload = payloadOf(event);
  return Object.keys(payload).length === 0 ? '' : JSON.stringify(payload);
}
