import type { Address } from '../../../kernel/message.ts';
import type { BankPlace } from './banks.ts';

/** A request for one block, from its arrival until it is carried out. */
export interface BlockRequest {
  /** In the order of arrival. */
  readonly number: number;
  readonly isPut: boolean;
  readonly transfer: number;
  /** Of the block in its transfer. */
  readonly offset: number;
  readonly memory: number;
  readonly bytes: number;
  readonly core: number;
  readonly requester: Address;
  readonly first: boolean;
  readonly mixed: boolean;
  readonly place: BankPlace;
  readonly jitter: number;
}

/** What waits for a channel, by core. Cores are served in turns. */
export interface ChannelQueue {
  /** When the channel is free, in thousandths. */
  freeAt: number;
  /** Cores with requests, the next one first. */
  turns: number[];
  /** By core: numbers of its requests, in the order in which they may be carried out, each with the time from which it waits. */
  waiting: Map<number, { readonly number: number; readonly since: number }[]>;
  banks: { freeAt: number; row: number }[];
}

/** Puts a request behind those of its core. */
export function queueRequest(queue: ChannelQueue, core: number, number: number, since: number): void {
  const waiting = queue.waiting.get(core);
  if (waiting === undefined) {
    queue.waiting.set(core, [{ number, since }]);
    queue.turns.push(core);
  } else waiting.push({ number, since });
}

/** Takes a request of a core out, and puts the core behind the others. */
export function takeRequest(queue: ChannelQueue, core: number, index: number): void {
  const waiting = queue.waiting.get(core)!;
  waiting.splice(index, 1);
  queue.turns.splice(queue.turns.indexOf(core), 1);
  if (waiting.length > 0) queue.turns.push(core);
  else queue.waiting.delete(core);
}
