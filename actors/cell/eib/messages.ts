import type { EibCommand } from './operations.ts';
import type { Packet } from './packet.ts';

/*
 * What the parts of an Element Interconnect Bus say to each other (Cell specification 19). A tick is a bus cycle.
 *
 * A program unit gives commands to an MFC; the MFC offers one command a packet to the command bus; the bus makes the packet eligible at the
 * data arbiter; the arbiter lets the sender's store put it on a ring; the receiver's store takes the bytes and tells the MFC.
 */

/** The outside starts the program of an element. */
export type UnitBegin = { readonly type: 'unit.begin' };
/** A program unit's own message: the wait is over, or the command has reached its MFC. */
export type UnitWake = { readonly type: 'unit.wake' };

/** A command for an MFC. `issued` is the cycle in which the program asked for it, before it was written into the channels. */
export type MfcCommand = {
  readonly type: 'mfc.command';
  readonly issuer: number;
  readonly number: number;
  readonly command: EibCommand;
  readonly issued: number;
};
/** The command has a place in the queue: sent at once, or as soon as one is free. */
export type MfcAccepted = { readonly type: 'mfc.accepted'; readonly number: number };
/** A program waits for tag groups of its own MFC. */
export type MfcAwait = {
  readonly type: 'mfc.await';
  readonly tags: readonly number[];
};
/** No command of those tag groups is unfinished. */
export type MfcSettled = { readonly type: 'mfc.settled' };
/** An MFC's own message: the command, or the next piece of its list, is prepared. */
export type MfcReady = { readonly type: 'mfc.ready' };

/** An MFC offers the command of one packet to the command bus. */
export type CommandRequest = {
  readonly type: 'command.request';
  readonly packet: Packet;
};
/** The command bus's own message from cycle to cycle while commands wait. */
export type CommandTurn = { readonly type: 'command.turn' };

/** The command has been answered by all elements: from the next cycle on the packet may start. */
export type PacketEligible = {
  readonly type: 'packet.eligible';
  readonly packet: Packet;
};
/** The data arbiter's own message: look again at what waits. */
export type ArbiterDecide = { readonly type: 'arbiter.decide' };
/** The packet starts in this cycle and occupies the ports for `beats` cycles. */
export type PacketStart = {
  readonly type: 'packet.start';
  readonly packet: Packet;
  readonly beats: number;
};
/** The bytes come out of the receiver's data pipeline. */
export type PacketData = {
  readonly type: 'packet.data';
  readonly packet: Packet;
  readonly bytes: Uint8Array;
};
/** The bytes are in the receiver's store. */
export type PacketDone = {
  readonly type: 'packet.done';
  readonly issuer: number;
  readonly command: number;
};
