import { describe, expect, test } from 'vitest';
import { CoreClock, knows } from './clock.ts';
import { GroupSyncs } from './group-syncs.ts';

const cores = 3;
const members = [0, 1, 2];

/** Three cores and the barrier of all of them. */
function barrierOfAll() {
  const syncs = new GroupSyncs(cores);
  const clocks = members.map((core) => new CoreClock(core, cores));
  return {
    /** A core arrives: its own time then, and whether it was the last one. */
    arrive(core: number) {
      const own = clocks[core]!.own;
      const instance = syncs.arrive('array 0', members, clocks[core]!.release());
      return { own, isLast: instance !== undefined };
    },
    /** A core leaves and learns what its instance knows together. */
    leave(core: number) {
      clocks[core]!.acquire([syncs.leave('array 0', core).joined.asStamp(core)]);
    },
    /** Whether a core knows of another one's time. */
    knows: (core: number, other: number, own: number): boolean => knows(clocks[core]!.stamp(), other, own),
  };
}

describe('a group synchronisation', () => {
  test('is complete with the arrival of the last member, and all who leave know of all arrivals', () => {
    const barrier = barrierOfAll();

    const arrivals = members.map((core) => barrier.arrive(core));
    for (const core of members) barrier.leave(core);

    expect(arrivals.map(({ isLast }) => isLast)).toEqual([false, false, true]);
    for (const core of members)
      for (const other of members) expect(barrier.knows(core, other, arrivals[other]!.own)).toBe(true);
  });

  test('takes who comes again before others have left for the next instance', () => {
    const barrier = barrierOfAll();

    for (const core of members) barrier.arrive(core);
    barrier.leave(0);
    const again = barrier.arrive(0);
    barrier.leave(1);
    barrier.leave(2);

    expect(again.isLast).toBe(false);
    expect(barrier.knows(1, 0, again.own)).toBe(false);
    expect(barrier.knows(2, 0, again.own)).toBe(false);
  });
});

describe('a barrier that opens before all have come', () => {
  test('orders nothing for who comes when all others have left', () => {
    const barrier = barrierOfAll();

    const [first, second] = [barrier.arrive(0), barrier.arrive(1)];
    barrier.leave(0);
    barrier.leave(1);
    const late = barrier.arrive(2);
    barrier.leave(2);

    expect([first, second, late].map(({ isLast }) => isLast)).toEqual([false, false, false]);
    expect(barrier.knows(0, 1, second.own)).toBe(true);
    expect(barrier.knows(2, 0, first.own)).toBe(false);
    expect(barrier.knows(0, 2, late.own)).toBe(false);
  });

  test('does not take who comes late for one of the next round, which others have begun', () => {
    const barrier = barrierOfAll();
    for (const core of [0, 1]) barrier.arrive(core);
    for (const core of [0, 1]) barrier.leave(core);

    const next = barrier.arrive(0);
    barrier.arrive(2);
    barrier.leave(2);

    expect(barrier.knows(2, 0, next.own)).toBe(false);
  });

  test('is one again in the next round, for who came late too', () => {
    const barrier = barrierOfAll();
    for (const core of [0, 1]) barrier.arrive(core);
    for (const core of [0, 1]) barrier.leave(core);
    barrier.arrive(2);
    barrier.leave(2);

    const arrivals = [2, 0, 1].map((core) => ({ core, ...barrier.arrive(core) }));
    for (const core of members) barrier.leave(core);

    expect(arrivals.map(({ isLast }) => isLast)).toEqual([false, false, true]);
    for (const { core, own } of arrivals)
      for (const other of members) expect(barrier.knows(other, core, own)).toBe(true);
  });

  test('takes who comes while others are still inside for one of them', () => {
    const barrier = barrierOfAll();
    const early = barrier.arrive(0);
    barrier.arrive(1);
    barrier.leave(1);

    const late = barrier.arrive(2);
    barrier.leave(0);
    barrier.leave(2);

    expect(late.isLast).toBe(true);
    expect(barrier.knows(2, 0, early.own)).toBe(true);
    expect(barrier.knows(1, 2, late.own)).toBe(false);
  });
});
