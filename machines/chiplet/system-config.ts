import { z } from 'zod';
import type { HostProgram } from '../../actors/chiplet/gpu/host-operations.ts';
import {
  approximations,
  contractions,
  divergences,
  messageOpcodes,
} from '../../actors/chiplet/ptx/compile-options.ts';
import { networkConfig } from './config.ts';
import { hostStep } from './host-steps-schema.ts';

/** Cycles to a meeting, and between two. */
const meetingCycles = z
  .int()
  .min(1)
  .max(2 ** 40);

const coordinate = z.int().min(0).max(99);

/** Schema of the network of a system: that of a network alone with a smaller grid, and local traffic that cannot close an injection queue for ever. */
const systemNetwork = networkConfig.extend({
  A: z.int().min(1).max(100).default(4).describe('routers in each dimension'),
  strict: z
    .boolean()
    .default(false)
    .describe('a full injection queue opens again only by traffic through the switch, as in the original'),
});

const chipletEntry = z.strictObject({
  x: coordinate.describe('first coordinate of its router'),
  y: coordinate.describe('second coordinate of its router'),
  kind: z.enum(['cpu', 'gpu']).describe('a GPU has a device that runs kernels'),
  program: z.string().describe('name of a host program'),
  args: z.array(z.number()).default([]).describe('what the program is given after x and y'),
  clockRate: z
    .number()
    .min(0.001)
    .max(1000)
    .default(1)
    .describe('cycles of its clock in a cycle of the network, in thousandths'),
  cpi: z.number().min(0.001).max(1000).default(1).describe('cycles of an instruction of its host program'),
  cyclesPerElement: z
    .number()
    .min(0)
    .max(1000)
    .optional()
    .describe('cycles of an element that its host reads or writes; 1 on a CPU and 0 on a GPU when absent'),
  config: z.string().optional().describe('name of a gpgpusim.config; the shipped values when absent'),
  cores: z.int().min(1).max(1024).optional().describe('SIMT cores, whatever its configuration says'),
});

/** What the message of one value is charged with: so many flits, or by its 32 bytes as LegoSim does. */
const flitRule = z.union([z.int().min(1).max(1024), z.literal('legosim')]).default(4);

/** Files of a run directory. */
export const runFiles = [
  'buffers',
  'traces',
  'bench',
  'synchronization',
  'console',
  'power',
  'results',
] as const;

/** Schema of the configuration of a system of chiplets (chiplet specification 12). */
export const systemConfig = z.strictObject({
  mode: z
    .enum(['decoupled', 'coupled', 'iterative'])
    .default('coupled')
    .describe('messages at once and the network afterwards, through the network, or both in turn'),
  network: systemNetwork.prefault({}).describe('the network between chiplets'),
  chiplets: z.array(chipletEntry).min(1).describe('the chiplets and their places'),
  mailbox: z
    .enum(['queue', 'indexed'])
    .default('queue')
    .describe('a receive takes the next value, or reads the one with its index'),
  flitRule: flitRule.describe('flits of the packet of one value'),
  messageOpcode: z
    .enum(messageOpcodes)
    .default('auto')
    .describe('whether addc is a message; auto: unless a carry was made before it in its basic block'),
  contraction: z
    .enum(contractions)
    .default('none')
    .describe(
      'fuse: a product and the sum that takes it are one multiply-add, as PTX lets the translator do',
    ),
  approximations: z
    .enum(approximations)
    .default('exact')
    .describe('approximate instructions: rounded from what is exact, or h100: the bits of an H100'),
  divergence: z
    .enum(divergences)
    .default('independent')
    .describe(
      'whether lanes of a warp that wait for each other go on, as from compute capability 7 on, or stand on a stack',
    ),
  trustKernelSource: z
    .boolean()
    .default(true)
    .describe('false: messages are from the chiplet that sends them, whatever the kernel says'),
  strictSource: z
    .boolean()
    .default(false)
    .describe(
      'true: a kernel that sends or receives in the name of another chiplet is stopped, not warned of',
    ),
  bufferNameOrder: z
    .enum(['sender-first', 'receiver-first'])
    .default('sender-first')
    .describe('which address comes first in the name of a buffer file'),
  syncFile: z
    .strictObject({
      enabled: z.boolean().default(false).describe('whether chiplets meet, and the file is written'),
      S: meetingCycles.default(12_000).describe('cycle of their own in which chiplets meet first'),
      I: z
        .union([meetingCycles, z.array(meetingCycles).min(1)])
        .default(20_000)
        .describe('cycles from a meeting to the next, or a list of them, whose last one stays'),
    })
    .prefault({})
    .describe('the cycle barrier and its synchronisation file'),
  syncCount: z
    .int()
    .min(0)
    .optional()
    .describe('synchronisations of formula A; those of the chiplet with the most receives when absent'),
  cpuPowerWatts: z.number().min(0).default(35).describe('watts of a CPU chiplet'),
  cpuPicojoulesPerCycle: z
    .number()
    .min(0)
    .optional()
    .describe('picojoules of a CPU chiplet in each of its cycles, in place of constant watts'),
  warpScheduler: z
    .enum(['gto', 'lrr', 'any'])
    .optional()
    .describe('in which order warps issue, whatever configurations say; any: a choice of the run'),
  coreDetail: z
    .enum(['auto', 'warp', 'core'])
    .default('auto')
    .describe(
      'an actor for each warp, load and block of a SIMT core, or one for each core, which is fast and does the same; auto: warps where something is planted or goes wrong, where schedules are explored, and in systems of up to 2 cores, unless nobody looks inside',
    ),
  rounds: z.int().min(1).max(100).default(5).describe('most rounds of an iterative run'),
  error: z
    .number()
    .min(0)
    .max(1)
    .default(0.005)
    .describe('share by which cycles of two rounds may differ in the end'),
  outputs: z
    .array(z.enum(runFiles))
    .default([...runFiles])
    .describe('what `lockstep chiplet run --out` writes'),
});

/** Configuration of a system. */
export type SystemConfig = z.output<typeof systemConfig>;

/** One chiplet of a configuration. */
export type ChipletEntry = SystemConfig['chiplets'][number];

/** What a module exports as a host program: it is told the address of its chiplet, then the arguments of the scenario. */
export type SystemProgram = (x: number, y: number, ...args: number[]) => ReturnType<HostProgram>;

const textFile = z.strictObject({ file: z.string(), text: z.string().optional() });

/** A text in the scenario itself, with the name by which errors tell it. */
const namedText = z
  .strictObject({ name: z.string().min(1), text: z.string() })
  .transform(({ name: file, text }): z.output<typeof textFile> => ({ file, text }));

/** Schema of what the chiplets run. */
export const systemPrograms = z.strictObject({
  kernels: z
    .array(z.union([textFile, namedText]))
    .default([])
    .describe('PTX texts, in files or here; every GPU has all of their kernels'),
  hosts: z
    .record(
      z.string(),
      z.union([
        z.strictObject({
          module: z.string().describe('file.ts#export of a generator function (x, y, ...args)'),
          program: z.custom<SystemProgram>().optional(),
        }),
        z.strictObject({ steps: z.array(hostStep).describe('operations as data') }),
      ]),
    )
    .describe('host programs by name'),
  data: z
    .record(z.string(), z.union([textFile, z.array(z.int())]))
    .default({})
    .describe('integers that programs load, by name: a file or a list'),
  configs: z.record(z.string(), textFile).default({}).describe('gpgpusim.config files by name'),
});

/** Programs of a system. */
export type SystemPrograms = z.output<typeof systemPrograms>;
