import type { DispatcherContext } from '../../actors/chiplet/gpu/dispatcher.ts';
import type { MailboxContext } from '../../actors/chiplet/gpu/mailbox.ts';
import type { MemoryChannelContext } from '../../actors/chiplet/gpu/memory-channel.ts';
import type { ChipletMessage } from '../../actors/chiplet/gpu/protocol.ts';
import type { SimtCoreContext } from '../../actors/chiplet/gpu/simt-core.ts';
import type { Instruction } from '../../actors/chiplet/ptx/instruction.ts';
import type { PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import { mutantsOf } from '../mutant.ts';
import { plantingIn } from '../planting.ts';
import type { ChipletParts } from './gpu-chiplet.ts';

/** Changes every instruction of every kernel. */
const everywhere =
  (change: (instruction: Instruction, at: number, code: readonly Instruction[]) => Instruction) =>
  ({ kernels, image }: PtxProgram): PtxProgram => ({
    image,
    kernels: new Map(
      [...kernels].map(([name, kernel]) => [name, { ...kernel, code: kernel.code.map(change) }]),
    ),
  });

/** Planted faults of execution: compiled programs that do something else. */
export const gpuMutants = mutantsOf<PtxProgram>({
  'P-01': {
    sentence: 'lanes meet one instruction too late',
    mutate: everywhere((one, _at, code) => ({
      ...one,
      reconvergence: Math.min(one.reconvergence + 1, code.length),
    })),
  },
  'P-02': {
    sentence: 'the lane mask is ignored where registers are written',
    mutate: everywhere((one) =>
      one.kind === 'lanes' || one.kind === 'together'
        ? { ...one, run: (warp) => one.run(warp, warp.alive) }
        : one,
    ),
  },
  'P-03': {
    sentence: 'the two ways of a branch are swapped',
    mutate: everywhere((one) =>
      one.kind === 'branch' && one.guard >= 0 ? { ...one, guardNegated: !one.guardNegated } : one,
    ),
  },
  'P-04': {
    sentence: 'nobody waits at barriers',
    mutate: everywhere((one) => (one.kind === 'barrier' ? { ...one, kind: 'lanes', run: () => {} } : one)),
  },
  'P-05': {
    sentence: 'of atomics on one instruction only the first lane counts',
    mutate: everywhere((one) =>
      one.access?.what === 'atomic' ? { ...one, run: (warp, mask) => one.run(warp, mask & -mask) } : one,
    ),
  },
});

const { hearing, instead, saying } = plantingIn<ChipletParts>();

/** Planted faults of the parts of chiplets. */
export const chipletPartMutants = mutantsOf<ChipletParts>({
  'M-01': {
    sentence: 'values of one request leave in reverse order',
    mutate: hearing<ChipletMessage<'mailbox.request'>>('mailbox', 'take', (request) => ({
      ...request,
      items: [...request.items].reverse(),
    })),
  },
  'M-02': {
    sentence: 'a value that comes is put into the mailbox twice',
    mutate: instead<MailboxContext, ChipletMessage<'message.arrived'>>(
      'mailbox',
      'put',
      (put, c, message, out) => {
        c.store.arrive(message.src, message.value);
        put(c, message, out);
      },
    ),
  },
  'M-03': {
    sentence: 'a channel takes a segment while it is busy',
    mutate: instead<MemoryChannelContext>('memoryChannel', 'read', (read, c, request, out) => {
      c.free = 0;
      read(c, request, out);
    }),
  },
  'M-04': {
    sentence: 'the first block of a kernel is given away in place of the last',
    mutate: saying<DispatcherContext>('dispatcher', 'begin', (post, c) =>
      'block' in post && post.block === c.blocks - 1 ? { ...post, block: 0 } : post,
    ),
  },
  'M-05': {
    sentence: 'a barrier opens when all but one warp have come',
    mutate: instead<SimtCoreContext>('simtCore', 'openBarriers', (open, c, event, out) => {
      const { warps } = c.residents.homeOf(c.slot).block;
      const waits = warps.find(({ barrier }) => barrier >= 0);
      const missing = warps.filter(({ finished, barrier }) => !finished && barrier < 0);
      if (waits && missing.length === 1) missing[0]!.barrier = waits.barrier;
      open(c, event, out);
    }),
  },
});
