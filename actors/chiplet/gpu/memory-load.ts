import { setup } from 'xstate';
import { waitingFor } from '../../../kernel/outcome.ts';
import { type Fixed, fixed } from '../../../kernel/resource.ts';
import { type CoreAddresses, channelOf } from './core-border.ts';
import { chipletProtocol } from './protocol.ts';

/** A place for a load: its core, and its number there. */
export interface MemoryLoadInput {
  readonly core: CoreAddresses;
  readonly load: number;
}

/** A load: the segments that it waits for, and whose it is. */
export interface MemoryLoadContext {
  readonly spec: Fixed<MemoryLoadInput>;
  slot: number;
  age: number;
  /** Segments that have not come. */
  missing: readonly number[];
  /** The first cycle in which all that has come can be used. */
  usable: number;
}

const role = chipletProtocol.roles['Core.Load'];
const { post, update, when } = role.component<MemoryLoadContext>();

/** A load of a warp that found segments missing in the first-level cache (chiplet specification 7.3): it is complete when the last of them has come. */
export const memoryLoad = setup({
  types: role.types<MemoryLoadContext, MemoryLoadInput>(),
  guards: {
    isLast: when<'segment.came'>((load, { segment }) => load.missing.every((one) => one === segment)),
  },
  actions: {
    latch: update<'load.open'>((load, { slot, age, segments, usable }) => {
      load.slot = slot;
      load.age = age;
      load.missing = segments;
      load.usable = usable;
    }),
    take: update<'segment.came'>((load, { segment, cycle }) => {
      load.missing = load.missing.filter((one) => one !== segment);
      load.usable = Math.max(load.usable, cycle);
    }),
    acknowledge: post(({ spec }, { cycle }) => ({ to: spec.value.core.self, type: 'load.noted', cycle })),
    complete: post(({ spec, slot, age, usable }, { cycle }) => ({
      to: spec.value.core.self,
      type: 'load.over',
      load: spec.value.load,
      slot,
      age,
      usable,
      cycle,
    })),
    clear: update((load) => {
      load.slot = -1;
      load.age = -1;
      load.missing = [];
      load.usable = 0;
    }),
  },
}).createMachine({
  id: 'memoryLoad',
  context: ({ input }) => ({ spec: fixed(input), slot: -1, age: -1, missing: [], usable: 0 }),
  initial: 'free',
  on: { 'place.clear': { target: '.free', actions: ['clear', 'acknowledge'] } },
  states: {
    free: { on: { 'load.open': { target: 'awaitingSegments', actions: ['latch', 'acknowledge'] } } },
    awaitingSegments: {
      ...waitingFor<MemoryLoadContext>('segments of memory', ({ spec, missing }) =>
        missing.map((segment) => channelOf(segment, spec.value.core)),
      ),
      on: {
        'segment.came': [
          { guard: 'isLast', target: 'free', actions: ['take', 'complete', 'clear'] },
          { actions: ['take', 'acknowledge'] },
        ],
      },
    },
  },
});
