import type { Dependence, Dependences } from './dependences.ts';
import { type Operation, readsFeedback } from './operations.ts';
import { ScheduleError } from './schedule-error.ts';

/**
 * Operations that stay at fixed distances: a product and what reads it as `$fb`, and what can only be done
 * in one slot.
 */
export interface Group {
  readonly number: number;
  readonly segment: number;
  /** Slots from the first row of the group to the operation. */
  readonly members: readonly { readonly operation: Operation; readonly offset: number }[];
  readonly rows: number;
}

/** From the first row of a group to that of another; may be negative between long groups. */
export interface Precedence {
  readonly before: number;
  readonly after: number;
  readonly latency: number;
}

/** The groups of a section and their order; without cycles. */
export interface GroupGraph {
  readonly groups: readonly Group[];
  readonly before: readonly (readonly Precedence[])[];
  readonly after: readonly (readonly Precedence[])[];
  /** Groups, each behind all that it depends on. */
  readonly order: readonly number[];
}

/** Sets of operations with the distance of each from the first one of its set. */
class Clusters {
  readonly #parent: number[];
  readonly #offset: number[];
  constructor(count: number) {
    this.#parent = Array.from({ length: count }, (_, at) => at);
    this.#offset = new Array<number>(count).fill(0);
  }

  find(at: number): { readonly root: number; readonly offset: number } {
    let root = at;
    let offset = 0;
    while (this.#parent[root] !== root) {
      offset += this.#offset[root]!;
      root = this.#parent[root]!;
    }
    return { root, offset };
  }

  /** Puts b `distance` slots behind a. Returns false when they are at another distance already. */
  join(a: number, b: number, distance: number): boolean {
    const one = this.find(a);
    const other = this.find(b);
    if (one.root === other.root) return other.offset - one.offset === distance;
    this.#parent[other.root] = one.root;
    this.#offset[other.root] = one.offset + distance - other.offset;
    return true;
  }
}

/**
 * Groups for the freest order: every operation by itself, except those that cannot be.
 *
 * Details: two operations of a slot that exchange registers need the slot that reads before it writes; so
 * do longer circles.
 *
 * Errors: `ScheduleError` when something must stand between a product and its reader, or when `idp` and another transfer share a slot.
 */
export function freeGroups(dependences: Dependences): GroupGraph {
  const clusters = new Clusters(dependences.operations.length);
  joinFeedbacks(clusters, dependences);
  for (;;) {
    const graph = graphOf(clusters, dependences);
    const circle = graph.circles[0];
    if (circle === undefined) return graph.checked();
    const operations = circle.flatMap((group) => graph.groups[group]!.members.map((one) => one.operation));
    const [first] = operations as [Operation];
    for (const one of operations)
      if (!clusters.join(first.index, one.index, one.slot - first.slot)) throw refusal(operations, one);
  }
}

/** Why operations that belong together have no order: for a product that one of them reads, or else for what a port brings. */
const refusal = (together: readonly Operation[], { line }: Operation): ScheduleError =>
  new ScheduleError(together.some(readsFeedback) ? 'E_SCHED_FEEDBACK' : 'E_SCHED_PORTS', line);

/**
 * Groups for the order of the text: whole slots. Undefined when nops between slots are not enough: a product
 * must be handed on across them.
 */
export function slotGroups(dependences: Dependences): GroupGraph | undefined {
  const { operations } = dependences;
  const clusters = new Clusters(operations.length);
  for (const [at, one] of operations.entries())
    if (at > 0 && operations[at - 1]!.slot === one.slot) clusters.join(at - 1, at, 0);
  try {
    joinFeedbacks(clusters, dependences);
    const graph = graphOf(clusters, dependences);
    const torn = graph.groups.some(({ members }) =>
      members.some(
        ({ operation, offset }) =>
          operation.slot - offset !== members[0]!.operation.slot - members[0]!.offset,
      ),
    );
    return torn || graph.circles.length > 0 ? undefined : graph.checked();
  } catch (error) {
    if (error instanceof ScheduleError) return undefined;
    throw error;
  }
}

