import { describe, expect, test } from 'vitest';
import { drive } from '../../../kernel/drive.ts';
import type { Address, LockstepEvent } from '../../../kernel/message.ts';
import { inSubTicks } from '../parameters.ts';
import { stopDetector } from './stop-detector.ts';

const event = (one: { readonly type: string } & Readonly<Record<string, unknown>>): LockstepEvent => one;

const [self, planner] = [0, 9] as unknown as readonly [Address, Address];
const dmacs = [10, 11, 12, 13] as unknown as readonly Address[];
const roundTrip = 40;

/** A detector that has seen chains start on these channels, and of each how it ended. */
function detector(stopDetect: 'counter' | 'ideal', ended: Readonly<Record<number, number>>) {
  const input = { planner, dmacs, stopDetect, parameters: { perfCounterReadRoundTrip: roundTrip } };
  const driven = drive(stopDetector, input, self);
  driven.take(event({ type: 'stop.started', channels: Object.keys(ended).map(Number) }));
  for (const [channel, at] of Object.entries(ended))
    if (at >= 0) driven.take(event({ type: 'chain.done', channel: Number(channel), count: 1 }), at);
  return driven;
}

const askOf = (...channels: readonly number[]) => ({ type: 'stop.ask', channels, taken: false });

/** Asks at a time, and polls until the stop is known: how many halves of a read that took. */
function halvesAfter(
  driven: ReturnType<typeof detector>,
  at: number,
  ...channels: readonly number[]
): number {
  let posts = driven.take(askOf(...channels), at);
  for (let halves = 0; ; halves++) {
    const [post] = posts;
    if (post?.type === 'stop.known') return halves;
    if (post?.type !== 'stop.turn') throw new Error(`found ${JSON.stringify(posts)}`);
    posts = driven.take(event({ type: 'stop.turn' }), post.due);
  }
}

describe('the stop of a channel', () => {
  const settled = inSubTicks(512);

  test('is known without a look 512 cycles after its last chain, and not one sub-tick before', () => {
    expect(halvesAfter(detector('counter', { 0: 100 }), 100 + settled, 0)).toBe(0);
    expect(halvesAfter(detector('counter', { 0: 100 }), 100 + settled - 1, 0)).toBe(2);
  });

  test('takes a read of the counters of all channels of the last transfer, one after the other', () => {
    expect(halvesAfter(detector('counter', { 0: 50, 1: 60, 3: 70 }), 100, 0)).toBe(6);
    // A channel that is at rest for long enough is not asked.
    expect(halvesAfter(detector('counter', { 0: 50, 1: settled, 3: settled }), settled + 60, 1)).toBe(4);
    expect(halvesAfter(detector('counter', { 0: 50, 1: 60 }), 100, 2)).toBe(0);
  });

  test('is known from then on, until the channel is started again', () => {
    const driven = detector('counter', { 0: 50 });

    expect(halvesAfter(driven, 100, 0)).toBe(2);
    expect(halvesAfter(driven, 200, 0)).toBe(0);
    driven.take(event({ type: 'stop.started', channels: [0] }), 210);
    driven.take(event({ type: 'chain.done', channel: 0, count: 2 }), 220);
    expect(halvesAfter(driven, 230, 0)).toBe(2);
  });

  test('costs nothing where it is ideal, and comes with the end of the chain', () => {
    const running = detector('ideal', { 0: -1 });

    expect(running.take(askOf(0), 100)).toEqual([]);
    const [post] = running.take(event({ type: 'chain.done', channel: 0, count: 1 }), 130);
    expect(post).toMatchObject({ type: 'stop.known', to: planner, due: 130 });
    expect(halvesAfter(detector('ideal', { 0: 50 }), 60, 0)).toBe(0);
  });

  test('means, where that is asked, that the router has taken the writes of all its channels', () => {
    const driven = detector('counter', { 0: 0, 2: 0 });

    const asked = driven.take(event({ type: 'stop.ask', channels: [0, 2], taken: true }), settled);
    expect(asked.map(({ type, to }) => [type, to])).toEqual([
      ['writes.ask', dmacs[0]],
      ['writes.ask', dmacs[2]],
    ]);
    expect(driven.take(event({ type: 'writes.taken', channel: 2 }), settled + 5)).toEqual([]);
    expect(driven.take(event({ type: 'writes.taken', channel: 0 }), settled + 9)).toMatchObject([
      { type: 'stop.known' },
    ]);
  });
});
