import type { Explanation } from '../../properties/explore/explain.ts';
import type { Step } from '../../properties/explore/history.ts';
import { shortNames } from '../../properties/explore/message-words.ts';
import { stepsInLanes } from '../../properties/explore/telling-steps.ts';
import type { ExplanationPart } from '../protocol.ts';

/** A place where a page speaks of a tick of the run that it explains; what it says of other runs is none. */
const tickSpoken = /(?<!passing\s+run\s+it\s+comes\s+in\s+|to\s+its\s+rest\s+after\s+)\bticks?\s+(\d+)/g;
/** A row of the lanes: tick, mark, arrows. */
const laneRow = /^ *(\d+) .? .*[│┼├┤●─▶◀].*$/gm;
/** Characters around a tick in which its message and its receiver are named. */
const around = 240;

/**
 * Splits the page of an explanation at the moments that it speaks of.
 *
 * Details: lines of the lanes are links as a whole. Where several deliveries came in the tick that is named, it is the one of whose message and actors the sentence speaks; of several of these the
 * last. In a tick of an asynchronous network it is the step of the network, where that made one. What was never delivered has no place in the run.
 */
export function linkedPage(
  page: string,
  explanation: Explanation,
  network: readonly { readonly at: number; readonly tick: number }[] = [],
): readonly ExplanationPart[] {
  const { history } = explanation;
  const steps = [...history.steps, ...history.after.steps];
  const { deliveries } = history.trial.outcome;
  const lines = [...page.matchAll(laneRow)];
  const rows = stepsInLanes(explanation, lines.length);
  const spoken = lines.map((found, row) => ({ found, step: rows[row] }));
  const inLanes = (place: number) =>
    spoken.some(({ found }) => place >= found.index && place < found.index + found[0].length);
  const named = new Naming(steps);
  const links = [
    ...spoken.flatMap(({ found, step }) =>
      step && step.index < deliveries ? [{ found, at: step.index }] : [],
    ),
    ...[...page.matchAll(tickSpoken)].flatMap((found) => {
      if (inLanes(found.index)) return [];
      const tick = Number(found[1]);
      const at =
        network.find((step) => step.tick === tick)?.at ?? named.spokenOf(tick, sentenceAt(page, found.index));
      return at === undefined ? [] : [{ found, at }];
    }),
  ].sort((one, other) => one.found.index - other.found.index);
  const parts: ExplanationPart[] = [];
  let end = 0;
  for (const { found, at } of links) {
    if (found.index > end) parts.push({ text: page.slice(end, found.index) });
    parts.push({ text: found[0], at });
    end = found.index + found[0].length;
  }
  if (end < page.length) parts.push({ text: page.slice(end) });
  return parts;
}

/** What stands around a place of a page, up to the ends of its sentence or item. */
function sentenceAt(page: string, place: number): string {
  const before = page.slice(Math.max(0, place - around), place);
  const after = page.slice(place, place + around);
  const begin = Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n\n'), before.lastIndexOf('; '));
  const stop = after.search(/\. |\.\n|\n\n|; /);
  return before.slice(begin + 1) + (stop < 0 ? after : after.slice(0, stop));
}

/** Which delivery of a tick a sentence names. */
class Naming {
  readonly #byTick = new Map<number, Step[]>();
  readonly #short: (name: string) => string;

  constructor(readonly steps: readonly Step[]) {
    for (const step of steps) {
      const { due } = step.message;
      const known = this.#byTick.get(due);
      if (known) known.push(step);
      else this.#byTick.set(due, [step]);
    }
    this.#short = shortNames([...new Set(steps.flatMap(({ from, to }) => [from, to]))]);
  }

  /** Number of the delivery; the last one before the tick when none came in it, undefined when none came before. */
  spokenOf(tick: number, sentence: string): number | undefined {
    const came = this.#byTick.get(tick);
    if (!came) return this.steps.findLast(({ message }) => message.due <= tick)?.index;
    let [best, most] = [came[0]!, -1];
    for (const step of came) {
      const { from, to, message } = step;
      const says = (name: string) => sentence.includes(this.#short(name));
      const score =
        (sentence.includes(message.event.type) ? 4 : 0) + (says(to) ? 2 : 0) + (says(from) ? 1 : 0);
      if (score >= most) [best, most] = [step, score];
    }
    return best.index;
  }
}
