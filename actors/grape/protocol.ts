import { field } from '../../kernel/protocol/field.ts';
import {
  type EventsOf,
  type MessageOf,
  type MessagesOf,
  type OutboxOf,
  protocol,
  type RoleOf,
  type ShapesByType,
} from '../../kernel/protocol/protocol.ts';
import type { HostCall } from './host-calls.ts';
import type { Job } from './jobs.ts';
import type { SimLine, Slot } from './program.ts';

/*
 * What the parts of the chip send each other (GRAPE specification 6.2). A message that has an effect in cycle c comes in the cycle before: in which order
 * the messages of one cycle come then makes no difference. When something will be that is told earlier, `after` says in how many cycles, counted from the one in
 * which the message comes.
 */

const count = field.int();
/** A word of the chip: a long one of 72 bits, or a short one of 36. */
const word = field.bits(72);
const words = field.list(word);
const after = field.int();
const block = field.index('Block');
/** A place in broadcast memory, by its short-word address. */
const place = { addr: count, long: field.flag() };
const longs = field.list(count);
/** A line for the simulator, by the number of the job. */
const look = { number: count, item: field.data<SimLine>() };

/** A reduction of `n` words from one place of all blocks (GRAPE specification 3.7). */
const reduction = {
  op: field.text(),
  ...place,
  n: field.int({ min: 1 }),
  round: field.flag(),
  odpoe: field.flag(),
  sregen: field.flag(),
  conv: field.text(),
};
/** A read of broadcast memory for the reduction. */
const reading = { ...place, index: count };
/** When a port was busy: from cycle `t` up to, not including, `end`, for so many words. */
const busyPort = <P extends string>(port: P) => ({
  PORT: { t: count, port: field.oneOf(port), end: count, words: count },
});

