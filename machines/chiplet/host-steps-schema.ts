import { z } from 'zod';
import type { HostStep } from '../../actors/chiplet/gpu/host-steps.ts';
import { isReal, numberTypes, type ValueType } from '../../actors/chiplet/ptx/value-type.ts';
import { exactNumber } from '../exact-number.ts';

/*
 * Operations of a host as data in a scenario (chiplet specification 4.5). Data files are named by `data`: a key `file` would be read as a file beside
 * the scenario.
 */

const address = z.tuple([z.int().min(0).max(99), z.int().min(0).max(99)]);
const dimensions = z.tuple([z.int().min(1), z.int().min(1), z.int().min(1)]);
const name = z.string().min(1);
const count = z.int().min(0);
const values = z.union([z.array(z.int()), name]);
const memoryTypes = [...numberTypes] as [ValueType, ...ValueType[]];
const type = z.enum(memoryTypes).default('s32');

const argument = z.union([
  z.strictObject({ ptr: name }),
  z.strictObject({ own: z.enum(['x', 'y']) }),
  z.number().transform((number) => ({ number })),
]);

/** Schema of one operation. */
export const hostStep = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('malloc'), as: name, bytes: count }),
  z.strictObject({ op: z.literal('symbol'), as: name, name }),
  z.strictObject({ op: z.literal('free'), of: name }),
  z
    .strictObject({ op: z.literal('copyIn'), to: name, type, values: z.union([z.array(exactNumber), name]) })
    .refine(
      ({ type, values }) =>
        isReal(type) ||
        typeof values === 'string' ||
        values.every((one) => typeof one === 'bigint' || Number.isInteger(one)),
      {
        path: ['values'],
        message: 'expected whole numbers, or the type f32 or f64',
      },
    ),
  z.strictObject({ op: z.literal('copyOut'), from: name, type, count, as: name }),
  z.strictObject({
    op: z.literal('launch'),
    kernel: name,
    grid: dimensions.default([1, 1, 1]),
    block: dimensions.default([1, 1, 1]),
    args: z.array(argument).default([]),
    dynamicSharedBytes: count.optional(),
    cluster: dimensions.optional(),
  }),
  z.strictObject({ op: z.literal('compute'), instructions: count }),
  z.strictObject({ op: z.literal('access'), elements: count }),
  z.strictObject({ op: z.literal('send'), to: address, values }),
  z.strictObject({ op: z.literal('receive'), from: address, count, as: name }),
  z
    .strictObject({ op: z.literal('loadInts'), data: name, from: count, to: count, as: name })
    .transform(({ data, ...step }) => ({ ...step, file: data })),
  z
    .strictObject({ op: z.literal('output'), name, values })
    .transform(({ name, ...step }) => ({ ...step, file: name })),
]);

/** Checked operations; what is absent in the schema is absent here. */
export const asHostSteps = (steps: readonly z.output<typeof hostStep>[]): readonly HostStep[] =>
  steps as readonly HostStep[];
