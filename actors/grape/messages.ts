import type { Word } from './arithmetic/word.ts';
import type { HostCall } from './host-calls.ts';
import type { Job } from './jobs.ts';
import type { SimLine, Slot } from './program.ts';

/*
 * What the parts of the chip send each other (GRAPE specification 6.2). A message that has an effect in cycle c comes in the cycle before: in which order
 * the messages of one cycle come then makes no difference. When something will be that is told earlier, `after` says in how many cycles, counted from the one in
 * which the message comes.
 */

/** A call of the host library, from a program of the host or from outside. */
export interface HostCallMessage {
  readonly type: 'host.call';
  readonly call: HostCall;
}

/** A call has crossed the link to the chip. */
export interface HostLinked {
  readonly type: 'host.linked';
}

/** A value that left the chip: what the host sees, and the word it was made from. */
export interface HostResult {
  readonly type: 'host.result';
  readonly bits: readonly bigint[];
  readonly word: Word;
  readonly conv: string;
}

/** Work for the control processor. */
export interface ControlRun {
  readonly type: 'control.run';
  readonly job: Job;
}

/** The control processor goes on in this cycle. */
export interface ControlTick {
  readonly type: 'control.tick';
}

/** A job is over. `cycles` are those from its beginning to the end of its last slot or transfer. */
export interface ControlDone {
  readonly type: 'control.done';
  readonly cycles: number;
  /** What the machine found wrong; null when nothing was. */
  readonly fault: string | null;
}

/** A slot for all blocks, to begin in the next cycle; null is one in which nothing happens. */
export interface SlotIssue {
  readonly type: 'slot.issue';
  readonly seq: number;
  /** Cycles it takes. */
  readonly length: number;
  readonly slot: Slot | null;
}

/** A block has carried out a slot. */
export interface SlotDone {
  readonly type: 'slot.done';
  readonly seq: number;
  readonly block: number;
}

/** The next cycle of a block. */
export interface BlockTick {
  readonly type: 'block.tick';
}

/** A line for the simulator is reached. */
export interface BlockLook {
  readonly type: 'block.look';
  readonly number: number;
  readonly item: SimLine;
}

/** The block becomes what it was at first. */
export interface BlockReset {
  readonly type: 'block.reset';
}

/** What a block shows on a line for the simulator: words as they would be if all writes were done. */
export interface BlockSeen {
  readonly type: 'block.seen';
  readonly number: number;
  readonly block: number;
  readonly words: readonly Word[];
}

/** A slot begins in a PE that is an actor of its own. */
export interface PeBegin {
  readonly type: 'pe.begin';
  readonly slot: Slot;
}

/** An element of the slot, with the word that `bm` brings from broadcast memory, as wide as its place; null when it brings none. */
export interface PeElement {
  readonly type: 'pe.element';
  readonly element: number;
  readonly word: Word | null;
}

/** The slot is over, or one passes in which nothing happens. */
export interface PeEnd {
  readonly type: 'pe.retire' | 'pe.pass';
}

/** The PE becomes what it was at first. */
export interface PeReset {
  readonly type: 'pe.reset';
}

/** A line for the simulator shows the PE. */
export interface PeLook {
  readonly type: 'pe.look';
  readonly number: number;
  readonly item: SimLine;
}

/** The word that an element of a slot gives to broadcast memory. */
export interface PeWord {
  readonly type: 'pe.word';
  readonly addr: number;
  readonly long: boolean;
  readonly word: Word;
}

/** Long-word addresses of broadcast memory that the input port is going to write, from the next cycle on. */
export interface BroadcastAnnounce {
  readonly type: 'bm.announce';
  readonly longs: readonly number[];
}

/** A word of the input port for broadcast memory, there `after` cycles. */
export interface BroadcastWrite {
  readonly type: 'bm.write';
  readonly after: number;
  readonly addr: number;
  readonly long: boolean;
  readonly word: Word;
}

/** Long-word addresses that a reduction reads from the next cycle on: what is written later comes too late for it, or too early. */
export interface BroadcastReserve {
  readonly type: 'bm.reserve';
  readonly longs: readonly number[];
}

/** Asks for a word of broadcast memory as it is in the next cycle. */
export interface BroadcastRead {
  readonly type: 'bm.read';
  readonly addr: number;
  readonly long: boolean;
  readonly index: number;
}

/** The cycle of a read has come, or its port is free again. */
export interface BroadcastReadout {
  readonly type: 'bm.readout';
  readonly addr: number;
  readonly long: boolean;
  readonly index: number;
}

