import { addressOf, notifyOffset, notifySlots, type Region } from '../address-map.ts';
import { chainError, type Descriptor } from '../descriptor.ts';
import type { NodeAnswer, NodeOperation } from '../node-program.ts';
import { channels } from '../parameters.ts';
import { DriverError, type DriverErrorCode, isDriverErrorCode } from './errors.ts';
import { RegisteredMemory } from './registered-memory.ts';

/** Memory that the driver registers. */
export type MemoryKind = Exclude<Region, 'chip'>;

/** A piece of registered memory of a node, as `tcaMalloc` gives it. */
export interface Registered {
  readonly kind: MemoryKind;
  readonly offset: number;
  readonly bytes: number;
}

/** A handle that can be exported to other nodes: plain data (TCA specification 10). */
export interface Handle {
  readonly node: number;
  readonly kind: MemoryKind;
  /** Address in the window of all nodes. */
  readonly address: number;
  readonly bytes: number;
}

/** Flags of a descriptor (TCA specification 7). */
export interface DescriptorFlags {
  /** A word on the notify board of the destination node behind the data. */
  readonly notify?: boolean;
  /** The same on the own board. */
  readonly notifySelf?: boolean;
  /** The word is read from the RAM of the chip (default), not from CPU memory. */
  readonly notifyInternal?: boolean;
  /** The descriptor lies in the RAM of the chip (default), not in CPU memory. */
  readonly useInternal?: boolean;
  /** The next descriptor may be fetched while this one is under way (default). */
  readonly pipeline?: boolean;
}

/** A chain that is being built. */
export interface DescriptorChain {
  readonly descriptors: Descriptor[];
  /** Notify words that lie in CPU memory, to be stored there before the chain runs. */
  readonly words: { readonly address: number; readonly data: Uint8Array }[];
}

/** The end of a copy: a handle and an offset in it. */
interface End {
  readonly handle: Handle;
  readonly offset: number;
}

/** What the driver knows of its machine. */
export interface DriverConfig {
  readonly cpuBytes: number;
  readonly gpuBytes: number;
}

/** A step of a program that calls the driver. */
export type Step<T = void> = Generator<NodeOperation, T, NodeAnswer>;

/**
 * The driver of a node, with the calls of the public TCA library (TCA specification 10). Made by `tcaInit`.
 *
 * Use in programs of nodes: calls that take time are generators, `yield* tca.tcaStartDMADesc(0)`. Errors: `DriverError` with a code of
 * section 17; nothing has been started then.
 */
export class TcaDriver {
  readonly #config: DriverConfig;
  readonly #rank: number;
  readonly #nodes: number;
  readonly #memory: Readonly<Record<MemoryKind, RegisteredMemory>>;
  readonly #loaded: (readonly Descriptor[] | undefined)[] = new Array(channels).fill(undefined);
  readonly #words: Registered;
  #window: Handle | undefined;
  #stored: { readonly address: number; readonly data: Uint8Array } | undefined;

