import { numberOf } from './flit.ts';
import type { RouterContext } from './router.ts';
import { channelStates } from './router-state.ts';
import { firstChannelOf, lastChannelOf, portOfWay } from './topology/topology.ts';

/** A buffer of a router whose packet cannot go on, and what it wants. Ports and channels are those of the router. */
export interface HeldBuffer {
  /** The buffer: its input port, 0 where packets enter the network, and its channel. */
  readonly port: number;
  readonly channel: number;
  /** Numbers of its flits, oldest first. */
  readonly flits: readonly number[];
  /** The output port by which its packet goes on. */
  readonly output: number;
  /** The channel of that port that it has, -1 when it has none; then all that it may have are in use. */
  readonly has: number;
  readonly wanted: readonly number[];
}

/** The buffers of a blocked router (chiplet specification 5.2, 5.4): their packets wait for a channel, or have one and wait for a place behind it. */
export function heldBuffers({ spec, state }: RouterContext): readonly HeldBuffer[] {
  const { ports, channels } = spec.value;
  const found: HeldBuffer[] = [];
  for (let queue = 0; queue < ports * channels; queue++) {
    const doing = state.states[queue];
    const has = doing === channelStates.competing || doing === channelStates.granted;
    if (!has && doing !== channelStates.allocating) continue;
    const way = state.ways[queue]!;
    const given = state.outputs[queue]!;
    const [first, last] = [firstChannelOf(way), lastChannelOf(way)];
    found.push({
      port: Math.floor(queue / channels),
      channel: queue % channels,
      flits: state.buffers.flitsOf(queue).map(numberOf),
      output: has ? Math.floor(given / channels) : portOfWay(way),
      has: has ? given % channels : -1,
      wanted: has ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at),
    });
  }
  return found;
}
