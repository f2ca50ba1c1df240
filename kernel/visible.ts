import { hashOf } from './hash.ts';
import { isResource } from './resource.ts';

/**
 * A copy of data as an observer sees it: plain data as it is, each resource as its fingerprint.
 *
 * Use when two states are compared that hold memories or programs. Gotchas: functions and instances of classes, which no context may hold,
 * are not copied.
 */
export function visible(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isResource(value)) return { resource: hashOf(value) };
  if (Array.isArray(value)) return value.map(visible);
  if (ArrayBuffer.isView(value))
    return value instanceof DataView ? structuredClone(value) : (value as Uint8Array).slice();
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [visible(key), visible(one)]));
  if (value instanceof Set) return new Set([...value].map(visible));
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const seen: Record<string, unknown> = {};
  for (const key of Object.keys(value)) seen[key] = visible((value as Record<string, unknown>)[key]);
  return seen;
}
