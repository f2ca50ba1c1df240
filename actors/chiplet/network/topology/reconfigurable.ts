import { endsOf, type Graph, type GraphEdge } from './graph.ts';
import { type Topology, way } from './topology.ts';

/** Edges that a graph has for a time (chiplet specification 5.7, R = 5). */
export interface Reconfiguration {
  /** Cycles of a period. */
  readonly periodCycles: number;
  /** Edges that are added in each period; the first period follows the last one. */
  readonly periods: readonly (readonly GraphEdge[])[];
}

/** Cycles at the end of a period in which no packet is sent on the edges that will go. */
const lastCycles = 20;

const isSame = (one: GraphEdge, other: GraphEdge): boolean =>
  one.first === other.first && one.second === other.second && one.weight === other.weight;

/**
 * Routers joined by a graph, and by further edges in each period (chiplet specification 5.7, R = 5).
 *
 * Details: a packet finds its way when its head is at the front of a queue, by the table of that cycle; in the last 20 cycles of a period by the
 * table of the graph alone. What was sent on an edge arrives, whatever the period then is.
 */
export function reconfigurableTopology(
  graph: Graph,
  { periodCycles, periods }: Reconfiguration,
  channels: number,
): Topology {
  const added: GraphEdge[] = [];
  const numbers = periods.map(
    (edges) =>
      new Set(
        edges.map((edge) => {
          const known = added.findIndex((other) => isSame(edge, other));
          return graph.edges.length + (known < 0 ? added.push(edge) - 1 : known);
        }),
      ),
  );
  const whole: Graph = { ...graph, edges: [...graph.edges, ...added] };
  const alone = endsOf(whole, (edge) => edge < graph.edges.length);
  const tables = numbers.map(
    (open) => endsOf(whole, (edge) => edge < graph.edges.length || open.has(edge)).table,
  );
  const { wires } = alone;
  return {
    routers: graph.nodes,
    ports: Math.max(...wires.map((own) => own.length)),
    coordinates: 1,
    side: graph.nodes,
    wireOf: (router, port) => (port === 0 ? undefined : wires[router]![port]),
    routeOf: (router, target, cycle) => {
      const ending = cycle % periodCycles >= periodCycles - lastCycles;
      const table = ending ? alone.table : tables[Math.floor(cycle / periodCycles) % tables.length]!;
      return way(table[router]![target]!, 0, channels - 1);
    },
    periodOf: (router) => graph.stageDelays[router]!,
  };
}
