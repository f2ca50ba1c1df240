import type { RouterSpec } from './router-spec.ts';

/**
 * Cycles from a turn until the router before it sees the credits that it returns (chiplet specification 5.3).
 *
 * Details: a credit comes with the turns of the next cycle, and after them, unless these were planned after the credit: that is so when the router
 * before has a turn in every cycle and this one has not, because its turn then came first.
 */
export const creditCycles = (period: number, periodBefore: number): number =>
  periodBefore === 1 && period > 1 ? 1 : 2;

/*
 * Where equal times are ordered by a heap, a router writes down what it begins, in order, as integers: a wire as its link's number made negative,
 * with the flit, its channel and its change behind it, a credit as the number of the output channel that gets it, the arrival of a packet
 * as its number above all of those.
 */

/** Channels of one router, rounded up. */
const channelsMax = 2 ** 16;

/** The number of the link at a port of a router. */
export const linkNumber = (router: number, port: number, ports: number): number => router * ports + port;

/** A flit put on the wire at a port. */
export const wireEntry = ({ router, ports }: RouterSpec, port: number): number =>
  -1 - linkNumber(router, port, ports);

/** A credit for an output channel of a router. */
export const creditEntry = (
  router: number,
  port: number,
  channel: number,
  { channels }: RouterSpec,
): number => router * channelsMax + port * channels + channel;

const arrivals = 2 ** 40;

/** A packet whose tail was accepted. */
export const arrivalEntry = (packet: number): number => arrivals + packet;

export const isArrival = (entry: number): boolean => entry >= arrivals;
export const packetOfArrival = (entry: number): number => entry - arrivals;

export const routerOfCredit = (entry: number): number => Math.floor(entry / channelsMax);
export const channelOfCredit = (entry: number): number => entry % channelsMax;