function joinFeedbacks(clusters: Clusters, { operations, feedbacks }: Dependences): void {
  for (const { product, reader } of feedbacks)
    if (!clusters.join(product, reader, 1))
      throw new ScheduleError('E_SCHED_FEEDBACK', operations[reader]!.line);
}

interface CheckedGraph extends GroupGraph {
  readonly circles: readonly (readonly number[])[];
  checked(): GroupGraph;
}

function graphOf(clusters: Clusters, { operations, edges }: Dependences): CheckedGraph {
  const byRoot = new Map<number, { operation: Operation; offset: number }[]>();
  for (const operation of operations) {
    const { root, offset } = clusters.find(operation.index);
    const members = byRoot.get(root) ?? [];
    members.push({ operation, offset });
    byRoot.set(root, members);
  }
  const place = new Map<number, { readonly group: number; readonly offset: number }>();
  const groups = [...byRoot.values()].map((members, number): Group => {
    const least = Math.min(...members.map(({ offset }) => offset));
    const moved = members.map(({ operation, offset }) => ({ operation, offset: offset - least }));
    for (const { operation, offset } of moved) place.set(operation.index, { group: number, offset });
    return {
      number,
      segment: Math.max(...members.map(({ operation }) => operation.segment)),
      members: moved,
      rows: 1 + Math.max(...moved.map(({ offset }) => offset)),
    };
  });
  const before: Precedence[][] = groups.map(() => []);
  const after: Precedence[][] = groups.map(() => []);
  const broken: Dependence[] = [];
  for (const edge of edges) {
    const from = place.get(edge.before)!;
    const to = place.get(edge.after)!;
    const latency = edge.latency + from.offset - to.offset;
    if (from.group === to.group) {
      if (latency > 0) broken.push(edge);
      continue;
    }
    const precedence = { before: from.group, after: to.group, latency };
    before[to.group]!.push(precedence);
    after[from.group]!.push(precedence);
  }
  const { order, circles } = components(after);
  return {
    groups,
    before,
    after,
    order,
    circles,
    checked() {
      const [edge] = broken;
      if (edge) {
        const { group } = place.get(edge.after)!;
        const together = groups[group]!.members.map(({ operation }) => operation);
        throw refusal(together, operations[edge.after]!);
      }
      return { groups, before, after, order };
    },
  };
}

/** Groups in topological order, and the circles among them (Tarjan). */
function components(after: readonly (readonly Precedence[])[]): {
  readonly order: readonly number[];
  readonly circles: readonly (readonly number[])[];
} {
  const seen = new Array<number>(after.length).fill(-1);
  const low = new Array<number>(after.length).fill(0);
  const stacked = new Array<boolean>(after.length).fill(false);
  const stack: number[] = [];
  const order: number[] = [];
  const circles: number[][] = [];
  let count = 0;
  for (let root = 0; root < after.length; root++) {
    if (seen[root] !== -1) continue;
    // By hand, since a long section is a long chain.
    const path: { readonly at: number; edge: number }[] = [];
    const enter = (at: number) => {
      seen[at] = low[at] = count++;
      stacked[at] = true;
      stack.push(at);
      path.push({ at, edge: 0 });
    };
    enter(root);
    while (path.length > 0) {
      const top = path.at(-1)!;
      const edge = after[top.at]![top.edge++];
      if (edge !== undefined) {
        if (seen[edge.after] === -1) enter(edge.after);
        else if (stacked[edge.after]) low[top.at] = Math.min(low[top.at]!, seen[edge.after]!);
        continue;
      }
      path.pop();
      const above = path.at(-1);
      if (above) low[above.at] = Math.min(low[above.at]!, low[top.at]!);
      if (low[top.at] !== seen[top.at]) continue;
      const component: number[] = [];
      let one: number;
      do {
        one = stack.pop()!;
        stacked[one] = false;
        component.push(one);
      } while (one !== top.at);
      order.push(...component);
      if (component.length > 1) circles.push(component);
    }
  }
  return { order: order.reverse(), circles };
}
