import type { EventHeap } from './event-heap.ts';

/**
 * Rebuilds the heap of a network in which no packet is under way, as the LegoSim edition does after every event (chiplet specification 5.11).
 *
 * Details: the events come out in their order; those that are no turns go in again first, then the turns. When the turns would come before
 * everything else, they are put off to the last whole cycle that is not later than the first other event.
 *
 * @returns the time of the next turns; undefined when there is nothing but turns, with which the edition ends.
 */
export function leap(heap: EventHeap, isTurns: (event: number) => boolean): number | undefined {
  const others: (readonly [time: number, event: number])[] = [];
  const turns: (readonly [time: number, event: number])[] = [];
  while (heap.size > 0) {
    const time = heap.firstTime;
    const event = heap.take();
    (isTurns(event) ? turns : others).push([time, event]);
  }
  const [first] = others;
  const [next] = turns;
  if (first === undefined || next === undefined) return undefined;
  for (const [time, event] of others) heap.insert(time, event);
  const time = next[0] < first[0] ? next[0] + Math.floor(first[0] - next[0]) : next[0];
  heap.insert(time, next[1]);
  return time;
}
