import { setup } from 'xstate';
import { component } from '../../kernel/kit.ts';
import type { Address } from '../../kernel/message.ts';
import type { KernelDone, KernelLaunch } from './messages.ts';

/** Kernels in the order of their launches; the first one runs. */
export interface GpuKernelContext {
  launched: { readonly ns: number; readonly requester: Address }[];
}

/** The kernel that runs has ended. */
interface KernelTurn {
  readonly type: 'kernel.turn';
}

type GpuKernelEvent = KernelLaunch | KernelTurn;

const { update, when, act } = component<GpuKernelContext, GpuKernelEvent, KernelTurn | KernelDone>();

/** Runs kernels of the GPU one after the other (TCA specification 15). */
export const gpuKernel = setup({
  types: {} as { context: GpuKernelContext; events: GpuKernelEvent },
  guards: { more: when((c) => c.launched.length > 1) },
  actions: {
    queue: update<'kernel.launch'>((c, { ns }, { from }) => {
      c.launched.push({ ns, requester: from });
    }),
    run: act((c, _event, out) => {
      const delay = Math.round(c.launched[0]!.ns * 4);
      out.post({ to: out.self, type: 'kernel.turn', delay });
    }),
    tell: act<'kernel.turn'>((c, _event, out) => {
      const { requester } = c.launched.shift()!;
      out.post({ to: requester, type: 'kernel.done' });
    }),
  },
}).createMachine({
  id: 'gpuKernel',
  context: { launched: [] },
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
