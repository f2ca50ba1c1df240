import type { Round } from './outcome.ts';
import type { Run } from './run.ts';

/** Ticks that are looked at, one after the other: rounds of more are not found. */
const ticksMax = 2048;
/** Actors and messages of the whole states that are compared at most: those of large machines are dear. */
const comparedMax = 50_000;
/** Whole states that are compared in any case. */
const comparedMin = 8;

/** States of the actors and what is under way, in one number: moments with different ones differ. */
function signOf({ parts, pending, now }: Run): number {
  let sign = 0;
  const add = (value: number): void => {
    sign = Math.imul(sign ^ value, 0x01000193);
  };
  for (const { configuration } of parts) add(configuration.name.length);
  for (const { due, from, to, event } of pending) {
    add(due - now);
    add(from);
    add(to);
    add(event.type.length);
  }
  return sign;
}

/**
 * Goes on for some ticks and looks whether what is there now is there again: the run then goes round, for ever where nobody chooses.
 *
 * Use between ticks of a clocked run that has taken long. Details: it compares by hashes, and whole states only where a first look shows no difference.
 * What an actor does that has read the time may be something else the next time: then nothing is said.
 */
export function roundOf(run: Run): Round | undefined {
  const from = run.now;
  const [sign, phase] = [signOf(run), run.phase];
  run.seekRound(true);
  const size = run.parts.length + [...run.pending].length;
  let left = Math.max(comparedMin, Math.floor(comparedMax / (size + 1)));
  for (let ticks = 0; ticks < ticksMax && left > 0 && run.tick() && !run.hasReadTime; ticks++) {
    if (signOf(run) !== sign) continue;
    if (run.phase === phase) return { from, to: run.now };
    left--;
  }
  run.seekRound(false);
  return undefined;
}
