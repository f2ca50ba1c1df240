import { isResource } from '../../kernel/resource.ts';
import type { Plain } from '../protocol.ts';

/** Entries of one list or record that a page shows, and how deep it looks. */
const [entriesMax, depthMax, bytesShown] = [200, 12, 64];

/** A value of an actor as a tree that can be shown: long lists and bytes are cut, and the cut is told. */
export function plain(value: unknown, depth = 0): Plain {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : { $: String(value) };
    case 'bigint':
      return { $: `${value}n` };
    case 'object':
      return value === null ? null : depth >= depthMax ? { $: '…' } : plainObject(value, depth + 1);
    default:
      return { $: typeof value === 'function' ? 'a function' : String(value) };
  }
}

function plainObject(value: object, depth: number): Plain {
  if (ArrayBuffer.isView(value)) return plainBytes(value);
  if (Array.isArray(value)) return plainList(value, depth);
  if (value instanceof Set) return plainList([...value], depth);
  if (value instanceof Map)
    return plainRecord(
      [...value].map(([key, one]) => [typeof key === 'string' ? key : JSON.stringify(plain(key)), one]),
      depth,
    );
  if (isResource(value))
    return value.describe ? plain(value.describe(), depth) : { $: `a ${value.constructor.name}` };
  return plainRecord(Object.entries(value), depth);
}

function plainBytes(view: ArrayBufferView): Plain {
  if (view instanceof DataView) return { $: `${view.byteLength} bytes` };
  const numbers = view as unknown as ArrayLike<number>;
  const first = Array.from({ length: Math.min(bytesShown, numbers.length) }, (_, index) => numbers[index]);
  return {
    $: `${view.constructor.name}(${numbers.length}) ${first.join(' ')}${numbers.length > bytesShown ? ' …' : ''}`,
  };
}

function plainList(values: readonly unknown[], depth: number): Plain {
  const shown = values.slice(0, entriesMax).map((one) => plain(one, depth));
  return values.length > entriesMax ? [...shown, { $: `… ${values.length - entriesMax} more` }] : shown;
}

function plainRecord(entries: readonly (readonly [string, unknown])[], depth: number): Plain {
  const record: Record<string, Plain> = Object.create(null);
  for (const [key, one] of entries.slice(0, entriesMax)) record[key] = plain(one, depth);
  if (entries.length > entriesMax) record['…'] = { $: `${entries.length - entriesMax} more` };
  return { ...record };
}
