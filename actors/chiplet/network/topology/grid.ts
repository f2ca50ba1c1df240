import { oppositePort, type Topology, type Wire, way } from './topology.ts';

/** Cycles on a wire between neighbours. */
export const neighbourDelay = 0.9;

/** Virtual channels that dimension order uses on links at most. */
const channelsOnLinks = 4;

/** The neighbour at a port of a grid with sides that wrap around. */
export function neighbourIn(side: number, coordinates: number, router: number, port: number): number {
  const dimension = (port - 1) >> 1;
  const stride = side ** (coordinates - 1 - dimension);
  const at = Math.floor(router / stride) % side;
  const to = (at + (port % 2 === 1 ? side - 1 : 1)) % side;
  return router + (to - at) * stride;
}

/** A mesh with dimension order, last coordinate first: y before x, in three dimensions z before y before x (chiplet specification 5.7, R = 0). */
export function mesh(side: number, coordinates: number, channels: number): Topology {
  const last = Math.min(channelsOnLinks, channels) - 1;
  const ports = 2 * coordinates + 1;
  const ways = Array.from({ length: ports }, (_, port) => way(port, 0, last));
  return {
    routers: side ** coordinates,
    ports,
    coordinates,
    side,
    wireOf: (router, port): Wire | undefined => {
      const to = neighbourIn(side, coordinates, router, port);
      // The wires around the sides are there in the original, but no packet takes them.
      const around = port % 2 === 1 ? to >= router : to <= router;
      return around ? undefined : { router: to, port: oppositePort(port), delay: neighbourDelay };
    },
    routeOf: (router, target) => {
      let from = router;
      let to = target;
      for (let dimension = coordinates - 1; ; dimension--) {
        const difference = (to % side) - (from % side);
        if (difference !== 0) return ways[2 * dimension + (difference < 0 ? 1 : 2)]!;
        from = Math.floor(from / side);
        to = Math.floor(to / side);
      }
    },
  };
}

/** A torus with dimension order, first coordinate first; the channel says on which side of the wrap a packet is (chiplet specification 5.7, R = 1). */
export function torus(side: number, coordinates: number): Topology {
  const ports = 2 * coordinates + 1;
  return {
    routers: side ** coordinates,
    ports,
    coordinates,
    side,
    wireOf: (router, port): Wire => ({
      router: neighbourIn(side, coordinates, router, port),
      port: oppositePort(port),
      delay: neighbourDelay,
    }),
    routeOf: (router, target) => {
      let stride = side ** (coordinates - 1);
      for (let dimension = 0; ; dimension++) {
        const difference = (Math.floor(target / stride) % side) - (Math.floor(router / stride) % side);
        if (difference !== 0) {
          const near = 2 * Math.abs(difference) <= side;
          const channel = difference < 0 ? 0 : 1;
          const negative = difference < 0 === near;
          return way(2 * dimension + (negative ? 1 : 2), channel, channel);
        }
        stride = Math.floor(stride / side);
      }
    },
  };
}
