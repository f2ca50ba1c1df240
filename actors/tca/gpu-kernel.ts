import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { tcaProtocol } from './protocol.ts';

/** Kernels in the order of their launches; the first one runs. */
export interface GpuKernelContext {
  launched: { readonly ns: number; readonly requester: Address }[];
}

const role = tcaProtocol.roles.GpuKernel;
const { update, when, act } = role.component<GpuKernelContext>();

/** Runs kernels of the GPU one after the other (TCA specification 15). */
export const gpuKernel = setup({
  types: role.types<GpuKernelContext, unknown>(),
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
