import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { setup } from 'xstate';
import { contractOf } from '../contract.ts';
import { Explorer } from '../explore/explorer.ts';
import { component, type Outbox } from '../kit.ts';
import type { Address, Probe } from '../message.ts';
import { Run } from '../run.ts';
import { valueText } from '../value-text.ts';
import { Wiring } from '../wiring.ts';
import { type AddressOf, bitFlips, field, type Kind, type Members, type RoleExchange } from './field.ts';
import { type EventsOf, type MessageOf, protocol, type ShownBy } from './protocol.ts';
import { Speakers } from './speakers.ts';

const shop = protocol({
  Shop: {
    receives: {
      Order: { item: field.int({ max: 9 }), for: field.optional(field.address('Buyer')) },
      Close: {},
    },
    remembers: { waiting: field.set(field.address('Buyer')) },
  },
  Buyer: {
    receives: { Parcel: { items: field.list(field.int({ max: 9 }), { max: 2 }) } },
    timers: ['hungry'],
    shows: { 'parcel.opened': { items: field.int() } },
  },
});
type Shop = typeof shop;

const members: Members = {
  membersOf: (role) => (role === 'Buyer' ? [4, 5, 6] : [9]) as readonly number[] as readonly Address[],
};
/** The first two buyers change places. */
const swap: RoleExchange = {
  role: 'Buyer',
  address: (address) => (address === 4 ? 5 : address === 5 ? 4 : address) as Address,
  index: (index) => (index === 0 ? 1 : index === 1 ? 0 : index),
};

/** Every kind once, with values that are of it and values that are not. */
const kinds: readonly (readonly [string, Kind<unknown>, readonly unknown[], readonly unknown[]])[] = (
  [
    ['a flag', field.flag(), [true, false], [0, 'true', undefined]],
    ['a number in a range', field.int({ min: 2, max: 5 }), [2, 5], [1, 6, 2.5, '3', Number.NaN]],
    ['a number', field.int(), [0, 7], [-1, 0.5]],
    ['bits', field.bits(4), [0n, 15n], [16n, -1n, 1]],
    ['ticks', field.ticks({ min: 1 }), [1], [0]],
    ['a text', field.text(), ['', 'x'], [0]],
    ['one of some', field.oneOf('a', 'b', null), ['a', null], ['c', undefined]],
    ['an address', field.address('Buyer'), [4, -1], ['4', 1.5]],
    ['an index', field.index('Buyer'), [0, 2], [-1, 'a']],
    ['bytes', field.bytes({ max: 2 }), [new Uint8Array(2)], [new Uint8Array(3), [1]]],
    ['a list', field.list(field.int(), { max: 2 }), [[], [3, 1]], [[1, 2, 3], ['a'], 1]],
    ['a set', field.set(field.int()), [[], [1, 3]], [[-1]]],
    [
      'a record',
      field.record({ a: field.int(), b: field.optional(field.flag()) }),
      [{ a: 1 }, { a: 1, b: true }],
      [{}, { a: 1, b: 2 }, { a: 1, c: 2 }, null],
    ],
    [
      'a message',
      field.message({ Ask: { rows: field.int() }, Close: {} }),
      [{ type: 'Ask', rows: 1 }, { type: 'Close' }],
      [{ type: 'Ask' }, { type: 'Other' }, null],
    ],
    ['by member', field.byMember('Buyer', field.int()), [[1, 2, 3]], [['a', 1, 2]]],
    ['either', field.either(field.int(), field.oneOf('none')), [3, 'none'], ['some']],
    ['maybe', field.maybe(field.int()), [null, 3], [undefined, 'a']],
    ['data', field.data({ any: 1 }), [{ x: 1 }, 3], []],
  ] as const
).map(([name, kind, good, bad]) => [name, kind as Kind<unknown>, good, bad]);

/** The places of a value, all of them. */
function placesOf<T>(kind: Kind<T>, value: T) {
  const spots = kind.spots(value, members);
  return Array.from({ length: spots.length }, (_, at) => spots.at(at)!);
}

describe.each(kinds)('%s', (_name, kind, good, bad) => {
  test('knows its values', () => {
    for (const value of good) expect(kind.misfit(value)).toBeUndefined();
    for (const value of bad) expect(kind.misfit(value), valueText(value)).toBeDefined();
  });

  test('draws values of its own, which stay so, and each other value of a spot is a different one', () => {
    fc.assert(
      fc.property(kind.arbitrary(fc, members), fc.nat(), (value, draw) => {
        expect(kind.misfit(value)).toBeUndefined();
        expect(kind.misfit(kind.exchanged(value, swap))).toBeUndefined();
        // An exchange of two is its own inverse.
        expect(kind.exchanged(kind.exchanged(value, swap), swap)).toEqual(value);
        for (const spot of placesOf(kind, value)) {
          const { value: other, now } = spot.other(draw % spot.count);
          expect(kind.misfit(other)).toBeUndefined();
          expect(other).not.toEqual(value);
          expect(now).not.toEqual(spot.was);
        }
      }),
      { numRuns: 100, seed: 3 },
    );
  });
});

