import type { Address } from '../../../kernel/message.ts';
import { clusters, gateways } from './packet.ts';
import { portNames, portTowards } from './ports.ts';

/** What is at the other end of a port. */
export interface PortEnd {
  readonly to: Address;
  /** Routers hold flits in a buffer and give credit; engines and gateways take all that comes. */
  readonly isRouter: boolean;
  /** Cycles from the head here to the head there; to an engine or gateway, from the last flit. */
  readonly cycles: number;
}

/** The router of one cluster. */
export interface RouterInput {
  readonly self: Address;
  /** Number of its cluster, 0..15. */
  readonly cluster: number;
  /** By port; null at the edge of the array. */
  readonly ends: readonly (PortEnd | null)[];
  readonly flitsPerCycle: number;
  readonly bufferFlits: number;
}

/** An output port. */
export interface OutputPort {
  freeAt: number;
  /** Flits that there is room for in the next router. */
  credits: number;
  /** The input port that is asked first when it is free again. */
  turn: number;
}

/** Flits that came in and went out of a router so far, by port. */
export interface PortCounts {
  flitsIn: number[];
  flitsOut: number[];
}

/** A router that knows what lies behind its ports. */
export interface RouterSpec extends RouterInput {
  /** By output port: the targets that lie behind it. */
  readonly behind: readonly number[];
}

/** By output port, the targets on whose way it is. */
function targetsBehind(cluster: number): readonly number[] {
  const behind = portNames.map(() => 0);
  for (let target = 0; target < clusters + gateways; target++)
    behind[portTowards(cluster, target)]! += 2 ** target;
  return behind;
}

/** A router with what lies behind its ports. */
export const specOf = (input: RouterInput): RouterSpec => ({
  ...input,
  behind: targetsBehind(input.cluster),
});
