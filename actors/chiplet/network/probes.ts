/*
 * What routers show. Channels are told by number: `port * channels + channel`.
 */

/** Shown when a packet enters a queue of port 0. */
export interface PacketInjected {
  readonly type: 'packet.injected';
  readonly packet: number;
  readonly channel: number;
  /** Number of its first flit, and flits. */
  readonly first: number;
  readonly size: number;
  readonly target: number;
  /** Halves of 32 bits of the words of its flits, lower half first. */
  readonly halves: readonly number[];
}

/** Shown when an input channel gets an output channel; both by number. */
export interface ChannelGranted {
  readonly type: 'channel.granted';
  readonly cycle: number;
  readonly input: number;
  readonly output: number;
}

/** Shown when a flit goes through the switch; channels by number. */
export interface SwitchPassed {
  readonly type: 'switch.passed';
  readonly cycle: number;
  readonly input: number;
  readonly output: number;
  readonly flit: number;
}

/** Shown when the tail of a packet is taken in at its target. */
export interface PacketFinished {
  readonly type: 'packet.finished';
  readonly packet: number;
  readonly cycle: number;
  readonly delay: number;
}

/** Shown when a flit is dropped on arrival. */
export interface FlitDropped {
  readonly type: 'flit.dropped';
  readonly cycle: number;
  readonly packet: number;
  readonly flit: number;
  /** Number of the input channel, and whether its buffer was full; otherwise the packet was abandoned before. */
  readonly input: number;
  readonly isFull: boolean;
}
