import { blockPlace } from '../../actors/chiplet/gpu/block-place.ts';
import type { SimtCoreInput } from '../../actors/chiplet/gpu/core-border.ts';
import { dispatcher } from '../../actors/chiplet/gpu/dispatcher.ts';
import { fastSimtCore } from '../../actors/chiplet/gpu/fast/simt-core.ts';
import { host } from '../../actors/chiplet/gpu/host.ts';
import { gpuHostCosts, type HostCosts, type HostProgram } from '../../actors/chiplet/gpu/host-operations.ts';
import { type MailboxInput, mailbox } from '../../actors/chiplet/gpu/mailbox.ts';
import type { MailboxMode } from '../../actors/chiplet/gpu/mailbox-store.ts';
import { memoryChannel } from '../../actors/chiplet/gpu/memory-channel.ts';
import { memoryLoad } from '../../actors/chiplet/gpu/memory-load.ts';
import { simtCore } from '../../actors/chiplet/gpu/simt-core.ts';
import { simtWarp } from '../../actors/chiplet/gpu/simt-warp.ts';
import { defaultTiming, type GpuTiming } from '../../actors/chiplet/gpu/timing.ts';
import { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import type { ChipletAddress } from '../../actors/chiplet/ptx/message-code.ts';
import type { PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import { Program } from '../../actors/common/program.ts';
import type { Address } from '../../kernel/message.ts';
import type { Wiring } from '../../kernel/wiring.ts';

/** The state machines that chiplets are wired from; mutants replace some. */
export interface ChipletParts {
  readonly simtCore: typeof simtCore;
  readonly simtWarp: typeof simtWarp;
  readonly memoryLoad: typeof memoryLoad;
  readonly blockPlace: typeof blockPlace;
  /** In the place of the four above, where a core is one actor. */
  readonly fastSimtCore: typeof fastSimtCore;
  readonly dispatcher: typeof dispatcher;
  readonly memoryChannel: typeof memoryChannel;
  readonly mailbox: typeof mailbox;
  readonly host: typeof host;
}

/** Chiplets as specified. */
export const soundChipletParts: ChipletParts = {
  simtCore,
  simtWarp,
  memoryLoad,
  blockPlace,
  fastSimtCore,
  dispatcher,
  memoryChannel,
  mailbox,
  host,
};

/** What the actors of SIMT cores are: one for each warp, load and block inside its core, or one for the core, which is fast and does the same. */
export type CoreDetail = 'warp' | 'core';

/** What a chiplet of either kind is made from. */
export interface ChipletGiven {
  readonly at: ChipletAddress;
  /** What the host does. */
  readonly program: HostProgram;
  /** Who carries messages to other chiplets: any actor that takes `message.send` and posts `message.arrived` to mailboxes. */
  readonly carrier: Address;
  readonly mode?: MailboxMode;
  readonly trustSource?: boolean;
  /** True: a kernel that names another chiplet as its own is stopped. */
  readonly strictSource?: boolean;
  readonly inbox?: MailboxInput['inbox'];
  readonly files?: Readonly<Record<string, readonly number[]>>;
  readonly costs?: Partial<HostCosts>;
  /** Who is told when its program has ended; nobody when absent. */
  readonly watcher?: Address | undefined;
}

/** What a GPU chiplet is made from. */
export interface GpuChipletGiven extends ChipletGiven {
  readonly ptx: PtxProgram;
  readonly timing?: GpuTiming;
  /** `core` when absent. */
  readonly coreDetail?: CoreDetail;
  /** The memory at the beginning; one with the variables of the program when absent. */
  readonly memory?: DeviceMemory;
}

/** The addresses of the parts of a GPU chiplet. */
export interface GpuChiplet {
  readonly host: Address;
  readonly dispatcher: Address;
  readonly cores: readonly Address[];
  readonly channels: readonly Address[];
  readonly mailbox: Address;
}

/** The name of a chiplet: those of its parts begin with it. */
export const chipletName = ([x, y]: ChipletAddress): string => `Chip[${x}][${y}]`;

/** Wires a GPU chiplet (chiplet specification 7.3); its host begins in tick 0. */
export function wireGpuChiplet(
  wiring: Wiring,
  given: GpuChipletGiven,
  parts: ChipletParts = soundChipletParts,
): GpuChiplet {
  const { at, ptx, timing = defaultTiming, coreDetail = 'core' } = given;
  const memory = wiring.share(`${chipletName(at)}.Memory`, given.memory ?? new DeviceMemory(ptx.image));
  const reserve = (name: string): Address => wiring.reserve(`${chipletName(at)}.${name}`);
  const own = { host: reserve('Host'), dispatcher: reserve('Dispatcher'), mailbox: reserve('Mailbox') };
  const cores = Array.from({ length: timing.cores }, (_, core) => reserve(`Core[${core}]`));
  const channels = Array.from({ length: timing.memory.channels }, (_, channel) =>
    reserve(`Channel[${channel}]`),
  );
  for (const [number, self] of cores.entries()) {
    const core: SimtCoreInput = {
      self,
      number,
      dispatcher: own.dispatcher,
      channels,
      mailbox: own.mailbox,
      timing,
      own: given.strictSource ? at : undefined,
      memory,
    };
    if (coreDetail === 'warp') wireWarps(wiring, core, parts);
    else wiring.place(self, parts.fastSimtCore, core);
  }
  for (const channel of channels) wiring.place(channel, parts.memoryChannel, timing.memory);
  wiring.place(own.dispatcher, parts.dispatcher, { host: own.host, cores, timing });
  const device = { dispatcher: own.dispatcher, memory, kernels: ptx.kernels };
  wireHost(wiring, given, own, device, gpuHostCosts, parts);
  return { ...own, cores, channels };
}

/** Places a core with the warps, loads and blocks inside it. */
function wireWarps(wiring: Wiring, core: SimtCoreInput, parts: ChipletParts): void {
  const { memory: _memory, ...known } = core;
  const { self, mailbox } = core;
  const name = wiring.nameAt(self);
  wiring.place(self, parts.simtCore, {
    ...core,
    warps: wiring.family(
      `${name}.Warp`,
      (slot) => ({ machine: parts.simtWarp, input: { core: self, mailbox, slot } }),
      self,
    ),
    loads: wiring.family(
      `${name}.Load`,
      (load) => ({ machine: parts.memoryLoad, input: { core: known, load } }),
      self,
    ),
    blocks: wiring.family(`${name}.Block`, () => ({ machine: parts.blockPlace, input: self }), self),
  });
}

/** Places mailbox and host of a chiplet of either kind. */
export function wireHost(
  wiring: Wiring,
  given: ChipletGiven,
  own: { readonly host: Address; readonly mailbox: Address },
  device: {
    readonly dispatcher: Address;
    readonly memory: DeviceMemory;
    readonly kernels: PtxProgram['kernels'];
  } | null,
  usualCosts: HostCosts,
  parts: ChipletParts,
): void {
  const { at, program, carrier, mode = 'queue', trustSource = true, inbox = [], files = {}, costs } = given;
  wiring.place(own.mailbox, parts.mailbox, { own: at, mode, trustSource, carrier, inbox });
  wiring.place(own.host, parts.host, {
    self: own.host,
    own: at,
    mailbox: own.mailbox,
    device,
    program: new Program(() => program(...at)),
    costs: { ...usualCosts, ...costs },
    files,
    watcher: given.watcher,
  });
  wiring.begin({ to: own.host, type: 'host.turn', cycle: 1 });
}
