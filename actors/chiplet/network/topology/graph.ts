import { type Topology, type Wire, way } from './topology.ts';

/** An undirected edge of a graph. */
export interface GraphEdge {
  readonly first: number;
  readonly second: number;
  /** Cycles on the wire. */
  readonly weight: number;
}

/** A graph of routers. */
export interface Graph {
  readonly nodes: number;
  /** In the order in which they are written: it numbers the ports. */
  readonly edges: readonly GraphEdge[];
  /** By node: cycles of one stage of its pipeline. */
  readonly stageDelays: readonly number[];
}

/** Stages that a packet goes through in a router. */
const stages = 5;

/** Which way to go from each node to each other one: the number of an edge's end at the node; 0 where there is none. */
type Table = readonly Int32Array[];

interface Ends {
  /** By node and port: the other node, the port there, and the weight. Port 0 is none. */
  readonly wires: readonly (readonly Wire[])[];
  readonly table: Table;
}

/** Ports of all edges of a graph, and shortest ways over those that are open (chiplet specification 5.7, R = 4). */
export function endsOf(
  { nodes, edges, stageDelays }: Graph,
  isOpen: (edge: number) => boolean = () => true,
): Ends {
  const wires: Wire[][] = Array.from({ length: nodes }, () => [{ router: -1, port: 0, delay: 0 }]);
  const inRouter = (node: number): number => stages * stageDelays[node]!;
  const distance = Array.from({ length: nodes }, () =>
    new Float64Array(nodes).fill(Number.POSITIVE_INFINITY),
  );
  const table = Array.from({ length: nodes }, () => new Int32Array(nodes));
  for (const [edge, { first, second, weight }] of edges.entries()) {
    const [ofFirst, ofSecond] = [wires[first]!, wires[second]!];
    ofFirst.push({ router: second, port: ofSecond.length, delay: weight });
    ofSecond.push({ router: first, port: ofFirst.length - 1, delay: weight });
    const whole = inRouter(first) + weight + inRouter(second);
    if (!isOpen(edge) || whole >= distance[first]![second]!) continue;
    distance[first]![second] = whole;
    distance[second]![first] = whole;
    table[first]![second] = ofFirst.length - 1;
    table[second]![first] = ofSecond.length - 1;
  }
  for (let over = 0; over < nodes; over++)
    for (let from = 0; from < nodes; from++) {
      if (from === over) continue;
      for (let to = 0; to < nodes; to++) {
        if (to === from || to === over) continue;
        const whole = distance[from]![over]! + distance[over]![to]! - inRouter(over);
        if (whole >= distance[from]![to]!) continue;
        distance[from]![to] = whole;
        table[from]![to] = table[from]![over]!;
      }
    }
  return { wires, table };
}

/** True when a way leads from every node to every other one. */
export const isConnected = (graph: Graph): boolean =>
  endsOf(graph).table.every((row, from) => row.every((port, to) => port > 0 || from === to));

/** Routers joined as a graph says; packets take the shortest way, on any channel (chiplet specification 5.7, R = 4). */
export function graphTopology(graph: Graph, channels: number): Topology {
  const { wires, table } = endsOf(graph);
  return {
    routers: graph.nodes,
    ports: Math.max(...wires.map((own) => own.length)),
    coordinates: 1,
    side: graph.nodes,
    wireOf: (router, port) => (port === 0 ? undefined : wires[router]![port]),
    routeOf: (router, target) => way(table[router]![target]!, 0, channels - 1),
    periodOf: (router) => graph.stageDelays[router]!,
  };
}
