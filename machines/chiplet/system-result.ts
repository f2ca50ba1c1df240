import type { HostContext } from '../../actors/chiplet/gpu/host-context.ts';
import type { MailboxContext } from '../../actors/chiplet/gpu/mailbox.ts';
import type { IndexMismatches, MailboxStore } from '../../actors/chiplet/gpu/mailbox-store.ts';
import type { KernelReport } from '../../actors/chiplet/gpu/statistics.ts';
import type { ChipletAddress } from '../../actors/chiplet/ptx/message-code.ts';
import type { AwaitingMailboxContext } from '../../actors/chiplet/system/awaiting-mailbox.ts';
import { pairKey } from '../../actors/chiplet/system/chiplet-place.ts';
import type { CycleBarrierContext } from '../../actors/chiplet/system/cycle-barrier.ts';
import { fileOf } from '../../actors/chiplet/system/cycle-barrier.ts';
import type { DirectCarrierContext } from '../../actors/chiplet/system/direct-carrier.ts';
import type { GateContext } from '../../actors/chiplet/system/gate.ts';
import type { LatencyCoordinatorContext } from '../../actors/chiplet/system/latency-coordinator.ts';
import type { Address } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { type GpuPower, powerOf } from './gpu-power.ts';
import { type TraceLine, traceLines } from './message-files.ts';
import type { WiredChiplet, WiredSystem } from './system-assembly.ts';
import type { SystemConfig } from './system-config.ts';

/** The item of a request that a mailbox cannot serve yet. */
export interface WaitingRequest {
  /** `its host` or `a warp`. */
  readonly who: string;
  readonly operation: 'send' | 'receive';
  readonly peer: ChipletAddress;
  /** Cycle from which it waits, from 0. */
  readonly cycle: number;
}

/** What one chiplet did. */
export interface ChipletState {
  readonly at: ChipletAddress;
  readonly kind: 'cpu' | 'gpu';
  readonly ended: boolean;
  /** Cycles of its own until its program ended, or until now. */
  readonly cycles: number;
  /** The same on the clock of the network, with the time that it stood at meetings. */
  readonly systemCycles: number;
  readonly kernels: readonly KernelReport[];
  /** Rounds in which it waited for messages: receive calls of its host, and kernels that received. */
  readonly receivePhases: number;
  /** Messages that it sent, as lines of its trace in cycles of the network. */
  readonly trace: readonly TraceLine[];
  /** Values that came, by sender: the content of its buffer files. */
  readonly received: readonly { readonly source: ChipletAddress; readonly values: readonly number[] }[];
  readonly unread: readonly { readonly source: ChipletAddress; readonly count: number }[];
  readonly foreignSources: number;
  /** Receives of kernels by another index than their number; absent when there were none. */
  readonly mismatches: IndexMismatches | undefined;
  readonly outputs: Readonly<Record<string, readonly number[]>>;
  /** What its mailbox waits for, request by request. */
  readonly waiting: readonly WaitingRequest[];
  /** Absent on a CPU chiplet. */
  readonly power?: GpuPower;
}

/** Reads what all chiplets of a system did so far. */
export const chipletStates = (run: Run, wired: WiredSystem, config: SystemConfig): readonly ChipletState[] =>
  wired.chiplets.map((chiplet) => stateOf(run, chiplet, wired, config));

/** How the meetings of chiplets stand (chiplet specification 10). */
export interface Meetings {
  /** Those that are over. */
  readonly over: number;
  /** The synchronisation file. */
  readonly file: string;
}

/** Reads how the meetings of a system stand; undefined when its chiplets do not meet. */
export function meetingsOf(run: Run, { barrier }: WiredSystem): Meetings | undefined {
  if (barrier === undefined) return undefined;
  const context = contextOf<CycleBarrierContext>(run, barrier);
  return { over: context.generation, file: fileOf(context) };
}

/** Values of a sender in a mailbox that nobody has read. */
const unreadIn = (store: MailboxStore, [x, y]: ChipletAddress): number =>
  store.unread.find(({ source }) => source[0] === x && source[1] === y)?.count ?? 0;

/** What is read of any of those who carry messages. */
type Carried = Pick<DirectCarrierContext, 'sent' | 'delivered'> & {
  readonly pairs?: Readonly<Record<string, { readonly unread?: readonly unknown[] }>>;
};

/** Messages that chiplets have sent and that have come, be they read or not. */
export function messagesCarried(
  run: Run,
  wired: WiredSystem,
): { readonly sent: number; readonly delivered: number } {
  // All who carry messages count them alike; one who waits for the read has those that came before it, too.
  const { sent, delivered, pairs } = contextOf<Carried>(run, wired.carrier);
  const kept = Object.values(pairs ?? {}).reduce((sum, { unread }) => sum + (unread?.length ?? 0), 0);
  return { sent, delivered: delivered + kept };
}

const contextOf = <C>(run: Run, address: Address): C => run.part(address).context as unknown as C;

function stateOf(
  run: Run,
  { entry, at, host, mailbox, gate, cycleTicks, clockMegahertz }: WiredChiplet,
  wired: WiredSystem,
  config: SystemConfig,
): ChipletState {
  const program = contextOf<HostContext>(run, host);
  const box = contextOf<MailboxContext | AwaitingMailboxContext>(run, mailbox);
  const ended = program.verdict === 'ended';
  const ratio = cycleTicks / wired.cycleTicks;
  const border = gate === undefined ? undefined : contextOf<GateContext>(run, gate);
  const lost = border?.lost ?? 0;
  const clock = Math.max(0, Math.ceil(run.outcome.ticks / cycleTicks));
  const cycles = ended ? program.cycle - 1 : Math.max(0, clock - lost);
  /** Values of a sender that nobody has asked for: where rounds are simulated, they stay with who carries messages. */
  const kept = (source: ChipletAddress): readonly number[] => {
    if (config.mode !== 'iterative') return [];
    const { pairs } = contextOf<LatencyCoordinatorContext>(run, wired.carrier);
    return pairs[pairKey(source, at)]?.unread.map(({ value }) => value) ?? [];
  };
  const kernels = [...program.reports];
  const receiving = kernels.filter(({ statistics }) => statistics.counts.messagesReceived > 0).length;
  return {
    at,
    kind: entry.kind,
    ended,
    cycles,
    systemCycles: (cycles + lost) * ratio,
    kernels,
    receivePhases: program.receives + receiving,
    trace: traceLines(border?.sent ?? box.trace, wired.flits).map((line) => ({
      ...line,
      time: line.time * ratio,
    })),
    received: config.chiplets
      .map(({ x, y }) => ({
        source: [x, y] as const,
        values: [...box.store.valuesFrom([x, y]), ...kept([x, y])],
      }))
      .filter(({ values }) => values.length > 0),
    unread: config.chiplets
      .map(({ x, y }) => ({
        source: [x, y] as const,
        count: unreadIn(box.store, [x, y]) + kept([x, y]).length,
      }))
      .filter(({ count }) => count > 0),
    foreignSources: box.foreignSources,
    mismatches: box.store.mismatches,
    outputs: program.outputs,
    waiting: box.waiting.map(({ request, values, cycle }) => {
      const { operation, peer } = request.items[values.length]!;
      return { who: request.asker === host ? 'its host' : 'a warp', operation, peer, cycle: cycle - 1 };
    }),
    ...(entry.kind === 'gpu' && { power: powerOf(kernels, { clockMegahertz }) }),
  };
}
