import { z } from 'zod';
import { type LdmLayout, ldmLayout, stackBytesDefault } from '../../actors/sunway/address/ldm-layout.ts';
import type { MpeProgram } from '../../actors/sunway/program.ts';
import { type TimingGroup, type TimingRow, timingRows } from '../../actors/sunway/timing/timing-table.ts';
import { operationProgram } from './operations.ts';

const mebibyte = 2 ** 20;

const perKey = <Key extends string, Value, Made>(
  from: Readonly<Record<Key, Value>>,
  make: (value: Value) => Made,
): Record<Key, Made> =>
  // What is built entry by entry has the keys of what it is built from.
  Object.fromEntries(Object.entries<Value>(from).map(([key, value]) => [key, make(value)])) as Record<
    Key,
    Made
  >;

/** Schema of changes to the model of time (specification 9.1): each parameter may be given another number. */
const timingChanges = z.strictObject(
  perKey<TimingGroup, Readonly<Record<string, TimingRow>>, z.ZodOptional<z.ZodObject>>(timingRows, (rows) =>
    z
      .strictObject(
        perKey(rows, ({ least, what, origin, value, isWhole }) =>
          (isWhole ? z.int() : z.number())
            .min(least)
            .optional()
            .describe(`${what}; ${value} when absent (${origin})`),
        ),
      )
      .optional(),
  ),
);

const cycle = z.int().min(0).max(Number.MAX_SAFE_INTEGER).describe('cycle in which it comes');

/** Schema of the configuration of a Sunway node (specification 2.4). */
export const sunwayConfig = z.strictObject({
  cgs: z.int().min(1).max(6).default(1).describe('core groups, each with one host process'),
  cpesPerCg: z
    .int()
    .min(1)
    .max(64)
    .default(64)
    .describe('CPEs of a core group that may be used; with fewer, the highest numbers are offline'),
  memoryMiB: z.int().min(1).max(1024).default(16).describe('main memory of a core group, in MiB'),
  crossMiB: z.int().min(0).max(1024).default(1).describe('cross segment, in MiB; kept by core group 0'),
  cacheKiB: z.literal([0, 32, 128]).default(0).describe('data cache taken from each LDM, in KiB'),
  ldm: z
    .strictObject({
      preset: z
        .enum(['none', 'cache32'])
        .default('none')
        .describe('cache32: 32 KiB of data cache, 4 KiB of the runtime, 225280 bytes to allocate'),
    })
    .prefault({})
    .describe('how each LDM is divided, in place of `cacheKiB`'),
  sldm: z
    .strictObject({
      mode: z
        .int()
        .min(0)
        .max(5)
        .default(4)
        .describe('share group: 1, 2, 4, 8 clusters (0 to 3) or the array (4, 5)'),
      sizeKiB: z.int().min(0).max(128).default(0).describe('what each CPE shares, in KiB; 0 for none'),
      interleaveBytes: z
        .int()
        .min(0)
        .multipleOf(64)
        .default(0)
        .describe(
          'shared space goes round the members in blocks of so many bytes; 0 for one part after the other',
        ),
    })
    .prefault({})
    .describe('shared LDM'),
  stackInLdm: z
    .boolean()
    .default(false)
    .describe('the stack of a CPE lies in its LDM and takes 16 KiB of the heap'),
  fidelity: z
    .enum(['functional', 'tlm', 'flit'])
    .default('tlm')
    .describe(
      'every service in one cycle, by the formulas of the specification, or in blocks and packets through routers and memory banks',
    ),
  detail: z
    .enum(['auto', 'explicit', 'fast'])
    .default('auto')
    .describe(
      'explicit: each transfer, memory job, barrier and lock is an actor with states of its own; fast: the same messages from plain code; auto: explicit up to 8 CPEs and wherever something is planted or goes wrong',
    ),
  timing: timingChanges
    .prefault({})
    .describe('parameters of the model of time that differ from the defaults, in CPE cycles'),
  fuzz: z
    .strictObject({
      seed: z
        .int()
        .min(0)
        .max(0xffff_ffff)
        .optional()
        .describe('gives each message a delay up to maxJitter of its own, also in the default order'),
      maxJitter: z.int().min(0).max(100_000).default(0).describe('cycles that any service may take longer'),
      reorder: z
        .boolean()
        .default(false)
        .describe('transfers of one CPE that nothing orders may change places'),
    })
    .prefault({})
    .describe('freedom that the schedule of a run has beside the order of deliveries'),
  clockSkew: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(0)
    .describe('cycles by which stime_cycle of each CPE is ahead of that of the CPE before it'),
  skipAhead: z
    .boolean()
    .default(true)
    .describe(
      'idle spans are skipped; false adds a clock that ticks in every cycle, up to the end of the host programs or ten million',
    ),
  race: z
    .strictObject({
      policy: z.enum(['off', 'lenient', 'strict']).default('lenient').describe('which races are reported'),
    })
    .prefault({})
    .describe('race detector'),
  advise: z
    .boolean()
    .default(false)
    .describe('bandwidth, and what could make the transfers of the run faster, in the result'),
  onError: z
    .enum(['trap', 'return'])
    .default('trap')
    .describe('a bad argument stops the run, or its code is returned'),
  sync: z
    .strictObject({
      colLeftRight: z
        .enum(['manual', 'header'])
        .default('manual')
        .describe('members of the barriers of left and right columns (specification 15, C1)'),
    })
    .prefault({})
    .describe('barriers'),
  task: z
    .strictObject({
      reassignLost: z
        .boolean()
        .default(false)
        .describe('the block of a host that was killed is handed out again in the same run'),
      quitMarksDone: z
        .boolean()
        .default(true)
        .describe('task_quit marks all tasks complete in the mid file (specification 15, U6)'),
    })
    .prefault({})
    .describe('dynamic task pool'),
  files: z
    .record(
      z.string().min(1),
      z.string().regex(/^([0-9a-f]{2})*$/, 'expected two hexadecimal digits a byte: 0100ff'),
    )
    .default({})
    .describe('files when the job begins, two hexadecimal digits a byte: mid files of earlier runs'),
  job: z
    .strictObject({
      bsignal: z
        .array(
          z.strictObject({
            signal: z.literal([34, 35]).describe('34 lets no more tasks be handed out, 35 stops the job'),
            at: cycle,
          }),
        )
        .default([])
        .describe('signals that the job gets (bsignal)'),
      kill: z
        .array(z.strictObject({ cgn: z.int().min(0).max(5), at: cycle }))
        .default([])
        .describe('host processes that are killed'),
    })
    .prefault({})
    .describe('what comes from outside while the job runs'),
});

