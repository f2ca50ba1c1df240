/** A way out of a router: the one at the other end of the wire, its port, and the cycles the wire takes. */
export interface Wire {
  readonly router: number;
  readonly port: number;
  /** Cycles from leaving the router to arrival; may be a fraction. */
  readonly delay: number;
}

/**
 * Routers, the wires between them, and the way of packets (chiplet specification 5.7).
 *
 * Details: port 0 is for injection. All channels that a packet may take belong to one port, in one row.
 */
export interface Topology {
  readonly routers: number;
  /** Ports of every router, port 0 among them. */
  readonly ports: number;
  /** Numbers in the address of a router, as a trace writes it. */
  readonly coordinates: number;
  /** Each coordinate is below this. */
  readonly side: number;
  /** The wire at a port; undefined where none is, or where no packet ever goes. */
  wireOf(router: number, port: number): Wire | undefined;
  /** The way on from a router for a packet to another one, as `way` writes it. `cycle` is when it is asked for. */
  routeOf(router: number, target: number, cycle: number): number;
  /** Cycles between the turns of a router; 1 when absent. */
  periodOf?(router: number): number;
}

/** A port with its first and last virtual channel that a packet may take, as one integer. */
export const way = (port: number, first: number, last: number): number => port | (first << 16) | (last << 24);

export const portOfWay = (route: number): number => route & 0xffff;
export const firstChannelOf = (route: number): number => (route >> 16) & 0xff;
export const lastChannelOf = (route: number): number => (route >> 24) & 0xff;

/** The port at the other end of a wire between neighbours along a dimension. */
export const oppositePort = (port: number): number => (port % 2 === 1 ? port + 1 : port - 1);

/** The address of a router, most significant coordinate first. */
export function coordinatesOf({ side, coordinates }: Topology, router: number): readonly number[] {
  const found: number[] = [];
  for (let rest = router, k = 0; k < coordinates; k++) {
    found.unshift(rest % side);
    rest = Math.floor(rest / side);
  }
  return found;
}

/** The router at an address. */
export const routerAt = ({ side }: Pick<Topology, 'side'>, address: readonly number[]): number =>
  address.reduce((number, coordinate) => number * side + coordinate, 0);
