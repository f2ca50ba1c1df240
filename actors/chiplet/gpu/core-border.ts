import type { Address } from '../../../kernel/message.ts';
import type { DeviceMemory } from '../ptx/device-memory.ts';
import { MessageFault } from '../ptx/lane-messages.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import { segmentBytes } from '../ptx/touched.ts';
import { KernelTrap, MemoryFault } from '../ptx/warp.ts';
import type { CoreAccount } from './core-account.ts';
import { type CoreOutput, emptyOutput } from './core-output.ts';
import type { ChipletOutbox } from './protocol.ts';
import type { GpuTiming } from './timing.ts';

/** A core, and whom it knows. */
export interface SimtCoreInput {
  readonly self: Address;
  /** Number of the core in its chiplet. */
  readonly number: number;
  readonly dispatcher: Address;
  readonly channels: readonly Address[];
  readonly mailbox: Address;
  readonly timing: GpuTiming;
  /** The chiplet, where a message in the name of another one is a fault; absent where it is not. */
  readonly own?: ChipletAddress | undefined;
  /** The memory of the chiplet, which all its cores and its host share. */
  readonly memory: DeviceMemory;
}

/** A core without its memory. */
export type CoreAddresses = Omit<SimtCoreInput, 'memory'>;

/** The memory channel of a segment (chiplet specification 7.3). */
export const channelOf = (segment: number, { channels, timing }: CoreAddresses): Address =>
  channels[Math.floor((segment * segmentBytes) / timing.memory.stripeBytes) % channels.length]!;

/** Tells the others what came of a cycle. Everything is due before the cycle in which it has its effect. */
export function tellOthers(
  spec: CoreAddresses,
  launch: number,
  from: CoreOutput,
  account: CoreAccount,
  now: number,
  out: ChipletOutbox<'Core'>,
): void {
  const { self, mailbox, dispatcher, number, timing } = spec;
  for (const { request, segment, cycle, lead } of from.reads)
    out.post({
      to: channelOf(segment, spec),
      type: 'memory.read',
      core: self,
      request,
      segment,
      cycle,
      lead,
      delay: cycle - 1 - now,
    });
  for (const { segment, cycle } of from.writes)
    out.post({
      to: channelOf(segment, spec),
      type: 'memory.write',
      segment,
      cycle,
      delay: cycle - 1 - now,
    });
  for (const { slot, lanes } of from.messages)
    out.post({
      to: mailbox,
      type: 'mailbox.request',
      asker: self,
      ticket: slot,
      launch,
      items: lanes.map(({ operation, own, peer, value }) => ({ operation, own, peer, value })),
      afterCycles: timing.messageCycles,
      receiveCycles: 0,
      cycle: now + 1,
    });
  for (const block of from.ended)
    out.post({
      to: dispatcher,
      type: 'block.done',
      core: number,
      block,
      statistics: account.take(),
      cycle: now + 1,
    });
  emptyOutput(from);
}

/** Tells what the program of a kernel did wrong; what is not its fault is thrown on. */
export function tellFault(
  { dispatcher, number }: CoreAddresses,
  error: unknown,
  now: number,
  out: ChipletOutbox<'Core'>,
): void {
  if (!(error instanceof MemoryFault || error instanceof MessageFault || error instanceof KernelTrap))
    throw error;
  out.report({ property: 'a kernel keeps to its memory and to the rules of messages', why: error.message });
  out.post({ to: dispatcher, type: 'core.fault', core: number, why: error.message, cycle: now + 1 });
}
