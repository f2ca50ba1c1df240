import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import type { MemoryAnswer, MemoryGrant, MemoryResponse } from '../messages.ts';
import { perCycle } from '../timing/thousandths.ts';
import { answerCycles } from './service.ts';
import type { BlockGranted, BlockOpen, BlockServed, JobAnswer, JobBytes, JobNoted } from './within.ts';

type BlockRequestEvent = BlockOpen | BlockGranted | JobBytes | BlockServed | JobAnswer;

/** One request at a memory controller with banks, from its arrival to the answer; then its place is free for another one. */
export interface BlockRequestContext {
  readonly controller: Address;
  transfer: number;
  /** Of the block in its transfer. */
  offset: number;
  /** Who is answered, -1 while the place is free. */
  requester: number;
  jitter: number;
}

const { post, update, when } = component<
  BlockRequestContext,
  BlockRequestEvent,
  JobNoted | MemoryAnswer | MemoryGrant | MemoryResponse
>();

const requesterOf = ({ requester }: BlockRequestContext) => requester as Address;
const controllerOf = ({ controller }: BlockRequestContext) => controller;

/** One request for a block, or an access of a core that has to wait, at a memory controller with banks (specification 8.9). */
export const blockRequest = setup({
  types: {} as { context: BlockRequestContext; events: BlockRequestEvent; input: Address },
  guards: {
    isGet: when<'block.open'>((_c, { kind }) => kind === 'get'),
    isPut: when<'block.open'>((_c, { kind }) => kind === 'put'),
  },
  actions: {
    latch: update<'block.open'>((c, { transfer, offset, requester, jitter }) => {
      c.transfer = transfer;
      c.offset = offset;
      c.requester = requester;
      c.jitter = jitter;
    }),
    grant: post<'block.granted'>((c, { cycles }, { now }) => {
      const delay = cycles + c.jitter;
      const { transfer, offset } = c;
      const granted = (now + delay) * perCycle;
      return { to: requesterOf(c), type: 'memory.grant', transfer, offset, granted, delay };
    }),
    respond: post<'block.served'>((c, { data, through }, { now }) => {
      const delay = answerCycles(through, now) + c.jitter;
      const { transfer, offset } = c;
      return { to: requesterOf(c), type: 'memory.response', transfer, offset, data, through, delay };
    }),
    answer: post<'job.answer'>((c, { data, cycles }) => ({
      to: requesterOf(c),
      type: 'memory.answer',
      data,
      delay: cycles,
    })),
    acknowledge: post((c) => ({ to: c.controller, type: 'job.noted' })),
    clear: update((c) => {
      c.transfer = -1;
      c.offset = -1;
      c.requester = -1;
      c.jitter = 0;
    }),
  },
}).createMachine({
  id: 'blockRequest',
  context: ({ input }) => ({ controller: input, transfer: -1, offset: -1, requester: -1, jitter: 0 }),
  initial: 'free',
  states: {
    free: {
      on: {
        'block.open': [
          { guard: 'isGet', target: 'get', actions: ['latch', 'acknowledge'] },
          { guard: 'isPut', target: 'put', actions: ['latch', 'acknowledge'] },
          { target: 'held', actions: ['latch', 'acknowledge'] },
        ],
      },
    },
    get: {
      initial: 'queued',
      states: {
        queued: {
          ...waitingFor<BlockRequestContext>(
            'its channel and its bank, and earlier requests to its block',
            controllerOf,
          ),
          on: {
            'block.served': { target: '#blockRequest.free', actions: ['respond', 'clear', 'acknowledge'] },
          },
        },
      },
    },
    put: {
      initial: 'claiming',
      states: {
        claiming: {
          ...waitingFor<BlockRequestContext>('a slot of the write buffer', controllerOf),
          on: { 'block.granted': { target: 'granted', actions: ['grant', 'acknowledge'] } },
        },
        granted: {
          ...waitingFor<BlockRequestContext>('the bytes that its engine reads from an LDM', requesterOf),
          on: { 'job.bytes': { target: 'queued', actions: 'acknowledge' } },
        },
        queued: {
          ...waitingFor<BlockRequestContext>(
            'its channel and its bank, and earlier requests to its block',
            controllerOf,
          ),
          on: {
            'block.served': { target: '#blockRequest.free', actions: ['respond', 'clear', 'acknowledge'] },
          },
        },
      },
    },
    held: {
      ...waitingFor<BlockRequestContext>('earlier puts to the same bytes to be written', controllerOf),
      on: { 'job.answer': { target: 'free', actions: ['answer', 'clear', 'acknowledge'] } },
    },
  },
});
