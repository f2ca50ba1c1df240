import {
  east,
  local,
  neighbourOf,
  north,
  portNames,
  south,
  west,
} from '../../../actors/sunway/network/ports.ts';
import type { PortCounts } from '../../../actors/sunway/network/router-input.ts';

/**
 * Flits of 16 bytes that went through the ports of one router (Sunway specification 8.5).
 *
 * Details: `L` are those that the cluster has sent, N, S, E and W those that left for a neighbour; W of the first column is the way to memory. A
 * flit that goes over three links is in three of these numbers, and in `L` where it came from.
 */
export interface RouterFlits {
  readonly group: number;
  /** Number of the cluster, 0..15: row k / 4, column k % 4 of the array. */
  readonly router: number;
  readonly L: number;
  readonly N: number;
  readonly S: number;
  readonly E: number;
  readonly W: number;
  /** What came out for the cluster. */
  readonly delivered: number;
  /** What came from memory, in the first column. */
  readonly fromMemory: number;
}

/** Flits that went from router to router. */
export interface LinkFlits {
  readonly group: number;
  readonly from: number;
  readonly to: number;
  readonly flits: number;
}

/** Reads the counters of a router. */
export function routerFlits(group: number, router: number, { flitsIn, flitsOut }: PortCounts): RouterFlits {
  const isFirst = neighbourOf(router, west) < 0;
  return {
    group,
    router,
    L: flitsIn[local]!,
    N: flitsOut[north]!,
    S: flitsOut[south]!,
    E: flitsOut[east]!,
    W: flitsOut[west]!,
    delivered: flitsOut[local]!,
    fromMemory: isFirst ? flitsIn[west]! : 0,
  };
}

/** The links between routers that flits went over, as a heat map of the 4x4 mesh draws them; those of one core group by router. */
export const linkFlits = (mesh: readonly RouterFlits[]): readonly LinkFlits[] =>
  mesh.flatMap((one) =>
    portNames.flatMap((name, port) => {
      const to = neighbourOf(one.router, port);
      const flits = one[name];
      return to < 0 || flits === 0 ? [] : [{ group: one.group, from: one.router, to, flits }];
    }),
  );
