import { type Choices, RandomChoices, type Tape, TapeChoices } from '../../kernel/choices.ts';
import type { Decision } from './history.ts';
import { shrinkTape } from './shrink.ts';
import type { Trial } from './trial.ts';

/** A tape under which all is well, and where it first differs from one under which it is not. */
export interface NearestPassing {
  readonly tape: Tape;
  /** Place of the first pick that differs, from 0. */
  readonly position: number;
  /** How many picks differ. */
  readonly differing: number;
}

/** What a search for a passing tape needs. */
export interface PassingSearch {
  /** The choices of the failing run. */
  readonly decisions: readonly Decision[];
  attempt(choices: Choices): Trial;
  shouldStop(): boolean;
}

/** Seeds of the random schedules that are tried when nothing near the failing tape passes. */
export const randomSeeds = 32;
/** Pairs of messages to one actor that are tried the other way round. */
const racesMax = 500;

/**
 * The passing tape nearest to a failing one: with one other pick, the latest possible; else first come, first served; else the simplest one that a
 * random schedule leads to. Undefined when none was found.
 *
 * Details: the picks that took one of several messages to the same actor go first, since what is turned round then is seen at once (backtracking
 * points, as Flanagan and Godefroid have them, POPL 2005); then those that are not 0: a shrunk failing tape passes when its last one is 0, unless it
 * fails then in another way.
 */
export function nearestPassing(failing: Tape, search: PassingSearch): NearestPassing | undefined {
  const passes = (tape: Tape) => !search.attempt(new TapeChoices(tape)).failure;
  const latestFirst = search.decisions.toReversed();
  for (const [position, pick] of [...races(latestFirst), ...otherPicks(latestFirst)]) {
    if (search.shouldStop()) return undefined;
    const zeros = new Array<number>(Math.max(0, position + 1 - failing.length)).fill(0);
    const tape = [...failing, ...zeros].with(position, pick);
    if (passes(tape)) return nearest(failing, tape);
  }
  if (failing.length > 0 && passes([])) return nearest(failing, []);
  for (let seed = 0; seed < randomSeeds && !search.shouldStop(); seed++) {
    const { failure, tape } = search.attempt(new RandomChoices(seed));
    if (failure) continue;
    return nearest(failing, shrinkTape(passes, tape, { shouldStop: search.shouldStop }).tape);
  }
  return undefined;
}

/** Place and pick. */
type OtherPick = readonly [position: number, pick: number];

const otherPicks = (decisions: readonly Decision[]): readonly OtherPick[] =>
  decisions
    .filter(({ pick }) => pick !== 0)
    .flatMap(({ position, pick, count }) =>
      Array.from({ length: count }, (_, other): OtherPick => [position, other]).filter(
        ([, other]) => other !== pick,
      ),
    );

const races = (decisions: readonly Decision[]): readonly OtherPick[] =>
  decisions
    .flatMap(({ position, pick, candidates }) =>
      candidates.flatMap(({ to }, other): OtherPick[] =>
        other !== pick && to === candidates[pick]!.to ? [[position, other]] : [],
      ),
    )
    .slice(0, racesMax);

function nearest(failing: Tape, passing: Tape): NearestPassing {
  const places = [...(failing.length > passing.length ? failing : passing).keys()];
  const differing = places.filter((at) => (failing[at] ?? 0) !== (passing[at] ?? 0));
  return {
    // Zeros at the end mean nothing.
    tape: passing.slice(0, passing.findLastIndex((pick) => pick !== 0) + 1),
    position: differing[0]!,
    differing: differing.length,
  };
}
