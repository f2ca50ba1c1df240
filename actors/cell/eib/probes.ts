import type { Packet } from './packet.ts';

/*
 * What observers of an Element Interconnect Bus see. Properties judge a run by these alone (Cell specification 19).
 */

/** The command bus took the command of a packet in cycle t. */
export type CommandProbe = { readonly type: 'COMMAND'; readonly t: number; readonly packet: Packet };
/** A packet started in cycle t on (dir, ring); ports are busy for `beats` cycles, the links of its path for `hold`. */
export type StartProbe = {
  readonly type: 'START';
  readonly t: number;
  readonly packet: Packet;
  readonly dir: number;
  readonly ring: number;
  readonly beats: number;
  readonly hold: number;
};
/** The bytes of a packet were written into the receiver's store in cycle t. */
export type ArriveProbe = { readonly type: 'ARRIVE'; readonly t: number; readonly packet: Packet };
/** An MFC took a command into its queue in cycle t; `issued` is when the program asked for it. */
export type AcceptProbe = {
  readonly type: 'ACCEPT';
  readonly t: number;
  readonly initiator: number;
  readonly issuer: number;
  readonly command: number;
  readonly bytes: number;
  readonly issued: number;
};
/** All packets of a command have arrived in cycle t. */
export type CompleteProbe = {
  readonly type: 'COMPLETE';
  readonly t: number;
  readonly initiator: number;
  readonly issuer: number;
  readonly command: number;
};

/** Everything that a machine of this kind shows. */
export type EibProbe = CommandProbe | StartProbe | ArriveProbe | AcceptProbe | CompleteProbe;
