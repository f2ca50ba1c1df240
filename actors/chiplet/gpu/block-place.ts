import { setup } from 'xstate';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import { chipletProtocol } from './protocol.ts';

/** A block in a core: its number in the grid, and its barrier in the making. */
export interface BlockPlaceContext {
  readonly core: Address;
  number: number;
  /** Warps that wait at a barrier, and warps that have not come there. */
  waiting: readonly Address[];
  missing: readonly Address[];
}

const role = chipletProtocol.roles['Core.Block'];
const { post, update, when } = role.component<BlockPlaceContext>();

/**
 * A block of threads in a SIMT core, and its barrier in the making (chiplet specification 7.2): when every warp that has not finished waits, all go on.
 */
export const blockPlace = setup({
  types: role.types<BlockPlaceContext, Address>(),
  guards: {
    somebodyWaits: when<'block.gather'>((_block, { waiting }) => waiting.length > 0),
  },
  actions: {
    enter: update<'block.enter'>((block, { number }) => {
      block.number = number;
    }),
    noteWho: update<'block.gather'>((block, { waiting, missing }) => {
      block.waiting = waiting;
      block.missing = missing;
    }),
    acknowledge: post(({ core }, { cycle }) => ({ to: core, type: 'block.noted', cycle })),
    clear: update((block) => {
      block.number = -1;
      block.waiting = [];
      block.missing = [];
    }),
  },
}).createMachine({
  id: 'blockPlace',
  context: ({ input }) => ({ core: input, number: -1, waiting: [], missing: [] }),
  initial: 'free',
  on: { 'place.clear': { target: '.free', actions: ['clear', 'acknowledge'] } },
  states: {
    free: { on: { 'block.enter': { target: 'running', actions: ['enter', 'acknowledge'] } } },
    running: {
      on: {
        'block.gather': [
          { guard: 'somebodyWaits', target: 'gathering', actions: ['noteWho', 'acknowledge'] },
          { actions: ['noteWho', 'acknowledge'] },
        ],
      },
    },
    gathering: {
      ...waitingFor<BlockPlaceContext>('warps that have not come to the barrier', ({ missing }) => missing),
      on: {
        'block.gather': [
          { guard: 'somebodyWaits', actions: ['noteWho', 'acknowledge'] },
          { target: 'running', actions: ['noteWho', 'acknowledge'] },
        ],
      },
    },
  },
});
