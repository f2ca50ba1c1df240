import { numberOf } from './flit.ts';
import type { InputChannelContext } from './input-channel.ts';
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

/** The buffers of input channels whose packets wait (chiplet specification 5.2, 5.4): for a channel, or with one for a place behind it. */
export function heldBuffers(inputs: readonly InputChannelContext[]): readonly HeldBuffer[] {
  return inputs.flatMap(({ spec, flits, way, output }) => {
    const has = output >= 0;
    if (flits.length === 0 || (!has && way === 0)) return [];
    const { channels, input } = spec.value;
    const [first, last] = [firstChannelOf(way), lastChannelOf(way)];
    return [
      {
        port: Math.floor(input / channels),
        channel: input % channels,
        flits: flits.map(({ flit }) => numberOf(flit)),
        output: portOfWay(way),
        has: has ? output % channels : -1,
        wanted: has ? [] : Array.from({ length: last - first + 1 }, (_, at) => first + at),
      },
    ];
  });
}
