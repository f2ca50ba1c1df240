import type fc from 'fast-check';
import { KernelError } from '../errors.ts';
import type { Exchange } from '../explore/symmetry.ts';
import type { Address } from '../message.ts';
import { valueText } from '../value-text.ts';

/** An address of an actor of a role. An address of which no role is known goes everywhere. */
export type AddressOf<R extends string> = number & { readonly __brand: 'Address'; readonly __role?: R };

/** Who there is of each role: what values that name actors are drawn and corrupted from. */
export interface Members {
  /** Addresses of the actors of a role, in the order of their numbers; those of all actors without a role. Errors: when the protocol has no such role. */
  membersOf(role?: string): readonly Address[];
}

/** Two actors of a role that change places. */
export interface RoleExchange extends Exchange {
  readonly role: string;
}

/** A place in a value that can be another one: what corruption picks from. */
export interface Spot<T> {
  /** Where it is, as `entries[0].term`; empty for the value itself. */
  readonly at: string;
  readonly was: unknown;
  /** How many other values it may have. */
  readonly count: number;
  /** What picks among them is called. */
  readonly what: string;
  /** The whole value with another one, by a pick below `count`. */
  other(pick: number): { readonly value: T; readonly now: unknown };
}

/** Places in order, of which each is made when it is asked for: a message of very many bytes has as many places. A list of places is one, too. */
export interface Spots<T> {
  readonly length: number;
  at(index: number): Spot<T> | undefined;
}

/** Where a value is not of its kind. */
export interface Misfit {
  /** As of a `Spot`. */
  readonly at: string;
  readonly found: unknown;
  readonly expected: string;
}

/** A misfit in words: `found 7 as entries[0].term, expected a whole number from 0 to 3`. */
export const misfitWords = ({ at, found, expected }: Misfit): string =>
  `found ${valueText(found)} as ${at || 'its fields'}, expected ${expected}`;

/**
 * What values a field has: the one place from which types, checks, random values, corruption and symmetry follow.
 *
 * Details: `field` makes the usual ones; an object with these keys is one, too.
 */
export interface Kind<T> {
  /** What is expected, in words: `a whole number from 0 to 9`. */
  readonly words: string;
  /** True for a field that may be absent. */
  readonly optional?: boolean;
  /** Where a value is none of this kind; undefined for one that is. */
  misfit(value: unknown): Misfit | undefined;
  /** The value after two actors have changed places. */
  exchanged(value: T, exchange: RoleExchange): T;
  /** Where a value can be another one of its kind. */
  spots(value: T, members: Members): Spots<T>;
  /** Draws values, small ones, so that two of them have to do with each other. */
  arbitrary(check: typeof fc, members: Members): fc.Arbitrary<T>;
}

// biome-ignore lint/suspicious/noExplicitAny: records hold kinds of all types
export type Fields = Readonly<Record<string, Kind<any>>>;
type ValueOf<K> = K extends Kind<infer T> ? T : never;
type IsOptional<K> = K extends { readonly optional: true } ? true : false;

/** The record that has these fields; what is said of a field where it is declared is said of that of the record, too. */
export type RecordOf<F extends Fields> = {
  readonly [K in keyof F as IsOptional<F[K]> extends true ? never : K]: ValueOf<F[K]>;
} & { readonly [K in keyof F as IsOptional<F[K]> extends true ? K : never]?: ValueOf<F[K]> };

/** The messages of these types. */
export type MessageIn<M> = {
  [T in keyof M & string]: M[T] extends Fields ? { readonly type: T } & RecordOf<M[T]> : never;
}[keyof M & string];

/** A kind without parts that names nobody. */
const leaf = <T>(
  words: string,
  fits: (value: unknown) => boolean,
  arbitrary: Kind<T>['arbitrary'],
  rest: Partial<Pick<Kind<T>, 'exchanged' | 'spots'>> = {},
): Kind<T> => ({
  words,
  misfit: (found) => (fits(found) ? undefined : { at: '', found, expected: words }),
  exchanged: (value) => value,
  spots: () => [],
  arbitrary,
  ...rest,
});

