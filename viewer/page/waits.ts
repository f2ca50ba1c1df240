import { rangesOf } from '../../properties/explore/ranges.ts';
import type { Ending, WaitingRow } from '../protocol.ts';
import type { GraphBox, GraphEdge } from './graph.tsx';

/** Boxes that a graph of waits has at most, besides its circle. */
const boxesMax = 40;

/** Who waits for whom as a graph: those who wait alike are one box, the circle is lit; `firstOf` names an actor of each box. */
export interface WaitGraph {
  readonly boxes: readonly GraphBox[];
  readonly edges: readonly GraphEdge[];
  readonly firstOf: ReadonlyMap<string, string>;
  /** Waiting actors that are in no box. */
  readonly left: number;
}

export function waitGraph({ waiting, cycle }: Ending): WaitGraph {
  const circle = new Set(cycle);
  const groups = new Map<string, WaitingRow[]>();
  const waitedFor = new Set(waiting.flatMap(({ on }) => on));
  for (const row of waiting) {
    // Somebody waits for this one by its name.
    const alone = circle.has(row.actor) || waitedFor.has(row.actor);
    const kind = alone ? row.actor : JSON.stringify([row.state, row.waitsFor, row.on]);
    groups.set(kind, [...(groups.get(kind) ?? []), row]);
  }
  // The circle first: it is what the graph is about.
  const ordered = [...groups.entries()].sort(
    ([, [one]], [, [other]]) => Number(circle.has(other!.actor)) - Number(circle.has(one!.actor)),
  );
  const shown = ordered.slice(0, circle.size + boxesMax);
  const boxes: GraphBox[] = shown.map(([id, rows]) => {
    const { waitsFor } = rows[0]!;
    return {
      id,
      lines: [rangesOf(rows.map(({ actor }) => actor)), `waits for ${waitsFor}`],
      lit: circle.has(rows[0]!.actor),
    };
  });
  const firstOf = new Map(shown.map(([id, rows]) => [id, rows[0]!.actor] as const));
  const edges = shown.flatMap(([id, rows]) =>
    rows[0]!.on.flatMap((to): readonly GraphEdge[] => {
      if (!firstOf.has(to)) {
        if (waiting.some(({ actor }) => actor === to)) return [];
        firstOf.set(to, to);
        boxes.push({ id: to, lines: [to, 'is waited for, and does not wait'] });
      }
      const at = cycle.indexOf(rows[0]!.actor);
      return [{ from: id, to, lit: at >= 0 && cycle[(at + 1) % cycle.length] === to }];
    }),
  );
  return {
    boxes,
    edges,
    firstOf,
    left: waiting.length - shown.reduce((sum, [, rows]) => sum + rows.length, 0),
  };
}
