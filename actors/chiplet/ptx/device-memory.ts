import { invariant } from '../../../kernel/errors.ts';
import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { alignedUp, allocationAlign, deviceBase, localWindow } from './address-space.ts';
import type { Sampler, Texture } from './texture.ts';

/** A stretch of device memory that a program may use. */
export interface Allocation {
  readonly address: number;
  readonly bytes: number;
  /** True for a variable of `.const`. */
  readonly constant?: boolean;
}

/** What lies in device memory before a program begins: variables of its texts. */
export interface MemoryImage {
  readonly bytes: Uint8Array;
  readonly allocations: readonly Allocation[];
  /** Where the variables of each name lie: several where texts have one of the same name. */
  readonly variables?: ReadonlyMap<string, readonly Allocation[]>;
}

/** A name of a variable that cannot be found. */
export class VariableError extends Error {
  override readonly name = 'VariableError';
}

const initialBytes = 1 << 12;

/** Bytes that kernels may have allocated at a time, as CUDA has it unless it is told otherwise. */
export const heapBytesMost = 8 << 20;

/**
 * The memory of a GPU chiplet: allocations in flat addresses (chiplet specification 4.5, 7.1).
 *
 * Details: views of 1, 2 and 4 bytes over one buffer, at address - `deviceBase`; little endian. A fork shares the buffer until one side writes: whoever
 * writes calls `claim` before. Gotchas: views change in `claim` and `allocate`; do not keep them.
 */
export class DeviceMemory implements Resource {
  #allocations: Allocation[];
  #shared = false;
  /** Allocations that kernels made, with their bytes. */
  readonly #heap: Map<number, number>;
  readonly #printed: string[];
  /** Textures and surfaces, and samplers, by their handles: bound before a run, and the same in all of it. */
  readonly textures: Map<number, Texture>;
  readonly samplers: Map<number, Sampler>;
  readonly #variables: ReadonlyMap<string, readonly Allocation[]>;
  bytes: Uint8Array;
  halves: Uint16Array;
  words: Int32Array;
  /** The allocation that was looked up last: first address, and the one after the last. */
  low = 0;
  high = 0;

  constructor(image?: MemoryImage, from?: DeviceMemory) {
    this.#heap = new Map(from ? from.#heap : []);
    this.#printed = from ? [...from.#printed] : [];
    this.textures = new Map(from?.textures);
    this.samplers = new Map(from?.samplers);
    this.#variables = from ? from.#variables : (image?.variables ?? new Map());
    this.#allocations = from ? [...from.#allocations] : [...(image?.allocations ?? [])];
    const buffer = from ? from.bytes.buffer : new ArrayBuffer(initialBytes);
    this.bytes = new Uint8Array(buffer as ArrayBuffer);
    this.halves = new Uint16Array(buffer as ArrayBuffer);
    this.words = new Int32Array(buffer as ArrayBuffer);
    if (image) {
      this.#reach(image.bytes.length);
      this.bytes.set(image.bytes);
    }
  }

  /** The allocations, by address. */
  get allocations(): readonly Allocation[] {
    return this.#allocations;
  }

  hasVariable(name: string): boolean {
    return this.#variables.has(name);
  }

  /** The variable of `.global` or `.const` of this name. Errors: `VariableError`. */
  variable(name: string): Allocation {
    const [one, ...others] = this.#variables.get(name) ?? [];
    if (one !== undefined && others.length === 0) return one;
    throw new VariableError(
      one === undefined
        ? `E-LAUNCH found the variable "${name}", expected one of .global or .const: ${[...this.#variables.keys()].join(', ') || 'the texts have none'}`
        : `E-LAUNCH found ${others.length + 1} variables "${name}" in the texts, expected one`,
    );
  }

  /** A new allocation, aligned to 256, filled with 0; undefined when there is no room. Bytes: at least 0. */
  allocate(bytes: number): number | undefined {
    invariant(Number.isSafeInteger(bytes) && bytes >= 0, `${bytes} bytes cannot be allocated`);
    let at = deviceBase;
    let index = 0;
    for (; index < this.#allocations.length; index++) {
      const next = this.#allocations[index]!;
      if (at + Math.max(1, bytes) <= next.address) break;
      at = alignedUp(next.address + Math.max(1, next.bytes), allocationAlign);
    }
    if (at + bytes > localWindow) return undefined;
    this.#allocations.splice(index, 0, { address: at, bytes });
    this.#reach(at + bytes - deviceBase);
    this.claim();
    this.bytes.fill(0, at - deviceBase, at - deviceBase + bytes);
    return at;
  }

  /** Gives an allocation back. False when none begins there. */
  free(address: number): boolean {
    const at = this.#allocations.findIndex((one) => one.address === address);
    if (at < 0) return false;
    this.#allocations.splice(at, 1);
    this.low = 0;
    this.high = 0;
    return true;
  }

  /** What kernels wrote with printf, in order. */
  get printed(): readonly string[] {
    return this.#printed;
  }

  print(text: string): void {
    this.#printed.push(text);
  }

  /** malloc in a kernel: an address, or 0 when the heap has no room. */
  allocateOnHeap(bytes: number): number {
    const used = [...this.#heap.values()].reduce((sum, one) => sum + one, 0);
    if (bytes === 0 || used + bytes > heapBytesMost) return 0;
    const address = this.allocate(bytes);
    if (address === undefined) return 0;
    this.#heap.set(address, bytes);
    return address;
  }

  /** free in a kernel. False when malloc did not give this address. */
  freeOnHeap(address: number): boolean {
    return this.#heap.delete(address) && this.free(address);
  }

  /** Whether an address is of a variable of `.const`. */
  isConstant(at: number): boolean {
    return this.#allocations.some(
      ({ address, bytes, constant }) => constant && at >= address && at < address + bytes,
    );
  }

  /** Looks up the allocation that holds these bytes, into `low` and `high`. False when there is none. */
  find(address: number, bytes: number): boolean {
    let first = 0;
    let last = this.#allocations.length - 1;
    while (first <= last) {
      const middle = (first + last) >> 1;
      const one = this.#allocations[middle]!;
      if (address < one.address) last = middle - 1;
      else if (address >= one.address + one.bytes) first = middle + 1;
      else {
        this.low = one.address;
        this.high = one.address + one.bytes;
        return address + bytes <= this.high;
      }
    }
    return false;
  }

  /** Makes the buffer this memory's own, since it will be written. */
  claim(): void {
    if (!this.#shared) return;
    this.#use(this.bytes.buffer.slice(0) as ArrayBuffer);
    this.#shared = false;
  }

  fork(): DeviceMemory {
    const copy = new DeviceMemory(undefined, this);
    this.#shared = true;
    copy.#shared = true;
    return copy;
  }

  hash(into: Hasher): void {
    for (const { address, bytes } of this.#allocations) {
      into.number(address);
      into.numbers(this.bytes, address - deviceBase, address - deviceBase + bytes);
    }
    for (const block of [...this.#heap].sort(([one], [other]) => one - other)) into.numbers(block);
    for (const text of this.#printed) into.string(text);
  }

  /** Makes room for so many bytes. */
  #reach(bytes: number): void {
    const had = this.bytes.length;
    if (bytes <= had) return;
    const buffer = new ArrayBuffer(alignedUp(Math.max(bytes, 2 * had), 8));
    new Uint8Array(buffer).set(this.bytes);
    this.#use(buffer);
    this.#shared = false;
  }

  #use(buffer: ArrayBuffer): void {
    this.bytes = new Uint8Array(buffer);
    this.halves = new Uint16Array(buffer);
    this.words = new Int32Array(buffer);
  }
}