  constructor(config: DriverConfig, rank: number, nodes: number) {
    this.#config = config;
    this.#rank = rank;
    this.#nodes = nodes;
    this.#memory = {
      cpu: new RegisteredMemory(config.cpuBytes),
      gpu: new RegisteredMemory(config.gpuBytes),
    };
    // The first page of CPU memory is where notify words are read that do not come from the chip.
    this.#words = this.tcaMalloc(notifySlots * 16, 'cpu');
  }

  /** Registered memory whose first byte lies at the start of a page. Errors: RESOURCE. */
  tcaMalloc(bytes: number, kind: MemoryKind): Registered {
    const offset = bytes > 0 && Number.isInteger(bytes) ? this.#memory[kind].take(bytes) : undefined;
    if (offset === undefined) refuse('RESOURCE', 'tcaMalloc', `${bytes} bytes of ${kind} memory`);
    return { kind, offset, bytes };
  }

  /** Gives memory back. Errors: ENOTREG. */
  tcaFree({ kind, offset }: Registered): void {
    if (!this.#memory[kind].free(offset)) refuse('ENOTREG', 'tcaFree', `${kind} memory at ${offset}`);
  }

  /** A handle of registered memory. Errors: ENOTREG. */
  tcaCreateHandle({ kind, offset, bytes }: Registered): Handle {
    if (!this.#memory[kind].holds(offset, bytes))
      refuse('ENOTREG', 'tcaCreateHandle', `${bytes} bytes of ${kind} memory at ${offset}`);
    return { node: this.#rank, kind, address: addressOf(this.#rank, kind, offset), bytes };
  }

  /** Takes a handle of another node. Errors: EUNREACH for one of another sub-cluster. */
  tcaImportHandle(handle: Handle): Handle {
    if (handle.node < 0 || handle.node >= this.#nodes)
      refuse('EUNREACH', 'tcaImportHandle', `a handle of node ${handle.node} of ${this.#nodes}`);
    return handle;
  }

  /** Ends a chain of calls about a handle: transfers with it are refused where its memory is no longer registered. */
  tcaDestroyHandle(handle: Handle): void {
    const { node, kind, address } = handle;
    if (node !== this.#rank) refuse('ENOTREG', 'tcaDestroyHandle', `a handle of node ${node}`);
    this.#memory[kind].free(address - addressOf(node, kind, 0));
  }

  /** An empty chain. */
  tcaDescNew(): DescriptorChain {
    return { descriptors: [], words: [] };
  }

  /** Empties a chain. */
  tcaDescFree(chain: DescriptorChain): void {
    chain.descriptors.length = 0;
    chain.words.length = 0;
  }

  /** Appends a block. Errors: ENOTREG, ERANGE, EALIGN, ECHAIN. */
  tcaDescSetMemcpy(
    chain: DescriptorChain,
    target: Handle,
    targetOffset: number,
    source: Handle,
    sourceOffset: number,
    bytes: number,
    flags: DescriptorFlags = {},
    slot = 0,
    tag = 1,
  ): void {
    this.#append(
      'tcaDescSetMemcpy',
      chain,
      { handle: target, offset: targetOffset },
      { handle: source, offset: sourceOffset },
      { size: bytes, count: 1, srcStride: 0, dstStride: 0 },
      flags,
      slot,
      tag,
    );
  }

  /** Appends `height` blocks of `width` bytes at equal distances. Errors: ENOTREG, ERANGE, EALIGN, ECHAIN. */
  tcaDescSetMemcpy2D(
    chain: DescriptorChain,
    target: Handle,
    targetOffset: number,
    targetPitch: number,
    source: Handle,
    sourceOffset: number,
    sourcePitch: number,
    width: number,
    height: number,
    flags: DescriptorFlags = {},
    slot = 0,
    tag = 1,
  ): void {
    this.#append(
      'tcaDescSetMemcpy2D',
      chain,
      { handle: target, offset: targetOffset },
      { handle: source, offset: sourceOffset },
      { size: width, count: height, srcStride: sourcePitch, dstStride: targetPitch },
      flags,
      slot,
      tag,
    );
  }

  /** Loads a chain into a channel; words of CPU memory are stored there first, so that the channel finds them. Errors: ECHAIN, ERANGE, EBUSY for one that runs. */
  *tcaDescSet({ descriptors, words }: DescriptorChain, channel: number): Step {
    this.#checkChannel('tcaDescSet', channel);
    const wrong = chainError(descriptors);
    if (wrong !== undefined) refuse(wrong, 'tcaDescSet', `a chain of ${descriptors.length} descriptors`);
    this.#judge('tcaDescSet', `channel ${channel}`, yield { op: 'load', channel });
    for (const word of words) yield { op: 'write', ...word };
    this.#loaded[channel] = [...descriptors];
  }

  /** Starts the chain of a channel; as often as wanted. Errors: ECHAIN without a chain, EBUSY, and the code of a channel in error. */
  *tcaStartDMADesc(channel: number): Step {
    this.#checkChannel('tcaStartDMADesc', channel);
    const chain = this.#loaded[channel];
    if (chain === undefined) refuse('ECHAIN', 'tcaStartDMADesc', `channel ${channel} without a chain`);
    this.#judge('tcaStartDMADesc', `channel ${channel}`, yield { op: 'start', channel, chain });
  }

  /** Waits until the node of a handle has written a tag into a slot. Gives the time in nanoseconds. Errors: ERANGE. */
  *tcaWaitDMARecvDesc({ node }: Pick<Handle, 'node'>, slot: number, tag: number): Step<number> {
    this.#checkSlot('tcaWaitDMARecvDesc', slot);
    return Number(yield { op: 'wait', flags: [{ source: node, slot, tag }] });
  }

  /** Waits until a channel has stopped (TCA specification 8). Errors: the code of a channel in error. */
  *tcaWaitDMAC(channel: number): Step<number> {
    this.#checkChannel('tcaWaitDMAC', channel);
    const answer = yield { op: 'stopped', channels: [channel] };
    this.#judge('tcaWaitDMAC', `channel ${channel}`, answer);
    return Number(answer);
  }

  /** The busy bit of a channel, which is late by as much as 2 us (TCA specification 8). */
  *tcaBusyDMAC(channel: number): Step<boolean> {
    this.#checkChannel('tcaBusyDMAC', channel);
    return (yield { op: 'register', register: 'busy', channel }) === 1;
  }

  /** The code of the error of a channel, undefined without one. */
  *tcaErrorDMAC(channel: number): Step<string | undefined> {
    this.#checkChannel('tcaErrorDMAC', channel);
    const value = yield { op: 'register', register: 'error', channel };
    return typeof value === 'string' ? value : undefined;
  }

  /** Lets a channel in error begin anew; the others do not notice. */
  *tcaResetDMAC(channel: number): Step {
    this.#checkChannel('tcaResetDMAC', channel);
    yield { op: 'reset', channel };
  }

  /** Maps the PIO window onto the memory of a handle. */
  tcaSetPIORegion(handle: Handle): void {
    this.#window = this.tcaImportHandle(handle);
  }

  /** Stores at most 64 bytes into the window. Errors: ENOTREG without a window, ERANGE, EALIGN. */
  tcaSendPIO(offset: number, data: Uint8Array): void {
    const window = this.#window;
    if (window === undefined) refuse('ENOTREG', 'tcaSendPIO', 'no PIO region');
    if (data.length === 0 || data.length > 64 || offset < 0 || offset + data.length > window.bytes)
      refuse('ERANGE', 'tcaSendPIO', `${data.length} bytes at ${offset} of ${window.bytes}`);
    if (data.length % 4 !== 0 || offset % 4 !== 0)
      refuse('EALIGN', 'tcaSendPIO', `${data.length} bytes at ${offset}`);
    if (this.#stored !== undefined)
      refuse('EBUSY', 'tcaSendPIO', 'a store before the one before was committed');
    this.#stored = { address: window.address + offset, data: data.slice() };
  }

  /** Flushes the store: one write goes out; waits until the window is free again. Errors: ECHAIN when nothing was stored. */
  *tcaSendPIOCommit(): Step {
    const stored = this.#stored;
    if (stored === undefined) refuse('ECHAIN', 'tcaSendPIOCommit', 'nothing stored');
    this.#stored = undefined;
    this.#judge('tcaSendPIOCommit', `address ${stored.address}`, yield { op: 'pio', ...stored });
  }

  #append(
    call: string,
    chain: DescriptorChain,
    target: End,
    source: End,
    shape: Pick<Descriptor, 'size' | 'count' | 'srcStride' | 'dstStride'>,
    flags: DescriptorFlags,
    slot: number,
    tag: number,
  ): void {
    if (source.handle.node !== this.#rank)
      refuse('ENOTREG', call, `a source on node ${source.handle.node}: sources are local`);
    const begin = addressOf(this.#rank, source.handle.kind, 0);
    if (!this.#memory[source.handle.kind].holds(source.handle.address - begin, source.handle.bytes))
      refuse('ENOTREG', call, `a source at ${source.handle.address} that is not registered`);
    this.tcaImportHandle(target.handle);
    checkExtent(call, 'source', source, shape, shape.srcStride);
    checkExtent(call, 'destination', target, shape, shape.dstStride);
    this.#checkSlot(call, slot);
    const { useInternal, pipeline } = flags;
    const words: DescriptorChain['words'] = [];
    const added: Descriptor[] = [
      {
        src: source.handle.address + source.offset,
        dst: target.handle.address + target.offset,
        ...shape,
        ...(useInternal !== undefined && { useInternal }),
        ...(pipeline !== undefined && { pipeline }),
      },
    ];
    if (flags.notify) added.push(this.#word(target.handle.node, slot, tag, flags, words));
    if (flags.notifySelf) added.push(this.#word(this.#rank, slot, tag, flags, words));
    const wrong = chainError([...chain.descriptors, ...added]);
    if (wrong !== undefined)
      refuse(
        wrong,
        call,
        `${shape.count} blocks of ${shape.size} bytes behind ${chain.descriptors.length} descriptors`,
      );
    chain.descriptors.push(...added);
    chain.words.push(...words);
  }

  /** The descriptor of a notify word. */
  #word(
    target: number,
    slot: number,
    tag: number,
    { notifyInternal = true, useInternal }: DescriptorFlags,
    words: DescriptorChain['words'],
  ): Descriptor {
    const data = new Uint8Array(8);
    new DataView(data.buffer).setUint32(0, tag, true);
    const dst = addressOf(target, 'cpu', notifyOffset(this.#config.cpuBytes, this.#rank, slot));
    const src = notifyInternal
      ? 0
      : addressOf(this.#rank, 'cpu', this.#words.offset + 16 * slot + (dst % 16));
    if (!notifyInternal) words.push({ address: src, data });
    return {
      src,
      dst,
      size: 8,
      count: 1,
      srcStride: 0,
      dstStride: 0,
      ...(notifyInternal && { data }),
      ...(useInternal !== undefined && { useInternal }),
    };
  }

  #checkChannel(call: string, channel: number): void {
    if (!Number.isInteger(channel) || channel < 0 || channel >= channels)
      refuse('ERANGE', call, `channel ${channel}`);
  }

  #checkSlot(call: string, slot: number): void {
    if (!Number.isInteger(slot) || slot < 0 || slot >= notifySlots) refuse('ERANGE', call, `slot ${slot}`);
  }

  #judge(call: string, what: string, answer: NodeAnswer): void {
    if (typeof answer === 'string' && isDriverErrorCode(answer)) refuse(answer, call, what);
  }
}

/** Opens the driver of a node (TCA specification 10). */
export const tcaInit = (config: DriverConfig, rank: number, nodes: number): TcaDriver =>
  new TcaDriver(config, rank, nodes);

function refuse(code: DriverErrorCode, call: string, found: string): never {
  throw new DriverError(code, call, found);
}

function checkExtent(
  call: string,
  what: string,
  { handle, offset }: End,
  { size, count }: Pick<Descriptor, 'size' | 'count'>,
  stride: number,
): void {
  const last = offset + (count - 1) * stride;
  const [first, end] = [Math.min(offset, last), Math.max(offset, last) + size];
  if (first < 0 || end > handle.bytes)
    refuse('ERANGE', call, `${what} bytes ${first} to ${end} of a handle of ${handle.bytes}`);
}
