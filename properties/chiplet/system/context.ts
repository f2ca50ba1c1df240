import type { SystemMessages } from '../../../actors/chiplet/system/protocol.ts';
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

/** Declares a property of systems whose chiplets meet. */
export const judgingMeetings = judgingOf<SystemMessages>();

const judgingAll = judgingOf<SystemMessages>();

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
