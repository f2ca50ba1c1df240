import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Observation } from '../../kernel/explore/observer.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { valueText } from '../../kernel/value-text.ts';
import {
  casObject,
  queueObject,
  type RegisterOperation,
  registerObject,
  type SequentialObject,
  setObject,
} from './sequential-object.ts';
import { consistency, type OperationHistory } from './tester.ts';

const observer = consistency('the register is linearizable', { object: registerObject(0) });

/** What is found after probes such as `A read` and `A = 0`. */
function foundAfter(...steps: readonly string[]) {
  const history = observer.begin() as OperationHistory;
  return steps
    .map((step) => {
      const [actor, ...words] = step.split(' ') as [string, ...string[]];
      const probe =
        words[0] === '='
          ? { type: 'operation.returned', result: JSON.parse(words[1]!) }
          : {
              type: 'operation.invoked',
              operation: words.map((word) => (/\d/.test(word) ? Number(word) : word)),
            };
      return observer.see(history, { kind: 'probe', actor, probe } as unknown as Observation);
    })
    .at(-1);
}

const began = 'as in no order of the operations';

test('a finding names the clients that it takes, and what had returned when the operation began', () => {
  expect(foundAfter('B write 1', 'C write 2', 'C = null', 'D read', 'A read', 'D = 2', 'A = 0')).toEqual({
    actors: ['A', 'C'],
    why: `"read" of A returned 0, ${began}: C: "write" 2 -> null; A: "read" -> 0; it began after "write" 2 of C had returned`,
  });
});

test('a client is named whose write explains what another one has read', () => {
  expect(foundAfter('C write 2', 'D read', 'D = 2', 'A read', 'A = 0')).toEqual({
    actors: ['A', 'C', 'D'],
    why: `"read" of A returned 0, ${began}: D: "read" -> 2; A: "read" -> 0; C awaits "write" 2; it began after "read" of D had returned`,
  });
});

/** What is found after invocations and returns of clients, `[client, 'begins', operation]` and `[client, 'gets', result]`. */
function found<State>(
  object: SequentialObject<State, never, unknown>,
  steps: readonly (readonly [client: string, what: 'begins' | 'gets', value?: unknown])[],
  model: 'linearizable' | 'sequential' = 'linearizable',
) {
  const { begin, see } = consistency('it is consistent', { object, model });
  const history = begin() as OperationHistory;
  return steps
    .map(([actor, what, value]) => {
      const probe =
        what === 'begins'
          ? { type: 'operation.invoked', operation: value }
          : { type: 'operation.returned', result: value };
      return see(history, { kind: 'probe', actor, probe } as unknown as Observation);
    })
    .find((one) => one !== undefined);
}

test.each([
  ['registerObject', registerObject(0), 'expected ["write", value] or ["read"]'],
  ['casObject', casObject(0), 'expected ["write", value] or ["read"] or ["cas", expected, value]'],
  ['queueObject', queueObject, 'expected ["enqueue", item] or ["dequeue"]'],
  ['setObject', setObject, 'expected ["add", item] or ["remove", item] or ["has", item]'],
])('an operation that a %s does not have is refused, not taken for another one', (name, object, expected) => {
  for (const operation of [{ type: 'enqueue', item: 1 }, 'read', ['reads'], undefined])
    expect(() =>
      found(object as SequentialObject<unknown, never, unknown>, [
        ['A', 'begins', operation],
        ['A', 'gets', null],
      ]),
    ).toThrow(`KRN024 ${name}: found the operation ${valueText(operation)}, ${expected}`);
});

test('an operation without a word for its result needs none', () => {
  expect(
    found(queueObject as SequentialObject<readonly unknown[], never, unknown>, [
      ['A', 'begins', ['enqueue', 1]],
      ['A', 'gets'],
    ]),
  ).toBeUndefined();
});