/** The chip and its host. */
export const grapeProtocol = protocol({
  Host: {
    receives: {
      /** The program of the host begins. */
      'host.begin': {},
      /** A call of the host library, from a program of the host or from outside. */
      'host.call': { call: field.data<HostCall>({ call: 'init' }) },
      /** A value that left the chip: what the host sees, and the word it was made from. */
      'host.result': { bits: field.list(field.bits(64)), word, conv: field.text() },
      /** A job is over. `cycles` are those from its beginning to the end of its last slot or transfer. `fault`: what the machine found wrong; null when nothing was. */
      'control.done': { cycles: count, fault: field.maybe(field.text()) },
    },
    /** A call has crossed the link to the chip. */
    timers: ['host.linked'],
    shows: {
      /** A call is over. */
      CALL: {
        t: count,
        call: field.text(),
        code: field.int({ min: Number.MIN_SAFE_INTEGER }),
        cycles: count,
        from: count,
        to: count,
      },
    },
  },
  ControlProcessor: {
    receives: {
      /** Work for it. */
      'control.run': { job: field.data<Job>() },
      /** A block has carried out a slot. */
      'slot.done': { seq: count, block },
      /** What a block shows on a line for the simulator: words as they would be if all writes were done. */
      'block.seen': { number: count, block, words },
      /** A packet has come to its end: all its words are in place `after` cycles. */
      'idp.visible': { packet: count, after },
      /** The input port, or the tree of reductions, is free `after` cycles. */
      'idp.done': { after },
      'rrn.done': { after },
      /** A transfer that cannot be. */
      'idp.refused': { why: field.text() },
    },
    /** It goes on in this cycle. */
    timers: ['control.tick'],
    shows: {
      /** A slot begins in cycle `t`. `pass`: that of the loop body. */
      SLOT: {
        t: count,
        length: count,
        seq: count,
        section: field.text(),
        pass: field.maybe(count),
        line: count,
        /** Units of the PE that it uses. */
        units: field.list(field.text()),
        /** What it hands on from one unit to another, as `HandingOn` describes it. */
        takes: field.list(field.record({ unit: field.text(), by: field.oneOf('$ti', '$fb') })),
        gives: field.maybe(field.text()),
      },
    },
  },
  ExternalMemory: {
    receives: {
      /** A record of the host: the words of its units. */
      'em.store': { elt: count, record: count, words },
      /** A run begins: all read pointers go back to the first record. */
      'em.rewind': {},
      /** Everything in external memory is gone (GRAPE specification 0.1, C17). */
      'em.clear': {},
      /** Asks for the next records of a region. `advance`: the read pointer moves behind them. */
      'em.open': { elt: count, records: count, advance: field.flag() },
      /** Asks for a unit of a record: what the input port passes on in one cycle. */
      'em.read': { elt: count, record: count, unit: count },
    },
  },
  InputPort: {
    receives: {
      /** A transfer of records from external memory (GRAPE specification 3.7). */
      'idp.start': { elt: count, mode: field.oneOf(0, 1, 2), bbid: field.int({ min: -1 }) },
      /** Words of the host for all blocks, one packet after another. */
      'idp.packets': {
        /** Words that go to consecutive places of all broadcast memories under one header. `pause`: cycles in which the port rests before the next packet. */
        packets: field.list(field.record({ ...place, words, pause: count })),
      },
      /** A run begins: external memory is to begin anew. It goes through the input port, so that it comes before the transfers of the run, whatever the order of other messages. */
      'idp.rewind': {},
      /** Where the records begin, and where the units of each go: one long word of broadcast memory, or half of one. */
      'em.opened': { first: count, units: field.list(field.record(place)) },
      /** The region has no such records. */
      'em.refused': { why: field.text() },
      /** A unit of a record. */
      'em.word': { word },
    },
    /** Its next cycle; the last word of a transfer is in place. */
    timers: ['idp.tick', 'idp.free'],
    shows: busyPort('idp'),
  },
  Block: {
    receives: {
      /** A slot, to begin in the next cycle; null is one in which nothing happens. `length`: the cycles it takes. */
      'slot.issue': { seq: count, length: count, slot: field.data<Slot | null>(null) },
      /** A line for the simulator is reached. */
      'block.look': look,
      /** It becomes what it was at first. */
      'block.reset': {},
      /** Long-word addresses of broadcast memory that the input port is going to write, from the next cycle on. */
      'bm.announce': { longs },
      /** A word of the input port for broadcast memory, there `after` cycles. */
      'bm.write': { after, ...place, word },
      /** Long-word addresses that a reduction reads from the next cycle on: what is written later comes too late for it, or too early. */
      'bm.reserve': { longs },
      /** Asks for a word of broadcast memory as it is in the next cycle. */
      'bm.read': reading,
      /** The cycle of a read has come, or its port is free again. */
      'bm.readout': reading,
      /** The word that an element of a slot gives to broadcast memory. */
      'pe.word': { ...place, word },
    },
    /** Its next cycle. */
    timers: ['block.tick'],
    shows: {
      /** A warning. */
      FAULT: { t: count, code: field.text(), block, why: field.text() },
    },
  },
  /** A processing element that is an actor of its own. */
  Pe: {
    receives: {
      /** A slot begins. */
      'pe.begin': { slot: field.data<Slot>() },
      /** An element of the slot, with the word that `bm` brings from broadcast memory, as wide as its place; null when it brings none. */
      'pe.element': { element: field.int({ max: 3 }), word: field.maybe(word) },
      /** The slot is over, or one passes in which nothing happens. */
      'pe.retire': {},
      'pe.pass': {},
      /** It becomes what it was at first. */
      'pe.reset': {},
      /** A line for the simulator shows it. */
      'pe.look': look,
    },
  },
  ReductionNetwork: {
    receives: {
      'rrn.start': reduction,
      /** A word of broadcast memory. */
      'bm.word': { block, index: count, word },
      /** The words of one index have arrived at a level of the tree. */
      'rrn.level': {
        task: field.message({ 'rrn.start': reduction }),
        index: count,
        level: count,
        words,
      },
    },
    /** The next word of a reduction is asked for; the tree is free again. */
    timers: ['rrn.next', 'rrn.free'],
    shows: busyPort('rrn'),
  },
  OutputPort: {
    receives: {
      /** A reduced word. */
      'out.word': { word, op: field.text(), conv: field.text() },
    },
    /** A word is through. */
    timers: ['out.end'],
  },
});

type Grape = typeof grapeProtocol;
/** What the parts of a role hear. */
export type GrapeEvents<R extends RoleOf<Grape>> = EventsOf<Grape, R>;
/** A message by its type. */
export type GrapeMessage<T extends MessagesOf<Grape>['type']> = MessageOf<Grape, T>;
/** What the parts of a role may put out. */
export type GrapeOutbox<R extends RoleOf<Grape>> = OutboxOf<Grape, R>;
/** Messages and probes by type: what properties read. */
export type GrapeMessages = ShapesByType<Grape>;

/** Words for consecutive places of all broadcast memories. */
export type Packet = GrapeMessage<'idp.packets'>['packets'][number];
/** One long word of broadcast memory that a record fills, or half of one. */
export type RecordUnit = GrapeMessage<'em.opened'>['units'][number];
