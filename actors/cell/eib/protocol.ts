import { field } from '../../../kernel/protocol/field.ts';
import { protocol, type ShownBy } from '../../../kernel/protocol/protocol.ts';

/*
 * What the parts of an Element Interconnect Bus say to each other, and show (Cell specification 19). A tick is a bus cycle.
 *
 * A program unit gives commands to an MFC; the MFC offers one command a packet to the command bus; the bus makes the packet eligible at the
 * data arbiter; the arbiter lets the sender's store put it on a ring; the receiver's store takes the bytes and tells the MFC.
 */

const t = field.int();
const element = field.index('Unit');
const number = field.int();
/** Addresses in a program are what it says. */
const asked = field.int({ min: Number.MIN_SAFE_INTEGER });

/** One packet: bytes that cross the bus together, at most 128 of them and all of one 128-byte line (Cell specification 19.2). */
const packet = field.record({
  /** Number of the element whose MFC carries the command out. */
  initiator: element,
  /** Number of the element whose program gave the command. */
  issuer: element,
  /** Number of the command among those of its issuer, from 0. */
  command: number,
  /** Number of the packet in its command, from 0. */
  part: number,
  /** The element that sends the bytes and the one that receives them. */
  source: element,
  target: element,
  sourceAddress: field.int(),
  targetAddress: field.int(),
  size: field.int({ min: 1 }),
});

/** A command as `EibCommand` describes it. */
const command = field.record({
  kind: field.oneOf('get', 'put'),
  local: asked,
  element,
  pieces: field.list(field.record({ address: asked, size: field.int({ min: 1 }) })),
  list: field.flag(),
  tag: number,
});

/** An Element Interconnect Bus. */
export const eibProtocol = protocol({
  /** Runs the program of an element. */
  Unit: {
    named: /^Eib\.[^.]+$/,
    receives: {
      /** The outside starts the program. */
      'unit.begin': {},
      /** The command has a place in the queue: sent at once, or as soon as one is free. */
      'mfc.accepted': { number },
      /** No command of the tag groups that it waits for is unfinished. */
      'mfc.settled': {},
    },
    /** The wait is over, or the command has reached its MFC. */
    timers: ['unit.wake'],
  },
  Mfc: {
    receives: {
      /** A command. `issued` is the cycle in which the program asked for it, before it was written into the channels. */
      'mfc.command': { issuer: element, number, command, issued: t },
      /** A program waits for tag groups of its own MFC. */
      'mfc.await': { tags: field.list(number) },
      /** The bytes of a packet are in the receiver's store. */
      'packet.done': { issuer: element, command: number },
    },
    /** The command, or the next piece of its list, is prepared. */
    timers: ['mfc.ready'],
    shows: {
      /** An MFC took a command into its queue in cycle t; `issued` is when the program asked for it. */
      ACCEPT: { t, initiator: element, issuer: element, command: number, bytes: field.int(), issued: t },
      /** All packets of a command have arrived in cycle t. */
      COMPLETE: { t, initiator: element, issuer: element, command: number },
    },
  },
  CommandBus: {
    receives: {
      /** An MFC offers the command of one packet. */
      'command.request': { packet },
    },
    /** From cycle to cycle while commands wait. */
    timers: ['command.turn'],
    shows: {
      /** The command bus took the command of a packet in cycle t. */
      COMMAND: { t, packet },
    },
  },
  DataArbiter: {
    receives: {
      /** The command has been answered by all elements: from the next cycle on the packet may start. */
      'packet.eligible': { packet },
    },
    /** Look again at what waits. */
    timers: ['arbiter.decide'],
    shows: {
      /** A packet started in cycle t on (dir, ring); ports are busy for `beats` cycles, the links of its path for `hold`. */
      START: {
        t,
        packet,
        dir: field.int({ max: 1 }),
        ring: field.int(),
        beats: field.int(),
        hold: field.int(),
      },
    },
  },
  Store: {
    receives: {
      /** The packet starts in this cycle and occupies the ports for `beats` cycles. */
      'packet.start': { packet, beats: field.int() },
      /** The bytes come out of the receiver's data pipeline. */
      'packet.data': { packet, bytes: field.bytes() },
    },
    shows: {
      /** The bytes of a packet were written into the receiver's store in cycle t. */
      ARRIVE: { t, packet },
    },
  },
});

/** Everything that a machine of this kind shows. */
export type EibProbe = ShownBy<typeof eibProtocol>;
/** A packet on its way. */
export type Packet = Extract<EibProbe, { type: 'ARRIVE' }>['packet'];
