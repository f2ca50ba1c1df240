import { clusters } from './packet.ts';

/** Ports of a router: to the own engine, and to the neighbours (Sunway specification 8.5). */
export const portNames = ['L', 'N', 'S', 'E', 'W'] as const;
export const [local, north, south, east, west] = [0, 1, 2, 3, 4] as const;

/** Routers of a row, and of a column. */
export const gridSide = 4;

/** The port at the other end of a link; the local one has its engine there. */
export const oppositeOf: readonly number[] = [local, south, north, west, east];

/** The router behind a port, -1 where there is none. */
export function neighbourOf(router: number, port: number): number {
  const [x, y] = [router % gridSide, Math.floor(router / gridSide)];
  if (port === north) return y > 0 ? router - gridSide : -1;
  if (port === south) return y < gridSide - 1 ? router + gridSide : -1;
  if (port === east) return x < gridSide - 1 ? router + 1 : -1;
  if (port === west) return x > 0 ? router - 1 : -1;
  return -1;
}

/**
 * The output port on the way to a target: first along the row, then along the column (Sunway specification 8.5).
 *
 * Details: targets from 16 on are gateways to memory; that of a row is behind the west port of the row's first router.
 */
export function portTowards(router: number, target: number): number {
  const isGateway = target >= clusters;
  const column = isGateway ? 0 : target % gridSide;
  const row = isGateway ? target - clusters : Math.floor(target / gridSide);
  const [x, y] = [router % gridSide, Math.floor(router / gridSide)];
  if (x !== column) return x < column ? east : west;
  if (y !== row) return y < row ? south : north;
  return isGateway ? west : local;
}
