import { z } from 'zod';
import { get, type Instruction, put, read, status, write } from '../../actors/cell/instructions.ts';
import { policyNames } from '../../actors/cell/policies/policies.ts';
import type { SpuProgramFunction, TimedInstruction } from '../../actors/cell/program.ts';

/** Configuration of a Cell ring machine (Cell specification 2). */
export const cellConfig = z.strictObject({
  N: z.int().min(1).max(1024).default(8).describe('SPUs, numbered 0..N-1'),
  K: z.int().min(1).max(64).default(2).describe('rings per direction'),
  memSize: z
    .int()
    .min(1)
    .max(2 ** 30)
    .default(4096)
    .describe('bytes in each SPU memory'),
  run: z
    .union([
      z.literal('untilIdle'),
      z.strictObject({ cycles: z.int().min(0).describe('exactly this many cycles') }),
    ])
    .default('untilIdle')
    .describe('how long: until all programs are over and all transfers done, or a number of cycles'),
  policy: z
    .enum(policyNames)
    .default('sjf-detour')
    .describe('how the data arbiter chooses which transfers start'),
  selfTransfer: z
    .enum(['point', 'reject'])
    .default('point')
    .describe('a transfer to oneself occupies one point of a ring, or is an error'),
  zeroSize: z
    .enum(['complete', 'reject'])
    .default('complete')
    .describe('a transfer of 0 bytes is complete at once, or is an error'),
  maxOutstanding: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('unfinished requests allowed per SPU; null: no limit'),
  boundedWait: z
    .strictObject({
      factor: z
        .number()
        .positive()
        .default(4)
        .describe('how many times the typical work a request may wait before it is urgent'),
      cap: z.int().min(0).nullable().default(null).describe('cycles after which it is urgent in any case'),
    })
    .nullable()
    .default(null)
    .describe('fairness: no request waits for ever'),
  maxInstrPerCycle: z
    .int()
    .min(1)
    .default(100_000)
    .describe('safety stop for programs that never end a cycle'),
  programErrors: z
    .enum(['finding', 'result'])
    .default('finding')
    .describe('an exception of a program: a finding, so that the run is not ok, or told in the result only'),
  memory: z
    .enum(['pattern', 'zero'])
    .default('pattern')
    .describe('initial bytes: the pattern of the workload format, or zeros'),
  interleaving: z
    .enum(['auto', 'ordered', 'free'])
    .default('auto')
    .describe(
      'work of a cycle in canonical order, or in any order the schedule likes; auto: free when there is a schedule',
    ),
  detail: z
    .enum(['step', 'burst'])
    .default('step')
    .describe('every step a message, or one message per actor and phase with transfers moved in bulk'),
  arbiter: z
    .enum(['auto', 'explicit', 'fast'])
    .default('auto')
    .describe(
      'requests for segments as actors, or the same decisions in one step; auto: actors on small rings, under a schedule and with faults. Bursts have the fast one',
    ),
  skipIdle: z.boolean().default(true).describe('jump over cycles in which nobody does anything'),
  planSeed: z.int().default(1).describe('seed of the policy sjf-plan'),
});

/** A checked configuration. */
export type CellConfig = z.output<typeof cellConfig>;

const natural = z.int().min(0);
const transferOf = (
  words: readonly [string, string],
  make: (my: number, peer: number, addr: number, size: number) => Instruction,
) =>
  z.tuple([natural, z.enum(words), z.int(), z.int(), z.int(), z.int()]).transform(
    ([cycle, , my, peer, addr, size]): TimedInstruction => ({
      cycle,
      instruction: make(my, peer, addr, size),
    }),
  );

/** One operation of a timed list: `[cycle, op, ...arguments]`, with the letters of the workload format or whole words. */
const timedInstruction = z.union([
  z
    .tuple([natural, z.enum(['r', 'read']), z.int()])
    .transform(([cycle, , addr]): TimedInstruction => ({ cycle, instruction: read(addr) })),
  z
    .tuple([natural, z.enum(['w', 'write']), z.int(), z.int()])
    .transform(([cycle, , addr, value]): TimedInstruction => ({ cycle, instruction: write(addr, value) })),
  transferOf(['g', 'get'], get),
  transferOf(['p', 'put'], put),
  z
    .tuple([natural, z.enum(['s', 'status']), z.int()])
    .transform(([cycle, , id]): TimedInstruction => ({ cycle, instruction: status(id) })),
]);

/** The closed loop of the workload format (Cell specification 18.1). */
export const saturate = z.strictObject({
  outstanding: z.int().min(1).describe('unfinished requests each SPU keeps'),
  perSpu: z.int().min(0).describe('requests each SPU issues in all'),
  sizeMin: z.int().min(1).describe('least size in bytes'),
  sizeMax: z.int().min(1).describe('greatest size in bytes'),
  seed: z.int().describe('seed of the random numbers'),
  localOps: z.int().min(0).default(0).describe('read-modify-write operations a cycle'),
});

/** A program of one SPU: a timed list, or a generator function of a TypeScript module. */
const spuProgram = z.union([
  z.array(timedInstruction).describe('timed list: [cycle, op, ...arguments], sorted by cycle'),
  z.strictObject({
    module: z.string().describe('file.ts#export of a generator function'),
    // The function is loaded after the file was checked.
    program: z
      .custom<SpuProgramFunction>((value) => value === undefined || typeof value === 'function')
      .optional(),
  }),
]);

/** The programs of a machine: one per SPU, or the same closed loop for all. */
export const cellPrograms = z.union([
  z.array(spuProgram).describe('one program per SPU; SPUs without one do nothing'),
  z.strictObject({ saturate }),
]);

/** Checked programs. */
export type CellPrograms = z.output<typeof cellPrograms>;
