import { numberOf } from '../flit.ts';
import type { HeldBuffer } from '../held-buffers.ts';
import { firstChannelOf, lastChannelOf, portOfWay } from '../topology/topology.ts';
import type { RouterContext } from './router.ts';
import { channelStates } from './router-state.ts';

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
