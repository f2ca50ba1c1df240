import { z } from 'zod';
import { deviceBase } from '../../actors/chiplet/ptx/address-space.ts';
import type { KernelCounts } from '../../actors/chiplet/ptx/counts.ts';
import { DeviceMemory } from '../../actors/chiplet/ptx/device-memory.ts';
import { FunctionalGrid } from '../../actors/chiplet/ptx/functional-grid.ts';
import { type LaunchValue, launchOf } from '../../actors/chiplet/ptx/launch.ts';
import type { PtxProgram } from '../../actors/chiplet/ptx/program.ts';
import { bufferNamed, numberOf, structureOf } from './gpu-case.ts';

/*
 * Files of format `lockstep-gpu/1`: launches of compiled kernels with the bytes that a GPU answered.
 */

const dimensions = z.tuple([z.int().min(1), z.int().min(1), z.int().min(1)]);
const elementTypes = [
  'u8',
  's8',
  'u16',
  's16',
  'f16',
  'bf16',
  'u32',
  's32',
  'f32',
  'u64',
  's64',
  'f64',
] as const;

/** What the elements of a measured buffer are. */
export type ElementType = (typeof elementTypes)[number];

const buffer = z
  .object({
    type: z.enum(elementTypes),
    bytes: z.int().min(0),
    base64: z.string().optional(),
    fill: z.int().min(0).max(255).optional(),
  })
  .refine(
    ({ base64, fill }) => (base64 === undefined) !== (fill === undefined),
    'base64 or fill, one of them',
  );

const pointer = z.object({ offset: z.int().min(0), ptr: z.string() });

const parameter = z.union([
  z.strictObject({ ptr: z.string() }),
  z.strictObject({ bytes: z.string(), pointers: z.array(pointer).default([]) }),
  z.strictObject({ u32: z.int() }),
  z.strictObject({ s32: z.int() }),
  z.strictObject({ u64: z.int() }),
  z.strictObject({ s64: z.int() }),
  z.strictObject({ f32: z.number() }),
  z.strictObject({ f64: z.number() }),
]);

const answer = z.object({
  /** Buffers that changed, in base64. */
  outputs: z.record(z.string(), z.string()),
  /** False when two launches gave different bytes. */
  deterministic: z.boolean(),
  /** Cycles of a first launch and of a later one. */
  cycles: z.object({ cold: z.number(), warm: z.number() }).optional(),
});

const oneCase = z.object({
  name: z.string(),
  entry: z.string(),
  grid: dimensions,
  block: dimensions,
  dynamicSharedBytes: z.int().min(0).default(0),
  params: z.array(parameter),
  buffers: z.record(z.string(), buffer),
  compare: z.array(z.string()),
  expected: z.record(z.string(), answer),
});

/** A file of measured launches. */
export const measuredFile = z.object({
  format: z.literal('lockstep-gpu/1'),
  gpu: z.string(),
  cases: z.array(oneCase).min(1),
});

/** A launch that was measured, by each of its texts. */
export type MeasuredCase = z.infer<typeof oneCase>;

/** What a launch left in its buffers. */
export interface MeasuredOutcome {
  readonly buffers: ReadonlyMap<string, Uint8Array>;
  readonly counts: KernelCounts;
}

/** The bytes of a buffer before the launch. */
export function initialBytes({ bytes, base64, fill = 0 }: MeasuredCase['buffers'][string]): Uint8Array {
  const filled = new Uint8Array(bytes).fill(fill);
  if (base64 !== undefined) filled.set(Buffer.from(base64, 'base64').subarray(0, bytes));
  return filled;
}

/** The bytes that a GPU left in a buffer: those before the launch when it did not change. */
export function measuredBytes(one: MeasuredCase, text: string, name: string): Uint8Array {
  const output = one.expected[text]?.outputs[name];
  return output === undefined
    ? initialBytes(one.buffers[name]!)
    : new Uint8Array(Buffer.from(output, 'base64'));
}

/**
 * Runs a measured launch without timing, for at most `stepsMost` warp instructions.
 *
 * Errors: `LaunchError`, `MemoryFault`, `KernelTrap`, `BarrierDeadlock`, `StepLimit`.
 */
export function runMeasured(program: PtxProgram, one: MeasuredCase, stepsMost: number): MeasuredOutcome {
  const { memory, launch, places } = prepareMeasured(program, one);
  const nobody = { send: () => {}, receive: () => undefined };
  const grid = new FunctionalGrid(launch, memory, nobody, { stepsMost });
  grid.run();
  return { buffers: buffersIn(memory, places), counts: grid.counts };
}

/** Where the buffers of a measured launch lie, by name. */
export type MeasuredPlaces = ReadonlyMap<string, { readonly address: number; readonly bytes: number }>;

/** The bytes of the buffers. */
export const buffersIn = (memory: DeviceMemory, places: MeasuredPlaces): MeasuredOutcome['buffers'] =>
  new Map(
    [...places].map(([name, { address, bytes }]) => [
      name,
      memory.bytes.slice(address - deviceBase, address - deviceBase + bytes),
    ]),
  );

/** Puts the buffers of a measured launch into memory. Errors: `LaunchError`. */
export function prepareMeasured(program: PtxProgram, one: MeasuredCase) {
  const memory = new DeviceMemory(program.image);
  const places = new Map<string, { readonly address: number; readonly bytes: number }>();
  for (const [name, given] of Object.entries(one.buffers)) {
    const bytes = initialBytes(given);
    const address = memory.allocate(bytes.length)!;
    memory.bytes.set(bytes, address - deviceBase);
    places.set(name, { address, bytes: bytes.length });
  }
  const kernel = program.kernels.get(one.entry)!;
  const args = one.params.map((given, index): LaunchValue => {
    const addressOf = (name: string): number => bufferNamed(name, places, kernel, index).address;
    if ('ptr' in given) return addressOf(given.ptr);
    if (!('bytes' in given)) return numberOf(given, kernel, index);
    return structureOf(
      { ...given, bytes: [...Buffer.from(given.bytes, 'base64')] },
      addressOf,
      kernel,
      index,
    );
  });
  const launch = launchOf(kernel, one.grid, one.block, args, one.dynamicSharedBytes);
  return { memory, launch, args, places };
}
