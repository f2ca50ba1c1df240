import fc from 'fast-check';
import { isDraft } from 'immer';
import { describe, expect, test } from 'vitest';
import { type AnyStateMachine, setup } from 'xstate';
import { type ContractSubject, contractOf } from './contract.ts';
import { component } from './kit.ts';
import type { Address } from './message.ts';
import { fixed, type Resource } from './resource.ts';

interface PartContext {
  n: number;
  seen: unknown;
  readonly store: Store;
}
type PartEvent = { type: 'add'; by: number } | { type: 'reset' };
const { update, post, when } = component<PartContext, PartEvent>();

/** A resource whose forks share what they hold when it is made to. */
class Store implements Resource {
  #held: { value: number };
  constructor(
    readonly shares: boolean,
    held = { value: 0 },
  ) {
    this.#held = held;
  }
  add(by: number): number {
    this.#held.value += by;
    return this.#held.value;
  }
  fork(): Store {
    return new Store(this.shares, this.shares ? this.#held : { ...this.#held });
  }
  hash(into: { number(value: number): void }): void {
    into.number(this.#held.value);
  }
}

/** A sound part, with one fault when it is given one. */
function subject(
  fault: {
    readonly add?: (c: PartContext, by: number) => void;
    readonly shares?: boolean;
    readonly on?: object;
    readonly entry?: string;
  } = {},
): ContractSubject {
  const machine = setup({
    types: {} as { context: PartContext; events: PartEvent; input: Store },
    guards: { many: when((c) => c.n > 20) },
    actions: {
      add: update<'add'>((c, { by }) => {
        c.n += by;
        c.store.add(by);
        fault.add?.(c, by);
      }),
      reset: update((c) => {
        c.n = 0;
      }),
      tell: post((c) => ({ to: 1 as Address, type: 'told', n: c.n })),
      greet: post(() => ({ to: 0 as Address, type: 'reset' })),
    },
  }).createMachine({
    id: 'part',
    context: ({ input }) => ({ n: 0, seen: null, store: input }),
    initial: 'few',
    ...(fault.entry && { entry: fault.entry as 'greet' }),
    states: {
      few: {
        on: {
          add: { target: 'counting', actions: ['add', 'tell'] },
          reset: { actions: 'reset' },
          ...fault.on,
        },
      },
      counting: { always: [{ guard: 'many', target: 'many' }, { target: 'few' }] },
      many: { on: { reset: { target: 'few', actions: 'reset' } } },
    },
  });
  return {
    machine: machine as AnyStateMachine,
    input: () => new Store(fault.shares ?? false),
    runs: 25,
    events: fc.oneof(
      fc.record({ type: fc.constant('add'), by: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ type: fc.constant('reset') }),
    ),
    undecided: { many: ['add'] },
  };
}

/** The sentences that do not hold of a part, without its name. */
const broken = (one: ContractSubject) =>
  contractOf('part', one).flatMap(({ sentence, failures }) =>
    failures().length > 0 ? [sentence.replace('part: ', '')] : [],
  );
const found = (one: ContractSubject, sentence: string) =>
  contractOf('part', one)
    .find((check) => check.sentence === `part: ${sentence}`)!
    .failures();

const sameTrace = 'the same events and picks lead to the same trace';
const decided = 'every state decides on every event, or is listed as one that does not';

describe('the contract', () => {
  test('holds of a sound part', () => {
    expect(broken(subject())).toEqual([]);
  });

  test('finds state outside the context', () => {
    let outside = 0;
    const failures = found(
      subject({
        add: (c) => {
          c.n += outside++;
        },
      }),
      sameTrace,
    );

    expect(failures[0]).toMatch(/^part\.steps\[\d\]\.(context\.n|out)/);
  });

  test('finds a recipe that does something else on persistent contexts', () => {
    const one = subject({
      add: (c) => {
        if (isDraft(c)) c.n++;
      },
    });

    expect(broken(one)).toContain('the tables do what XState does');
    expect(broken(one)).toContain('a persistent snapshot goes on as if it had never stopped');
    expect(broken(one)).not.toContain('the tables do what XState does with persistent contexts');
    expect(found(one, 'the tables do what XState does')).toEqual([
      'part.steps[1].context.n is 1, expected 2, with the picks [], after [{"type":"add","by":1}]',
    ]);
  });

  test('finds a resource whose forks share something', () => {
    expect(broken(subject({ shares: true }))).toEqual([
      'a snapshot goes on as if it had never stopped',
      'a persistent snapshot goes on as if it had never stopped',
    ]);
  });

  test.each([
    ['a map', new Map([[1, 2]])],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a date in a list', [new Date(0)]],
  ])('finds a context with %s, which JSON does not know', (_, value) => {
    const failures = found(
      subject({
        add: (c) => {
          c.seen = value;
        },
      }),
      'its state survives JSON',
    );

    expect(failures).toHaveLength(1);
    expect(failures[0]).toMatch(/context\.seen/);
  });

  test('lets a context have keys that are undefined, and resources', () => {
    const one = subject({
      add: (c) => {
        c.seen = { nothing: undefined, table: fixed(() => 1) };
      },
    });

    expect(found(one, 'its state survives JSON')).toEqual([]);
  });

  test('finds a pair of state and event that nobody decided on, and one that is listed without need', () => {
    const { undecided: _, ...one } = subject();

    expect(found(one, decided)).toEqual(['part: state "many" does not decide on "add"']);
    expect(found({ ...one, undecided: { many: ['add', 'reset'], few: ['reset'] } }, decided)).toEqual([
      'part: "reset" is listed as undecided in "many", but is decided there, or "many" was not reached',
      'part: "reset" is listed as undecided in "few", but is decided there, or "few" was not reached',
    ]);
  });

  test('finds a state that the events never lead to, unless it is listed; and one that is listed without need', () => {
    const one = { ...subject(), events: fc.record({ type: fc.constant('reset') }), undecided: {} };

    expect(found(one, decided)).toEqual(['part: the events never lead to the state "many"']);
    expect(found({ ...one, unreached: ['many'] }, decided)).toEqual([]);
    expect(found({ ...subject(), unreached: ['many'] }, decided)).toEqual([
      'part: the state "many" is listed as unreached, but is reached',
    ]);
  });

  test('finds a part that speaks before it is spoken to', () => {
    expect(found(subject({ entry: 'greet' }), 'it does nothing unasked')).toEqual([
      'part: posted reset before anybody sent it anything',
    ]);
  });

  test('bears parts that throw on events nobody would send, as long as they always throw', () => {
    const one = subject({
      add: (c) => {
        if (c.n > 10) throw new Error('too many');
      },
    });

    expect(broken({ ...one, undecided: {}, unreached: ['many'] })).toEqual([]);
    const sometimes = subject({
      add: (c) => {
        if (c.n > 10 && !isDraft(c)) throw new Error('too many');
      },
    });
    expect(broken({ ...sometimes, undecided: {}, unreached: ['many'] })).toContain(
      'the tables do what XState does',
    );
  });
});