/** The only place of a value without parts, which can be any of `others`. */
const oneSpot = <T>(was: T, others: readonly T[], what: string): readonly Spot<T>[] =>
  others.length === 0
    ? []
    : [
        {
          at: '',
          was,
          count: others.length,
          what,
          other: (pick) => ({ value: others[pick]!, now: others[pick] }),
        },
      ];

/** The places of a part, as places of the whole. */
export const within = <T, P>(name: string, spots: Spots<P>, whole: (part: P) => T): Spots<T> => ({
  length: spots.length,
  at(index) {
    const spot = spots.at(index);
    return (
      spot && {
        ...spot,
        at: name + (spot.at === '' || spot.at.startsWith('[') || name === '' ? spot.at : `.${spot.at}`),
        other: (pick) => {
          const { value, now } = spot.other(pick);
          return { value: whole(value), now };
        },
      }
    );
  },
});

/** The places of several parts, one after the other. */
export function inTurn<T>(parts: readonly Spots<T>[]): Spots<T> {
  const some = parts.filter(({ length }) => length > 0);
  if (some.length === 1) return some[0]!;
  return {
    length: some.reduce((sum, { length }) => sum + length, 0),
    at(index) {
      let left = index;
      for (const part of some) {
        if (left < part.length) return part.at(left);
        left -= part.length;
      }
      return undefined;
    },
  };
}

const below = (at: string, misfit: Misfit | undefined): Misfit | undefined =>
  misfit && {
    ...misfit,
    at: at + (misfit.at === '' || misfit.at.startsWith('[') ? misfit.at : `.${misfit.at}`),
  };

/**
 * The numbers that differ from a whole number in one bit.
 *
 * Details: a number below 2^8 has 8 bits, one below 2^16 has 16, others have 32; negative numbers count as two's complement of 32 bits.
 */
export function bitFlips(value: number): readonly number[] {
  const bits = value < 0 ? 32 : value < 2 ** 8 ? 8 : value < 2 ** 16 ? 16 : 32;
  return Array.from({ length: bits }, (_, bit) => {
    const weight = 2 ** bit;
    // Not by operators on bits, which know 32 bits with a sign only.
    return Math.floor(value / weight) % 2 !== 0 ? value - weight : value + weight;
  });
}

