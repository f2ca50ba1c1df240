import type { Address, LockstepEvent } from './message.ts';
import { bitFlips, type Spot, valueText } from './protocol/field.ts';
import type { Speakers } from './protocol/speakers.ts';

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
    const { at, was, what, count, other } = spots[spots.length === 1 ? 0 : pick('place', spots.length)]!;
    const { value, now } = other(count === 1 ? 0 : pick(what, count));
    return { event: value, what: `"${at}" is ${valueText(now)} instead of ${valueText(was)}` };
  }

  #spotsOf(to: Address, event: LockstepEvent, field: string | undefined): readonly Spot<LockstepEvent>[] {
    const declared = this.#speakers?.spotsOf(to, event);
    const spots = declared ?? undeclaredSpots(event);
    return field === undefined ? spots : spots.filter(({ at }) => /^[^.[]*/.exec(at)![0] === field);
  }
}

const envelope = ['type', 'to', 'delay'];

/** The places of an event of which no protocol tells what its values are. */
function undeclaredSpots(event: LockstepEvent): readonly Spot<LockstepEvent>[] {
  return Object.entries(event)
    .filter(([key]) => !envelope.includes(key))
    .flatMap(([key, value]: [string, unknown]) => {
      if (isValue(value)) return [spotAt(key, value, (other) => ({ ...event, [key]: other }))];
      if (!isList(value)) return [];
      return [...value].flatMap((one, index) =>
        isValue(one)
          ? [
              spotAt(`${key}[${index}]`, one, (other) => ({
                ...event,
                [key]: withElement(value, index, other),
              })),
            ]
          : [],
      );
    });
}

function spotAt(
  at: string,
  was: number | boolean,
  whole: (other: number | boolean) => LockstepEvent,
): Spot<LockstepEvent> {
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
