import fc from 'fast-check';
import { produce } from 'immer';
import { describe, expect, test } from 'vitest';
import { copyContext, ownInput } from './copy.ts';
import { fixed, isResource, type Resource } from './resource.ts';

/** A resource that counts how often it was forked. */
class Counter implements Resource {
  constructor(
    public count = 0,
    public forks = 0,
  ) {}
  fork(): Counter {
    this.forks++;
    return new Counter(this.count);
  }
  hash(): void {}
}

const copied = <T>(value: T) => copyContext(value, new Map(), false);
const shared = <T>(value: T) => copyContext(value, new Map(), true);

describe('the copy of a context', () => {
  test('equals it and has no object in common with it', () => {
    const objects = (value: unknown): object[] =>
      typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(objects)] : [];
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (context) => {
        const copy = copied(context);

        expect(copy).toEqual(context);
        const originals = new Set(objects(context));
        expect(objects(copy).some((one) => originals.has(one))).toBe(false);
      }),
      { seed: 7 },
    );
  });

  test('holds copies of maps, sets and typed arrays, and forks of resources', () => {
    const context = {
      map: new Map([['a', [1]]]),
      set: new Set([1]),
      bytes: new Uint8Array([1, 2]),
      counter: new Counter(5),
    };

    const copy = copied(context);
    context.map.get('a')!.push(2);
    context.set.add(2);
    context.bytes[0] = 9;
    context.counter.count = 9;

    expect(copy).toEqual({
      map: new Map([['a', [1]]]),
      set: new Set([1]),
      bytes: new Uint8Array([1, 2]),
      counter: new Counter(5),
    });
    expect(context.counter.forks).toBe(1);
  });

  test('keeps two references to one object two references to one object, also across contexts, and circles', () => {
    const counter = new Counter();
    const list = [counter];
    const circle: Record<string, unknown> = { list };
    circle['self'] = circle;
    const seen = new Map<object, unknown>();

    const one = copyContext({ list, counter }, seen, false);
    const other = copyContext({ circle }, seen, false);

    expect(one.list[0]).toBe(one.counter);
    expect((other.circle as typeof circle)['list']).toBe(one.list);
    expect((other.circle as typeof circle)['self']).toBe(other.circle);
    expect(counter.forks).toBe(1);
  });

  test('of persistent data is the data itself, except on the way to a resource', () => {
    const context = produce(
      { plain: { deep: [1, 2] }, holder: { counter: new Counter(3), beside: { x: 1 } } },
      () => {},
    );

    const copy = shared(context);

    expect(shared(context.plain)).toBe(context.plain);
    expect(copy.plain).toBe(context.plain);
    expect(copy.holder.beside).toBe(context.holder.beside);
    expect(copy.holder.counter).not.toBe(context.holder.counter);
    expect(copy.holder.counter.count).toBe(3);
  });

  test('shares what is fixed', () => {
    const table = fixed(() => 42);

    expect(copied({ table }).table).toBe(table);
    expect(shared({ table }).table).toBe(table);
  });

  class Stranger {
    x = 1;
  }
  test.each([
    ['a function', { deep: { f: () => 1 } }, 'found a function'],
    ['a class instance', { deep: { s: new Stranger() } }, 'found an instance of Stranger'],
    ['a date', { deep: new Date(0) }, 'found an instance of Date'],
    ['a function in a list', { deep: [() => 1] }, 'found a function'],
  ])('is refused for %s, in every mode of state', (_, context, what) => {
    for (const copy of [copied, shared])
      expect(() => copy(context)).toThrow(new RegExp(`^KRN007 context.*: ${what}`));
  });

  test('names the place of what it refuses', () => {
    expect(() => copyContext({ deep: { f: () => 1 } }, new Map(), false, 'Chip.Dma')).toThrow(
      'KRN007 Chip.Dma.deep.f: found a function',
    );
  });

  test('of a persistent typed array has elements of its own, since recipes may change it in place', () => {
    const plain = { deep: 1 };
    const context = { plain, list: [{ bytes: Uint8Array.of(1, 2) }] };
    const made = shared(context);
    context.list[0]!.bytes[0] = 9;

    expect(made).toEqual({ plain: { deep: 1 }, list: [{ bytes: Uint8Array.of(1, 2) }] });
    expect(made.plain).toBe(plain);
  });

  test('is refused for a view, in every mode of state', () => {
    for (const copy of [copied, shared])
      expect(() => copy({ view: new DataView(new ArrayBuffer(1)) })).toThrow(
        'KRN007 context.view: found an instance of DataView',
      );
  });
});

describe('a resource', () => {
  test('is whatever can be forked and hashed', () => {
    expect(isResource(new Counter())).toBe(true);
    expect(isResource(fixed(1))).toBe(true);
    expect(isResource({ fork: () => {} })).toBe(false);
    expect(isResource({ hash: () => {} })).toBe(false);
    expect(isResource([])).toBe(false);
  });
});

test('an input is copied but for instances of classes, resources and functions, which stay what they are', () => {
  class Plan {
    readonly steps = [1];
  }
  const list = [1, { n: 2 }];
  const kept = { plan: new Plan(), view: new DataView(new ArrayBuffer(4)), fixed: fixed([1]), run: () => 1 };
  const given = {
    ...kept,
    list,
    again: list,
    map: new Map([['a', list]]),
    set: new Set([3]),
    bytes: Uint8Array.of(1),
  };

  const own = ownInput(given, new Map()) as typeof given;

  expect(own).toEqual(given);
  for (const key of Object.keys(kept) as (keyof typeof kept)[]) expect(own[key]).toBe(given[key]);
  for (const key of ['list', 'map', 'set', 'bytes'] as const) expect(own[key]).not.toBe(given[key]);
  expect(own.again).toBe(own.list);
  expect(own.map.get('a')).toBe(own.list);
});
