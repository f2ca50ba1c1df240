import { setup } from 'xstate';
import { component } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { waitingFor } from '../../../kernel/outcome.ts';
import type { MemoryAnswer, MemoryGrant, MemoryResponse } from '../messages.ts';
import type { JobEvent, JobNoted } from './within.ts';

/** One request at a memory controller, from its arrival to the answer; then its place is free for another one. */
export interface MemoryJobContext {
  readonly controller: Address;
  transfer: number;
  /** Who is answered, -1 while the place is free. */
  requester: number;
  jitter: number;
  /** When the server is through with its last block, in thousandths. */
  finish: number;
}

const { post, update, when } = component<
  MemoryJobContext,
  JobEvent,
  JobNoted | MemoryAnswer | MemoryGrant | MemoryResponse
>();

const requesterOf = ({ requester }: MemoryJobContext) => requester as Address;
const controllerOf = ({ controller }: MemoryJobContext) => controller;

/** One request of an engine, or an access of a core that has to wait, at a memory controller (specification 8.9, 9.2). */
export const memoryJob = setup({
  types: {} as { context: MemoryJobContext; events: JobEvent; input: Address },
  guards: {
    isGet: when<'job.open'>((_c, { kind }) => kind === 'get'),
    isPut: when<'job.open'>((_c, { kind }) => kind === 'put'),
  },
  actions: {
    latch: update<'job.open'>((c, { transfer, requester, jitter }) => {
      c.transfer = transfer;
      c.requester = requester;
      c.jitter = jitter;
    }),
    noteFinish: update<'job.admitted'>((c, { finish }) => {
      c.finish = finish;
    }),
    grant: post((c, _event, { now }) => ({
      to: requesterOf(c),
      type: 'memory.grant',
      transfer: c.transfer,
      offset: -1,
      granted: now * 1000,
      delay: 1 + c.jitter,
    })),
    respond: post<'job.through'>((c, { data }) => ({
      to: requesterOf(c),
      type: 'memory.response',
      transfer: c.transfer,
      offset: -1,
      data,
      through: Math.max(c.finish, 0),
      delay: 1 + c.jitter,
    })),
    answer: post<'job.answer'>((c, { data, cycles }) => ({
      to: requesterOf(c),
      type: 'memory.answer',
      data,
      delay: cycles,
    })),
    acknowledge: post((c) => ({ to: c.controller, type: 'job.noted' })),
    clear: update((c) => {
      c.transfer = -1;
      c.requester = -1;
      c.jitter = 0;
      c.finish = -1;
    }),
  },
}).createMachine({
  id: 'memoryJob',
  context: ({ input }) => ({ controller: input, transfer: -1, requester: -1, jitter: 0, finish: -1 }),
  initial: 'free',
  states: {
    free: {
      on: {
        'job.open': [
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
          ...waitingFor<MemoryJobContext>('its blocks to be admitted to the server', controllerOf),
          on: { 'job.admitted': { target: 'inService', actions: ['noteFinish', 'acknowledge'] } },
        },
        inService: {
          ...waitingFor<MemoryJobContext>('the server, and earlier puts to the same bytes', controllerOf),
          on: { 'job.through': { target: '#memoryJob.free', actions: ['respond', 'clear', 'acknowledge'] } },
        },
      },
    },
    put: {
      initial: 'queued',
      states: {
        queued: {
          ...waitingFor<MemoryJobContext>('slots of the write buffer', controllerOf),
          on: { 'job.admitted': { target: 'granted', actions: ['noteFinish', 'grant', 'acknowledge'] } },
        },
        granted: {
          ...waitingFor<MemoryJobContext>('the bytes that its engine reads from an LDM', requesterOf),
          on: { 'job.bytes': { target: 'ordered', actions: 'acknowledge' } },
        },
        ordered: {
          ...waitingFor<MemoryJobContext>('earlier puts to the same bytes to be written', controllerOf),
          on: { 'job.written': { target: 'written', actions: 'acknowledge' } },
        },
        written: {
          ...waitingFor<MemoryJobContext>('the server to be through with its blocks', controllerOf),
          on: { 'job.through': { target: '#memoryJob.free', actions: ['respond', 'clear', 'acknowledge'] } },
        },
      },
    },
    held: {
      ...waitingFor<MemoryJobContext>('earlier puts to the same bytes to be written', controllerOf),
      on: { 'job.answer': { target: 'free', actions: ['answer', 'clear', 'acknowledge'] } },
    },
  },
});
