import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventHeap } from './event-heap.ts';

const takeAll = (heap: EventHeap): { times: number[]; events: number[] } => {
  const taken = { times: [] as number[], events: [] as number[] };
  while (heap.size > 0) {
    taken.times.push(heap.firstTime);
    taken.events.push(heap.take());
  }
  return taken;
};

test('events come out by time, and none is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (times) => {
      const heap = new EventHeap();
      for (const [event, time] of times.entries()) heap.insert(time, event);

      const taken = takeAll(heap);

      expect(taken.times).toEqual([...times].sort((a, b) => a - b));
      expect([...taken.events].sort((a, b) => a - b)).toEqual([...times.keys()]);
    }),
  );
});

test('of five events at one time the first comes first, and then the one whose place in the heap is right of it', () => {
  const heap = new EventHeap();
  for (const event of [0, 1, 2, 3, 4]) heap.insert(1, event);

  // 0 leaves a hole at the root: 2 moves up, being right of 1, and 4 fills the hole below. Then 4 moves up, and 3 fills the hole. Then 1 is the
  // only child left of the root, and moves up.
  expect(takeAll(heap).events).toEqual([0, 2, 4, 1, 3]);
});
