/**
 * What an object shared by clients does when its operations come one after the other: the specification that a concurrent history is compared with.
 *
 * Details: states, operations and results are plain data; two results are equal when their JSON is.
 */
export interface SequentialObject<State, Operation, Result> {
  readonly initial: State;
  apply(state: State, operation: Operation): readonly [state: State, result: Result];
}

/** Operations on a register: its value is written, or read. */
export type RegisterOperation = readonly ['write', unknown] | readonly ['read'];

/** A register with a first value. A write returns null, a read the value. */
export const registerObject = (initial: unknown): SequentialObject<unknown, RegisterOperation, unknown> => ({
  initial,
  apply: (value, operation) => (operation[0] === 'write' ? [operation[1], null] : [value, value]),
});

/** Operations on a register that compares and swaps: `cas` writes the second value where it finds the first, and returns whether it did. */
export type CasOperation = RegisterOperation | readonly ['cas', expected: unknown, value: unknown];

/** A register with compare-and-swap. */
export const casObject = (initial: unknown): SequentialObject<unknown, CasOperation, unknown> => ({
  initial,
  apply: (value, operation) => {
    if (operation[0] !== 'cas') return registerObject(value).apply(value, operation);
    const found = JSON.stringify(value) === JSON.stringify(operation[1]);
    return [found ? operation[2] : value, found];
  },
});

/** Operations on a queue; `dequeue` returns the oldest item, or null when there is none. */
export type QueueOperation = readonly ['enqueue', unknown] | readonly ['dequeue'];

/** A queue, first in, first out, empty at first. */
export const queueObject: SequentialObject<readonly unknown[], QueueOperation, unknown> = {
  initial: [],
  apply: (items, operation) =>
    operation[0] === 'enqueue' ? [[...items, operation[1]], null] : [items.slice(1), items[0] ?? null],
};

/** Operations on a set of numbers or strings; `add` and `remove` return whether they changed it, `has` whether the item is in it. */
export type SetOperation = readonly ['add' | 'remove' | 'has', item: number | string];

/** A set, empty at first. */
export const setObject: SequentialObject<readonly (number | string)[], SetOperation, boolean> = {
  initial: [],
  apply: (items, [kind, item]) => {
    const found = items.includes(item);
    if (kind === 'has') return [items, found];
    if (kind === 'remove') return [items.filter((one) => one !== item), found];
    return [found ? items : [...items, item], !found];
  },
};
