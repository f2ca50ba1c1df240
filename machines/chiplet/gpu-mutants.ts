import type { DispatcherContext } from '../../actors/chiplet/gpu/dispatcher.ts';
import type { MailboxContext } from '../../actors/chiplet/gpu/mailbox.ts';
import type { MemoryChannelContext } from '../../actors/chiplet/gpu/memory-channel.ts';
import type {
  GridLaunch,
  MailboxItem,
  MailboxRequest,
  MemoryRead,
  MemoryWrite,
  MessageArrived,
} from '../../actors/chiplet/gpu/messages.ts';
import { type SimtCoreContext, simtCoreKit } from '../../actors/chiplet/gpu/simt-core.ts';
import type { Instruction } from '../../actors/chiplet/ptx/instruction.ts';
import type { PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import { component } from '../../kernel/kit.ts';
import type { Post } from '../../kernel/message.ts';
import { type Mutant, type Mutants, withMutants } from '../mutant.ts';
import { altered, planted, recipeOf } from '../planting.ts';
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

const mutant = (sentence: string, mutate: (program: PtxProgram) => PtxProgram): Mutant<PtxProgram> => ({
  sentence,
  mutate,
});

/** Planted faults of execution: compiled programs that do something else. */
export const gpuMutants: Mutants<PtxProgram> = new Map([
  [
    'P-01',
    mutant(
      'lanes meet one instruction too late',
      everywhere((one, _at, code) => ({
        ...one,
        reconvergence: Math.min(one.reconvergence + 1, code.length),
      })),
    ),
  ],
  [
    'P-02',
    mutant(
      'the lane mask is ignored where registers are written',
      everywhere((one) =>
        one.kind === 'lanes' || one.kind === 'together'
          ? { ...one, run: (warp) => one.run(warp, warp.alive) }
          : one,
      ),
    ),
  ],
  [
    'P-03',
    mutant(
      'the two ways of a branch are swapped',
      everywhere((one) =>
        one.kind === 'branch' && one.guard >= 0 ? { ...one, guardNegated: !one.guardNegated } : one,
      ),
    ),
  ],
  [
    'P-04',
    mutant(
      'nobody waits at barriers',
      everywhere((one) => (one.kind === 'barrier' ? { ...one, kind: 'lanes', run: () => {} } : one)),
    ),
  ],
  [
    'P-05',
    mutant(
      'of atomics on one instruction only the first lane counts',
      everywhere((one) =>
        one.access?.what === 'atomic' ? { ...one, run: (warp, mask) => one.run(warp, mask & -mask) } : one,
      ),
    ),
  ],
]);

/** A program with the faults of these ids. */
export const withGpuMutants = (program: PtxProgram, ids: readonly string[]): PtxProgram =>
  withMutants(program, gpuMutants, ids);

const boxes = component<MailboxContext, MailboxRequest | MessageArrived>();
const wires = component<MemoryChannelContext, MemoryRead | MemoryWrite>();
const coordinators = component<DispatcherContext, GridLaunch>();

const swapped = (items: readonly MailboxItem[]): readonly MailboxItem[] => [...items].reverse();

/** Planted faults of the parts of chiplets. */
export const chipletPartMutants: Mutants<ChipletParts> = new Map([
  [
    'M-01',
    {
      sentence: 'values of one request leave in reverse order',
      mutate: (parts: ChipletParts): ChipletParts => {
        const take = recipeOf<MailboxContext, MailboxRequest>(parts.mailbox, 'take');
        const changed = boxes.act<'mailbox.request'>((c, request, out) =>
          take(c, { ...request, items: swapped(request.items) }, out),
        );
        return { ...parts, mailbox: planted(parts.mailbox, { actions: { take: changed } }) };
      },
    },
  ],
  [
    'M-02',
    {
      sentence: 'a value that comes is put into the mailbox twice',
      mutate: (parts: ChipletParts): ChipletParts => {
        const put = recipeOf<MailboxContext, MessageArrived>(parts.mailbox, 'put');
        const changed = boxes.act<'message.arrived'>((c, message, out) => {
          c.store.arrive(message.src, message.value);
          put(c, message, out);
        });
        return { ...parts, mailbox: planted(parts.mailbox, { actions: { put: changed } }) };
      },
    },
  ],
  [
    'M-03',
    {
      sentence: 'a channel takes a segment while it is busy',
      mutate: (parts: ChipletParts): ChipletParts => {
        const read = recipeOf<MemoryChannelContext, MemoryRead>(parts.memoryChannel, 'read');
        const changed = wires.act<'memory.read'>((c, request, out) => {
          c.free = 0;
          read(c, request, out);
        });
        return { ...parts, memoryChannel: planted(parts.memoryChannel, { actions: { read: changed } }) };
      },
    },
  ],
  [
    'M-04',
    {
      sentence: 'the first block of a kernel is given away in place of the last',
      mutate: (parts: ChipletParts): ChipletParts => {
        const begin = recipeOf<DispatcherContext, GridLaunch>(parts.dispatcher, 'begin');
        const changed = coordinators.act<'grid.launch'>((c, launch, out) =>
          begin(
            c,
            launch,
            altered(out, (post) => [lastBecomesFirst(post, c.blocks)]),
          ),
        );
        return { ...parts, dispatcher: planted(parts.dispatcher, { actions: { begin: changed } }) };
      },
    },
  ],
  [
    'M-05',
    {
      sentence: 'a barrier opens when all but one warp have come',
      mutate: (parts: ChipletParts): ChipletParts => {
        const open = recipeOf<SimtCoreContext>(parts.simtCore, 'openBarriers');
        const changed = simtCoreKit.act((c, event, out) => {
          const { warps } = c.residents.homeOf(c.slot).block;
          const waits = warps.find(({ barrier }) => barrier >= 0);
          const missing = warps.filter(({ finished, barrier }) => !finished && barrier < 0);
          if (waits && missing.length === 1) missing[0]!.barrier = waits.barrier;
          open(c, event, out);
        });
        return { ...parts, simtCore: planted(parts.simtCore, { actions: { openBarriers: changed } }) };
      },
    },
  ],
]);

const lastBecomesFirst = (post: Post, blocks: number): Post =>
  'block' in post && post.block === blocks - 1 ? ({ ...post, block: 0 } as Post) : post;
