import type { Wiring } from '../../wiring.ts';
import { type ExploreFigures, type ExploreOptions, keyOf } from '../explorer.ts';
import { journalMemory } from '../journal.ts';
import { Partition, type RankedFinding, type RankedState } from '../partition.ts';
import type { Route } from '../route.ts';

/** What an exploration in partitions comes to. */
export interface InPartitions {
  /** Figures of all partitions together. */
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly quiet: number;
  readonly postponed: number;
  readonly merged: number;
  /** Different things found, in the order of one thread. */
  readonly findings: readonly { readonly found: RankedFinding; readonly route: Route }[];
}

/** Explores in partitions that take turns on this thread, each for some deliveries: `slices` says how many, over and over. */
export function inPartitions(
  make: () => Wiring,
  options: ExploreOptions,
  count: number,
  slices: readonly number[],
): InPartitions {
  const journal = journalMemory();
  const inbox: [to: number, records: Uint32Array][] = [];
  const partitions = Array.from(
    { length: count },
    (_, index) =>
      new Partition(make, options, {
        index,
        count,
        journal,
        pass: (to, records) => inbox.push([to, records]),
      }),
  );
  const deliver = () => {
    for (const [to, records] of inbox.splice(0)) partitions[to]!.receive(records);
  };
  const all: { readonly level: number; readonly found: RankedFinding }[] = [];
  let turn = 0;
  for (let level = 0; ; level++) {
    const busy = new Set(partitions);
    while (busy.size > 0) {
      for (const partition of busy)
        if (!partition.go(slices[turn++ % slices.length]!)) busy.delete(partition);
      deliver();
    }
    const ends = partitions.map((partition) => partition.endLevel());
    const inOrder = ends.flatMap(({ findings }) => findings).sort((a, b) => a.rank - b.rank);
    all.push(...inOrder.map((found) => ({ level, found })));
    if (ends.every(({ keys }) => keys.length === 0)) break;
    for (const partition of partitions) partition.beginLevel(ends.map(({ keys }) => keys));
  }
  const known = new Map(all.toReversed().map((one) => [keyOf(one.found), one]));
  const firsts = all.filter((one) => known.get(keyOf(one.found)) === one);
  const sum = (figure: (figures: ExploreFigures) => number) =>
    partitions.reduce((total, { figures }) => total + figure(figures), 0);
  return {
    states: sum(({ states }) => states),
    transitions: sum(({ transitions }) => transitions),
    depth: partitions[0]!.figures.depth,
    quiet: sum(({ quiet }) => quiet),
    postponed: sum(({ postponed }) => postponed),
    merged: sum(({ merged }) => merged),
    findings: firsts.map(({ level, found }) => ({ found, route: routeTo(partitions, level, found) })),
  };
}

function routeTo(partitions: readonly Partition[], level: number, found: RankedFinding): Route {
  const chain: Uint32Array[] = [];
  let [start, rank, here] = [found.rank, found.rank as number | undefined, level];
  while (rank !== undefined) {
    const wanted: number = rank;
    const state: RankedState = partitions.map((one) => one.stateOf(here, wanted)).find((one) => one)!;
    chain.unshift(state.words);
    start = rank;
    rank = state.before;
    here--;
  }
  return partitions.at(-1)!.show(start, chain, found).route;
}
