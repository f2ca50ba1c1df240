import type { Address } from '../../kernel/message.ts';
import { isMapped, placeOf } from './address-map.ts';
import type { CpuContext } from './cpu-context.ts';
import { chainError } from './descriptor.ts';
import type { NodeOperation } from './node-program.ts';
import { inSubTicks, nanoseconds } from './parameters.ts';
import type { TcaOutbox } from './protocol.ts';

/** The operation of a name. */
export type Called<Op extends NodeOperation['op']> = Extract<NodeOperation, { readonly op: Op }>;

/** Has the processor go on after some cycles. */
export const resume = (cycles: number, out: TcaOutbox<'Cpu'>): void => {
  const delay = inSubTicks(cycles);
  out.post({ to: out.self, type: 'cpu.turn', delay });
};

/** Whether a strict driver refuses a channel because it runs (TCA specification 10, 17). */
const isRefused = ({ spec, started, finished }: CpuContext, channel: number): boolean =>
  spec.strict && started[channel]! > finished[channel]!;

/** Carries out an operation that needs nobody's answer. */
export function carryOut(c: CpuContext, out: TcaOutbox<'Cpu'>): void {
  const operation = c.operation!;
  const { parameters, dmacs, router, node } = c.spec;
  c.answer = nanoseconds(out.now);
  switch (operation.op) {
    case 'load': {
      if (isRefused(c, operation.channel)) c.answer = 'EBUSY';
      resume(0, out);
      return;
    }
    case 'start': {
      const wrong = chainError(operation.chain);
      const { channel } = operation;
      if (wrong !== undefined) c.answer = wrong;
      else if (c.errors[channel] !== null) c.answer = c.errors[channel]!;
      else if (isRefused(c, channel)) c.answer = 'EBUSY';
      if (typeof c.answer === 'string') {
        resume(0, out);
        return;
      }
      c.started[channel]!++;
      const delay = inSubTicks(parameters.mmioWriteLatency);
      out.post({
        to: dmacs[channel]!,
        type: 'dmac.doorbell',
        chain: operation.chain,
        delay,
      });
      if (out.observed) out.probe({ type: 'doorbell.rung', channel });
      resume(parameters.doorbellGap, out);
      return;
    }
    case 'pio': {
      if (operation.data.length > 64 || operation.data.length % 4 !== 0 || operation.address % 4 !== 0)
        c.answer = 'EALIGN';
      else if (!isMapped(operation.address, operation.data.length, c.spec.ranges)) c.answer = 'EUR';
      else {
        const delay = inSubTicks(parameters.pioStoreFlush + parameters.mmioWriteLatency);
        const { address: addr, data } = operation;
        const seq = c.seq++;
        out.post({ to: router, type: 'tlp.write', addr, data, source: node, channel: -1, seq, delay });
        if (out.observed) out.probe({ type: 'pio.stored', addr, source: node, seq });
      }
      resume(parameters.pioStoreFlush, out);
      return;
    }
    case 'register': {
      // The register is looked at in the middle of the read.
      const delay = inSubTicks(parameters.perfCounterReadRoundTrip / 2);
      const { register, channel } = operation;
      const { registers } = c.spec;
      out.post({
        to: registers,
        type: 'mmio.read',
        register,
        channel,
        delay,
      });
      return;
    }
    case 'reset': {
      const { channel } = operation;
      const delay = inSubTicks(parameters.mmioWriteLatency);
      // A channel that runs goes on.
      c.errors[channel] = null;
      out.post({
        to: c.spec.registers,
        type: 'mmio.write',
        register: 'reset',
        channel,
        delay,
      });
      resume(parameters.doorbellGap, out);
      return;
    }
    case 'compute': {
      const delay = Math.round(operation.ns * 4);
      out.post({ to: out.self, type: 'cpu.turn', delay });
      return;
    }
    case 'launch': {
      c.kernels++;
      out.post({
        to: c.spec.gpu,
        type: 'kernel.launch',
        ns: operation.ns,
      });
      resume(0, out);
      return;
    }
    default:
      resume(0, out);
  }
}

function memoryOf(c: CpuContext, address: number): Address {
  const { node, region } = placeOf(address);
  if (region === 'chip' || node !== c.spec.node)
    throw new Error(
      `EUR: a program of node ${c.spec.node} looks at address ${address}, which is not in its memory`,
    );
  return c.spec.memories[region];
}

/** Whom the processor asks for bytes: a memory, or who copies. */
export function askedForBytes(c: CpuContext): Address {
  const operation = c.operation as Called<'read' | 'write' | 'copy'>;
  return operation.op === 'copy' ? c.spec.copier : memoryOf(c, operation.address);
}

/** Asks a memory, or who copies, for what the program wants. */
export function askMemory(c: CpuContext, out: TcaOutbox<'Cpu'>): void {
  const operation = c.operation as Called<'read' | 'write' | 'copy'>;
  const to = askedForBytes(c);
  switch (operation.op) {
    case 'read': {
      const { address, bytes } = operation;
      out.post({ to, type: 'memory.load', addr: address, bytes });
      return;
    }
    case 'write': {
      const { address, data } = operation;
      out.post({ to, type: 'memory.store', addr: address, data });
      return;
    }
    default: {
      const { src, dst, bytes } = operation;
      out.post({ to, type: 'copy.job', src, dst, bytes });
    }
  }
}