/** A word of broadcast memory for the reduction. */
export interface BroadcastWord {
  readonly type: 'bm.word';
  readonly block: number;
  readonly index: number;
  readonly word: Word;
}

/** A transfer of records from external memory (GRAPE specification 3.7). */
export interface InputStart {
  readonly type: 'idp.start';
  readonly elt: number;
  readonly mode: 0 | 1 | 2;
  readonly bbid: number;
}

/** Words of the host for all blocks, one packet after another. */
export interface InputPackets {
  readonly type: 'idp.packets';
  readonly packets: readonly Packet[];
}

/** Words that go to consecutive places of all broadcast memories under one header. */
export interface Packet {
  readonly addr: number;
  readonly long: boolean;
  readonly words: readonly Word[];
  /** Cycles in which the port rests before the next packet. */
  readonly pause: number;
}

/**
 * A run begins: external memory is to begin anew.
 *
 * Details: goes through the input port, so that it comes before the transfers of the run, whatever the order of other messages.
 */
export interface InputRewind {
  readonly type: 'idp.rewind';
}

/** The next cycle of the input port. */
export interface InputTick {
  readonly type: 'idp.tick';
}

/** The last word of a transfer is in place. */
export interface InputFree {
  readonly type: 'idp.free';
}

/** A packet has come to its end: all its words are in place `after` cycles. */
export interface InputVisible {
  readonly type: 'idp.visible';
  readonly packet: number;
  readonly after: number;
}

/** The input port is free `after` cycles. */
export interface InputDone {
  readonly type: 'idp.done';
  readonly after: number;
}

/** A transfer that cannot be. */
export interface InputRefused {
  readonly type: 'idp.refused';
  readonly why: string;
}

/** A record of the host for external memory: the words of its units. */
export interface MemoryStore {
  readonly type: 'em.store';
  readonly elt: number;
  readonly record: number;
  readonly words: readonly Word[];
}

/** A run begins: all read pointers go back to the first record. */
export interface MemoryRewind {
  readonly type: 'em.rewind';
}

/** Everything in external memory is gone (GRAPE specification 0.1, C17). */
export interface MemoryClear {
  readonly type: 'em.clear';
}

/** Asks for the next records of a region. */
export interface MemoryOpen {
  readonly type: 'em.open';
  readonly elt: number;
  readonly records: number;
  /** Whether the read pointer moves behind them. */
  readonly advance: boolean;
}

/** Where the records begin, and where the units of each go. */
export interface MemoryOpened {
  readonly type: 'em.opened';
  readonly first: number;
  readonly units: readonly RecordUnit[];
}

/** The region has no such records. */
export interface MemoryRefused {
  readonly type: 'em.refused';
  readonly why: string;
}

/** Asks for a unit of a record: what the input port passes on in one cycle. */
export interface MemoryRead {
  readonly type: 'em.read';
  readonly elt: number;
  readonly record: number;
  readonly unit: number;
}

/** A unit of a record. */
export interface MemoryWord {
  readonly type: 'em.word';
  readonly word: Word;
}

/** One long word of broadcast memory that a record fills, or half of one. */
export interface RecordUnit {
  /** Short-word address. */
  readonly addr: number;
  readonly long: boolean;
}

/** A reduction of `n` words from one place of all blocks (GRAPE specification 3.7). */
export interface ReductionStart {
  readonly type: 'rrn.start';
  readonly op: string;
  readonly addr: number;
  readonly long: boolean;
  readonly n: number;
  readonly round: boolean;
  readonly odpoe: boolean;
  readonly sregen: boolean;
  readonly conv: string;
}

/** The next word of a reduction is asked for. */
export interface ReductionNext {
  readonly type: 'rrn.next';
}

/** The words of one index have arrived at a level of the tree. */
export interface ReductionLevel {
  readonly type: 'rrn.level';
  readonly task: ReductionStart;
  readonly index: number;
  readonly level: number;
  readonly words: readonly Word[];
}

/** The tree is free again. */
export interface ReductionFree {
  readonly type: 'rrn.free';
}

/** The tree is free `after` cycles. */
export interface ReductionDone {
  readonly type: 'rrn.done';
  readonly after: number;
}

/** A reduced word for the output port. */
export interface OutputWord {
  readonly type: 'out.word';
  readonly word: Word;
  readonly op: string;
  readonly conv: string;
}
