import { z } from 'zod';
import { addressings, channelTypes, filters } from '../../actors/chiplet/ptx/texture.ts';
import { numberTypes, type ValueType } from '../../actors/chiplet/ptx/value-type.ts';
import type { GpuCase } from './gpu-case.ts';

/*
 * Files of cases: `{ptx, cases: [{name, entry, grid, block, params, buffers, expected, …}]}`.
 */

const address = z.tuple([z.int().min(0).max(99), z.int().min(0).max(99)]);
const dimensions = z.tuple([z.int().min(1), z.int().min(1), z.int().min(1)]);
const bufferTypes = [...numberTypes] as [ValueType, ...ValueType[]];

const pointer = z.strictObject({ offset: z.int().min(0), ptr: z.string() });
const structure = z.strictObject({
  bytes: z.array(z.int().min(0).max(255)),
  pointers: z.array(pointer).default([]),
});

const parameter = z.union([
  z.strictObject({ ptr: z.string() }),
  structure,
  z.strictObject({ texture: z.string() }),
  z.strictObject({ u32: z.int() }),
  z.strictObject({ s32: z.int() }),
  z.strictObject({ u64: z.int() }),
  z.strictObject({ s64: z.int() }),
  z.strictObject({ f32: z.number() }),
  z.strictObject({ f64: z.number() }),
]);

/** Counts that a case may expect, by the names of its file. */
export const expectedCounts = {
  threadInstructions: 'threadInstructions',
  warpInstructions: 'warpInstructions',
  divergentBranches: 'divergentBranches',
  barriersCompleted: 'barriersCompleted',
  globalLoadInstr: 'globalLoads',
  globalStoreInstr: 'globalStores',
  globalSegments128B: 'globalSegments',
} as const;

const stats = z.partialRecord(
  z.enum(Object.keys(expectedCounts) as [keyof typeof expectedCounts, ...(keyof typeof expectedCounts)[]]),
  z.int(),
);

const typed = z.object({ type: z.enum(bufferTypes), data: z.array(z.number()) });

const sampler = {
  addressing: z.enum(addressings).default('clamp'),
  filter: z.enum(filters).default('point'),
  normalized: z.boolean().default(false),
};
const texture = z.strictObject({
  ...sampler,
  buffer: z.string(),
  channel: z.enum(channelTypes),
  channels: z.union([z.literal(1), z.literal(2), z.literal(4)]).default(1),
  width: z.int().min(1),
  height: z.int().min(1).default(1),
  depth: z.int().min(1).default(1),
  rowBytes: z.int().min(1).optional(),
  asReals: z.boolean().default(false),
});

const oneCase = z.object({
  name: z.string(),
  entry: z.string(),
  grid: dimensions,
  block: dimensions,
  dynamicSharedBytes: z.int().min(0).default(0),
  /** Blocks of a cluster, where the kernel does not fix them. */
  cluster: dimensions.optional(),
  params: z.array(parameter),
  buffers: z.record(z.string(), typed).default({}),
  /** What variables of .global and .const hold at launch; bytes behind these values keep those of the text. */
  variables: z.record(z.string(), typed).default({}),
  textures: z.record(z.string(), texture).default({}),
  samplers: z.record(z.string(), z.strictObject(sampler)).default({}),
  inbox: z.array(z.object({ src: address, dst: address, values: z.array(z.int()) })).default([]),
  expected: z.record(z.string(), z.array(z.number())).default({}),
  /** |found - expected| is at most this share of the larger of |expected| and 0.001. */
  relTolerance: z.number().min(0).default(0),
  messagesSent: z.array(z.object({ src: address, dst: address, value: z.int() })).optional(),
  stats: stats.optional(),
});

/** A file of cases. */
export const gpuCaseFile = z.object({
  /** The text, beside the file. */
  ptx: z.string(),
  cases: z.array(oneCase).min(1),
});

/** A case with what is expected of it. */
export type ExpectedCase = z.infer<typeof oneCase>;

/** What to run of it. */
export const caseOf = (one: ExpectedCase): GpuCase => one as GpuCase;

/** Where two lists of values first differ; undefined when they agree within the tolerance. */
export function firstDifference(
  found: readonly number[] | undefined,
  expected: readonly number[],
  relTolerance: number,
): { readonly index: number; readonly expected: number; readonly found: number | undefined } | undefined {
  for (const [index, wanted] of expected.entries()) {
    const value = found?.[index];
    const near =
      value !== undefined && Math.abs(value - wanted) <= relTolerance * Math.max(0.001, Math.abs(wanted));
    if (!near && !Object.is(value, wanted) && value !== wanted)
      return { index, expected: wanted, found: value };
  }
  return undefined;
}
