import type { MessageArrived, MessageSend } from '../gpu/messages.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';

/*
 * What mailboxes and the coordinator of an iterative run say to each other (chiplet specification 9.5): a send is a WRITE, a receive a READ; both wait for
 * the cycle in which they end.
 */

/** Mailbox to coordinator: a value is wanted. */
export interface MessageWanted {
  readonly type: 'message.wanted';
  readonly src: ChipletAddress;
  readonly dst: ChipletAddress;
  /** The cycle of the receiver in which it is wanted. */
  readonly cycle: number;
}

/** Coordinator to the mailbox of the sender: its oldest send that had no answer has ended. */
export interface MessageSent {
  readonly type: 'message.sent';
  /** The cycle of the sender that follows. */
  readonly cycle: number;
}

export type CoordinatorEvent = MessageSend | MessageWanted;
export type CoordinatorSends = MessageArrived | MessageSent;
