import { MailboxStore } from '../../actors/chiplet/gpu/mailbox-store.ts';
import { deviceBase } from '../../actors/chiplet/ptx/address-space.ts';
import type { KernelCounts } from '../../actors/chiplet/ptx/counts.ts';
import { type Allocation, DeviceMemory, VariableError } from '../../actors/chiplet/ptx/device-memory.ts';
import { FunctionalGrid, type FunctionalOptions } from '../../actors/chiplet/ptx/functional-grid.ts';
import type { Kernel } from '../../actors/chiplet/ptx/kernel.ts';
import {
  type Dimensions,
  type Launch,
  LaunchError,
  type LaunchValue,
  launchOf,
} from '../../actors/chiplet/ptx/launch.ts';
import type { ChipletAddress } from '../../actors/chiplet/ptx/message-code.ts';
import type { PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import type { Sampler } from '../../actors/chiplet/ptx/texture.ts';
import { decodeExactly, decodeValues, encodeValues } from '../../actors/chiplet/ptx/typed-values.ts';
import { bitsOf, bytesOf, isReal, type ValueType } from '../../actors/chiplet/ptx/value-type.ts';
import { bytesOfValue } from '../../actors/chiplet/ptx/variables.ts';
import { bindTextures, type CaseTexture } from './gpu-case-textures.ts';

/*
 * Cases of one launch each: buffers, parameters, values that wait in the mailbox, and what is there afterwards.
 */

/** A value in a buffer; a `bigint` for one of 64 bits that a number cannot hold exactly. */
export type CaseValue = number | bigint;

/** A buffer in device memory, by its element type. */
export interface CaseBuffer {
  readonly type: ValueType;
  readonly data: readonly CaseValue[];
}

/** A parameter: the address of a buffer, a structure, or a number. */
export type CaseParameter =
  | { readonly ptr: string }
  /** The handle of a texture, surface or sampler. */
  | { readonly texture: string }
  /** A structure by its bytes, with addresses of buffers put into it. */
  | {
      readonly bytes: readonly number[];
      readonly pointers?: readonly { readonly offset: number; readonly ptr: string }[];
    }
  | NumberParameter;

/** A number by its type. */
export type NumberParameter =
  | { readonly u32: number }
  | { readonly s32: number }
  | { readonly u64: number }
  | { readonly s64: number }
  | { readonly f32: number }
  | { readonly f64: number };

/** One message, as it left a chiplet. */
export interface SentMessage {
  readonly src: ChipletAddress;
  readonly dst: ChipletAddress;
  readonly value: number;
}

/** A launch with its data. */
export interface GpuCase {
  readonly name: string;
  readonly entry: string;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly dynamicSharedBytes?: number;
  /** Blocks of a cluster in each direction, where the kernel does not fix them. */
  readonly cluster?: Dimensions;
  readonly params: readonly CaseParameter[];
  readonly buffers: Readonly<Record<string, CaseBuffer>>;
  /** What variables of the texts hold at launch. */
  readonly variables?: Readonly<Record<string, CaseBuffer>>;
  readonly textures?: Readonly<Record<string, CaseTexture>>;
  readonly samplers?: Readonly<Record<string, Partial<Sampler>>>;
  /** Values that wait, by their sender. */
  readonly inbox?: readonly {
    readonly src: ChipletAddress;
    /** The chiplet that receives them, the one that runs the kernel. */
    readonly dst?: ChipletAddress;
    readonly values: readonly number[];
  }[];
}

/** What a launch left behind. */
export interface CaseOutcome {
  /** Those of 64 bits are rounded to what a number holds. */
  readonly buffers: Readonly<Record<string, readonly number[]>>;
  /** The buffers, with values of 64 bits that a number cannot hold exactly. */
  readonly exactly: () => Readonly<Record<string, readonly CaseValue[]>>;
  readonly sent: readonly SentMessage[];
  readonly counts: KernelCounts;
  /** False when it waits for messages that never come. */
  readonly finished: boolean;
}

/** A case made ready: memory, launch, mailbox. */
export interface PreparedCase {
  readonly memory: DeviceMemory;
  readonly launch: Launch;
  /** Values of the parameters. */
  readonly args: readonly LaunchValue[];
  readonly mailbox: MailboxStore;
  /** Reads the buffers as they are in a memory. */
  read(memory: DeviceMemory): Pick<CaseOutcome, 'buffers' | 'exactly'>;
}

/** The buffer that the parameter of a kernel of this index names. Errors: `LaunchError` when there is none. */
export function bufferNamed<Place>(
  name: string,
  places: ReadonlyMap<string, Place>,
  kernel: Kernel,
  index: number,
): Place {
  const place = places.get(name);
  if (place) return place;
  const parameter = kernel.parameters[index]?.name ?? 'a texture';
  throw new LaunchError(
    `E-LAUNCH ${kernel.name}: found the buffer ${JSON.stringify(name)} for ${parameter}, expected one of the case: ${[...places.keys()].join(', ') || 'it has none'}`,
  );
}

/** The bytes of a structure with its pointers, 8 bytes each. Errors: `LaunchError` for one that lies outside. */
export function structureOf(
  { bytes, pointers = [] }: Extract<CaseParameter, { readonly bytes: readonly number[] }>,
  addressOf: (name: string) => number,
  kernel: Kernel,
  index: number,
): LaunchValue {
  const filled = Uint8Array.from(bytes);
  const view = new DataView(filled.buffer);
  for (const { offset, ptr } of pointers) {
    if (offset + 8 > filled.length)
      throw new LaunchError(
        `E-LAUNCH ${kernel.name}: found a pointer at byte ${offset} of parameter ${index}, expected it within its ${filled.length} bytes`,
      );
    view.setBigUint64(offset, BigInt(addressOf(ptr)), true);
  }
  return { bytes: [...filled] };
}

/** The value of a number, as the kernel declares it. Errors: `LaunchError` for one of another size, and for a real where a whole number is declared or the other way round. */
export function numberOf(given: NumberParameter, kernel: Kernel, index: number): LaunchValue {
  const [[type, value]] = Object.entries(given) as [[ValueType, number]];
  const declared = kernel.parameters[index];
  // How many there are, and which are structures, is judged with the launch.
  if (declared === undefined || declared.type === type || declared.bytes !== bytesOf(declared.type))
    return value;
  const isUntyped = declared.type.startsWith('b');
  if (bitsOf(declared.type) !== bitsOf(type) || (isReal(declared.type) !== isReal(type) && !isUntyped))
    throw new LaunchError(
      `E-LAUNCH ${kernel.name}: found the ${type} ${value} for ${declared.name}, expected ${declared.type} as the kernel declares it`,
    );
  return isUntyped && isReal(type) ? { bytes: [...bytesOfValue(type, value, 0n)] } : value;
}

/** The bytes of a buffer or variable. Errors: `LaunchError` for a value that its type does not have. */
function bytesOfValues(kernel: Kernel, name: string, { type, data }: CaseBuffer): Uint8Array {
  const wrong = data.findIndex((value) => !isOfType(type, value));
  if (wrong < 0) return encodeValues(type, data);
  const value = data[wrong]!;
  const cure = Number.isInteger(value) && !Number.isSafeInteger(value) ? ': write it in quotes' : '';
  throw new LaunchError(
    `E-LAUNCH ${kernel.name}: found ${value} at ${name}[${wrong}], expected a value of type ${type}${cure}`,
  );
}

/** True for reals, and for whole numbers of so many bits, with or without sign: their bits are the same. */
function isOfType(type: ValueType, value: CaseValue): boolean {
  if (type.startsWith('f')) return true;
  const bits = bitsOf(type);
  if (typeof value === 'number') return Number.isSafeInteger(value) && (bits === 64 || isWithin(value, bits));
  return value >= -(1n << BigInt(bits - 1)) && value < 1n << BigInt(bits);
}

const isWithin = (value: number, bits: number): boolean => value >= -(2 ** (bits - 1)) && value < 2 ** bits;

/** Fills variables of the texts from their beginning. Errors: `LaunchError` for one that there is not, or is too small. */
function setVariables(
  memory: DeviceMemory,
  kernel: Kernel,
  variables: NonNullable<GpuCase['variables']>,
): void {
  for (const [name, values] of Object.entries(variables)) {
    const bytes = bytesOfValues(kernel, name, values);
    const { address, bytes: room } = variableNamed(memory, name);
    if (bytes.length > room)
      throw new LaunchError(
        `E-LAUNCH found ${bytes.length} bytes for the variable ${name}, expected ${room} at most`,
      );
    memory.claim();
    memory.bytes.set(bytes, address - deviceBase);
  }
}

function variableNamed(memory: DeviceMemory, name: string): Allocation {
  try {
    return memory.variable(name);
  } catch (error) {
    if (error instanceof VariableError) throw new LaunchError(error.message);
    throw error;
  }
}

type Decoder<Value> = (
  memory: DeviceMemory,
  address: number,
  type: ValueType,
  count: number,
) => readonly Value[];

/** Puts the buffers of a case into memory. Errors: `LaunchError`. */
export function prepareCase(program: PtxProgram, kernel: Kernel, given: GpuCase): PreparedCase {
  const memory = new DeviceMemory(program.image);
  const places = new Map<string, { readonly address: number; readonly buffer: CaseBuffer }>();
  for (const [name, buffer] of Object.entries(given.buffers)) {
    const bytes = bytesOfValues(kernel, name, buffer);
    const address = memory.allocate(bytes.length)!;
    memory.bytes.set(bytes, address - deviceBase);
    places.set(name, { address, buffer });
  }
  setVariables(memory, kernel, given.variables ?? {});
  const handleOf = bindTextures(memory, given.textures ?? {}, given.samplers ?? {}, (name) => {
    const { address, buffer } = bufferNamed(name, places, kernel, -1);
    return { address, bytes: buffer.data.length * bytesOf(buffer.type) };
  });
  const args = given.params.map((one, index): LaunchValue => {
    const addressOf = (name: string): number => bufferNamed(name, places, kernel, index).address;
    if ('ptr' in one) return addressOf(one.ptr);
    if ('texture' in one) return handleOf(one.texture);
    return 'bytes' in one ? structureOf(one, addressOf, kernel, index) : numberOf(one, kernel, index);
  });
  const buffersBy = <Value>(decode: Decoder<Value>, from: DeviceMemory): Record<string, readonly Value[]> =>
    Object.fromEntries(
      [...places].map(
        ([
          name,
          {
            address,
            buffer: { type, data },
          },
        ]) => [name, decode(from, address, type, data.length)],
      ),
    );
  const mailbox = new MailboxStore('queue');
  for (const { src, values: waiting } of given.inbox ?? [])
    for (const one of waiting) mailbox.arrive(src, one);
  return {
    memory,
    args,
    launch: launchOf(kernel, given.grid, given.block, args, given.dynamicSharedBytes, given.cluster),
    mailbox,
    read: (from) => ({
      buffers: buffersBy(decodeValues, from),
      exactly: () => buffersBy(decodeExactly, from),
    }),
  };
}

/** Runs a case without timing. Errors: `LaunchError`, `MemoryFault`, `MessageFault`, `BarrierDeadlock`. */
export function runCase(
  program: PtxProgram,
  kernel: Kernel,
  given: GpuCase,
  options: FunctionalOptions = {},
): CaseOutcome {
  const { memory, launch, mailbox, read } = prepareCase(program, kernel, given);
  const sent: SentMessage[] = [];
  const grid = new FunctionalGrid(
    launch,
    memory,
    {
      send: ({ own, peer, value }) => sent.push({ src: own, dst: peer, value }),
      receive: ({ peer, value }) => mailbox.take(peer, value),
    },
    options,
  );
  const progress = grid.run();
  return { ...read(memory), sent, counts: grid.counts, finished: progress === 'finished' };
}
