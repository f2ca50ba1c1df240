import type { LockstepEvent } from './message.ts';

/** A place in an event where a bit can be another one. */
interface Spot {
  readonly field: string;
  /** Index in a list; absent for a field that is the value itself. */
  readonly index?: number;
  readonly value: number | boolean;
}

/** An event with one bit changed, and what was changed in words. */
export interface Corruption {
  readonly event: LockstepEvent;
  readonly what: string;
}

/** True when an event has something that `corrupted` can change. */
export const isCorruptible = (event: LockstepEvent, field: string | undefined): boolean =>
  spotsOf(event, field).length > 0;

/**
 * A copy of an event with one bit of one value changed.
 *
 * Details: values are whole numbers, truth values, and those in lists and typed arrays. A number below 2^8 has 8 bits, one below 2^16 has 16,
 * others have 32; negative numbers count as two's complement of 32 bits. `type`, `to` and `delay` are the envelope's and stay. `pick` is asked
 * for the place when there are several, then for the bit of a number.
 *
 * Gotchas: a number may be an address or an index, and nothing tells: name the field to be sure that only that one changes.
 */
export function corrupted(
  event: LockstepEvent,
  field: string | undefined,
  pick: (what: string, count: number) => number,
): Corruption {
  const spots = spotsOf(event, field);
  const spot = spots[spots.length === 1 ? 0 : pick('place', spots.length)]!;
  const value = changed(spot.value, pick);
  const before = (event as unknown as Record<string, unknown>)[spot.field];
  const after = spot.index === undefined ? value : withElement(before, spot.index, value as number);
  const where = spot.index === undefined ? spot.field : `${spot.field}[${spot.index}]`;
  return {
    event: { ...event, [spot.field]: after },
    what: `"${where}" is ${value} instead of ${spot.value}`,
  };
}

const envelope = ['type', 'to', 'delay'];

function spotsOf(event: LockstepEvent, field: string | undefined): readonly Spot[] {
  return Object.entries(event)
    .filter(([key]) => (field === undefined ? !envelope.includes(key) : key === field))
    .flatMap(([key, value]: [string, unknown]) => {
      if (isValue(value)) return [{ field: key, value }];
      if (!isList(value)) return [];
      return [...value].flatMap((one, index) => (isValue(one) ? [{ field: key, index, value: one }] : []));
    });
}

const isValue = (value: unknown): value is number | boolean =>
  typeof value === 'boolean' || Number.isSafeInteger(value);

const isList = (value: unknown): value is ArrayLike<unknown> & Iterable<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

function changed(value: number | boolean, pick: (what: string, count: number) => number): number | boolean {
  if (typeof value === 'boolean') return !value;
  const bits = value < 0 ? 32 : value < 2 ** 8 ? 8 : value < 2 ** 16 ? 16 : 32;
  const weight = 2 ** pick('bit', bits);
  // Not by operators on bits, which know 32 bits with a sign only.
  const isSet = Math.floor(value / weight) % 2 !== 0;
  return isSet ? value - weight : value + weight;
}

function withElement(list: unknown, index: number, value: number): unknown {
  const copy = (list as { slice(): { [index: number]: unknown } }).slice();
  copy[index] = value;
  return copy;
}
