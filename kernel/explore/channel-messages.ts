/**
 * Numbers for message: a letter in a channel, which is an ordered pair of slots.
 *
 * Details: message is numbered from 0 as it is first met. The slot -1 is the outside.
 */
export class ChannelMessages {
  /** By message: the slot of the receiver. */
  readonly slotTo: number[] = [];
  /** By message: the letter, of those of the receiver. */
  readonly letter: number[] = [];
  /** By message: the rank of its channel; no two channels have the same. */
  readonly channel: number[] = [];
  /** By message: the number of its channel. */
  readonly #channelNumbers: number[] = [];
  /** By message: true for a timer, which an actor sends itself on a channel of its own. */
  readonly timer: boolean[] = [];
  /** By channel: the slot of the sender. */
  readonly #senders: number[] = [];
  /** By sender plus 2, or 0 for timers, then receiver. */
  readonly #channels: (number | undefined)[][] = [];
  /** By channel, then letter. */
  readonly #messageIds: (number | undefined)[][] = [];

  /** The message with a letter from one slot to another, on a channel of this rank. */
  of(sender: number, receiver: number, letter: number, rank: number, timer: boolean): number {
    const channel = this.#channelOf(sender, receiver, timer);
    const messageIds = this.#messageIds[channel]!;
    const known = messageIds[letter];
    if (known !== undefined) return known;
    const messageId = this.channel.push(rank) - 1;
    this.#channelNumbers.push(channel);
    this.slotTo.push(receiver);
    this.letter.push(letter);
    this.timer.push(timer);
    messageIds[letter] = messageId;
    return messageId;
  }

  /** The message with a letter from one slot to another; undefined where it was not met. */
  known(sender: number, receiver: number, letter: number, timer: boolean): number | undefined {
    const channel = this.#channels[timer ? 0 : sender + 2]?.[receiver];
    return channel === undefined ? undefined : this.#messageIds[channel]![letter];
  }

  /** The slot of the sender of message. */
  senderOf(messageId: number): number {
    return this.#senders[this.#channelNumbers[messageId]!]!;
  }

  #channelOf(sender: number, receiver: number, timer: boolean): number {
    const from = timer ? 0 : sender + 2;
    this.#channels[from] ??= [];
    const channels = this.#channels[from];
    const known = channels[receiver];
    if (known !== undefined) return known;
    const channel = this.#senders.push(sender) - 1;
    channels[receiver] = channel;
    this.#messageIds.push([]);
    return channel;
  }
}
