import type { Wiring } from '../../wiring.ts';
import { type ExploreFigures, type ExploreOptions, keyOf } from '../explorer.ts';
import { journalMemory } from '../journal.ts';
import type { Route } from '../route.ts';
import { OwnMemory } from '../shared-memory.ts';
import { controlMemory, type RankedFinding, SharedSearch } from '../shared-search.ts';

/** What an exploration by several comes to. */
export interface InTurns extends ExploreFigures {
  /** Different things found, in the order of one thread. */
  readonly findings: readonly { readonly found: RankedFinding; readonly route: Route }[];
  /** Sentences of which a run is shown, and the number of the state from which it goes on, in the order of one thread. */
  readonly witnesses: readonly (readonly [sentence: string, state: number])[];
  /** Why sentences are left open that wait for something still, by sentence. */
  readonly waiting: Readonly<Record<string, string>>;
}

/** Explores as so many threads do, who take turns on this one, each for some deliveries: `slices` says how many, over and over. */
export function inTurns(
  make: () => Wiring,
  options: ExploreOptions,
  count: number,
  slices: readonly number[],
): InTurns {
  const [journal, control, memory] = [journalMemory(), controlMemory(), new OwnMemory()];
  const searches = Array.from(
    { length: count },
    (_, index) =>
      new SharedSearch(make, { ...options, keepGoing: true }, { index, count, memory, control, journal }),
  );
  for (const search of searches) search.takeUp();
  let turn = 0;
  for (;;) {
    const busy = new Set(searches);
    while (busy.size > 0)
      for (const search of busy) if (!search.go(slices[turn++ % slices.length]!)) busy.delete(search);
    for (const search of searches) search.count();
    searches[turn % count]!.arrange();
    for (const search of searches) search.place();
    if (searches[0]!.isOver) break;
    searches[turn % count]!.advance();
    for (const search of searches) search.beginLevel();
  }
  const ends = searches.map(({ end }) => end);
  const sum = (figure: (figures: ExploreFigures) => number) =>
    ends.reduce((total, { figures }) => total + figure(figures), 0);
  const states = sum((figures) => figures.states);
  return {
    states,
    transitions: sum(({ transitions }) => transitions),
    depth: ends[0]!.figures.depth,
    unexplored: states - ends.reduce((total, { explored }) => total + explored, 0),
    quiet: sum(({ quiet }) => quiet),
    cut: sum(({ cut }) => cut),
    outside: sum(({ outside }) => outside),
    postponed: sum(({ postponed }) => postponed),
    merged: sum(({ merged }) => merged),
    locals: Math.max(...ends.map(({ figures }) => figures.locals)),
    findings: firsts(ends.flatMap(({ findings }) => findings)).map((found) => ({
      found,
      route: searches.at(-1)!.show(found).route,
    })),
    witnesses: sentences(ends.flatMap(({ witnesses }) => witnesses)).map(({ what, rank }) => [what, rank]),
    waiting: Object.fromEntries(ends.flatMap(({ waiting }) => waiting)),
  };
}

/** The first witness of each sentence. */
const sentences = (all: readonly RankedFinding[]): readonly RankedFinding[] =>
  firsts(all.map((one) => ({ ...one, why: '', actors: [] })));

/** Each different thing once, where it was found first. */
function firsts(all: readonly RankedFinding[]): readonly RankedFinding[] {
  const kept = new Map<string, RankedFinding>();
  for (const one of [...all].sort((first, second) => first.rank - second.rank))
    if (!kept.has(keyOf(one))) kept.set(keyOf(one), one);
  return [...kept.values()];
}
