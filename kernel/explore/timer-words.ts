/** Says which of two messages that are due at once comes first in the words of a state. */
export interface MessageOrder {
  isBefore(messageId: number, other: number): boolean;
}

/**
 * Applies changes of timers to the messages of a state, pairs of due and message from `first` to `end`, in the order of due and then channel. Returns the new end.
 *
 * Details: `changes` are those of an alternative: ticks, or -1 to cancel, and the message of the timer. A timer that is set stays as it is. There must be room behind `end`.
 */
export function changeTimers(
  words: Uint32Array,
  first: number,
  end: number,
  changes: readonly number[],
  order: MessageOrder,
): number {
  let last = end;
  for (let change = 0; change < changes.length; change += 2) {
    const [ticks, messageId] = [changes[change]!, changes[change + 1]!];
    let at = first;
    while (at < last && words[at + 1] !== messageId) at += 2;
    if (ticks < 0 && at < last) {
      words.copyWithin(at, at + 2, last);
      last -= 2;
    }
    if (ticks < 0 || at < last) continue;
    let to = last;
    while (
      to > first &&
      (words[to - 2]! > ticks || (words[to - 2] === ticks && order.isBefore(messageId, words[to - 1]!)))
    ) {
      words[to] = words[to - 2]!;
      words[to + 1] = words[to - 1]!;
      to -= 2;
    }
    words[to] = ticks;
    words[to + 1] = messageId;
    last += 2;
  }
  return last;
}
