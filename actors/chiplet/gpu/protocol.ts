import { field } from '../../../kernel/protocol/field.ts';
import {
  type EventsOf,
  type MessageOf,
  type MessagesOf,
  type OutboxOf,
  protocol,
  type RoleOf,
  type ShapesByType,
  type ShownBy,
} from '../../../kernel/protocol/protocol.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import { instructionClasses } from '../ptx/instruction.ts';
import type { Launch } from '../ptx/launch.ts';
import { coordinateMost } from '../ptx/message-code.ts';
import type { CoreStatistics, KernelReport } from './statistics.ts';

/*
 * What the parts of a GPU chiplet and of a CPU chiplet say to each other (chiplet specification 4, 7.3). A tick is a cycle of the chiplet. What has an
 * effect in cycle c arrives in tick c - 1 at the latest and says so in `cycle`; in which order the messages of a tick come makes then no difference,
 * except where parts compete for a channel or for the way out. What a core and the warps, loads and blocks inside it say to each other takes no time.
 */

const count = field.int();
const signed = field.int({ min: Number.MIN_SAFE_INTEGER });
const cycle = count;
const inCycle = { cycle };
const core = field.index('Core');
const why = field.text();
const coordinate = field.int({ max: coordinateMost });
/** The place of a chiplet in its grid. */
const chiplet = field.tuple(coordinate, coordinate);
const launch = field.data<Fixed<Launch>>();
/** What one lane, or one value of a host program, wants of the mailbox; `value`: the one that is sent, or the index of the one that is wanted. */
const mailboxItem = field.record({
  operation: field.oneOf('send', 'receive'),
  own: chiplet,
  peer: chiplet,
  value: signed,
});
/** A value comes to a chiplet, which can read it from that cycle of its own on: the one after the tick in which this is delivered. */
const messageArrived = { 'message.arrived': { src: chiplet, dst: chiplet, value: signed, cycle } };
/** The oldest send that had no answer has ended; the cycle of the sender that follows (chiplet specification 9.5). */
const messageSent = { 'message.sent': inCycle };
const mailboxAnswer = {
  /** The values of all items: what was sent, what was received. */
  'mailbox.answer': { ticket: count, values: field.list(signed), cycle },
};
const fault = { why, cycle };

/** The cycle from which something can be used; infinite, or -1, while that is not known. */
const usable = field.data(0, 1);
/** What an instruction needs besides its turn: its registers, read and written, and its unit. */
const needs = { registers: field.list(count), unit: signed };
/** What comes next, and from which cycle on; null where that is not known yet, and for a warp that has finished. */
const goesOn = { needs: field.maybe(field.record(needs)), from: usable, cycle };
const slot = count;
const age = signed;
/** The block has ended, or its core has failed: the place of a warp, a load or a block is free. */
const placeClear = { 'place.clear': inCycle };

/** A value leaves a chiplet in a cycle of its own; `sender`: the chiplet that sends it, where that is told and is not the one in whose name it does. */
export const messageSend = {
  'message.send': { src: chiplet, dst: chiplet, sender: field.optional(chiplet), value: signed, cycle },
};
/** A value is wanted in a cycle of the receiver, where a coordinator says when it comes (chiplet specification 9.5). */
export const messageWanted = { 'message.wanted': { src: chiplet, dst: chiplet, cycle } };
/** What comes back to a chiplet. */
export const carrierAnswers = { ...messageArrived, ...messageSent };
/** The program of a host has come to its end, or was stopped: told who watches it. */
export const hostEnded = { 'host.ended': inCycle };

