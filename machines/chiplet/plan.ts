import type { PacketOrder } from '../../actors/chiplet/network/packet-book.ts';
import { chipletMesh, star, starSideMax } from '../../actors/chiplet/network/topology/chiplet-grid.ts';
import { type Graph, graphTopology, isConnected } from '../../actors/chiplet/network/topology/graph.ts';
import { mesh, torus } from '../../actors/chiplet/network/topology/grid.ts';
import {
  type Reconfiguration,
  reconfigurableTopology,
} from '../../actors/chiplet/network/topology/reconfigurable.ts';
import type { Topology } from '../../actors/chiplet/network/topology/topology.ts';
import type { Transaction } from '../../actors/chiplet/network/transactions.ts';
import type { NetworkPlan } from './assembly.ts';
import { type NetworkConfig, routings } from './config.ts';
import { readGraph } from './dot-graph.ts';
import { readReconfiguration } from './reconfiguration-text.ts';

/** A mistake in the configuration of a network, at one of its keys. */
export interface NetworkMisfit {
  readonly key: keyof NetworkConfig;
  readonly found: string;
  readonly expected: string;
}

/** Routers that a network may have. */
const routersMax = 65_536;

/** The numbers that addresses have for each routing. */
const dimensionsOf: Readonly<Record<number, readonly number[]>> = {
  [routings.mesh]: [2, 3],
  [routings.torus]: [2, 3],
  [routings.chipletMesh]: [4],
  [routings.star]: [4],
  [routings.graph]: [1],
  [routings.reconfigurable]: [1],
};

/** What does not fit together in a configuration (chiplet specification 13, E-OPT). */
export function networkMisfits(config: NetworkConfig): readonly NetworkMisfit[] {
  const { A, c, V, R, ties, random, graphText, reconfigurationText } = config;
  const isGraph = R === routings.graph || R === routings.reconfigurable;
  const misfits: NetworkMisfit[] = [];
  const refuse = (key: keyof NetworkConfig, found: string, expected: string) =>
    misfits.push({ key, found, expected });
  const dimensions = dimensionsOf[R]!;
  if (!dimensions.includes(c)) refuse('c', `c = ${c} with R = ${R}`, `c = ${dimensions.join(' or ')}`);
  if (!isGraph && A ** c > routersMax) refuse('A', `${A ** c} routers`, `at most ${routersMax}`);
  if (R === routings.torus && V < 2)
    refuse('V', 'V = 1 with R = 1', 'at least 2: the second channel is for packets past the wrap');
  if ((R === routings.chipletMesh || R === routings.star) && V < 2)
    refuse('V', `V = 1 with R = ${R}`, 'at least 2: its routing names channels 0 and 1');
  if (R === routings.star && (A < 2 || A > starSideMax))
    refuse('A', `A = ${A} with R = 3`, `2 to ${starSideMax}: the centre has a port for every chiplet`);
  if (config.correctWires && R !== routings.chipletMesh)
    refuse('correctWires', `true with R = ${R}`, 'false: only routing 2 has wires to correct');
  if (ties !== 'fifo' && random === 'perRouter')
    refuse('random', `perRouter with ties ${ties}`, 'shared: the heap orders one stream');
  if (ties !== 'fifo' && config.loss)
    refuse('ties', `${ties} with loss`, 'fifo: what the heap does with lost packets is not known');
  if (isGraph) {
    if (graphText === undefined) refuse('graphText', `no graph with R = ${R}`, 'a graph in DOT');
    else misfits.push(...graphMisfits(config, graphText));
  } else if (graphText !== undefined) refuse('graphText', `a graph with R = ${R}`, 'none, or R = 4 or 5');
  if (R === routings.reconfigurable && reconfigurationText === undefined)
    refuse('reconfigurationText', 'no reconfigurations with R = 5', 'periods and their edges');
  if (R !== routings.reconfigurable && reconfigurationText !== undefined)
    refuse('reconfigurationText', `reconfigurations with R = ${R}`, 'none, or R = 5');
  return misfits;
}

function graphMisfits(
  { A, c, ties, reconfigurationText }: NetworkConfig,
  text: string,
): readonly NetworkMisfit[] {
  const graph = readGraph(text);
  if ('found' in graph)
    return [{ key: 'graphText', found: `${graph.found} in line ${graph.line}`, expected: graph.expected }];
  if (c === 1 && graph.nodes !== A)
    return [{ key: 'A', found: `A = ${A}, ${graph.nodes} nodes in the graph`, expected: 'as many' }];
  if (!isConnected(graph))
    return [{ key: 'graphText', found: 'nodes that no way joins', expected: 'a connected graph' }];
  if (ties !== 'fifo' && graph.stageDelays.some((stage) => stage !== 1))
    return [
      {
        key: 'ties',
        found: `${ties} with a pipeline_stage_delay that is not 1`,
        expected: 'fifo: the editions with a heap stand still there',
      },
    ];
  if (reconfigurationText === undefined) return [];
  const read = readReconfiguration(reconfigurationText, graph.nodes);
  if ('found' in read)
    return [
      {
        key: 'reconfigurationText',
        found: `${read.found} in line ${read.line}`,
        expected: read.expected,
      },
    ];
  return [];
}

/** Routers and wires of a configuration that has no misfits. */
export function topologyOf({
  A,
  c,
  V,
  R,
  correctWires,
  graphText = '',
  reconfigurationText = '',
}: NetworkConfig): Topology {
  switch (R) {
    case routings.torus:
      return torus(A, c);
    case routings.chipletMesh:
      return chipletMesh(A, correctWires);
    case routings.star:
      return star(A);
    case routings.graph:
      return graphTopology(readGraph(graphText) as Graph, V);
    case routings.reconfigurable: {
      const graph = readGraph(graphText) as Graph;
      const read = readReconfiguration(reconfigurationText, graph.nodes) as Reconfiguration;
      return reconfigurableTopology(graph, read, V);
    }
    default:
      return mesh(A, c, V);
  }
}

/** The lines of a trace as an edition reads them: those of equal time come in reverse in the LegoSim edition (chiplet specification 5.11). */
export const asRead = <T>(
  ties: NetworkConfig['ties'],
  lines: readonly T[],
  timeOf: (line: T) => number,
): readonly T[] =>
  ties === 'legosim' ? [...lines].reverse().sort((one, other) => timeOf(one) - timeOf(other)) : lines;

/** All that a network needs to run, of a configuration without misfits. */
export function planOf(
  config: NetworkConfig,
  packets: readonly PacketOrder[],
  transactions?: readonly Transaction[],
): NetworkPlan {
  const { V, B, O, F, T, seed, ties, random, strict, loss } = config;
  const lines = packets.map((packet, at) => ({ packet, transaction: transactions?.[at] }));
  const read = asRead(ties, lines, ({ packet }) => packet.time);
  return {
    topology: topologyOf(config),
    channels: V,
    bufferDepth: B,
    outputDepth: O,
    words: F,
    end: T,
    seed,
    ties,
    random,
    firstStart: config.firstStart ?? (ties === 'heap' ? 'zero' : 'trace'),
    strict,
    loses: loss,
    detail: config.detail === 'channel' ? 'channel' : 'router',
    packets: read.map(({ packet }) => packet),
    ...(transactions && { transactions: read.map(({ transaction }) => transaction!) }),
  };
}
