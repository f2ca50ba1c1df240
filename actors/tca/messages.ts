import type { Address } from '../../kernel/message.ts';
import type { Descriptor } from './descriptor.ts';

/*
 * What the parts of TCA nodes send each other (TCA specification 4, 15). When a message arrives and who sent it its envelope tells.
 */

/** A memory read request of a DMA channel. */
export interface MemoryRead {
  readonly type: 'tlp.read';
  readonly addr: number;
  readonly bytes: number;
  readonly tag: number;
  readonly channel: number;
  /** The channel that asked: it is several hops from there to the memory, and its completions go back to it (TCA specification 4). */
  readonly requester: Address;
}

/** A completion with data. */
export interface Completion {
  readonly type: 'tlp.completion';
  readonly tag: number;
  /** The channel that asked, as the read said. */
  readonly requester: Address;
  /** Where its bytes begin in what was asked for. */
  readonly offset: number;
  readonly data: Uint8Array;
}

/** A posted memory write. */
export interface MemoryWrite {
  readonly type: 'tlp.write';
  readonly addr: number;
  readonly data: Uint8Array;
  readonly source: number;
  /** Channel of the DMA controller; -1 for the CPU. */
  readonly channel: number;
  readonly seq: number;
  /** Port of the chip at which a link hands it over; absent or -1 where it comes from elsewhere. */
  readonly input?: number;
}

/** What goes over links. */
export type Packet = MemoryRead | Completion | MemoryWrite;

/** The packet under way has left the link. */
export interface LinkTurn {
  readonly type: 'link.turn';
}

/** The write that waits fits into the buffer of the GPU. */
export interface LinkFits {
  readonly type: 'link.fits';
}

/** Credits come back to a sender: a packet has left the buffer of the port (TCA specification 4). */
export interface FcUpdate {
  readonly type: 'fc.update';
  /** Posted, not posted, completions. */
  readonly kind: 'P' | 'NP' | 'Cpl';
  readonly headers: number;
  /** Data credits, of 16 bytes each. */
  readonly units: number;
}

/** A packet has left the transmit queue of a port of the router. */
export interface PortRoom {
  readonly type: 'port.room';
  readonly port: number;
}

/** The router has something to grant. */
export interface RouterTurn {
  readonly type: 'router.turn';
}

/** The router has taken a write of a channel into a transmit queue. */
export interface WriteAccepted {
  readonly type: 'write.accepted';
}

/** Asks a channel to tell when the router has taken all of its writes. */
export interface WritesAsk {
  readonly type: 'writes.ask';
}
export interface WritesTaken {
  readonly type: 'writes.taken';
  readonly channel: number;
}

/** A chain for a channel, and its start (TCA specification 10). */
export interface Doorbell {
  readonly type: 'dmac.doorbell';
  readonly chain: readonly Descriptor[];
}

/** A channel has begun with a chain, or stopped. */
export interface DmacBusy {
  readonly type: 'dmac.busy';
  readonly channel: number;
  readonly busy: boolean;
  /** Why it stopped in error; null while it has not. */
  readonly error: string | null;
}

/** A channel in error begins anew (TCA specification 7). */
export interface DmacReset {
  readonly type: 'dmac.reset';
}

/** What a processor reads or writes in the chip by a store or load (TCA specification 4, 8). */
export interface MmioWrite {
  readonly type: 'mmio.write';
  readonly register: 'reset';
  readonly channel: number;
}

/** Registers of a channel that a processor may read. */
export type ReadableRegister = 'busy' | 'error';

export interface MmioRead {
  readonly type: 'mmio.read';
  readonly register: ReadableRegister;
  readonly channel: number;
}

/** What was in the register when the chip looked. */
export interface MmioAnswer {
  readonly type: 'mmio.answer';
  readonly value: number | string;
}

/** A doorbell that the chip did not hear, or that broke the chain that was running (TCA specification 8). Shown, never sent. */
export interface DoorbellLost {
  readonly type: 'doorbell.lost';
}

/** The channel goes on. */
export interface DmacTurn {
  readonly type: 'dmac.turn';
}

