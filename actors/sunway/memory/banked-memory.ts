import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import { fixed } from '../../../kernel/resource.ts';
import { ByteMemory } from '../../common/byte-memory.ts';
import { jitterCount, keepJitter } from '../jitter.ts';
import {
  type BankedMemoryContext,
  type BankedMemoryEvent,
  type BankedMemorySends,
  takeAccess,
  takeClaim,
  takeRead,
  takeWrite,
} from './arrival.ts';
import { bankCount, channelCount } from './banks.ts';
import type { MemoryCtrlInput } from './controller-input.ts';
import { goOn } from './service.ts';

const { act, choose } = component<BankedMemoryContext, BankedMemoryEvent, BankedMemorySends>();

/**
 * The memory controller of one core group at block granularity: two channels of sixteen banks (specification 1, 8.9).
 *
 * Details: a channel takes what waits in turns of the cores, the next one whose bank is free. Requests to one block keep their order
 * (specification 7.1, rule 6). A put claims a slot of the write buffer first; slots are given in the order of the claims.
 */
export const bankedMemory = setup({
  types: {} as { context: BankedMemoryContext; events: BankedMemoryEvent; input: MemoryCtrlInput },
  actions: {
    drawJitter: choose('jitter', jitterCount, keepJitter),
    takeRead: act<'memory.read'>(takeRead),
    takeClaim: act<'memory.claim'>((c, event) => takeClaim(c, event)),
    takeData: act<'memory.write'>(takeWrite),
    access: act<'memory.access'>((c, event, out) => takeAccess(c, event, out)),
    goOn: act((c, _event, out) => goOn(c, out)),
  },
}).createMachine({
  id: 'bankedMemory',
  context: ({ input }) => ({
    spec: fixed(input),
    jitter: 0,
    bytes: input.ranges.map(({ bytes }) => new ByteMemory(bytes)),
    count: 0,
    requests: new Map(),
    arrived: new Map(),
    data: new Map(),
    putting: new Map(),
    claims: [],
    slots: input.timing.mc.writeBuffer,
    freeing: [],
    channels: Array.from({ length: channelCount }, () => ({
      freeAt: 0,
      turns: [],
      waiting: new Map(),
      banks: Array.from({ length: bankCount }, () => ({ freeAt: 0, row: -1 })),
    })),
    held: [],
    turnAt: -1,
  }),
  initial: 'serving',
  states: {
    serving: {
      on: {
        'memory.read': { actions: ['drawJitter', 'takeRead', 'goOn'] },
        'memory.claim': { actions: ['drawJitter', 'takeClaim', 'goOn'] },
        'memory.write': { actions: ['takeData', 'goOn'] },
        'memory.access': { actions: ['drawJitter', 'access', 'goOn'] },
        'memory.turn': { actions: 'goOn' },
      },
    },
  },
});
