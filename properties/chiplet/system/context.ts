import { filter, map, merge, type Observable } from 'rxjs';
import type {
  MailboxAnswer,
  MailboxRequest,
  MessageArrived,
  MessageSend,
} from '../../../actors/chiplet/gpu/messages.ts';
import type { PacketFinished } from '../../../actors/chiplet/network/acceptance.ts';
import type { PacketInjected } from '../../../actors/chiplet/network/injection.ts';
import type { MessageWanted } from '../../../actors/chiplet/system/latency-messages.ts';
import type { SystemResult } from '../../../machines/chiplet/system.ts';
import type { SystemConfig, SystemPrograms } from '../../../machines/chiplet/system-config.ts';
import type { Property, RunStreams } from '../../property.ts';

/** What properties of a system know of a run before it begins. */
export interface SystemContext {
  readonly config: SystemConfig;
  /** What the chiplets run, and what the machine says that it came to; absent where a property is tried without a machine. */
  readonly programs?: SystemPrograms;
  readonly result?: () => SystemResult;
}

/** A property of a system. */
export type SystemProperty = Property<SystemContext>;

/** The messages and probes that properties look at, by type. */
interface Seen {
  'message.send': MessageSend;
  'message.arrived': MessageArrived;
  'message.wanted': MessageWanted;
  'mailbox.request': MailboxRequest;
  'mailbox.answer': MailboxAnswer;
  'packet.injected': PacketInjected;
  'packet.finished': PacketFinished;
}

/** A message as it was delivered, or a probe as it was shown. */
export interface Said<Event> {
  /** The receiver, or who shows. */
  readonly actor: string;
  /** The number of the receiver's address; -1 for a probe. */
  readonly address: number;
  /** Who posted it; empty for a probe. */
  readonly from: number;
  readonly tick: number;
  readonly event: Event;
}

/** The messages and probes of the types named, in the order in which they came. */
export function said<T extends keyof Seen>(
  run: RunStreams,
  ...types: readonly T[]
): Observable<Said<Seen[T]>> {
  const wanted = new Set<string>(types);
  const messages$ = run.messages$.pipe(
    // What a gate is handed on its way is said once, by those at both ends.
    filter(({ message, to }) => wanted.has(message.event.type) && !to.endsWith('.Gate')),
    map(({ message, to }) => ({
      actor: to,
      address: message.to as number,
      from: message.from as number,
      tick: message.due,
      event: message.event as Seen[T],
    })),
  );
  const probes$ = run.probes$.pipe(
    filter(({ probe }) => wanted.has(probe.type)),
    map(({ actor, tick, probe }) => ({ actor, address: -1, from: -1, tick, event: probe as Seen[T] })),
  );
  return merge(messages$, probes$);
}

/** The address in the name of a mailbox, as `x,y`. */
export const mailboxOf = (name: string): string => name.replace(/^Chip\[(\d+)\]\[(\d+)\]\.Mailbox$/, '$1,$2');

/** Sender and receiver as one key. */
export const pairOf = (src: readonly number[] | string, dst: readonly number[] | string): string =>
  `${String(src)} to ${String(dst)}`;