/** A word of internal RAM has been read. */
export interface InternalRead {
  readonly type: 'dmac.internal';
  readonly tag: number;
  readonly data: Uint8Array;
}

/** A channel asks for a tag. */
export interface TagTake {
  readonly type: 'tag.take';
  readonly channel: number;
}

/** A tag for a channel. */
export interface TagGrant {
  readonly type: 'tag.grant';
  readonly tag: number;
}

/** A tag comes back. */
export interface TagRelease {
  readonly type: 'tag.release';
  readonly channel: number;
  readonly tag: number;
}

/** A tag of the channel is free again. */
export interface TagFree {
  readonly type: 'tag.free';
}

/** Bytes have become visible in a memory. */
export interface BytesVisible {
  readonly type: 'memory.visible';
  readonly addr: number;
  readonly data: Uint8Array;
  readonly source: number;
}

/** A word of the notify board was written (TCA specification 9). */
export interface FlagSet {
  readonly type: 'flag.set';
  readonly source: number;
  readonly slot: number;
  readonly value: number;
}

/** A channel has finished a chain. */
export interface ChainDone {
  readonly type: 'chain.done';
  readonly channel: number;
  readonly count: number;
}

/** The program of a node begins or goes on. */
export interface CpuTurn {
  readonly type: 'cpu.turn';
}

/** A channel is in error (TCA specification 17). */
export interface ChannelError {
  readonly type: 'channel.error';
  readonly channel: number;
  readonly code: string;
}

/** A program, or a part of the runtime, looks at bytes of its node's memory. */
export interface MemoryLoad {
  readonly type: 'memory.load';
  readonly addr: number;
  readonly bytes: number;
}

/** The bytes that a load found. */
export interface MemoryLoaded {
  readonly type: 'memory.loaded';
  readonly data: Uint8Array;
}

/** The processor of a node writes bytes of its memory. */
export interface MemoryStore {
  readonly type: 'memory.store';
  readonly addr: number;
  readonly data: Uint8Array;
}

/** The bytes of a store are in place. */
export interface MemoryStored {
  readonly type: 'memory.stored';
}

/** Bytes to be copied inside a node, or, with `value`, to be filled with it (TCA specification 12.2, 12.4). */
export interface CopyJob {
  readonly type: 'copy.job';
  readonly src: number;
  readonly dst: number;
  readonly bytes: number;
  readonly value?: number;
}

/** A copy is in place. */
export interface CopyDone {
  readonly type: 'copy.done';
}

/** A kernel for the GPU. */
export interface KernelLaunch {
  readonly type: 'kernel.launch';
  /** How long it takes. */
  readonly ns: number;
}

/** A kernel of the GPU has ended. */
export interface KernelDone {
  readonly type: 'kernel.done';
}

/** Bytes for the write-combining window onto other nodes: stores of at most 64 bytes, each committed before the next (TCA specification 9). */
export interface PioStore {
  readonly type: 'pio.store';
  readonly stores: readonly { readonly address: number; readonly data: Uint8Array }[];
}

/** All stores have been committed; the processor goes on. */
export interface PioDone {
  readonly type: 'pio.done';
}

/** All messages and probes of this file. */
export type TcaMessage =
  | MemoryRead
  | Completion
  | MemoryWrite
  | LinkTurn
  | LinkFits
  | FcUpdate
  | PortRoom
  | RouterTurn
  | WriteAccepted
  | WritesAsk
  | WritesTaken
  | Doorbell
  | DmacBusy
  | DmacReset
  | MmioWrite
  | MmioRead
  | MmioAnswer
  | DoorbellLost
  | DmacTurn
  | InternalRead
  | TagTake
  | TagGrant
  | TagRelease
  | TagFree
  | BytesVisible
  | FlagSet
  | ChainDone
  | CpuTurn
  | ChannelError
  | MemoryLoad
  | MemoryLoaded
  | MemoryStore
  | MemoryStored
  | CopyJob
  | CopyDone
  | KernelLaunch
  | KernelDone
  | PioStore
  | PioDone;
