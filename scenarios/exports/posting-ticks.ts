import type { Message } from '../../kernel/message.ts';

/** How many deliveries are remembered: the causes of nearly all messages are younger. */
const rememberedMax = 2 ** 16;

/**
 * Tells in which tick a message was posted: the tick in which its cause was delivered.
 *
 * Details: remembers the last 65,536 posts' ticks, so memory is bounded; of a message with an older cause the tick is unknown.
 */
export class PostingTicks {
  readonly #seqs = new Float64Array(rememberedMax).fill(-1);
  readonly #ticks = new Float64Array(rememberedMax);

  /** Takes note of a delivery. */
  delivered(message: Message): void {
    const slot = message.seq % rememberedMax;
    this.#seqs[slot] = message.seq;
    this.#ticks[slot] = message.due;
  }

  /** The tick in which a message was posted, 0 for one from before the run; undefined when that is forgotten. */
  of(message: Message): number | undefined {
    if (message.cause < 0) return 0;
    const slot = message.cause % rememberedMax;
    return this.#seqs[slot] === message.cause ? this.#ticks[slot] : undefined;
  }
}
