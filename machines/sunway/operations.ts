import { z } from 'zod';
import { hostCalls } from '../../actors/sunway/calls/host-calls.ts';
import { cpeCalls } from '../../actors/sunway/cpe-api.ts';
import { isStart } from './call-forms.ts';

const isKey = <T extends object>(all: T) => Object.keys(all) as [keyof T & string, ...(keyof T & string)[]];

const tid = z.int().min(0).max(63);
const name = z.string().regex(/^[A-Za-z]\w*$/, 'expected a letter, then letters, digits and underscores');
const perCpe = z.int().default(0).describe('added once for each number of the CPE: 16 is 48 for CPE 3');

const argument = z.union([
  z.number().describe('a number'),
  z.string().describe('a static variable or reply word; a type of access, a text'),
  z.null().describe('no reply word'),
  z.array(z.number()).describe('bytes, lanes'),
  z
    .strictObject({ of: name, plus: z.int().min(0).default(0), perCpe })
    .describe('a byte inside a static variable'),
  z
    .strictObject({ memory: z.int().min(0), perCpe })
    .describe('a byte of the buffer in main memory, by its offset'),
  z.strictObject({ number: z.number(), perCpe }).describe('a number that depends on the CPE'),
  z
    .strictObject({ block: z.int().min(0), plus: z.int().min(0).default(0) })
    .describe('a byte of a block that the CPE has allocated, by the number of its allocation from 0'),
  z
    .strictObject({ peer: z.int() })
    .describe('the CPE so many numbers further, behind the last comes the first'),
]);

/** One argument of a written operation. */
export type WrittenArgument = z.output<typeof argument>;

/** A call as it is written: the name in the runtime without its prefix, then the arguments in the order of the runtime. */
export type WrittenCall = readonly [string, ...WrittenArgument[]];

/** One step of a slave program: a call, or calls of some CPEs alone. */
export type WrittenStep =
  | WrittenCall
  | { readonly on: readonly number[]; readonly do: readonly WrittenCall[] };

const callOf = (names: [string, ...string[]]) =>
  z.tuple([z.enum(names)], argument).readonly() as unknown as z.ZodType<WrittenCall>;

const slaveCall = callOf(isKey(cpeCalls)).describe('a call of the slave side: its name, then its arguments');
const slaveStep: z.ZodType<WrittenStep> = z.union([
  slaveCall,
  z
    .strictObject({ on: z.array(tid).min(1).describe('numbers of CPEs'), do: z.array(slaveCall) })
    .describe('calls of some CPEs alone'),
]);

// A handler of signals is written under `handler`.
const hostNames = isKey(hostCalls).filter((one) => one !== 'sig_user_init') as [string, ...string[]];

/** Bytes of a static variable at most: what an LDM has. */
const variableBytesMax = 262_144;

/**
 * Schema of a program as data: what each CPE carries out, and around it what the host does.
 *
 * Details: a host begins with `init`, allocates its buffer in main memory and fills it; in the end it tells a digest of the buffer.
 */
export const operationProgram = z.strictObject({
  memory: z
    .strictObject({
      bytes: z
        .int()
        .min(0)
        .max(2 ** 20)
        .default(0)
        .describe('bytes of the buffer in main memory'),
      fill: z
        .int()
        .min(0)
        .max(255)
        .default(0)
        .describe('byte k of the buffer begins as (fill x k + k / 256) mod 251; 0 for zeros'),
      after: z
        .string()
        .regex(/^[0-9a-f]{8}$/, 'expected eight hexadecimal digits, as a run tells them under memory')
        .optional()
        .describe('digest of the buffer in the end, whatever the schedule; a property compares it'),
    })
    .prefault({})
    .describe('a buffer of each core group'),
  statics: z
    .record(name, z.int().min(1).max(variableBytesMax))
    .default({})
    .describe('static variables of each CPE with their bytes, at multiples of 64'),
  replies: z.array(name).default([]).describe('reply words of each CPE'),
  slave: z.array(slaveStep).describe('what each CPE carries out, in order'),
  host: z
    .array(callOf(hostNames))
    .default([['athread_spawn'], ['athread_join']])
    .describe('what the host carries out; spawns name no program, athread_create the CPE alone'),
  handler: z
    .array(callOf(hostNames.filter((one) => !isStart(one)) as [string, ...string[]]))
    .default([])
    .describe(
      'what the host carries out for each signal of its CPEs (ssig_host); none is handled when empty',
    ),
});

/** A program as data, checked. */
export type OperationProgram = z.output<typeof operationProgram>;
