import { neighbourIn } from './grid.ts';
import { oppositePort, type Topology, type Wire, way } from './topology.ts';

/** Cycles on wires between chiplets of a mesh, on wires inside a chiplet, and between chiplets and the centre of a star (chiplet specification 5.7, R = 2, 3). */
const delays = { betweenChiplets: 153.16, onChiplet: 9.57, toNearCentre: 47.8721, toFarCentre: 124.4789 };

/** Numbers in the address of a core: chiplet x, chiplet y, core x, core y. */
const coordinates = 4;

/** Ports of a core: 1 to 4 between gateways, 5 to 8 inside its chiplet, 9 of a gateway to the centre of a star. */
const meshPorts = 2 * coordinates + 1;
const centrePort = 9;

/** Both virtual channels of a port. */
const anyOfTwo = (port: number): number => way(port, 0, 1);

/** The way inside the chiplet of the target: x first. Undefined in another chiplet. */
function insideChiplet(side: number, router: number, target: number): number | undefined {
  const cores = side * side;
  if (Math.floor(router / cores) !== Math.floor(target / cores)) return undefined;
  const [x, y] = coreOf(side, router);
  const [toX, toY] = coreOf(side, target);
  if (toX !== x) return anyOfTwo(toX < x ? 5 : 6);
  return anyOfTwo(toY < y ? 7 : 8);
}

/** The way to the gateway of the own chiplet, core (0, 0); undefined there. */
function toGateway(side: number, router: number): number | undefined {
  const [x, y] = coreOf(side, router);
  if (x > 0) return anyOfTwo(5);
  return y > 0 ? anyOfTwo(7) : undefined;
}

const coreOf = (side: number, router: number): readonly [number, number] => [
  Math.floor(router / side) % side,
  router % side,
];

const chipletOf = (side: number, router: number): readonly [number, number] => [
  Math.floor(router / side ** 3),
  Math.floor(router / side ** 2) % side,
];

/**
 * Chiplets in a mesh, cores of a chiplet in a mesh; packets change chiplets at the gateways (chiplet specification 5.7, R = 2).
 *
 * Details: the wire at port 5 is as slow as those between chiplets, although it is inside one: a slip of the original, kept unless `correct`.
 */
export function chipletMesh(side: number, correct = false): Topology {
  const slow = correct ? 4 : 5;
  return {
    routers: side ** coordinates,
    ports: meshPorts,
    coordinates,
    side,
    wireOf: (router, port): Wire => ({
      router: neighbourIn(side, coordinates, router, port),
      port: oppositePort(port),
      delay: port <= slow ? delays.betweenChiplets : delays.onChiplet,
    }),
    routeOf: (router, target) => {
      const near = insideChiplet(side, router, target) ?? toGateway(side, router);
      if (near !== undefined) return near;
      const [x, y] = chipletOf(side, router);
      const [toX, toY] = chipletOf(side, target);
      if (toX !== x) return anyOfTwo(toX < x ? 1 : 2);
      return anyOfTwo(toY < y ? 3 : 4);
    },
  };
}

/** Sides that a star can have: the centre has a port for every chiplet. */
export const starSideMax = 5;

/**
 * Chiplets around a centre, cores of a chiplet in a mesh (chiplet specification 5.7, R = 3).
 *
 * Details: chiplets have coordinates below `side - 1`; the centre is router (side - 1, side - 1, 0, 0).
 */
export function star(side: number): Topology {
  const inner = side - 1;
  const centre = (inner * side + inner) * side * side;
  const isChiplet = (router: number): boolean => chipletOf(side, router).every((one) => one < inner);
  const portToChiplet = (router: number): number => {
    const [x, y] = chipletOf(side, router);
    return x * inner + y + 1;
  };
  const spokeOf = (router: number): number => {
    const [x] = chipletOf(side, router);
    return x === 1 || x === 2 ? delays.toNearCentre : delays.toFarCentre;
  };
  return {
    routers: side ** coordinates,
    ports: Math.max(meshPorts, coordinates * coordinates) + 1,
    coordinates,
    side,
    wireOf: (router, port): Wire | undefined => {
      if (router === centre) {
        if (port > inner * inner) return undefined;
        const gateway = (Math.floor((port - 1) / inner) * side + ((port - 1) % inner)) * side * side;
        return { router: gateway, port: centrePort, delay: spokeOf(gateway) };
      }
      if (!isChiplet(router)) return undefined;
      if (port === centrePort)
        return toGateway(side, router) === undefined
          ? { router: centre, port: portToChiplet(router), delay: spokeOf(router) }
          : undefined;
      if (port < 5 || port > 8) return undefined;
      const to = neighbourIn(side, coordinates, router, port);
      return { router: to, port: oppositePort(port), delay: delays.onChiplet };
    },
    routeOf: (router, target) => {
      if (router === centre) return anyOfTwo(portToChiplet(target));
      const near = insideChiplet(side, router, target) ?? toGateway(side, router);
      return near ?? anyOfTwo(centrePort);
    },
  };
}
