import type { Tape } from '../../kernel/choices.ts';

/** How a tape is shrunk. */
export interface ShrinkOptions {
  /** Asked before each attempt; what was found so far is the answer when it says true. */
  readonly shouldStop?: () => boolean;
  /** Called after each attempt with the tape as it is then. */
  readonly onProgress?: (tape: Tape, attempts: number) => void;
}

/** A tape that cannot be made simpler, unless the shrinking was stopped. */
export interface Shrunk {
  readonly tape: Tape;
  /** Runs that it took. */
  readonly attempts: number;
}

/** Picks up to this size are tried at every smaller value; larger ones at few. */
const triedOneByOne = 16;

/**
 * Makes a failing tape simple: few picks that are not 0, small ones, early ones.
 *
 * Details: delta debugging over the picks that are not 0, long runs of them first (Zeller, Hildebrandt: "Simplifying and isolating
 * failure-inducing input", TSE 2002); then each alone: set to 0, taken out, made smaller. The result is a local minimum: none of its picks can be
 * set to 0, taken out or (up to 16) made smaller without the failure going away. `fails` runs a tape and says whether it still shows the
 * failure; it must answer true for `tape`.
 */
export function shrinkTape(
  fails: (tape: Tape) => boolean,
  tape: Tape,
  { shouldStop = () => false, onProgress }: ShrinkOptions = {},
): Shrunk {
  let best = trimmed(tape);
  let attempts = 0;
  const take = (candidate: Tape): boolean => {
    if (shouldStop()) return false;
    attempts++;
    const taken = fails(candidate);
    if (taken) best = trimmed(candidate);
    onProgress?.(best, attempts);
    return taken;
  };
  if (best.length > 0 && !take([])) {
    shorten(() => best, take);
    zeroInRuns(() => best, take, shouldStop);
    while (simplifyOne(() => best, take) && !shouldStop());
  }
  return { tape: best, attempts };
}

/** Tells a candidate whether it was taken. */
type Take = (candidate: Tape) => boolean;

/** Cuts the end off, as far as halving finds it superfluous. */
function shorten(best: () => Tape, take: Take): void {
  let kept = 0;
  while (best().length - kept > 1) {
    const middle = kept + ((best().length - kept) >> 1);
    if (!take(best().slice(0, middle))) kept = middle;
  }
}

/** Sets runs of picks to 0, each half as long as the one before, down to single picks. */
function zeroInRuns(best: () => Tape, take: Take, shouldStop: () => boolean): void {
  for (
    let size = Math.ceil(nonZeros(best()).length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = 0; !shouldStop(); ) {
      const places = nonZeros(best()).slice(at, at + size);
      if (places.length === 0) break;
      const zeroed = new Set(places);
      if (!take(best().map((pick, place) => (zeroed.has(place) ? 0 : pick)))) at += size;
    }
  }
}

/** Makes one pick simpler. Returns false when none can be. */
function simplifyOne(best: () => Tape, take: Take): boolean {
  const tape = best();
  for (const place of nonZeros(tape)) {
    const pick = tape[place]!;
    if (take(tape.with(place, 0)) || take(tape.toSpliced(place, 1))) return true;
    for (const smaller of smallerPicks(pick)) if (take(tape.with(place, smaller))) return true;
  }
  return false;
}

function smallerPicks(pick: number): readonly number[] {
  if (pick <= triedOneByOne) return Array.from({ length: pick - 1 }, (_, at) => at + 1);
  return [1, pick >> 2, pick >> 1, pick - 1];
}

const nonZeros = (tape: Tape): number[] => [...tape.keys()].filter((place) => tape[place] !== 0);

/** Trailing zeros mean nothing. */
const trimmed = (tape: Tape): Tape => tape.slice(0, tape.findLastIndex((pick) => pick !== 0) + 1);
