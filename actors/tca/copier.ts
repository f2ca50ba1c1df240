import { setup } from 'xstate';
import type { Address } from '../../kernel/message.ts';
import { waitingFor } from '../../kernel/outcome.ts';
import { placeOf, type Region } from './address-map.ts';
import type { TcaMessage } from './protocol.ts';
import { tcaProtocol } from './protocol.ts';

/** Who copies, and the memories of its node. */
export interface CopierInput {
  readonly memories: Readonly<Record<'cpu' | 'gpu', Address>>;
}

/** What is being copied. */
export interface CopierContext {
  readonly spec: CopierInput;
  job: (TcaMessage<'copy.job'> & { readonly requester: Address }) | null;
  data: Uint8Array;
}

const role = tcaProtocol.roles.Copier;
const { update, when, act } = role.component<CopierContext>();

/** Nanoseconds before the first byte, and bytes a nanosecond (TCA specification 3: cpuCopy, gpuCopy). */
const startNs = { cpu: 50, gpu: 7000 } as const;
const bytesPerNs = 6;

/** Sub-ticks that a copy inside a node takes: from CPU memory to CPU memory, or with the driver of the GPU. */
export function copySubTicks(src: number, dst: number, bytes: number): number {
  const gpu = [src, dst].some((address) => placeOf(address).region === 'gpu');
  return Math.round(4 * (startNs[gpu ? 'gpu' : 'cpu'] + bytes / bytesPerNs));
}

const memoryOf = (c: CopierContext, address: number): Address => {
  const region: Region = placeOf(address).region;
  if (region === 'chip') throw new Error(`EUR: address ${address} belongs to no memory`);
  return c.spec.memories[region];
};

/** What copies bytes inside a node (TCA specification 12.3, 15). */
export const copier = setup({
  types: role.types<CopierContext, CopierInput>(),
  guards: { fills: when<'copy.job'>((_c, { value }) => value !== undefined) },
  actions: {
    take: update<'copy.job'>((c, job, { from }) => {
      c.job = { ...job, requester: from };
    }),
    read: act<'copy.job'>((c, { src, bytes }, out) => {
      out.post({ to: memoryOf(c, src), type: 'memory.load', addr: src, bytes });
    }),
    fill: update<'copy.job'>((c, { bytes, value }) => {
      c.data = new Uint8Array(bytes).fill(value!);
    }),
    hold: update<'memory.loaded'>((c, { data }) => {
      c.data = data;
    }),
    work: act((c, _event, out) => {
      const { src, dst, bytes, value } = c.job!;
      const delay = copySubTicks(value === undefined ? src : dst, dst, bytes);
      out.post({ to: out.self, type: 'copy.turn', delay });
    }),
    write: act<'copy.turn'>((c, _event, out) => {
      const { dst } = c.job!;
      out.post({
        to: memoryOf(c, dst),
        type: 'memory.store',
        addr: dst,
        data: c.data,
      });
    }),
    tell: act<'memory.stored'>((c, _event, out) => {
      out.post({ to: c.job!.requester, type: 'copy.done' });
      c.job = null;
      c.data = new Uint8Array(0);
    }),
  },
}).createMachine({
  id: 'copier',
  context: ({ input }) => ({ spec: input, job: null, data: new Uint8Array(0) }),
  initial: 'idle',
  states: {
    idle: {
      on: {
        'copy.job': [
          { guard: 'fills', target: 'copying', actions: ['take', 'fill', 'work'] },
          { target: 'reading', actions: ['take', 'read'] },
        ],
      },
    },
    reading: {
      ...waitingFor<CopierContext>('bytes of a memory', ({ spec }) => Object.values(spec.memories)),
      on: { 'memory.loaded': { target: 'copying', actions: ['hold', 'work'] } },
    },
    copying: { on: { 'copy.turn': { target: 'writing', actions: 'write' } } },
    writing: {
      ...waitingFor<CopierContext>('bytes of a memory', ({ spec }) => Object.values(spec.memories)),
      on: { 'memory.stored': { target: 'idle', actions: 'tell' } },
    },
  },
});
