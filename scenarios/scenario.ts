import { z } from 'zod';
import type { InjectedFault } from '../kernel/faults.ts';
import type { Network } from '../kernel/network.ts';
import type { Verdict } from '../kernel/outcome.ts';
import type { Machine } from '../machines/machine.ts';
import { injectedFaultSchemas } from './fault-schema.ts';
import { networkSchema } from './network-schema.ts';
import { type Schedule, scheduleKinds } from './schedule.ts';

/** A machine with one of its parts replaced by a wrong one, by the id in the machine's fault catalogue. */
export interface MutantFault {
  readonly mutant: string;
}

/** Something that goes wrong on purpose: a wrong part, or what a run injects where its picks say so. */
export type Fault = MutantFault | InjectedFault;

/** What a scenario says about its own run; what is absent is not compared. */
export interface Expect {
  readonly verdict?: Verdict | undefined;
  /** A part of the machine's result: keys that are absent are not compared, lists are compared whole. */
  readonly result?: unknown;
  /** The properties that are violated, these and no others, in any order. */
  readonly violations?: readonly string[] | undefined;
  /** Ticks carried out. */
  readonly ticks?: number | undefined;
}

/** What a machine is given for one run, checked (design, section 4). */
export interface Scenario<Config = unknown, Programs = unknown> {
  /** The file it was read from, as it was named. */
  readonly file: string;
  /** The text it was read from, kept by recordings. */
  readonly text: string;
  readonly name: string;
  readonly about?: string;
  /** Name of the machine. */
  readonly machine: string;
  readonly config: Config;
  /** Programs as the machine's schema gives them; `{ module: 'file.ts#export' }` carries the loaded function as `program`. */
  readonly programs: Programs;
  readonly faults: readonly Fault[];
  /** Keys of the network that are other ones than the machine has, for machines with asynchronous wirings. */
  readonly network?: Network | undefined;
  readonly schedule: Schedule;
  /** The last tick that is carried out; to the end when absent. */
  readonly until?: number;
  readonly expect?: Expect;
}

const verdicts = ['ok', 'violated', 'deadlock', 'livelock', 'error'] as const satisfies readonly Verdict[];

const scheduleKind = z.enum(scheduleKinds);

const scheduleSchema = z
  .union([
    scheduleKind,
    z.strictObject({
      kind: scheduleKind.describe('how deliveries are ordered that may happen in any order'),
      seed: z.int().min(0).max(0xffff_ffff).default(0).describe('seed of the choices, 0 when absent'),
      depth: z
        .int()
        .min(1)
        .max(64)
        .optional()
        .describe('of pct: ordering constraints of the bug looked for, 3 when absent'),
      delays: z
        .int()
        .min(0)
        .max(1024)
        .optional()
        .describe('of delay: messages passed over in a run, 2 when absent'),
    }),
  ])
  .transform((given): Schedule => (typeof given === 'string' ? { kind: given, seed: 0 } : given))
  .prefault('fifo')
  .describe(
    'order of deliveries that may happen in any order: a kind, or a kind with a seed; fifo when absent',
  );

const expectSchema = z
  .strictObject({
    verdict: z.enum(verdicts).optional().describe('how the run ends'),
    result: z.unknown().optional().describe("a part of the machine's result; absent keys are not compared"),
    violations: z.array(z.string()).optional().describe('the properties that are violated, and no others'),
    ticks: z.int().min(0).optional().describe('ticks carried out'),
  })
  .describe('what the run must come to; what is absent is not compared');

function faultSchema({ mutants }: Machine) {
  const ids = [...mutants.keys()];
  const id = ids.length > 0 ? z.enum(ids) : z.never({ error: 'this machine has no mutants' });
  return z.union([
    z.strictObject({ mutant: id.describe("id in the machine's fault catalogue") }),
    ...injectedFaultSchemas,
  ]);
}

/** The keys that mean the same for every machine, in the order in which files have them. */
const nameKeys = {
  name: z.string().min(1).max(1000).describe('what the scenario is called in reports'),
  about: z.string().optional().describe('what it shows, in prose'),
};

const runKeys = {
  schedule: scheduleSchema,
  until: z.int().min(0).optional().describe('last tick that is carried out; to the end when absent'),
  expect: expectSchema.optional(),
};

/** The schema of the scenario files of a machine, which `named` is what they name it by: its name, or where it is. */
export function scenarioSchema(machine: Machine, named: string = machine.name) {
  return z.strictObject({
    ...nameKeys,
    machine: z.literal(named).describe('the kind of computer'),
    config: configSchema(machine.config).describe(`configuration of ${machine.name}`),
    programs: machine.programs.describe(`programs of ${machine.name}`),
    faults: z.array(faultSchema(machine)).default([]).describe('what goes wrong on purpose'),
    ...networkOf(machine),
    ...runKeys,
  });
}

/** The key of the network, for machines whose messages are not due in a tick. */
const networkOf = ({ asynchronous }: Machine): { network?: z.ZodOptional<typeof networkSchema> } =>
  asynchronous ? { network: networkSchema.optional() } : {};

/** The schema of scenario files whose machine is not known, which leaves everything open that a machine decides. */
export function headerSchema(machineNames: readonly string[]) {
  return z.strictObject({
    ...nameKeys,
    machine: z.enum(machineNames as [string, ...string[]]).describe('the kind of computer'),
    config: z.unknown().optional(),
    programs: z.unknown().optional(),
    faults: z.unknown().optional(),
    network: z.unknown().optional(),
    ...runKeys,
  });
}

/** A configuration that is not there is an empty one, so that only keys without a default are missed. */
function configSchema(config: z.ZodType): z.ZodType {
  return (config as z.ZodType<unknown, unknown>).prefault({});
}
