import type { Observer } from '../observer.ts';

/** Remembers who showed or got something last, and how long ago: sees every difference of order. */
export const jealous: Observer<{ last: string; age: number }> = {
  sentence: 'nobody comes twice in a row',
  begin: () => ({ last: '', age: 0 }),
  see: (memory, observation) => {
    const who = observation.kind === 'probe' ? observation.actor : observation.to;
    const again = memory.last === `${observation.kind} ${who}`;
    memory.last = `${observation.kind} ${who}`;
    return again ? { actors: [who], why: `again after ${memory.age}` } : undefined;
  },
  advance: (memory, ticks) => {
    memory.age = Math.min(3, memory.age + ticks);
    return undefined;
  },
  endOfTick: (memory) =>
    memory.age === 3 ? { actors: [], why: 'a long time', property: 'time stands still' } : undefined,
};
