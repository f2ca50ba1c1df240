import { invariant } from '../../../kernel/errors.ts';
import type { Group, GroupGraph } from './groups.ts';
import { type RowRules, Rows } from './rows.ts';

/** What a section demands beyond the order of its operations. */
export interface PlacementRules extends RowRules {
  /** First slot in which a group may begin, by its number. */
  readonly releases: readonly number[];
  /** Slots that must pass between what was put into slots so far and a segment, by its number. */
  readonly settles: (rows: Rows, segment: number) => number;
}

/** Groups put into slots. */
export interface Placement {
  readonly rows: Rows;
  /** First slot of each group. */
  readonly starts: readonly number[];
  /** Slots before each segment. */
  readonly segmentStarts: readonly number[];
  /** Slots up to the last one with an operation or a simulator line behind it. */
  readonly length: number;
}

/** Slots from the beginning of a group to the end of the longest chain that hangs on it. */
export function heights({ groups, after, order }: GroupGraph): readonly number[] {
  const height = groups.map(({ rows }) => rows);
  for (const group of [...order].reverse())
    for (const edge of after[group]!)
      height[group] = Math.max(height[group]!, edge.latency + height[edge.after]!);
  return height;
}

/** Slots that the order of the operations needs, with any number of units and ports: nothing is shorter. */
export function criticalPath({ groups, before, order }: GroupGraph, releases: readonly number[]): number {
  const starts = new Array<number>(groups.length).fill(0);
  const segments = Math.max(-1, ...groups.map(({ segment }) => segment)) + 1;
  let floor = 0;
  for (let segment = 0; segment < segments; segment++) {
    let end = floor;
    for (const number of order) {
      const group = groups[number]!;
      if (group.segment !== segment) continue;
      const ready = before[number]!.map((edge) => starts[edge.before]! + edge.latency);
      starts[number] = Math.max(floor, releases[number]!, ...ready);
      end = Math.max(end, starts[number]! + group.rows);
    }
    floor = end;
  }
  return floor;
}

/**
 * Puts groups into slots, one slot after another, the most urgent first (list scheduling).
 *
 * Details: of equal priority, the earlier of the text. A simulator line parts what is before it from what
 * is behind it.
 */
export function placeByPriority(
  graph: GroupGraph,
  priority: readonly number[],
  rules: PlacementRules,
  segments: number,
): Placement {
  return new Placer(graph, rules).run(segments, (placer, groups, floor) => {
    const waiting = [...groups].sort(
      (a, b) => priority[b.number]! - priority[a.number]! || a.number - b.number,
    );
    for (let row = floor; waiting.length > 0; row++)
      // What is put into a slot may set free what can be done in the same slot.
      for (let at = 0; at < waiting.length; )
        if (placer.tryAt(waiting[at]!, row)) {
          waiting.splice(at, 1);
          at = 0;
        } else at++;
  });
}

/**
 * Keeps the order of the groups, each in slots behind the one before it: the text, with nops as far as they
 * are needed.
 */
export function placeInOrder(graph: GroupGraph, rules: PlacementRules, segments: number): Placement {
  return new Placer(graph, rules).run(segments, (placer, groups, floor) => {
    let row = floor;
    for (const group of groups) {
      while (!placer.tryAt(group, row)) row++;
      row += group.rows;
    }
  });
}

/** More slots than any dependence asks for: beyond it something else is wrong. */
const patience = 100_000;

class Placer {
  readonly #graph: GroupGraph;
  readonly #rules: PlacementRules;
  readonly #rows: Rows;
  readonly #starts: number[];

  constructor(graph: GroupGraph, rules: PlacementRules) {
    this.#graph = graph;
    this.#rules = rules;
    this.#rows = new Rows(rules);
    this.#starts = new Array<number>(graph.groups.length).fill(-1);
  }

  run(segments: number, place: (placer: Placer, groups: readonly Group[], floor: number) => void): Placement {
    const segmentStarts: number[] = [];
    let floor = 0;
    for (let segment = 0; segment < segments; segment++) {
      if (segment > 0) floor = Math.max(floor, this.#rows.count + this.#rules.settles(this.#rows, segment));
      segmentStarts.push(floor);
      place(
        this,
        this.#graph.groups.filter((group) => group.segment === segment),
        floor,
      );
    }
    const length = Math.max(floor, this.#rows.count);
    return { rows: this.#rows, starts: this.#starts, segmentStarts, length };
  }

  /**
   * Puts a group into slots from `row` on, if all that it waits for is done by then and the slots have room.
   */
  tryAt(group: Group, row: number): boolean {
    invariant(row < patience, 'every group finds its slot');
    if (row < this.#rules.releases[group.number]!) return false;
    for (const { before, latency } of this.#graph.before[group.number]!) {
      const start = this.#starts[before]!;
      if (start < 0 || row < start + latency) return false;
    }
    if (!putGroup(this.#rows, group, row)) return false;
    this.#starts[group.number] = row;
    return true;
  }
}

/** Puts all of a group, or nothing of it. */
function putGroup(rows: Rows, group: Group, row: number): boolean {
  for (let offset = 0; offset < group.rows; offset++) {
    const here = group.members.filter((one) => one.offset === offset).map(({ operation }) => operation);
    if (here.length === 0 || rows.fits(row + offset, here)) {
      for (const operation of here) rows.put(row + offset, operation);
      continue;
    }
    for (const { operation, offset: done } of group.members)
      if (done < offset) rows.takeBack(row + done, operation);
    return false;
  }
  return true;
}

/** The first group that no slots whatever have room for, when there is one. */
export function groupWithoutRoom({ groups }: GroupGraph, rules: RowRules): Group | undefined {
  return groups.find((group) => !putGroup(new Rows(rules), group, 0));
}
