import type { FlitLoad } from './messages.ts';

/*
 * What the parts of one router say to each other, all of it within a tick. Input and output channels are numbered port by port:
 * `port * channels + channel`.
 */

/** A flit with what it carries. */
export interface HeldFlit extends FlitLoad {
  /** Its number, and whether it is the head or the tail of its packet. */
  readonly flit: number;
}

/** A packet as its source knows it. */
export interface SourcePacket {
  readonly packet: number;
  /** When it may be sent, and the time from which its delay counts. */
  readonly time: number;
  readonly start: number;
  readonly target: number;
  readonly size: number;
  /** Number of its first flit. */
  readonly first: number;
}

/** Router to input channel: a flit has arrived, to be seen in a cycle. */
export interface FlitEnter extends HeldFlit {
  readonly type: 'flit.enter';
  readonly cycle: number;
  /** True when its packet was abandoned before that cycle. */
  readonly abandoned: boolean;
}

/** Input channel to router, where flits may be lost: a flit was taken in. */
export interface FlitKept {
  readonly type: 'flit.kept';
  readonly input: number;
  readonly halves: readonly number[];
}

/** Input channel to router: a flit was not taken in. */
export interface FlitRefused {
  readonly type: 'flit.refused';
  readonly input: number;
  readonly packet: number;
  readonly flit: number;
  readonly cycle: number;
  readonly isFull: boolean;
}

/** Router to router: a packet was abandoned in a cycle. */
export interface PacketAbandoned {
  readonly type: 'packet.abandoned';
  readonly packet: number;
  readonly cycle: number;
}

/** Source to an input channel of port 0: a packet enters its queue. */
export interface PacketEnter {
  readonly type: 'packet.enter';
  readonly packet: number;
  readonly flits: readonly HeldFlit[];
  readonly cycle: number;
}

/** Input channel to router: a packet has entered; whether its head is at the front. */
export interface PacketEntered {
  readonly type: 'packet.entered';
  readonly input: number;
  readonly packet: number;
  readonly flits: readonly HeldFlit[];
  readonly cycle: number;
  readonly isFront: boolean;
}

/** Router to source: what entered is counted. */
export interface PacketNoted {
  readonly type: 'packet.noted';
}

/** Router to source: packets up to a time are due, one that is in no list among them. */
export interface PacketsTake {
  readonly type: 'packets.take';
  readonly now: number;
  readonly cycle: number;
  readonly order?: SourcePacket;
}

/** Router to source: a flit has left a queue of port 0, through the switch or at its target. */
export interface QueueShorter {
  readonly type: 'queue.shorter';
  readonly input: number;
  readonly left: number;
  readonly cycle: number;
  readonly isThroughSwitch: boolean;
}

/** Source to router: it has put in what it could. */
export interface SourceSettled {
  readonly type: 'source.settled';
  readonly cycle: number;
}

/** Input channel to router: something at its front is to be routed or taken in. */
export interface ChannelFront {
  readonly type: 'channel.front';
  readonly input: number;
  readonly cycle: number;
}

/** Router to input channel: stage 1 is yours. */
export interface ChannelRoute {
  readonly type: 'channel.route';
  readonly cycle: number;
}

/** Input channel to router: it needs an output channel of its way, as `way` writes it. */
export interface ChannelWanted {
  readonly type: 'channel.wanted';
  readonly input: number;
  readonly way: number;
}

/** Input channel to router: a flit for this router is taken out; what comes behind it. */
export interface FlitEjected extends HeldFlit {
  readonly type: 'flit.ejected';
  readonly input: number;
  readonly left: number;
}

/** Router to output channel: an input channel gets it. */
export interface ChannelGive {
  readonly type: 'channel.give';
  readonly input: number;
  readonly cycle: number;
}

/** Output channel to input channel: it is yours, and whether a place is free behind it. */
export interface ChannelGiven {
  readonly type: 'channel.given';
  readonly output: number;
  readonly hasPlace: boolean;
  readonly cycle: number;
}

/** Input channel to router: its packet has got an output channel, or goes on after a pause, and needs the switch. */
export interface SwitchWanted {
  readonly type: 'switch.wanted';
  readonly input: number;
  readonly output: number;
  readonly cycle: number;
}

/** Router to input channel: it has the switch. */
export interface SwitchGranted {
  readonly type: 'switch.granted';
}

/** Router to input channel: stage 4 is yours. */
export interface SwitchTraverse {
  readonly type: 'switch.traverse';
}

/** Input channel to output channel: a flit goes through, and the flits that are left behind it. */
export interface FlitThrough extends HeldFlit {
  readonly type: 'flit.through';
  readonly input: number;
  readonly left: number;
}

/** Output channel to router: a flit has gone through; whether a place is free behind it for another one. */
export interface FlitCrossed extends HeldFlit {
  readonly type: 'flit.crossed';
  readonly input: number;
  readonly output: number;
  readonly left: number;
  readonly hasPlace: boolean;
  /** True when it was the tail, so that the channel is free. */
  readonly isFree: boolean;
}

/** Router to output channel: a place behind it is free again. */
export interface PlaceBack {
  readonly type: 'place.back';
  readonly cycle: number;
}

/** Output channel to router and to the input channel that has it: there is a place again. */
export interface PlaceFree {
  readonly type: 'place.free';
  readonly output: number;
  readonly cycle: number;
}

/** Output channel to the input channel that has it: there is none any more. */
export interface PlaceNone {
  readonly type: 'place.none';
}

/** Anybody who draws to the random numbers: one of `count`. */
export interface RandomPick {
  readonly type: 'random.pick';
  readonly count: number;
}

/** Source to the random numbers: so many words of 64 bits. */
export interface RandomWords {
  readonly type: 'random.words';
  readonly count: number;
}

/** Random numbers to who has asked: the pick. */
export interface RandomPicked {
  readonly type: 'random.picked';
  readonly pick: number;
}

/** Random numbers to the source: the words, each the double that comes nearest. */
export interface RandomWordsDrawn {
  readonly type: 'random.drawn';
  readonly words: readonly number[];
}

/** Router to clock: it wants a turn in a cycle. */
export interface TurnWanted {
  readonly type: 'turn.wanted';
  readonly router: number;
  readonly cycle: number;
}

/** Router to clock: its turn is over; whether it wants one in the next cycle, and where the clock orders events, what it has begun. */
export interface TurnDone {
  readonly type: 'turn.done';
  readonly router: number;
  readonly cycle: number;
  readonly wants: boolean;
  readonly begun?: TurnLog;
}

/** What a router has begun in a turn, in order, as `event-log.ts` writes it. */
export interface TurnLog {
  readonly entries: readonly number[];
  /** What the flits in it carry, by flit. */
  readonly loads: Readonly<Record<number, FlitLoad>>;
  /** Packets that arrived. */
  readonly arrived: number;
}
