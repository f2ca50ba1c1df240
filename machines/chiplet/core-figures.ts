import type { FastCoreContext } from '../../actors/chiplet/gpu/fast/simt-core.ts';
import type { SimtCoreContext } from '../../actors/chiplet/gpu/simt-core.ts';
import type { KernelCounts } from '../../actors/chiplet/ptx/counts.ts';
import type { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';

/** The memory that a core of a run works on, and what it has counted since it told so last. */
export function figuresOfCore(
  run: Run,
  core: Address,
): { readonly memory: DeviceMemory; readonly counts: KernelCounts } {
  const context = run.part(core).context as unknown as SimtCoreContext | FastCoreContext;
  const { account } = 'state' in context ? context.state : context;
  return { memory: context.memory, counts: account.statistics.counts };
}

/** Where the warps are that a core still has, in words (E-DEADLOCK, E-LIMIT, chiplet specification 13). */
export function warpsLeftIn(run: Run, core: Address): readonly string[] {
  const context = run.part(core).context as unknown as SimtCoreContext | FastCoreContext;
  const { blocks } = 'state' in context ? context.state : context.residents;
  return blocks.flatMap(({ block }) =>
    block.warps.filter(({ finished }) => !finished).map(({ standsAt }) => standsAt),
  );
}
