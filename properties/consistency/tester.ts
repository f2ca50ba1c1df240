import { KernelError } from '../../kernel/errors.ts';
import type { Found, Observation, Observer } from '../../kernel/explore/observer.ts';
import { transcriptOf } from '../../kernel/explore/transcript.ts';
import { oneOf, onlyKeys } from '../../kernel/known-keys.ts';
import { valueText } from '../../kernel/value-text.ts';
import type { SequentialObject } from './sequential-object.ts';

/** An operation that a client has begun. */
interface Invocation {
  readonly operation: unknown;
  /**
   * By client: how many of its operations had completed by then, which are those that must come before. For `linearizable` those of all others, which is the order of real
   * time; for `sequential`, none.
   */
  readonly after: Readonly<Record<string, number>>;
}

/** An operation that was answered. */
interface Completed extends Invocation {
  readonly result: unknown;
}

/** What clients have done with a shared object: the memory of a consistency tester, and part of the state. */
export interface OperationHistory {
  /** By client, in the order of its operations. */
  completed: Record<string, Completed[]>;
  /** By client that awaits an answer, or has given one up. */
  open: Record<string, Invocation>;
}

/** What a tester reads off a message or probe; undefined for what is nothing to it. */
export type HistoryEvent =
  | { readonly kind: 'invoked'; readonly client: string; readonly operation: unknown }
  | { readonly kind: 'returned'; readonly client: string; readonly result: unknown };

/** What a consistency tester is made from. */
export interface TesterOptions<State, Operation, Result> {
  readonly object: SequentialObject<State, Operation, Result>;
  /**
   * `linearizable` (default): each operation takes effect at one moment between its invocation and its return (Herlihy and Wing, 1990). `sequential`: one order of all
   * operations that keeps the order of each client explains the results (Lamport, 1979).
   */
  readonly model?: 'linearizable' | 'sequential';
  /** Types of the messages and probes that `read` looks at; those of the probes below when absent. */
  readonly watches?: readonly string[];
  /** Reads an event of the history; probes `operation.invoked` with `operation` and `operation.returned` with `result`, shown by the client, when absent. */
  readonly read?: (observation: Observation) => HistoryEvent | undefined;
}

const probes = ['operation.invoked', 'operation.returned'];

function fromProbe(observation: Observation): HistoryEvent | undefined {
  if (observation.kind !== 'probe') return undefined;
  const { actor: client, probe } = observation;
  const { type, operation, result } = probe as { type: string; operation?: unknown; result?: unknown };
  return type === 'operation.invoked'
    ? { kind: 'invoked', client, operation }
    : { kind: 'returned', client, result };
}

/**
 * A property that judges the history of clients of a shared object, at each answer.
 *
 * Details: nothing is guessed and nothing left out: all orders of the operations that the model allows are tried, with states and progress that were met before tried once.
 * An operation that was not answered may have taken effect or not. A client that begins another one before the answer, for example after a crash, has given it up: it may
 * still take effect at any later moment, as if somebody else had begun it.
 *
 * Errors: KRN024 for an operation that `object` does not have, and for an `apply` that gives no pair or changes the state that it was given.
 */
export function consistency<State, Operation, Result>(
  sentence: string,
  {
    object,
    model = 'linearizable',
    watches = probes,
    read = fromProbe,
    ...others
  }: TesterOptions<State, Operation, Result>,
): Observer<OperationHistory> {
  onlyKeys('consistency', others, ['object', 'model', 'watches', 'read']);
  oneOf('consistency.model', model, ['linearizable', 'sequential']);
  if (typeof object?.apply !== 'function')
    throw new KernelError(
      'KRN024',
      'consistency.object',
      'expected { initial, apply }, such as registerObject(0)',
    );
  return {
    sentence,
    watches,
    begin: () => ({ completed: {}, open: {} }),
    see(history, observation): Found | undefined {
      const event = read(observation);
      if (!event) return undefined;
      const { client } = event;
      if (event.kind === 'invoked') {
        giveUp(history, client);
        const after = model === 'linearizable' ? completedByOthers(history, client) : {};
        history.open[client] = { operation: event.operation, after };
        return undefined;
      }
      const invocation = history.open[client];
      if (!invocation)
        return { actors: [client], why: `${client} got the result ${shown(event.result)} and awaits none` };
      delete history.open[client];
      history.completed[client] = [
        ...(history.completed[client] ?? []),
        { ...invocation, result: event.result },
      ];
      if (isConsistent(history, object)) return undefined;
      const what = `${shown(invocation.operation)} of ${client} returned ${shown(event.result)}`;
      const needed = neededFor(history, client, (some) => !isConsistent(some, object));
      const orders = `as in no order of the operations: ${textOf(needed)}`;
      const others = clientsOf(needed).filter((other) => other !== client);
      const before = others.flatMap((other) => lastBefore(needed, client, other));
      const when = before.length > 0 ? `; it began after ${before.join(' and ')}` : '';
      const actors = [...new Set([client, ...others.map((other) => other.replace(givenUp, ''))])];
      return { actors, why: `${what}, ${orders}${when}` };
    },
  };
}

