import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { KernelDone, KernelLaunch } from './messages.ts';

/** The GPU of a node as what computes. */
export interface GpuKernelInput {
  readonly self: Address;
}

/** Kernels in the order of their launches; the first one runs. */
export interface GpuKernelContext {
  readonly spec: GpuKernelInput;
  launched: KernelLaunch[];
}

/** The kernel that runs has ended. */
interface KernelTurn {
  readonly type: 'kernel.turn';
}

type GpuKernelEvent = KernelLaunch | KernelTurn;

const { update, when, act } = component<GpuKernelContext, GpuKernelEvent, KernelTurn | KernelDone>();

/** Runs kernels of the GPU one after the other (TCA specification 15). */
export const gpuKernel = setup({
  types: {} as { context: GpuKernelContext; events: GpuKernelEvent; input: GpuKernelInput },
  guards: { more: when((c) => c.launched.length > 1) },
  actions: {
    queue: update<'kernel.launch'>((c, launch) => {
      c.launched.push(launch);
    }),
    run: act((c, _event, out) => {
      const delay = Math.round(c.launched[0]!.ns * 4);
      out.post({ to: c.spec.self, type: 'kernel.turn', delay });
    }),
    tell: act<'kernel.turn'>((c, _event, out) => {
      const { requester } = c.launched.shift()!;
      out.post({ to: requester, type: 'kernel.done' });
    }),
  },
}).createMachine({
  id: 'gpuKernel',
  context: ({ input }) => ({ spec: input, launched: [] }),
  initial: 'idle',
  states: {
    idle: { on: { 'kernel.launch': { target: 'running', actions: ['queue', 'run'] } } },
    running: {
      on: {
        'kernel.launch': { actions: 'queue' },
        'kernel.turn': [
          { guard: 'more', actions: ['tell', 'run'] },
          { target: 'idle', actions: 'tell' },
        ],
      },
    },
  },
});
