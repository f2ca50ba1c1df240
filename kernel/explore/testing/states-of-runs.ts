import type { Choices } from '../../choices.ts';
import { Run, type RunSnapshot } from '../../run.ts';
import type { Wiring } from '../../wiring.ts';
import type { DecodedState } from '../decode.ts';

/** A state of an asynchronous wiring as text: actors with what they know, and what is under way. */
export const asynchronousState = ({ actors, messages }: Pick<DecodedState, 'actors' | 'messages'>): string =>
  JSON.stringify([
    actors.map(({ name, state, context }) => [name, state, Object.entries(context).sort()]),
    messages.map(({ from, to, event }) => JSON.stringify([from, to, Object.entries(event).sort()])).sort(),
  ]);

/** Choices that follow picks, then take the first of all; they keep what there was to pick from. */
class Enumerated implements Choices {
  readonly canonical = false;
  readonly counts: number[] = [];
  constructor(readonly picks: readonly number[]) {}
  pick(_what: string, count: number): number {
    return this.picks[this.counts.push(count) - 1] ?? 0;
  }
  save(): unknown {
    return null;
  }
  load(): void {}
}

/** Carries out one thing for each way to answer its questions. */
function everyAnswer(attempt: (choices: Enumerated) => void): void {
  let picks: number[] | undefined = [];
  while (picks) {
    const choices = new Enumerated(picks);
    attempt(choices);
    const all: number[] = choices.counts.map((_, at) => picks![at] ?? 0);
    while (all.length > 0 && all.at(-1)! + 1 >= choices.counts[all.length - 1]!) all.pop();
    picks = all.length > 0 ? [...all.slice(0, -1), all.at(-1)! + 1] : undefined;
  }
}

/** All states that runs of an asynchronous wiring come to, as texts, step by step from snapshots: no code of the explorer. Undefined beyond `statesMax`. */
export function statesOfRuns(make: () => Wiring, statesMax: number): ReadonlySet<string> | undefined {
  const texts = new Set<string>();
  const known = new Set<string>();
  const open: RunSnapshot[] = [];
  const meet = (run: Run) => {
    texts.add(asynchronousState(run.state));
    // What is under way tells states apart as multisets, or in the order of each channel; what the network has done so far does, too.
    const { idle: _, rested: __, ...network } = run.snapshot().network!;
    const messages = run.snapshot().messages.map(({ from, to, event, timer }) => [from, to, timer, event]);
    const channels = messages.map(
      (message, at) => [JSON.stringify(message.slice(0, 3)), at, message] as const,
    );
    channels.sort(([one, at], [other, otherAt]) => (one < other ? -1 : one > other ? 1 : at - otherAt));
    const key = JSON.stringify([
      asynchronousState(run.state),
      network,
      channels.map(([, , message]) => message),
    ]);
    if (known.has(key) || run.ended) return;
    known.add(key);
    // What changed nothing by one answer of its receiver may change something by another one: it is tried again.
    open.push({ ...run.snapshot(), network: { ...network, idle: [], rested: false } });
  };
  everyAnswer((choices) => meet(new Run(make(), { choices })));
  for (let at = 0; at < open.length; at++) {
    if (texts.size > statesMax || open.length > 4 * statesMax) return undefined;
    everyAnswer((choices) => {
      const run = Run.restore(make(), open[at]!, { choices: new Enumerated([]) });
      const stepped = Run.restore(make(), { ...run.snapshot(), choices: null }, { choices });
      if (stepped.tick()) meet(stepped);
      else texts.add(asynchronousState(stepped.state));
    });
  }
  return texts;
}
