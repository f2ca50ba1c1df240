import type { Address } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { Launch } from '../ptx/launch.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import type { CoreStatistics, KernelReport } from './statistics.ts';

/*
 * What the parts of a GPU chiplet and of a CPU chiplet say to each other (chiplet specification 4, 7.3). A tick is a cycle of the chiplet. What has an
 * effect in cycle c arrives in tick c - 1 at the latest and says so in `cycle`; in which order the messages of a tick come makes then no difference,
 * except where parts compete for a channel or for the way out.
 */

/** A program of a host goes on. */
export interface HostTurn {
  readonly type: 'host.turn';
  readonly cycle: number;
}

/** The program of a host has come to its end, or was stopped. */
export interface HostEnded {
  readonly type: 'host.ended';
  readonly cycle: number;
}

/** A kernel is to run. */
export interface GridLaunch {
  readonly type: 'grid.launch';
  readonly launch: Fixed<Launch>;
  readonly cycle: number;
}

/** All blocks of a kernel have ended. */
export interface GridDone {
  readonly type: 'grid.done';
  readonly report: KernelReport;
  readonly cycle: number;
}

/** A kernel did what it may not; nothing more comes of it. */
export interface GridFault {
  readonly type: 'grid.fault';
  readonly why: string;
  readonly cycle: number;
}

/** A block for a core. */
export interface BlockAssign {
  readonly type: 'block.assign';
  readonly launch: Fixed<Launch>;
  /** Number of the launch in its chiplet, from 1. */
  readonly number: number;
  /** Number of the block in its grid. */
  readonly block: number;
  readonly cycle: number;
}

/** A block has ended; what its core did since it told so last. */
export interface BlockDone {
  readonly type: 'block.done';
  readonly core: number;
  readonly block: number;
  readonly statistics: CoreStatistics;
  readonly cycle: number;
}

/** A core found something wrong. */
export interface CoreFault {
  readonly type: 'core.fault';
  readonly core: number;
  readonly why: string;
  readonly cycle: number;
}

/** A cycle in which a core may issue. */
export interface CoreTurn {
  readonly type: 'core.turn';
  readonly cycle: number;
}

/** A core wants a segment of 128 bytes. */
export interface MemoryRead {
  readonly type: 'memory.read';
  readonly core: Address;
  /** Number by which the core knows it. */
  readonly request: number;
  readonly segment: number;
  readonly cycle: number;
  /** Cycles by which it could have come before. */
  readonly lead: number;
}

/** A core has written into a segment; nobody waits for it. */
export interface MemoryWrite {
  readonly type: 'memory.write';
  readonly segment: number;
  readonly cycle: number;
}

/** A segment comes back. */
export interface MemoryData {
  readonly type: 'memory.data';
  readonly request: number;
  readonly cycle: number;
}

/** What one lane, or one value of a host program, wants of the mailbox. */
export interface MailboxItem {
  readonly operation: 'send' | 'receive';
  readonly own: ChipletAddress;
  readonly peer: ChipletAddress;
  /** The value that is sent, or the index of the one that is wanted. */
  readonly value: number;
}

/** Values to send and to receive, one after the other. */
export interface MailboxRequest {
  readonly type: 'mailbox.request';
  readonly asker: Address;
  /** Number by which the asker knows it. */
  readonly ticket: number;
  /** Number of the kernel launch that asks, from 1; 0 for a host. */
  readonly launch: number;
  readonly items: readonly MailboxItem[];
  /** Cycles after the last item. */
  readonly afterCycles: number;
  /** Cycles that each received value takes. */
  readonly receiveCycles: number;
  readonly cycle: number;
}

/** The values of all items: what was sent, what was received. */
export interface MailboxAnswer {
  readonly type: 'mailbox.answer';
  readonly ticket: number;
  readonly values: readonly number[];
  readonly cycle: number;
}

/** A value leaves a chiplet; whoever carries messages takes it from here. */
export interface MessageSend {
  readonly type: 'message.send';
  readonly src: ChipletAddress;
  readonly dst: ChipletAddress;
  /** The chiplet that sends it, where that is told and is not the one in whose name it does. */
  readonly sender?: ChipletAddress;
  readonly value: number;
  /** The cycle of the sender in which it leaves. */
  readonly cycle: number;
}

/** A value comes to a chiplet. */
export interface MessageArrived {
  readonly type: 'message.arrived';
  readonly src: ChipletAddress;
  readonly dst: ChipletAddress;
  readonly value: number;
  /** The cycle of the receiver from which it can be read: the one after the tick in which this is delivered. */
  readonly cycle: number;
}
