import { enumerateChoices } from '../../../kernel/explore/enumerate-choices.ts';
import { Run, type RunSnapshot } from '../../../kernel/run.ts';
import type { Wiring } from '../../../kernel/wiring.ts';

/** The states of a machine at the ends of its ticks, by key, each with the keys of those that can be next; the first is the one before the first tick. */
export type StateGraph = ReadonlyMap<string, readonly string[]>;

/** Runs the machine from each state under every tape of one tick: slow, and so simple that it is right. */
export function statesByBruteForce(wiring: Wiring): StateGraph {
  const start = new Run(wiring);
  const open = new Map<string, RunSnapshot>([[keyOf(start), start.snapshot()]]);
  const graph = new Map<string, readonly string[]>();
  // A map is gone through in the order of insertion, with what is inserted meanwhile.
  for (const [key, snapshot] of open) {
    const next = new Set<string>();
    for (const { result: run } of enumerateChoices((ask) => oneTick(wiring, snapshot, ask))) {
      if (run === undefined) continue;
      next.add(keyOf(run));
      if (!open.has(keyOf(run))) open.set(keyOf(run), run.snapshot());
    }
    graph.set(key, [...next]);
  }
  return graph;
}

function oneTick(wiring: Wiring, snapshot: RunSnapshot, ask: (count: number) => number): Run | undefined {
  const choices = {
    canonical: false,
    pick: (_what: string, count: number) => ask(count),
    save: () => null,
    load: () => {},
  };
  const run = Run.restore(wiring, { ...snapshot, choices: null }, { choices });
  return run.tick() ? run : undefined;
}

/** All that the future depends on: actors, and messages under way with the ticks that they still have. */
function keyOf(run: Run): string {
  const actors = run.parts.map(({ name, configuration, context }) => [name, configuration.name, context]);
  const messages = run
    .snapshot()
    .messages.map(({ due, from, to, event }) => [due - run.now, from, to, event])
    .map((message) => JSON.stringify(message))
    .sort();
  return JSON.stringify([actors, messages]);
}
