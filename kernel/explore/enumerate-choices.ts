/** One way in which something can go: what came of it and the picks that led there. */
export interface Way<T> {
  readonly result: T;
  readonly picks: readonly number[];
}

/**
 * Carries something out once for each way to answer the questions that it asks, in the order of the answers.
 *
 * Details: `attempt` must depend on nothing but the answers; `ask(count)` answers 0..count-1. What is asked may depend on earlier answers. The ways
 * of a run under `Choices` are the tapes; the ways of one handling are its alternatives.
 */
export function* enumerateChoices<T>(
  attempt: (ask: (count: number) => number) => T,
): Generator<Way<T>, void> {
  const picks: number[] = [];
  const counts: number[] = [];
  for (;;) {
    let at = 0;
    const result = attempt((count) => {
      if (at === picks.length) {
        picks.push(0);
        counts.push(count);
      }
      return picks[at++]!;
    });
    yield { result, picks: [...picks] };
    while (picks.length > 0 && picks.at(-1)! + 1 >= counts.at(-1)!) {
      picks.pop();
      counts.pop();
    }
    if (picks.length === 0) return;
    picks[picks.length - 1]!++;
  }
}
