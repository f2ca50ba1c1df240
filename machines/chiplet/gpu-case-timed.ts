import type { HostContext } from '../../actors/chiplet/gpu/host-context.ts';
import type { MailboxContext } from '../../actors/chiplet/gpu/mailbox.ts';
import type { Unread } from '../../actors/chiplet/gpu/mailbox-store.ts';
import type { KernelReport } from '../../actors/chiplet/gpu/statistics.ts';
import { defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import type { OutsideContext } from '../../actors/chiplet/outside.ts';
import { outside } from '../../actors/chiplet/outside.ts';
import type { Kernel } from '../../actors/chiplet/ptx/kernel.ts';
import type { PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import { Run, type RunOptions } from '../../kernel/run.ts';
import { Wiring } from '../../kernel/wiring.ts';
import { figuresOfCore, warpsLeftIn } from './core-figures.ts';
import { type CaseOutcome, type GpuCase, prepareCase } from './gpu-case.ts';
import {
  type ChipletParts,
  type CoreDetail,
  type GpuChiplet,
  soundChipletParts,
  wireGpuChiplet,
} from './gpu-chiplet.ts';

/** A case on a chiplet of its own. */
export interface TimedCase {
  readonly wiring: Wiring;
  readonly run: Run;
  readonly chiplet: GpuChiplet;
  /** What it came to, once the run has ended. */
  outcome(): TimedOutcome;
}

/** What a timed launch left behind. */
export interface TimedOutcome extends CaseOutcome {
  readonly outcome: Outcome;
  /** Values that nobody has read (W-UNREAD). */
  readonly unread: readonly Unread[];
  /** What the kernel wrote with printf. */
  readonly printed: readonly string[];
  /** Where warps are that have not ended; none when the kernel did. */
  readonly left: readonly string[];
  /** Absent when the kernel did not end. */
  readonly report?: KernelReport;
}

/** Wires a chiplet that carries out one case (chiplet specification 7.3). Errors: `LaunchError`. */
export function timedCase(
  program: PtxProgram,
  kernel: Kernel,
  given: GpuCase,
  timing: GpuTiming = defaultTiming,
  options: RunOptions = {},
  parts: ChipletParts = soundChipletParts,
  coreDetail: CoreDetail = 'core',
): TimedCase {
  const { memory, launch, args, read } = prepareCase(program, kernel, given);
  const own = given.inbox?.[0]?.dst ?? ([0, 0] as const);
  const wiring = new Wiring();
  wiring.zeroCopy = true;
  const carrier = wiring.place('Outside', outside, undefined);
  const { grid, block } = launch;
  const chiplet = wireGpuChiplet(
    wiring,
    {
      at: own,
      program: function* () {
        yield {
          op: 'launch',
          kernel: kernel.name,
          grid,
          block,
          args,
          dynamicSharedBytes: launch.dynamicSharedBytes,
          cluster: launch.cluster,
        };
      },
      carrier,
      ptx: program,
      timing,
      coreDetail,
      memory,
      ...(given.inbox && { inbox: given.inbox }),
    },
    parts,
  );
  const run = new Run(wiring, options);
  return {
    wiring,
    run,
    chiplet,
    outcome: () => {
      const { reports } = run.part(chiplet.host).context as unknown as HostContext;
      const { sent } = run.part(carrier).context as unknown as OutsideContext;
      const core = figuresOfCore(run, chiplet.cores[0]!);
      const [report] = reports;
      return {
        outcome: run.outcome,
        ...read(core.memory),
        sent: sent.map(({ src, dst, value }) => ({ src, dst, value })),
        counts: report?.statistics.counts ?? core.counts,
        finished: report !== undefined,
        left: report ? [] : chiplet.cores.flatMap((one) => warpsLeftIn(run, one)),
        printed: core.memory.printed,
        unread: (run.part(chiplet.mailbox).context as unknown as MailboxContext).store.unread,
        ...(report && { report }),
      };
    },
  };
}
