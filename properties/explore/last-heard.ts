import { payloadOf, plainData } from '../../scenarios/exports/plain-data.ts';
import type { Step } from './history.ts';

/** The last that was heard of something that a finding names. */
export interface LastHeard {
  /** As the finding names it: `packet 7`. */
  readonly what: string;
  readonly step: Step;
}

/** What has a number and is a time or an amount, not something that could be somewhere. */
const noThing =
  /^(t|tick|ticks|cycle|cycles|time|after|before|by|in|at|is|of|not|to|from|and|or|than|bytes?|words?)$/i;

/**
 * The last delivery with something that a finding names by a number: where what has not come is now.
 *
 * Details: a name and a number one behind the other (`packet 7`) are looked for as a field of that name with that value, in messages and in what is shown. The first that
 * is found at all is told. An actor that the finding is about (`spu 0` of `Cell.Spu[0]`) is where it is.
 */
export function lastHeardOf(
  steps: readonly Step[],
  why: string,
  actors: readonly string[],
): LastHeard | undefined {
  for (const [what, name, number] of why.matchAll(/\b([a-z]+) (\d+)\b/gi)) {
    const isIts = (actor: string) => actor.toLowerCase().includes(`${name!.toLowerCase()}[${number}]`);
    if (noThing.test(name!) || actors.some(isIts)) continue;
    const step = steps.findLast(({ message, shown }) =>
      [message.event, ...shown].some((data) => has(plainData(payloadOf(data)), name!.toLowerCase(), number!)),
    );
    if (step) return { what, step };
  }
  return undefined;
}

function has(value: unknown, name: string, number: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, one]) => (key.toLowerCase() === name && String(one) === number) || has(one, name, number),
  );
}
