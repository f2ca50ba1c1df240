import type { Hasher } from '../../kernel/hash.ts';
import type { Resource } from '../../kernel/resource.ts';
import { undraft } from '../../kernel/undraft.ts';

/** What a program has as it runs: a generator, or anything else that gives operations and takes their results. */
export type RunningProgram<Operation, Result> = Iterator<Operation, void, Result>;

/** A program as a generator: yields operations and receives their results. It may read nothing but those results. */
export type ProgramFunction<Operation, Result> = () => RunningProgram<Operation, Result>;

/**
 * A running program: a generator function and the log of the results it was fed.
 *
 * Details: a generator cannot be copied, so a fork keeps the log and feeds it to a fresh generator when it is first asked to go on. Equal
 * neighbours in the log are kept once with a count, so a program that polls stays small.
 */
export class Program<Operation, Result> implements Resource {
  readonly #make: ProgramFunction<Operation, Result>;
  #running: RunningProgram<Operation, Result> | undefined;
  readonly #results: Result[];
  readonly #repeats: number[];
  #steps: number;

  constructor(
    make: ProgramFunction<Operation, Result>,
    log?: {
      readonly results: readonly Result[];
      readonly repeats: readonly number[];
      readonly steps: number;
    },
  ) {
    this.#make = make;
    this.#results = log ? [...log.results] : [];
    this.#repeats = log ? [...log.repeats] : [];
    this.#steps = log?.steps ?? 0;
  }

  /** Operations asked for so far. */
  get steps(): number {
    return this.#steps;
  }

  /** Gives the result of the last operation and takes the next one; undefined when the program is over. The first result is ignored. Errors: what the generator throws, and one that yields nothing. */
  next(given: Result): Operation | undefined {
    // A recipe under Immer hands out drafts, which die with it; the log and the generator outlive it.
    const result = undraft(given);
    const running = this.#running ?? this.#refeed();
    if (this.#steps > 0) this.#note(result);
    this.#steps++;
    const step = running.next(result);
    if (step.done === true) return undefined;
    if (step.value === undefined || step.value === null)
      throw noOperation(undefined, 'an operation: write yield with what it asks for');
    return step.value;
  }

  /**
   * Feeds the same results to another generator that asks for the same operations, until it asks for the one of this number, from 1.
   *
   * Details: for looking at a program once more; nothing of this one changes.
   */
  retrace(make: ProgramFunction<Operation, Result>, step: number): Operation | undefined {
    const running = make();
    let count = 1;
    // The first result that a generator is given means nothing to it.
    let next = running.next(undefined as Result);
    for (let i = 0; i < this.#results.length; i++) {
      for (let times = this.#repeats[i]!; times > 0; times--) {
        if (count >= step || next.done === true) return next.done === true ? undefined : next.value;
        count++;
        next = running.next(this.#results[i]!);
      }
    }
    return count !== step || next.done === true ? undefined : next.value;
  }

  fork(): Program<Operation, Result> {
    return new Program(this.#make, { results: this.#results, repeats: this.#repeats, steps: this.#steps });
  }

  hash(into: Hasher): void {
    into.number(this.#steps);
    into.value(this.#results);
    into.value(this.#repeats);
  }

  #note(result: Result): void {
    const last = this.#results.length - 1;
    if (last >= 0 && same(this.#results[last], result)) this.#repeats[last]!++;
    else {
      this.#results.push(result);
      this.#repeats.push(1);
    }
  }

  #refeed(): RunningProgram<Operation, Result> {
    const running = this.#make();
    this.#running = running;
    if (this.#steps === 0) return running;
    try {
      running.next(undefined as Result);
      for (let i = 0; i < this.#results.length; i++) {
        for (let times = this.#repeats[i]!; times > 0; times--) running.next(this.#results[i]!);
      }
    } catch {
      // What it throws now it threw at the last result as well, to the one who gave it: from there on it is over.
    }
    return running;
  }
}

/** What a program yields when it should yield an operation. `expected` says what it should be. */
export const noOperation = (asked: unknown, expected: string): Error =>
  new Error(`found a program that yields ${told(asked)}, expected ${expected}`);

/** Whether something that a program yields may be an operation: a record with the name of one. */
export const isNamedOperation = (asked: unknown): boolean =>
  typeof (asked as { op?: unknown } | null | undefined)?.op === 'string';

/** Something in a few words. */
function told(asked: unknown): string {
  if (asked === undefined) return 'nothing';
  if (typeof (asked as Partial<Iterator<unknown>> | null)?.next === 'function')
    return 'the steps of a call, for which "yield*" stands';
  const text = typeof asked === 'object' ? JSON.stringify(asked) : String(asked);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** A program whose operations are given as data and do not depend on results. */
export function programOf<Operation, Result>(operations: readonly Operation[]): Program<Operation, Result> {
  return new Program<Operation, Result>(function* () {
    yield* operations;
  });
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return sameBytes(a, b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (key) =>
        Object.hasOwn(b, key) &&
        Object.is((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
    )
  );
}

/** Blocks that a program reads may be large: their bytes are looked at without naming each. */
function sameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.byteLength !== b.byteLength) return false;
  const [one, other] = [bytesOf(a), bytesOf(b)];
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
