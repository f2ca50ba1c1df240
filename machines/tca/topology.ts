import type { Port } from '../../actors/tca/router.ts';
import type { TcaConfig } from './config.ts';

/** One direction of a cable. */
export interface Cable {
  readonly from: number;
  readonly port: Port;
  readonly to: number;
  /** Port at which it comes in. */
  readonly farPort: Port;
}

type Shape = Pick<TcaConfig, 'topology' | 'nodes'>;

/** Nodes of a ring. */
const ringSize = ({ topology, nodes }: Shape): number => (topology === 'dualRing' ? nodes / 2 : nodes);

/** The cables of a topology, each direction by itself (TCA specification 2). */
export function cablesOf(shape: Shape): readonly Cable[] {
  const { topology, nodes } = shape;
  if (topology === 'pair')
    return [
      { from: 0, port: 'E', to: 1, farPort: 'W' },
      { from: 1, port: 'W', to: 0, farPort: 'E' },
    ];
  const size = ringSize(shape);
  return Array.from({ length: nodes }, (_, node): readonly Cable[] => {
    const first = node - (node % size);
    const inRing = node - first;
    return [
      { from: node, port: 'E', to: first + ((inRing + 1) % size), farPort: 'W' },
      { from: node, port: 'W', to: first + ((inRing + size - 1) % size), farPort: 'E' },
      ...(topology === 'dualRing'
        ? [{ from: node, port: 'S' as const, to: (node + size) % nodes, farPort: 'S' as const }]
        : []),
    ];
  }).flat();
}

/** By node the port that leads there: the other ring first, then the shorter way round, eastward when both are equal (TCA specification 2). */
export function portsOf(shape: Shape, node: number): readonly Port[] {
  const size = ringSize(shape);
  return Array.from({ length: shape.nodes }, (_, to): Port => {
    if (to === node) return 'N';
    if (shape.topology === 'pair') return node === 0 ? 'E' : 'W';
    if (Math.floor(to / size) !== Math.floor(node / size)) return 'S';
    const east = (to - node + size) % size;
    return east <= size - east ? 'E' : 'W';
  });
}
