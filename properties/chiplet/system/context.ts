import type { HostOutput } from '../../../actors/chiplet/gpu/host.ts';
import type {
  BlockAssign,
  BlockDone,
  CoreFault,
  CoreTurn,
  GridDone,
  GridFault,
  GridLaunch,
  HostTurn,
  MailboxAnswer,
  MailboxRequest,
  MemoryData,
  MemoryRead,
  MemoryWrite,
  MessageArrived,
  MessageSend,
} from '../../../actors/chiplet/gpu/messages.ts';
import type { PacketFinished, PacketInjected } from '../../../actors/chiplet/network/probes.ts';
import type { SyncFile } from '../../../actors/chiplet/system/cycle-barrier.ts';
import type { MessageWanted } from '../../../actors/chiplet/system/latency-messages.ts';
import type { SyncArrive, SyncFinish, SyncRelease } from '../../../actors/chiplet/system/meeting-messages.ts';
import type { Observer } from '../../../kernel/explore/observer.ts';
import type { Address } from '../../../kernel/message.ts';
import type { SystemConfig, SystemPrograms } from '../../../machines/chiplet/system-config.ts';
import { judgingOf } from '../../judging.ts';

/** What properties of a system know before a run begins. */
export interface SystemContext {
  readonly config: SystemConfig;
  /** What the chiplets run; absent where a property is tried without programs. */
  readonly programs?: SystemPrograms;
  /** The name of the actor at an address, as a message tells it. */
  nameOf(address: Address): string;
}

/** A property of systems, for one of them. */
export type SystemProperty = (context: SystemContext) => Observer;

/** The messages and probes that properties look at, by type. */
interface Seen {
  'message.send': MessageSend;
  'message.arrived': MessageArrived;
  'message.wanted': MessageWanted;
  'mailbox.request': MailboxRequest;
  'mailbox.answer': MailboxAnswer;
  'packet.injected': PacketInjected;
  'packet.finished': PacketFinished;
  'host.output': HostOutput;
}

/** The messages that name a cycle, and what is said and shown at meetings, by type. */
interface SeenAtMeetings
  extends Pick<Seen, 'mailbox.request' | 'mailbox.answer' | 'message.arrived'>,
    Record<'memory.read' | 'memory.write' | 'memory.data', MemoryRead | MemoryWrite | MemoryData> {
  'sync.arrive': SyncArrive;
  'sync.finish': SyncFinish;
  'sync.release': SyncRelease;
  'sync.file': SyncFile;
  'host.turn': HostTurn;
  'grid.launch': GridLaunch;
  'grid.done': GridDone;
  'grid.fault': GridFault;
  'block.assign': BlockAssign;
  'block.done': BlockDone;
  'core.fault': CoreFault;
  'core.turn': CoreTurn;
}

/** Declares a property of systems whose chiplets meet. */
export const judgingMeetings = judgingOf<SeenAtMeetings>();

const judgingAll = judgingOf<Seen>();

/** Declares a property of systems. What a gate is handed on its way is said once, by those at both ends: that is left out. */
export const judging: typeof judgingAll = ({ see, ...rest }) =>
  judgingAll({
    ...rest,
    see: (memory, seen, tell) => {
      if (!seen.to.endsWith('.Gate')) see(memory, seen, tell);
    },
  });

/** The chiplet in the name of one of its parts. */
export const chipletIn = (name: string): string => name.split('.')[0]!;

/** The address in the name of a mailbox, as `x,y`. */
export const mailboxOf = (name: string): string => name.replace(/^Chip\[(\d+)\]\[(\d+)\]\.Mailbox$/, '$1,$2');

/** Sender and receiver as one key. */
export const pairOf = (src: readonly number[] | string, dst: readonly number[] | string): string =>
  `${String(src)} to ${String(dst)}`;