/** The roles of the parts of a chiplet. */
export const chipletRoles = {
  Host: {
    receives: {
      /** Its program goes on. */
      'host.turn': inCycle,
      /** All blocks of a kernel have ended. */
      'grid.done': { report: field.data<KernelReport>(), cycle },
      /** A kernel did what it may not; nothing more comes of it. */
      'grid.fault': fault,
      ...mailboxAnswer,
    },
    shows: {
      /** A program has written values under a name. */
      'host.output': { name: field.text(), values: field.list(field.data(0, 1)) },
    },
  },
  Dispatcher: {
    receives: {
      /** A kernel is to run. */
      'grid.launch': { launch, cycle },
      /** A block has ended; what its core did since it told so last. */
      'block.done': { core, block: count, statistics: field.data<CoreStatistics>(), cycle },
      /** A core found something wrong. */
      'core.fault': { core, ...fault },
    },
  },
  Core: {
    receives: {
      /** A block, by its number in its grid; `number`: of the launch in its chiplet, from 1. */
      'block.assign': { launch, number: count, block: count, cycle },
      /** A cycle in which it may issue. */
      'core.turn': inCycle,
      /** A segment comes back. */
      'memory.data': { request: count, cycle },
      ...mailboxAnswer,
      /** The request line of a warp: what it waits for, with which unit and from which cycle on it can issue. */
      'warp.line': {
        slot,
        waits: field.oneOf('turn', 'result', 'target', 'memory', 'barrier', 'message', 'none'),
        unit: signed,
        from: usable,
        cycle,
      },
      /** A load has noted a segment, and waits on; it has all its segments, and its place is free again. */
      'load.noted': inCycle,
      'load.over': { load: count, slot, age, usable, cycle },
      /** A block has noted who waits. */
      'block.noted': inCycle,
    },
    shows: {
      /** A warp issues an instruction; `text`: as it is written. */
      'warp.issued': { cycle, slot, class: field.oneOf(...instructionClasses), text: field.text() },
    },
  },
  'Core.Warp': {
    receives: {
      /** A warp of a new block comes into the slot; `age` tells warps apart that were in one slot. */
      'warp.enter': { age, block: field.address('Core.Block'), needs: field.record(needs), cycle },
      /** Its next instruction has issued: registers that it writes, from when on they can be used, and the load that they wait for; null when they wait for none. */
      'warp.issue': {
        outcome: field.oneOf('goesOn', 'barrier', 'message', 'finished'),
        results: field.list(count),
        usable,
        load: field.maybe(field.address('Core.Load')),
        ...goesOn,
      },
      /** The cycle has come for which it has waited. */
      'warp.due': inCycle,
      /** The barrier has opened at which it waits; the values are there of its message instruction. */
      'barrier.open': goesOn,
      'message.values': goesOn,
      /** A load of it is complete; from when on its registers can be used. */
      'load.complete': { load: field.address('Core.Load'), age, usable, cycle },
      ...placeClear,
    },
  },
  'Core.Load': {
    receives: {
      /** Segments are under way for a warp; from when on what was in the cache can be used. */
      'load.open': { slot, age, segments: field.list(count), usable, cycle },
      /** One of them is in the cache. */
      'segment.came': { segment: count, cycle },
      ...placeClear,
    },
  },
  'Core.Block': {
    receives: {
      'block.enter': { number: count, cycle },
      /** Who of the block waits at a barrier, and who has not come there: warps, also of other blocks of its cluster. */
      'block.gather': {
        waiting: field.list(field.address('Core.Warp')),
        missing: field.list(field.address('Core.Warp')),
        cycle,
      },
      ...placeClear,
    },
  },
  /** A channel to the memory of the chiplet. */
  Channel: {
    receives: {
      /** A core wants a segment of 128 bytes. `lead`: cycles by which it could have come before. */
      'memory.read': { core: field.address('Core'), request: count, segment: count, cycle, lead: count },
      /** A core has written into a segment; nobody waits for it. */
      'memory.write': { segment: count, cycle },
    },
  },
  Mailbox: {
    receives: {
      /** Values to send and to receive, one after the other. `ticket`: by which the asker knows it; `launch`: the kernel launch that asks, from 1, 0 for a host; cycles after the last item, and those of each value received. */
      'mailbox.request': {
        asker: field.address(),
        ticket: count,
        launch: count,
        items: field.list(mailboxItem),
        afterCycles: count,
        receiveCycles: count,
        cycle,
      },
      ...carrierAnswers,
    },
  },
};

/** A chiplet, and what is around it. */
export const chipletProtocol = protocol({
  ...chipletRoles,
  Outside: { receives: { ...messageSend, ...messageWanted, ...hostEnded } },
});

type Chiplet = typeof chipletProtocol;
/** What the parts of a role hear. */
export type ChipletEvents<R extends RoleOf<Chiplet>> = EventsOf<Chiplet, R>;
/** What the parts of a role may put out. */
export type ChipletOutbox<R extends RoleOf<Chiplet>> = OutboxOf<Chiplet, R>;
/** A message by its type. */
export type ChipletMessage<T extends MessagesOf<Chiplet>['type']> = MessageOf<Chiplet, T>;
/** Messages and probes by type: what properties read. */
export type ChipletMessages = ShapesByType<Chiplet>;
/** A probe by its type. */
export type ChipletShown<T extends ShownBy<Chiplet>['type']> = Extract<
  ShownBy<Chiplet>,
  { readonly type: T }
>;

/** What a value to be sent or received is asked of the mailbox by. */
export type MailboxItem = ChipletMessage<'mailbox.request'>['items'][number];
/** What an instruction needs. */
export type Needs = ChipletMessage<'warp.enter'>['needs'];
/** What an instruction comes to for its warp. */
export type IssueOutcome = ChipletMessage<'warp.issue'>['outcome'];
/** The request line of a warp, and what it waits for. */
export type WarpLine = ChipletMessage<'warp.line'>;
export type WarpWait = WarpLine['waits'];