/** What is open of a client stays open, as if somebody else had begun it after all that the client had done by then. */
function giveUp({ completed, open }: OperationHistory, client: string): void {
  const { [client]: waiting, ...others } = open;
  if (!waiting) return;
  const own = completed[client]?.length ?? 0;
  let number = 1;
  while (Object.hasOwn(others, `${client} (given up ${number})`)) number++;
  const after = own > 0 ? { ...waiting.after, [client]: own } : waiting.after;
  open[`${client} (given up ${number})`] = { ...waiting, after };
}

/** What follows the name of a client for an operation that it has given up. */
const givenUp = / \(given up \d+\)$/;

/** True when some order of the operations that the model allows gives the results of a history. Errors: KRN024. */
export function isConsistent<State, Operation, Result>(
  { completed, open }: OperationHistory,
  object: SequentialObject<State, Operation, Result>,
): boolean {
  const clients = clientsOf({ completed, open });
  const total = clients.reduce((sum, client) => sum + (completed[client]?.length ?? 0), 0);
  const met = new Set<string>();
  const fits = (after: Readonly<Record<string, number>>, done: readonly number[]): boolean =>
    Object.entries(after).every(([client, count]) => done[clients.indexOf(client)]! >= count);
  const search = (state: State, done: readonly number[], answered: number): boolean => {
    if (answered === total) return true;
    const key = transcriptOf(state);
    const place = `${done.join(' ')} ${key}`;
    if (met.has(place)) return false;
    met.add(place);
    return clients.some((client, at) => {
      const count = done[at]!;
      const next = completed[client]?.[count];
      const pending = count === (completed[client]?.length ?? 0) ? open[client] : undefined;
      const invocation = next ?? pending;
      if (!invocation || !fits(invocation.after, done)) return false;
      const applied = object.apply(state, invocation.operation as Operation);
      if (!Array.isArray(applied) || applied.length !== 2)
        refuseApply(
          `found ${valueText(applied)} for ${shown(invocation.operation)}, expected [state, result]`,
        );
      if (transcriptOf(state) !== key)
        refuseApply(
          `it changes the state that it is given for ${shown(invocation.operation)}, expected a new one`,
        );
      const [after, result] = applied;
      if (next && transcriptOf(result ?? null) !== transcriptOf(next.result ?? null)) return false;
      return search(after, done.with(at, count + 1), answered + (next ? 1 : 0));
    });
  };
  return search(
    object.initial,
    clients.map(() => 0),
    0,
  );
}

function refuseApply(what: string): never {
  throw new KernelError('KRN024', 'consistency.object.apply', what, {
    cure: 'let it give the state after the operation and the result, and leave the state that it is given as it is',
  });
}

const clientsOf = ({ completed, open }: OperationHistory): readonly string[] =>
  [...new Set([...Object.keys(completed), ...Object.keys(open)])].sort();

/** A history without the clients that it needs not for the last result of a client to be the first that is wrong. */
function neededFor(
  history: OperationHistory,
  client: string,
  isWrong: (history: OperationHistory) => boolean,
): OperationHistory {
  return clientsOf(history)
    .filter((other) => other !== client)
    .reduce((some, other) => {
      const fewer = withoutClient(some, other);
      return isWrong(fewer) && !isWrong(beforeLast(fewer, client)) ? fewer : some;
    }, history);
}

/** A history when the last operation of a client was not answered yet. */
function beforeLast({ completed, open }: OperationHistory, client: string): OperationHistory {
  const own = completed[client]!;
  return {
    completed: { ...completed, [client]: own.slice(0, -1) },
    open: { ...open, [client]: own.at(-1)! },
  };
}

function withoutClient({ completed, open }: OperationHistory, client: string): OperationHistory {
  const { [client]: _, ...others } = completed;
  const { [client]: __, ...waiting } = open;
  const withoutIt = <I extends Invocation>({ after: { [client]: ___, ...after }, ...rest }: I) =>
    ({ ...rest, after }) as unknown as I;
  return {
    completed: Object.fromEntries(Object.entries(others).map(([name, all]) => [name, all.map(withoutIt)])),
    open: Object.fromEntries(Object.entries(waiting).map(([name, one]) => [name, withoutIt(one)])),
  };
}

/** The last operation of another client that had returned when the last one of a client began, in words. */
function lastBefore({ completed }: OperationHistory, client: string, other: string): readonly string[] {
  const count = completed[client]?.at(-1)?.after[other] ?? 0;
  const last = completed[other]?.[count - 1];
  return last ? [`${shown(last.operation)} of ${other} had returned`] : [];
}

/** By other client that has completed at least one operation: how many. */
function completedByOthers({ completed }: OperationHistory, client: string): Record<string, number> {
  const others = Object.entries(completed).filter(([other]) => other !== client);
  return Object.fromEntries(others.map(([other, operations]) => [other, operations.length]));
}

const shown = (value: unknown): string =>
  Array.isArray(value) ? value.map(valueText).join(' ') : valueText(value);

const textOf = ({ completed, open }: OperationHistory): string =>
  [
    ...Object.entries(completed).map(
      ([client, operations]) =>
        `${client}: ${operations.map(({ operation, result }) => `${shown(operation)} -> ${shown(result)}`).join(', ')}`,
    ),
    ...Object.entries(open).map(([client, { operation }]) => `${client} awaits ${shown(operation)}`),
  ].join('; ');