/** Below 0, 0 or above 0: a total order of plain data, by which sets are kept sorted. Records compare by their fields in the order in which they were declared. */
function compared(one: unknown, other: unknown): number {
  if (typeof one === 'object' && one !== null && typeof other === 'object' && other !== null) {
    const [parts, others] = [Object.values(one), Object.values(other)];
    for (let at = 0; at < Math.min(parts.length, others.length); at++) {
      const order = compared(parts[at], others[at]);
      if (order !== 0) return order;
    }
    return parts.length - others.length;
  }
  return one === other ? 0 : (one as number) < (other as number) ? -1 : 1;
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

interface Range {
  /** The least, 0 when absent; `Number.MIN_SAFE_INTEGER` for none. */
  readonly min?: number;
  /** The greatest; any when absent. */
  readonly max?: number;
}

function whole({ min = 0, max = Number.MAX_SAFE_INTEGER }: Range, unit = ''): Kind<number> {
  const [hasLeast, hasMost] = [min !== Number.MIN_SAFE_INTEGER, max !== Number.MAX_SAFE_INTEGER];
  const range = !hasLeast && !hasMost ? '' : hasMost ? `from ${min} to ${max}` : `of at least ${min}`;
  const fits = (value: unknown) => isWhole(value) && value >= min && value <= max;
  return leaf(
    `a whole number ${unit}${range}`.trimEnd(),
    fits,
    // Around 0, or from the least that there is; now and then any of a range.
    (check) => {
      const small = check.integer({
        min: Math.max(min, Math.min(-2, max)),
        max: Math.min(max, Math.max(min, 0) + 3),
      });
      if (!hasLeast || !hasMost) return small;
      return check.oneof(
        { weight: 3, arbitrary: small },
        { weight: 1, arbitrary: check.integer({ min, max }) },
      );
    },
    { spots: (value) => oneSpot(value, bitFlips(value).filter(fits), 'bit') },
  );
}

function listOf<T>(
  of: Kind<T>,
  name: string,
  isSet: boolean,
  { max }: { readonly max?: number },
): Kind<readonly T[]> {
  const words = `${name}${max === undefined ? '' : ` of at most ${max}`}, each ${of.words}`;
  const sorted = (values: readonly T[]) => (isSet ? [...values].sort(compared) : values);
  return {
    words,
    misfit(found) {
      if (!Array.isArray(found) || found.length > (max ?? Number.POSITIVE_INFINITY))
        return { at: '', found, expected: words };
      for (let at = 0; at < found.length; at++) {
        const misfit = below(`[${at}]`, of.misfit(found[at]));
        if (misfit) return misfit;
      }
      return undefined;
    },
    exchanged: (values, exchange) => sorted(values.map((one) => of.exchanged(one, exchange))),
    spots: (values, members) =>
      inTurn(
        values.map((one, at) =>
          within(`[${at}]`, of.spots(one, members), (other) => sorted(values.with(at, other))),
        ),
      ),
    arbitrary: (check, members) => {
      const drawn = of.arbitrary(check, members);
      const maxLength = Math.min(max ?? 3, 3);
      return isSet
        ? check
            .uniqueArray(drawn, { maxLength, comparator: (one, other) => compared(one, other) === 0 })
            .map(sorted)
        : check.array(drawn, { maxLength });
    },
  };
}

type TupleOf<K extends readonly Kind<unknown>[]> = { readonly [I in keyof K]: ValueOf<K[I]> };

function tupleOf(kinds: readonly Kind<unknown>[]): Kind<readonly unknown[]> {
  const words = `a list of ${kinds.map((one) => one.words).join(', then ')}`;
  return {
    words,
    misfit(found) {
      if (!Array.isArray(found) || found.length !== kinds.length) return { at: '', found, expected: words };
      for (const [at, kind] of kinds.entries()) {
        const misfit = below(`[${at}]`, kind.misfit(found[at]));
        if (misfit) return misfit;
      }
      return undefined;
    },
    exchanged: (values, exchange) => kinds.map((kind, at) => kind.exchanged(values[at], exchange)),
    spots: (values, members) =>
      inTurn(
        kinds.map((kind, at) =>
          within(`[${at}]`, kind.spots(values[at], members), (other) => values.with(at, other)),
        ),
      ),
    arbitrary: (check, members) => check.tuple(...kinds.map((kind) => kind.arbitrary(check, members))),
  };
}

/** A value of the first of these kinds that it is one of. */
function eitherOf<T>(kinds: readonly Kind<T>[]): Kind<T> {
  const words = kinds.map((one) => one.words).join(' or ');
  const kindOf = (value: T) => kinds.find((one) => one.misfit(value) === undefined);
  return {
    words,
    misfit: (found) => (kindOf(found as T) ? undefined : { at: '', found, expected: words }),
    exchanged: (value, exchange) => kindOf(value)?.exchanged(value, exchange) ?? value,
    spots: (value, members) => kindOf(value)?.spots(value, members) ?? [],
    arbitrary: (check, members) => check.oneof(...kinds.map((one) => one.arbitrary(check, members))),
  };
}

function address(): Kind<Address>;
function address<R extends string>(role: R): Kind<AddressOf<R>>;
function address<R extends string>(role?: R): Kind<AddressOf<R>> {
  const among = (members: Members) => members.membersOf(role) as readonly AddressOf<R>[];
  return leaf(
    role === undefined ? 'an address' : `an address of a ${role}`,
    isWhole,
    (check, members) => check.constantFrom(...among(members)),
    {
      exchanged: (value, exchange) => exchange.address(value as Address) as AddressOf<R>,
      spots: (value, members) =>
        role === undefined
          ? []
          : oneSpot(
              value,
              among(members).filter((other) => other !== value),
              'actor',
            ),
    },
  );
}

/** Kinds of fields: of messages, of what is shown, and of what an actor remembers. */
export const field = {
  /** True or false. */
  flag: (): Kind<boolean> =>
    leaf(
      'true or false',
      (value) => typeof value === 'boolean',
      (check) => check.boolean(),
      {
        spots: (value) => oneSpot(value, [!value], 'value'),
      },
    ),
  /** A whole number, from 0 when no least is given. Corrupted, one of its bits is another one and it stays in its range. */
  int: (range: Range = {}): Kind<number> => whole(range),
  /** A number that names something in a part, from 0. It is never corrupted: another one might name nothing. */
  ordinal: (): Kind<number> =>
    leaf(
      'a whole number of at least 0',
      (value) => isWhole(value) && value >= 0,
      (check) => check.nat(3),
    ),
  /** A word of so many bits, as a bigint. Corrupted, one of its bits is another one. */
  bits: (width: number): Kind<bigint> =>
    leaf(
      `a bigint of at most ${width} bits`,
      (value) => typeof value === 'bigint' && value >= 0n && value >> BigInt(width) === 0n,
      (check) => check.bigInt({ min: 0n, max: (1n << BigInt(width)) - 1n }),
      {
        spots: (value) =>
          oneSpot(
            value,
            Array.from({ length: width }, (_, bit) => value ^ (1n << BigInt(bit))),
            'bit',
          ),
      },
    ),
  /** A time span in ticks. */
  ticks: (range: Range = {}): Kind<number> => whole(range, 'of ticks '),
  /** Any text. It is never corrupted. */
  text: (): Kind<string> =>
    leaf(
      'a text',
      (value) => typeof value === 'string',
      (check) => check.constantFrom('', 'A', 'B'),
    ),
  /** One of these values. Corrupted, it is another one of them. */
  oneOf: <const T extends string | number | boolean | null>(...values: readonly T[]): Kind<T> =>
    leaf(
      values.map((value) => JSON.stringify(value)).join(' or '),
      (value) => values.includes(value as T),
      (check) => check.constantFrom(...values),
      {
        spots: (value) =>
          oneSpot(
            value,
            values.filter((other) => other !== value),
            'value',
          ),
      },
    ),
  /**
   * An address of an actor of a role; also of one that is none, such as the outside. Corrupted, it is that of another actor of the role.
   *
   * Details: without a role it may be that of any actor, and is never corrupted.
   */
  address,
  /** The number of an actor of a role, from 0. Corrupted, it is that of another actor of the role. */
  index: (role: string): Kind<number> =>
    leaf(
      `a number of a ${role}`,
      (value) => isWhole(value) && value >= 0,
      (check, members) => check.nat(Math.max(0, members.membersOf(role).length - 1)),
      {
        exchanged: (value, exchange) => (exchange.role === role ? exchange.index(value) : value),
        spots: (value, members) =>
          oneSpot(
            value,
            members.membersOf(role).flatMap((_, other) => (other === value ? [] : [other])),
            'actor',
          ),
      },
    ),
  /** Bytes. Corrupted, a bit of one of them is another one. */
  bytes: ({ max }: { readonly max?: number } = {}): Kind<Uint8Array> =>
    leaf(
      max === undefined ? 'bytes' : `at most ${max} bytes`,
      (value) => value instanceof Uint8Array && value.length <= (max ?? Number.POSITIVE_INFINITY),
      (check) => check.uint8Array({ maxLength: Math.min(max ?? 8, 8) }),
      {
        spots: (value) => ({
          length: value.length,
          at: (index) =>
            index < value.length
              ? within(`[${index}]`, oneSpot(value[index]!, bitFlips(value[index]!), 'bit'), (other) => {
                  const copy = value.slice();
                  copy[index] = other;
                  return copy;
                }).at(0)
              : undefined,
        }),
      },
    ),
  /** A list of values of a kind. */
  list: <T>(of: Kind<T>, options: { readonly max?: number } = {}): Kind<readonly T[]> =>
    listOf(of, 'a list', false, options),
  /** A list that means a set: each value once, and sorted, so that the order in which they came is no part of the state. */
  set: <T>(of: Kind<T>): Kind<readonly T[]> => listOf(of, 'a set', true, {}),
  /** A record with these fields. */
  record: <const F extends Fields>(fields: F): Kind<RecordOf<F>> => recordOf(fields) as Kind<RecordOf<F>>,
  /** A list with one value for each actor of a role, in the order of their numbers; or an empty one. */
  byMember: <T>(role: string, of: Kind<T>): Kind<readonly T[]> => ({
    ...listOf(of, `a list with one entry for each ${role}`, false, {}),
    exchanged: (values, exchange) =>
      values
        .map((_, at) => {
          // An exchange of two is its own inverse.
          const from = exchange.role === role ? exchange.index(at) : at;
          if (from === at || from < values.length) return values[from]!;
          throw new KernelError(
            'KRN020',
            `field.byMember('${role}')`,
            `found ${valueText(values)}, a list of ${values.length}, expected one entry for each ${role}, also for number ${from}`,
          );
        })
        .map((one) => of.exchanged(one, exchange)),
    arbitrary: (check, members) => {
      const { length } = members.membersOf(role);
      return check.array(of.arbitrary(check, members), { minLength: length, maxLength: length });
    },
  }),
  /** A list with one value of each of these kinds, in this order. */
  tuple: <const K extends readonly Kind<unknown>[]>(...kinds: K): Kind<TupleOf<K>> =>
    tupleOf(kinds) as unknown as Kind<TupleOf<K>>,
  /** A value of the first of these kinds that it is one of. */
  either: <const K extends readonly Kind<unknown>[]>(...kinds: K): Kind<ValueOf<K[number]>> =>
    eitherOf(kinds as unknown as readonly Kind<ValueOf<K[number]>>[]),
  /** A message of one of these types, with its fields: what another message carries. */
  message: <const M extends Readonly<Record<string, Fields>>>(types: M): Kind<MessageIn<M>> =>
    eitherOf(
      // One that was posted may say where and when.
      Object.entries(types).map(([type, fields]) =>
        recordOf({ type: field.oneOf(type), ...fields }, ['to', 'delay']),
      ),
    ) as unknown as Kind<MessageIn<M>>,
  /** A value of a kind, or null. */
  maybe: <T>(of: Kind<T>): Kind<T | null> =>
    eitherOf<T | null>([
      leaf<null>(
        'null',
        (value) => value === null,
        (check) => check.constant(null),
      ) as Kind<T | null>,
      of as Kind<T | null>,
    ]),
  /** A field of a kind that may be absent. */
  optional: <T>(of: Kind<T>): Kind<T> & { readonly optional: true } => ({ ...of, optional: true }),
  /** Plain data that is not described further; `samples` are drawn at random. */
  data: <T>(...samples: readonly T[]): Kind<T> =>
    leaf(
      'plain data',
      () => true,
      (check) => check.constantFrom(...samples),
    ),
};

/** A record of fields; `besides` are names of others that it may have. */
export function recordOf(
  fields: Fields,
  besides: readonly string[] | 'any' = [],
): Kind<Record<string, unknown>> {
  const entries = Object.entries(fields);
  const words = `a record of ${entries.map(([name]) => name).join(', ') || 'nothing'}`;
  const present = (value: Record<string, unknown>) =>
    entries.filter(([name, kind]) => !(kind.optional && value[name] === undefined));
  return {
    words,
    misfit(found) {
      if (typeof found !== 'object' || found === null) return { at: '', found, expected: words };
      const value = found as Record<string, unknown>;
      for (const [name, kind] of entries) {
        if (kind.optional && value[name] === undefined) continue;
        const misfit = kind.misfit(value[name]);
        if (misfit) return below(name, misfit);
      }
      for (const name in value)
        if (besides !== 'any' && !Object.hasOwn(fields, name) && !besides.includes(name))
          return { at: name, found: value[name], expected: 'no such field' };
      return undefined;
    },
    exchanged: (value, exchange) => ({
      ...value,
      ...Object.fromEntries(
        present(value).map(([name, kind]) => [name, kind.exchanged(value[name], exchange)]),
      ),
    }),
    spots: (value, members) =>
      inTurn(
        present(value).map(([name, kind]) =>
          within(name, kind.spots(value[name], members), (other) => ({ ...value, [name]: other })),
        ),
      ),
    arbitrary: (check, members) => {
      const required = entries.filter(([, kind]) => !kind.optional).map(([name]) => name);
      return check.record(
        Object.fromEntries(entries.map(([name, kind]) => [name, kind.arbitrary(check, members)])),
        { requiredKeys: required },
      );
    },
  };
}