test('of very many bytes only the place that is asked for is made', () => {
  const value = { first: 1, data: new Uint8Array(2 ** 24) };

  const spots = field.record({ first: field.int({ max: 1 }), data: field.bytes() }).spots(value, members);

  expect(spots.length).toBe(1 + 2 ** 24);
  expect(spots.at(0)).toMatchObject({ at: 'first', was: 1 });
  expect(spots.at(2 ** 24)).toMatchObject({ at: `data[${2 ** 24 - 1}]`, was: 0, count: 8 });
  expect(spots.at(spots.length)).toBeUndefined();
});

test('an exchange reaches addresses, indices, sets and lists by member, and nothing else', () => {
  const kind = field.record({
    one: field.address('Buyer'),
    place: field.index('Buyer'),
    shopPlace: field.index('Shop'),
    all: field.set(field.address('Buyer')),
    each: field.byMember('Buyer', field.int()),
    count: field.int(),
  });
  const value = { one: 4, place: 1, shopPlace: 1, all: [4, 6], each: [7, 8, 9], count: 4 } as never;

  expect(kind.exchanged(value, swap)).toEqual({
    one: 5,
    place: 0,
    shopPlace: 1,
    all: [5, 6],
    each: [8, 7, 9],
    count: 4,
  });
});

test('what names an actor is corrupted to another actor of its role, and a number stays in its range', () => {
  const others = (kind: Kind<number>, value: number) =>
    placesOf(kind, value).flatMap((spot) =>
      Array.from({ length: spot.count }, (_, pick) => spot.other(pick).now),
    );

  expect(others(field.address('Buyer'), 5)).toEqual([4, 6]);
  expect(others(field.index('Buyer'), 1)).toEqual([0, 2]);
  // 3 is 11 in binary: 2, 1, 7, and 11 and above are out of the range.
  expect(others(field.int({ max: 9 }), 3)).toEqual([2, 1, 7]);
});

test('types follow from the declaration', () => {
  expectTypeOf<EventsOf<Shop, 'Buyer'>['type']>().toEqualTypeOf<'Parcel' | 'hungry'>();
  expectTypeOf<MessageOf<Shop, 'Order'>['item']>().toEqualTypeOf<number>();
  expectTypeOf<MessageOf<Shop, 'Order'>['for']>().toEqualTypeOf<AddressOf<'Buyer'> | undefined>();
  expectTypeOf<ShownBy<Shop>>().toMatchTypeOf<{ type: 'parcel.opened'; items: number }>();

  const buyer = shop.roles.Buyer.component<{ shop: AddressOf<'Shop'>; self: AddressOf<'Buyer'> }>();
  buyer.act((me, _event, out) => {
    out.post({ to: me.shop, type: 'Order', item: 1 });
    // @ts-expect-error: a shop receives no parcels
    out.post({ to: me.shop, type: 'Parcel', items: [] });
    // @ts-expect-error: an order has an item
    out.post({ to: me.shop, type: 'Order' });
    // @ts-expect-error: nobody receives a misspelt message
    out.post({ to: me.shop, type: 'Ordr', item: 1 });
    out.probe({ type: 'parcel.opened', items: 1 });
    // @ts-expect-error: a buyer shows no such thing
    out.probe({ type: 'parcel.lost' });
  });
  // @ts-expect-error: a buyer does not receive orders
  buyer.when<'Order'>(() => true);
});

type Say = (out: Outbox, seller: Address) => void;
const posting =
  (said: object): Say =>
  (out, seller) =>
    out.post({ to: seller, ...said } as never);

/** A shop, and a buyer who says something when it is hungry, which it is. */
function wired(say: Say): Wiring {
  const wiring = new Wiring({});
  const seller = shop.roles.Shop.reserve(wiring);
  const role = setup({
    actions: { say: component().act((_me, _event, out) => say(out as never, seller)) },
  });
  wiring.place(
    seller,
    setup({}).createMachine({ initial: 'open', states: { open: { on: { '*': {} } } } }),
    undefined,
  );
  const buyer = wiring.place(
    'Buyer[0]',
    role.createMachine({ initial: 'here', states: { here: { on: { hungry: { actions: 'say' } } } } }),
    undefined,
  );
  wiring.begin({ to: buyer, type: 'hungry' });
  wiring.speak(shop);
  return wiring;
}

