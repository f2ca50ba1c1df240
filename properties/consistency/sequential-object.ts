import { KernelError } from '../../kernel/errors.ts';
import { valueText } from '../../kernel/value-text.ts';
import { valueKey } from './history.ts';

/**
 * What an object shared by clients does when its operations come one after the other: the specification that a concurrent history is compared with.
 *
 * Details: states, operations and results are plain data, maps and sets included. Results are compared as data; one that is undefined is the same as null, since not
 * every operation has something to say.
 */
export interface SequentialObject<State, Operation, Result> {
  readonly initial: State;
  /** The state after an operation, and its result. `state` stays as it is: the same one is tried with other operations. */
  apply(state: State, operation: Operation): readonly [state: State, result: Result];
}

/** Operations on a register: its value is written, or read. */
export type RegisterOperation = readonly ['write', unknown] | readonly ['read'];

/** A register with a first value. A write returns null, a read the value. */
export const registerObject = (initial: unknown): SequentialObject<unknown, RegisterOperation, unknown> => ({
  initial,
  apply: (value, operation) => {
    switch (operation?.[0]) {
      case 'write':
        return [operation[1], null];
      case 'read':
        return [value, value];
      default:
        return unknownOperation('registerObject', operation, ['write', 'value'], ['read']);
    }
  },
});

/** Operations on a register that compares and swaps: `cas` writes the second value where it finds the first, and returns whether it did. */
export type CasOperation = RegisterOperation | readonly ['cas', expected: unknown, value: unknown];

/** A register with compare-and-swap. */
export const casObject = (initial: unknown): SequentialObject<unknown, CasOperation, unknown> => ({
  initial,
  apply: (value, operation) => {
    switch (operation?.[0]) {
      case 'write':
      case 'read':
        return registerObject(value).apply(value, operation);
      case 'cas': {
        const found = valueKey(value) === valueKey(operation[1]);
        return [found ? operation[2] : value, found];
      }
      default:
        return unknownOperation(
          'casObject',
          operation,
          ['write', 'value'],
          ['read'],
          ['cas', 'expected', 'value'],
        );
    }
  },
});

/** Operations on a queue; `dequeue` returns the oldest item, or null when there is none. */
export type QueueOperation = readonly ['enqueue', unknown] | readonly ['dequeue'];

/** A queue, first in, first out, empty at first. */
export const queueObject: SequentialObject<readonly unknown[], QueueOperation, unknown> = {
  initial: [],
  apply: (items, operation) => {
    switch (operation?.[0]) {
      case 'enqueue':
        return [[...items, operation[1]], null];
      case 'dequeue':
        return [items.slice(1), items[0] ?? null];
      default:
        return unknownOperation('queueObject', operation, ['enqueue', 'item'], ['dequeue']);
    }
  },
};

/** Operations on a set of numbers or strings; `add` and `remove` return whether they changed it, `has` whether the item is in it. */
export type SetOperation = readonly ['add' | 'remove' | 'has', item: number | string];

/** A set, empty at first. */
export const setObject: SequentialObject<readonly (number | string)[], SetOperation, boolean> = {
  initial: [],
  apply: (items, operation) => {
    const item = operation?.[1];
    const found = items.includes(item);
    switch (operation?.[0]) {
      case 'has':
        return [items, found];
      case 'remove':
        return [items.filter((one) => one !== item), found];
      case 'add':
        return [found ? items : [...items, item], !found];
      default:
        return unknownOperation('setObject', operation, ['add', 'item'], ['remove', 'item'], ['has', 'item']);
    }
  },
};

/** Nothing is guessed of an operation that an object does not have. Errors: KRN024, always. */
function unknownOperation(
  object: string,
  found: unknown,
  ...expected: readonly (readonly string[])[]
): never {
  const forms = expected.map(([kind, ...parts]) => `["${[`${kind}"`, ...parts].join(', ')}]`);
  throw new KernelError(
    'KRN024',
    object,
    `found the operation ${valueText(found)}, expected ${forms.join(' or ')}`,
    {
      cure: 'show it in this form, translate it with the option read of consistency, or write an object of your own: { initial, apply }',
    },
  );
}