test('results and states are compared as data: maps, sets and infinities are told apart, the order of fields is not', () => {
  const store = (result: unknown): SequentialObject<unknown, never, unknown> => ({
    initial: new Map(),
    apply: (state) => [state, result],
  });
  const isRight = (expected: unknown, got: unknown) =>
    found(store(expected), [
      ['A', 'begins', 'ask'],
      ['A', 'gets', got],
    ]) === undefined;
  expect(isRight({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(isRight(new Map([['a', 1]]), new Map([['a', 1]]))).toBe(true);
  expect(isRight(5n, 5n)).toBe(true);
  expect(isRight(new Map([['a', 1]]), new Map([['a', 2]]))).toBe(false);
  expect(isRight(new Set([1]), new Set([2]))).toBe(false);
  expect(isRight(Number.NEGATIVE_INFINITY, null)).toBe(false);
  // States with other maps in them are other states: both orders of the writes are tried.
  const maps: SequentialObject<ReadonlyMap<string, number>, never, unknown> = {
    initial: new Map(),
    apply: (state, operation: number | 'read') =>
      operation === 'read' ? [state, state.get('x') ?? null] : [new Map([['x', operation]]), null],
  };
  const both = (read: number) =>
    found(maps, [
      ['A', 'begins', 1],
      ['B', 'begins', 2],
      ['A', 'gets', null],
      ['B', 'gets', null],
      ['C', 'begins', 'read'],
      ['C', 'gets', read],
    ]);
  expect([both(1), both(2), both(3)].map((one) => one === undefined)).toEqual([true, true, false]);
});

test('an object that changes the state it is given, or gives no pair, is refused', () => {
  const run = (apply: unknown) => () =>
    found({ initial: [] as unknown[], apply } as SequentialObject<unknown[], never, unknown>, [
      ['A', 'begins', ['push', 1]],
      ['A', 'gets', null],
    ]);
  expect(
    run((state: unknown[], item: unknown) => {
      state.push(item);
      return [state, null];
    }),
  ).toThrow(
    'KRN024 consistency.object.apply: it changes the state that it is given for "push" 1, expected a new one',
  );
  expect(run(() => null)).toThrow(
    'KRN024 consistency.object.apply: found null for "push" 1, expected [state, result]',
  );
});

test('a client that begins another operation before the answer has given the first one up, which may take effect later or never', () => {
  const register = registerObject(0) as SequentialObject<unknown, never, unknown>;
  const begins = [
    ['A', 'begins', ['write', 1]],
    ['A', 'begins', ['read']],
  ] as const;
  const reads = (...results: readonly number[]) =>
    results.flatMap((result) => [['B', 'begins', ['read']] as const, ['B', 'gets', result] as const]);

  for (const own of [0, 1]) {
    const rest = own === 0 ? reads(0, 1) : reads(1, 1);
    expect(found(register, [...begins, ['A', 'gets', own], ...rest])).toBeUndefined();
  }
  // Once it has taken effect it stays; and it has not done so before it was begun.
  expect(found(register, [...begins, ['A', 'gets', 1], ...reads(0)])).toEqual({
    actors: ['B', 'A'],
    why: `"read" of B returned 0, ${began}: A: "read" -> 1; B: "read" -> 0; A (given up 1) awaits "write" 1; it began after "read" of A had returned`,
  });
  for (const model of ['linearizable', 'sequential'] as const)
    expect(
      found(register, [['A', 'begins', ['read']], ['A', 'gets', 1], ...begins, ['A', 'gets', 1]], model),
    ).toMatchObject({ actors: ['A'], why: expect.stringContaining('returned 1') });
});

/** An operation on a register as an interval of time, which has no end when it was given up or not answered. */
interface Interval {
  readonly client: string;
  readonly operation: RegisterOperation;
  readonly began: number;
  ended: number;
  result?: unknown;
}

/** True when some of the operations, those with an end among them, explain all results in some order that the model allows: by trying all of them. */
function explainable(
  left: readonly Interval[],
  value: unknown,
  model: 'linearizable' | 'sequential',
): boolean {
  if (left.every(({ ended }) => ended === Number.POSITIVE_INFINITY)) return true;
  return left.some((one) => {
    const others = left.filter((other) => other !== one);
    const isTooEarly = others.some(
      (other) => other.ended < one.began && (model === 'linearizable' || other.client === one.client),
    );
    if (isTooEarly) return false;
    const [kind, written] = one.operation;
    const isAnswered = one.ended < Number.POSITIVE_INFINITY;
    if (isAnswered && (one.result ?? null) !== (kind === 'write' ? null : value)) return false;
    return explainable(others, kind === 'write' ? written : value, model);
  });
}

test('random histories of clients who give up are judged as by trying every order', () => {
  const seen = { right: 0, wrong: 0 };
  const step = fc.record({
    client: fc.constantFrom('A', 'B', 'C'),
    begins: fc.boolean(),
    operation: fc.constantFrom<RegisterOperation>(['write', 1], ['write', 2], ['read']),
    read: fc.constantFrom(0, 1, 2),
  });
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 4, maxLength: 11 }),
      fc.constantFrom('linearizable' as const, 'sequential' as const),
      (drawn, model) => {
        const steps: [string, 'begins' | 'gets', unknown?][] = [];
        const all: Interval[] = [];
        let isRight = true;
        for (const [now, { client, begins, operation, read }] of drawn.entries()) {
          const open = all.findLast((one) => one.client === client);
          if (begins || !open || open.ended < now) {
            all.push({ client, operation, began: now, ended: Number.POSITIVE_INFINITY });
            steps.push([client, 'begins', operation]);
          } else {
            open.ended = now;
            open.result = open.operation[0] === 'read' ? read : null;
            steps.push([client, 'gets', open.result]);
            // Judged at each answer: what begins later explains nothing that is known by now.
            isRight &&= explainable(all, 0, model);
          }
        }
        expect(
          found(registerObject(0) as SequentialObject<unknown, never, unknown>, steps, model) === undefined,
        ).toBe(isRight);
        seen[isRight ? 'right' : 'wrong']++;
      },
    ),
    { numRuns: effort({ short: 300, long: 5000 }), seed: 5 },
  );
  expect(Math.min(seen.right, seen.wrong)).toBeGreaterThan(effort({ short: 30, long: 500 }));
});
