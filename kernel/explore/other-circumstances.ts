/**
 * Carries something out at another time and with other luck: what it gives must be the same when it depends on what it is given alone.
 *
 * Details: the clocks are later by a day and some milliseconds, and `Math.random` always answers `chance`. They are what they were afterwards. `asked`: whether it asked for one of them.
 */
export function inOtherCircumstances<T>(
  chance: number,
  carryOut: () => T,
): { readonly result: T; readonly asked: boolean } {
  const { random } = Math;
  const ThisDate = Date;
  const { now } = ThisDate;
  const monotonic = performance.now;
  const later = 86_400_000 + Math.floor(1000 * chance) + 1;
  let asked = false;
  const answering = (answer: () => number) => () => {
    asked = true;
    return answer();
  };
  Math.random = answering(() => chance);
  Date.now = answering(() => now() + later);
  performance.now = answering(() => monotonic.call(performance) + later + chance);
  // Under its own name: texts may tell it.
  const changed = {
    Date: class extends ThisDate {
      constructor(...given: [] | [number]) {
        if (given.length > 0) super(...(given as [number]));
        else super(ThisDate.now());
      }
    },
  };
  globalThis.Date = changed.Date as DateConstructor;
  try {
    const result = carryOut();
    return { result, asked };
  } finally {
    Math.random = random;
    globalThis.Date = ThisDate;
    ThisDate.now = now;
    performance.now = monotonic;
  }
}

/** The first so many handlings are carried out again, and later one of so many. */
const firstRepeated = 200;
const laterRepeated = 50;

/** Says of which handlings to see whether they do the same again. */
export class Repetitions {
  #handlings = 0;

  /** True when this one is to be carried out again. */
  next(): boolean {
    return ++this.#handlings <= firstRepeated || this.#handlings % laterRepeated === 0;
  }
}
