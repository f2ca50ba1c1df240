import type { Address, LockstepEvent } from './message.ts';
import { bitFlips, inTurn, type Spot, type Spots, within } from './protocol/field.ts';
import type { Speakers } from './protocol/speakers.ts';
import { valueText } from './value-text.ts';

/** An event with one value changed, and what was changed in words. */
export interface Corruption {
  readonly event: LockstepEvent;
  readonly what: string;
}

/**
 * Changes one value of a message: how a fault corrupts.
 *
 * Details: where the wiring speaks a protocol, a value becomes another one of its kind: an address that of another actor of its role, a number one in its range with another bit. Elsewhere
 * whole numbers, truth values, and those in lists and typed arrays have one other bit; a number below 2^8 has 8 bits, one below 2^16 has 16, others have 32; negative numbers count as
 * two's complement of 32 bits. `type`, `to` and `delay` are the envelope's and stay.
 *
 * Gotchas: without a protocol a number may be an address or an index, and nothing tells: name the field to be sure that only that one changes.
 */
export class Corrupter {
  readonly #speakers: Speakers | undefined;

  /** `speakers`: of the protocol of the wiring, where it has one. */
  constructor(speakers: Speakers | undefined) {
    this.#speakers = speakers;
  }

  /** True when an event has something that can be another one, in a field or in any. */
  canCorrupt(to: Address, event: LockstepEvent, field: string | undefined): boolean {
    return this.#spotsOf(to, event, field).length > 0;
  }

  /** A copy of an event with one value changed. `pick` is asked for the place when there are several, then for the value. */
  corrupted(
    to: Address,
    event: LockstepEvent,
    field: string | undefined,
    pick: (what: string, count: number) => number,
  ): Corruption {
    const spots = this.#spotsOf(to, event, field);
    const place = spots.length === 1 ? 0 : pick('place', spots.length);
    const { at, was, what, count, other } = spots.at(place)!;
    const { value, now } = other(count === 1 ? 0 : pick(what, count));
    return { event: value, what: `"${at}" is ${valueText(now)} instead of ${valueText(was)}` };
  }

  #spotsOf(to: Address, event: LockstepEvent, field: string | undefined): Spots<LockstepEvent> {
    return this.#speakers?.spotsOf(to, event, field) ?? undeclaredSpots(event, field);
  }
}

const envelope = ['type', 'to', 'delay'];

/** The places of an event of which no protocol tells what its values are. */
function undeclaredSpots(event: LockstepEvent, field: string | undefined): Spots<LockstepEvent> {
  return inTurn(
    Object.entries(event)
      .filter(([key]) => (field === undefined || key === field) && !envelope.includes(key))
      .map(([key, value]: [string, unknown]) =>
        within(key, spotsIn(value), (other) => ({ ...event, [key]: other })),
      ),
  );
}

/** The places of a value that is a number or a truth value, or a list with some. */
function spotsIn(value: unknown): Spots<unknown> {
  if (isValue(value)) return [spotAt('', value, (other) => other)];
  if (!isList(value)) return [];
  const places = Array.from(value, (one, index) => (isValue(one) ? index : -1)).filter((index) => index >= 0);
  return {
    length: places.length,
    at(nth) {
      const index = places[nth];
      if (index === undefined) return undefined;
      return spotAt(`[${index}]`, value[index] as number | boolean, (other) =>
        withElement(value, index, other),
      );
    },
  };
}

function spotAt<T>(at: string, was: number | boolean, whole: (other: number | boolean) => T): Spot<T> {
  const others = typeof was === 'boolean' ? [!was] : bitFlips(was);
  const other = (pick: number) => ({ value: whole(others[pick]!), now: others[pick] });
  return { at, was, count: others.length, what: 'bit', other };
}

const isValue = (value: unknown): value is number | boolean =>
  typeof value === 'boolean' || Number.isSafeInteger(value);

const isList = (value: unknown): value is ArrayLike<unknown> & Iterable<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

function withElement(list: unknown, index: number, value: unknown): unknown {
  const copy = (list as { slice(): { [index: number]: unknown } }).slice();
  copy[index] = value;
  return copy;
}
