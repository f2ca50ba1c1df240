import { z } from 'zod';
import { addressings, channelTypes, filters } from '../../actors/chiplet/ptx/texture.ts';
import { numberTypes, type ValueType } from '../../actors/chiplet/ptx/value-type.ts';
import type { CaseBuffer, CaseValue, GpuCase } from './gpu-case.ts';

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

/** A number, or in quotes what JSON has no number for: whole numbers of 64 bits, infinities, NaN. */
const value = z.union([
  z.number(),
  z
    .string()
    .regex(/^(?:-?\d+|NaN|-?Infinity)$/, 'expected a number, or as text digits, "NaN" or "Infinity"')
    .meta({ title: 'digits, "NaN" or "Infinity" as text' }),
]);
const typed = z.strictObject({ type: z.enum(bufferTypes), data: z.array(value) });

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

const oneCase = z.strictObject({
  name: z.string(),
  /** For readers. */
  note: z.string().optional(),
  /** True for what not every simulator has to carry out. */
  optional: z.boolean().optional(),
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
  expected: z.record(z.string(), z.array(value)).default({}),
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

const readValue = (written: z.infer<typeof value>): CaseValue =>
  typeof written === 'string' && /\d/.test(written) ? BigInt(written) : Number(written);

const buffersOf = (written: ExpectedCase['buffers']): Readonly<Record<string, CaseBuffer>> =>
  Object.fromEntries(
    Object.entries(written).map(([name, { type, data }]) => [name, { type, data: data.map(readValue) }]),
  );

/** What to run of it. */
export const caseOf = (one: ExpectedCase): GpuCase =>
  ({ ...one, buffers: buffersOf(one.buffers), variables: buffersOf(one.variables) }) as GpuCase;

/** Where a buffer first differs from what is expected of it; undefined when they agree within the tolerance. */
export function firstDifference(
  found: readonly CaseValue[] | undefined,
  expected: ExpectedCase['expected'][string],
  relTolerance: number,
):
  | { readonly index: number; readonly expected: CaseValue; readonly found: CaseValue | undefined }
  | undefined {
  for (const [index, written] of expected.entries()) {
    const wanted = readValue(written);
    const value = found?.[index];
    if (value === undefined || !isNear(value, wanted, relTolerance))
      return { index, expected: wanted, found: value };
  }
  return undefined;
}

function isNear(value: CaseValue, wanted: CaseValue, relTolerance: number): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint of the same value are equal.
  if (value == wanted || Object.is(value, wanted)) return true;
  const [one, other] = [Number(value), Number(wanted)];
  return relTolerance > 0 && Math.abs(one - other) <= relTolerance * Math.max(0.001, Math.abs(other));
}
