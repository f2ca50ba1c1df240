import { describe, expect, it } from 'vitest';
import { type Address, Message } from '../../kernel/message.ts';
import { PostingTicks } from './posting-ticks.ts';

const message = (seq: number, due: number, cause: number) =>
  new Message(seq, due, 0 as Address, 1 as Address, cause, { type: 'x' });

describe('PostingTicks', () => {
  it('knows the tick in which the cause of a message was delivered', () => {
    const ticks = new PostingTicks();
    ticks.delivered(message(3, 17, -1));

    expect(ticks.of(message(4, 20, 3))).toBe(17);
  });

  it('takes messages from the outside as posted before the run', () => {
    expect(new PostingTicks().of(message(0, 9, -1))).toBe(0);
  });

  it('does not guess about causes that it never saw or has forgotten', () => {
    const ticks = new PostingTicks();
    ticks.delivered(message(3, 17, -1));
    ticks.delivered(message(3 + 2 ** 16, 900, -1));

    expect([ticks.of(message(70_000, 950, 3)), ticks.of(message(70_000, 950, 5))]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