/** Configuration of a Sunway node. */
export type SunwayConfig = z.output<typeof sunwayConfig>;

/** Bytes of the data cache: those of the preset, or as chosen (specification 2.3). */
export const cacheBytesOf = ({ ldm, cacheKiB }: Pick<SunwayConfig, 'ldm' | 'cacheKiB'>): number =>
  (ldm.preset === 'cache32' ? 32 : cacheKiB) * 1024;

/** What each LDM is divided into before a program lays out its static data; undefined when it is too small for that. */
export const layoutOf = (config: SunwayConfig): LdmLayout | undefined =>
  ldmLayout({
    cacheBytes: cacheBytesOf(config),
    sharedBytes: config.sldm.sizeKiB * 1024,
    stackBytes: config.stackInLdm ? stackBytesDefault : 0,
    staticBytes: 0,
  });

/** Bytes of main memory of a core group. */
export const memoryBytesOf = ({ memoryMiB }: SunwayConfig): number => memoryMiB * mebibyte;

/** Bytes of the cross segment. */
export const crossBytesOf = ({ crossMiB }: SunwayConfig): number => crossMiB * mebibyte;

const hostFunction = z.custom<MpeProgram>((value) => typeof value === 'function');
const module = z.strictObject({ module: z.string(), program: hostFunction.optional() });

const hostOrOperations = z.union([module, operationProgram]);

/**
 * Schema of the programs: one host program for all core groups, or one a core group. Slave programs are started by them. A program is code, or
 * data: the calls of the slave side and, optionally, of the host.
 */
export const sunwayPrograms = z.union([
  module.describe('the host program of every core group'),
  operationProgram.describe('operations of every core group'),
  z.array(hostOrOperations).describe('one a core group'),
]);

/** Checked programs. */
export type SunwayPrograms = z.output<typeof sunwayPrograms>;
