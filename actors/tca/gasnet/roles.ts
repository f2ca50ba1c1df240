import { field } from '../../../kernel/protocol/field.ts';
import {
  accessed,
  channel,
  committed,
  copied,
  count,
  descriptor,
  flag,
  node,
  stops,
  stored,
} from '../fields.ts';
import type { GasnetCall } from './calls.ts';
import type { LockAction } from './handler-locks.ts';
import type { Job } from './job.ts';
import type { Header } from './packet.ts';

/*
 * What the parts of the runtime hear (TCA specification 11, 12, 15).
 */

const ring = field.oneOf(0, 1);
const peer = node;
const key = field.text();
/** One channel of a transfer, and the descriptors of its data. */
const parts = field.list(field.record({ channel, data: field.list(descriptor) }));
const split = field.list(count);
/** Own transfers have left: the word of the board counts them by channel. */
const selfNotified = { 'self.notified': { channel, count } };

/** The roles of the runtime of GASNet on a node. */
export const gasnetRoles = {
  Gasnet: {
    receives: {
      /** A program calls the runtime. */
      'gasnet.call': { call: field.data<GasnetCall>({ call: 'poll' }) },
      /** A packet waits in a receive ring, is taken, and its slot freed. */
      'packet.ready': { peer, ring },
      'packet.content': {
        peer,
        ring,
        header: field.data<Header>(),
        payload: field.bytes(),
        /** Address of its slot. */
        slot: count,
      },
      'packet.freed': {},
      /** The receiver has freed slots up to this number of packets. */
      'tx.freed': { peer, ring, freed: count },
      /** The end of the job. */
      'job.exit': { code: count },
      /** The processor has done its part of a job. */
      'transfer.started': {
        /** Number of the last packet of the job in its ring. */
        sequence: count,
        /** Own notifications after which the source has been read, by channel. */
        left: field.list(field.record({ channel, count })),
      },
      /** The ring is full: the job waits until it is resumed. `sequence`: the number of the packet that finds no slot. */
      'transfer.blocked': { peer, ring, sequence: count },
      ...selfNotified,
      ...accessed,
      ...copied,
      ...committed,
    },
    /** It goes on after work that took it time. */
    timers: ['runtime.turn'],
    shows: {
      /** A lock was held, or handlers were held off, longer than is wise (TCA specification 20, C17). */
      'hsl.long': { node, action: field.data<LockAction>(), lock: count, subTicks: count },
    },
  },
  Planner: {
    receives: {
      /** Bytes to be sent, with what comes of it. */
      'transfer.begin': { job: field.data<Job>() },
      /** A job that waited for space may go on. */
      'transfer.resume': {},
      /** A slot of a send ring. `behind`: channels with packets of this ring that have perhaps not arrived; a packet by PIO must not overtake them. */
      'tx.slot': { sequence: count, behind: field.list(channel) },
      /** There is none; `sequence`: the number of the packet that finds no slot. */
      'tx.full': { sequence: count },
      'cache.found': { parts: field.maybe(parts) },
      /** How a transfer is split. `tuning`: the pattern is being tuned, so that the transfer is to be measured. */
      'weights.split': { split, tuning: field.flag() },
      /** Channels are known to have stopped. */
      'stop.known': {},
      /** How many packets of a receive ring are handled (TCA specification 11). */
      'ring.done': { peer, ring, done: count },
      ...selfNotified,
      ...accessed,
      ...copied,
      ...committed,
    },
    timers: ['planner.turn'],
  },
  /** The sending side of a ring of packets. */
  PacketTx: {
    named: /\.PacketTx\[/,
    receives: {
      /** A slot is asked for, and its packet sent. */
      'tx.reserve': {},
      /** `channels` carry the packet; none when it went by PIO. */
      'tx.posted': { channels: field.list(channel) },
      'ring.freed': { freed: count },
    },
  },
  /** The receiving side of a ring of packets. */
  PacketRx: {
    named: /\.PacketRx\[/,
    receives: {
      /** Words of the board, as they come: packets announced, parts of transfers. */
      'ring.head': { head: count },
      'ring.part': { channel, count },
      /** Of how many packets one has told that goes the other way. */
      'ring.told': { done: count },
      'packet.take': {},
      'packet.done': {},
      ...accessed,
      ...committed,
    },
    /** The last part of a transfer has been noticed. */
    timers: ['packet.turn'],
  },
  NotifyBoard: { receives: flag },
  DescriptorCache: {
    receives: {
      /** Descriptors are looked for, kept, and no longer in use. */
      'cache.find': { key },
      'cache.keep': { key, parts },
      'cache.release': { keys: field.list(key) },
    },
  },
  WeightTable: {
    receives: {
      /** How a transfer of a pattern is to be split, and how one went. */
      'weights.ask': { pattern: key, amount: count, unit: count },
      'weights.note': {
        pattern: key,
        round: field.record({
          split,
          /** From the start until every flag was seen. */
          totalNs: field.data(0),
          /** By channel from its doorbell to its completion; anything where the channel had no part. */
          channelNs: field.list(field.data(0)),
        }),
      },
    },
  },
  StopDetector: {
    receives: {
      /** Channels that shall run or, `taken`, whose writes PIO shall not overtake. */
      'stop.ask': { channels: field.list(channel), taken: field.flag() },
      /** Channels were started. */
      'stop.started': { channels: field.list(channel) },
      /** The router has taken all writes of a channel. */
      'writes.taken': { channel },
      ...stops,
    },
    timers: ['stop.turn'],
  },
  /** The write-combining window. */
  Pio: {
    receives: {
      /** Bytes for other nodes: stores of at most 64 bytes, each committed before the next (TCA specification 9). */
      'pio.store': { stores: field.list(field.record({ address: count, data: field.bytes() })) },
    },
    timers: ['pio.turn'],
    shows: stored,
  },
} as const;