describe('a message that is not as its protocol declares it (KRN020)', () => {
  test.each([
    [{ type: 'Ordr' }, 'found the message "Ordr", expected one that a Shop receives: Order, Close'],
    [{ type: 'Order', item: 10 }, '"Order": found 10 as item, expected a whole number from 0 to 9'],
    [{ type: 'Order' }, '"Order": found nothing as item, expected a whole number from 0 to 9'],
    [{ type: 'Close', now: 1 }, '"Close": found 1 as now, expected no such field'],
  ])('%j is refused in a run and under every schedule', (said, words) => {
    expectRefused(posting(said), `KRN020 Buyer[0] to Shop: ${words}`);
  });

  const shown =
    (probe: Probe): Say =>
    (out) =>
      out.probe(probe);
  const shows = 'KRN020 Buyer[0]: shows parcel.';
  test.each<[string, Say, string]>([
    [
      'a timer',
      (out) => out.setTimer('thirsty', 1),
      'KRN020 Buyer[0]: sets the timer thirsty, which the role Buyer does not have',
    ],
    ['a probe', shown({ type: 'parcel.lost' }), `${shows}lost, which the protocol does not have`],
    [
      'a probe without its field',
      shown({ type: 'parcel.opened' }),
      `${shows}opened with found nothing as items`,
    ],
  ])('%s is refused in a run and under every schedule', (_name, say, message) => {
    expectRefused(say, message);
  });

  const expectRefused = (say: Say, message: string) => {
    const { verdict, failure } = new Run(wired(say)).toEnd();
    expect([verdict, failure?.message]).toEqual(['error', expect.stringContaining(message)]);
    expect(new Explorer(() => wired(say)).toEnd().findings[0]).toMatchObject({
      verdict: 'error',
      why: expect.stringContaining(message),
    });
  };

  test('is a message of whoever sends it from the outside, too', () => {
    const wiring = wired(posting({ type: 'Close' }));
    wiring.begin({ to: 0 as Address, type: 'Order', item: -1 });

    expect(() => new Run(wiring)).toThrow('KRN020 world to Shop: "Order": found -1 as item');
  });

  test('is none when it is as declared', () => {
    expect(new Run(wired(posting({ type: 'Order', item: 9, for: 1 }))).toEnd().failure).toBeUndefined();
  });
});

test('the contract of a part in a role finds what it says against its protocol', () => {
  const clerk = (said: object) =>
    setup({
      actions: { say: component().act((_me, _event, out) => out.post({ to: out.from, ...said } as never)) },
    }).createMachine({
      initial: 'open',
      states: { open: { on: { Order: { actions: 'say' }, Close: {} } } },
    });
  const failures = (said: object) =>
    contractOf('clerk', { machine: clerk(said), speaks: shop.roles.Shop, input: () => undefined }).flatMap(
      ({ failures }) => failures(),
    );

  expect(failures({ type: 'Parcel', items: [1] })).toEqual([]);
  expect(failures({ type: 'Parcel', items: [1, 2, 3] })[0]).toMatch(
    /^clerk: posts Parcel with found \[1,2,3\] as items, expected a list of at most 2, each a whole number from 0 to 9/,
  );
  expect(failures({ type: 'Packet' })[0]).toMatch(/^clerk: posts Packet, which the protocol does not have/);
});

test.each([
  [0, 8],
  [1, 8],
  [255, 8],
  [256, 16],
  [65_535, 16],
  [65_536, 32],
  [2 ** 31, 32],
  [2 ** 32 - 1, 32],
  [-1, 32],
  [-(2 ** 31), 32],
])('a corrupted %d differs in one bit of its width, each bit once', (value, bits) => {
  const differences = bitFlips(value).map((other) => BigInt.asUintN(40, BigInt(value) ^ BigInt(other)));
  const weights = Array.from({ length: bits }, (_, bit) => 1n << BigInt(bit));

  // The sign of a number of 32 bits reaches as far as numbers do.
  expect(differences.map((one) => BigInt.asUintN(bits, one))).toEqual(weights);
});

describe('what an actor remembers, and is not as its protocol declares it', () => {
  const voting = protocol({
    Voter: {
      receives: { go: {} },
      remembers: { votes: field.byMember('Voter', field.int({ max: 1 })) },
    },
  });
  const exchanged = (votes: unknown) => {
    const wiring = new Wiring({});
    const voter = setup({
      types: voting.roles.Voter.types<{ votes: unknown; other: number }, undefined>(),
    }).createMachine({
      id: 'voter',
      context: { votes, other: 7 },
      initial: 'open',
      states: { open: { on: { go: { actions: [] } } } },
    });
    for (const at of voting.roles.Voter.reserve(wiring, 3)) wiring.place(at, voter, undefined);
    wiring.speak(voting);
    return () =>
      new Explorer(() => wiring, { symmetry: wiring.speakers!.symmetry('Voter'), statesMax: 10 }).toEnd();
  };

  test('is refused where actors are exchanged, with place, finding and expectation', () => {
    expect(exchanged(null)).toThrow(
      'KRN020 Voter[0] remembers: found null as votes, expected a list with one entry for each Voter, each a whole number from 0 to 1',
    );
    expect(exchanged([0, 0])).toThrow(
      "KRN020 field.byMember('Voter'): found [0,0], a list of 2, expected one entry for each Voter, also for number 2",
    );
    expect(exchanged([0, 0, 0])).not.toThrow();
  });

  test('is named in reports where it is as declared, whatever else is remembered', () => {
    const wiring = new Wiring({});
    const at = shop.roles.Shop.reserve(wiring);

    expect(
      new Speakers(shop, wiring).namedMemory(
        at,
        { waiting: [4], other: 7 },
        (address) => `Buyer[${address}]`,
      ),
    ).toEqual({ waiting: ['Buyer[4]'], other: 7 });
  });
});
