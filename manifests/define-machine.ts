import type fc from 'fast-check';
import type { CommandEntry } from '../cli/command.ts';
import type { Machine, MachineEntry } from '../machines/machine.ts';
import type { GivenProperties } from '../properties/judged-by.ts';
import type { JudgedMachine } from '../properties/judged-machine.ts';
import type { MachineProperties } from '../properties/properties.ts';
import type { ReferenceKind } from '../scenarios/reference-kind.ts';
import type { WrittenScenario } from '../scenarios/written.ts';
import { checkDefinition } from './check-definition.ts';

/** What is loaded when somebody asks for it. */
export class Later<T> {
  constructor(readonly load: () => Promise<T>) {}
}

/** Says that a part of a machine is in a module of its own, so that commands which do not need it start fast: `later(async () => (await import('./x.ts')).x)`. */
export const later = <T>(load: () => Promise<T>): Later<T> => new Later(load);

const loaded = async <T>(what: T | Later<T>): Promise<T> => (what instanceof Later ? what.load() : what);

/** An arbitrary of fast-check that gives scenarios, of whatever copy of fast-check. */
export interface ScenarioArbitrary {
  generate(random: never, biasFactor: number | undefined): { readonly value: WrittenScenario };
}

/** What joins a machine with everything else that is known of it; all of it may be left out but the sentence. */
export interface Surroundings<Config, Programs> {
  /** One sentence for lists: what it is. */
  readonly summary: string;
  /** For lists: hardware or a protocol of the literature; absent for a machine of a user. */
  readonly kind?: 'hardware' | 'protocol';
  /** What must hold in all of its runs: a list, or one that depends on the configuration. */
  readonly properties?:
    | GivenProperties<Config, Programs>
    | MachineProperties
    | Later<GivenProperties<Config, Programs> | MachineProperties>;
  /** Generates its scenarios, so that `lockstep fuzz NAME` can: correct ones, in which nothing may be found. */
  readonly generator?: ScenarioArbitrary | Later<ScenarioArbitrary>;
  /** Verbs of its own, below its name: `lockstep NAME verb`. */
  readonly verbs?: Omit<CommandEntry, 'name'>;
  /** Kinds of reference data that `lockstep verify` compares it with. */
  readonly verifies?: readonly ReferenceKind[] | Later<readonly ReferenceKind[]>;
}

/** A machine in one piece: the keys of `Machine`, those without which it means something may be left out. */
export interface WholeMachine<Config, Programs, Result>
  extends Pick<Machine<Config, Programs, Result>, 'name' | 'assemble'>,
    Partial<Omit<Machine<Config, Programs, Result>, 'name' | 'assemble' | 'mutants'>> {
  /** The fault catalogue: id and sentence; none when absent. */
  readonly mutants?: ReadonlyMap<string, string> | Readonly<Record<string, string>>;
}

/** A machine in a module of its own. */
export interface MachineElsewhere<Config, Programs, Result> {
  readonly name: string;
  readonly machine: Later<Machine<Config, Programs, Result>>;
}

/** What `defineMachine` takes. */
export type Definition<Config, Programs, Result> = Surroundings<Config, Programs> &
  (WholeMachine<Config, Programs, Result> | MachineElsewhere<Config, Programs, Result>);

/** A machine with everything that is known of it; every verb of the command line works for it. */
export interface Manifest extends MachineEntry, JudgedMachine {
  readonly summary: string;
  readonly kind?: 'hardware' | 'protocol';
  readonly verbs?: Omit<CommandEntry, 'name'>;
  /** Kinds of reference data that it is compared with; empty when there are none. */
  verifies(): Promise<readonly ReferenceKind[]>;
}

/**
 * Describes a machine to Lockstep: the machines that come with it and those of a user's project are described by this one call (design, section 1).
 *
 * Details: `name`, `summary` and `assemble` are enough; without `config` a scenario has an empty one, without `programs` none, without `mutants` no planted faults, without `figures` the
 * result is told as it is. Errors: a `MachineError` for a definition that cannot be. A scenario names the machine by its name when it stands in `lockstep.config.ts`, or by `machine: ./file.ts#export`.
 */
export function defineMachine<Config = object, Programs = readonly unknown[], Result = unknown>(
  definition: Definition<Config, Programs, Result>,
): Manifest {
  checkDefinition(definition);
  const { name, summary, kind, properties, generator, verbs, verifies = [] } = definition;
  const machine = 'machine' in definition ? definition.machine : new Later(() => whole(definition));
  let machineLoaded: Promise<Machine> | undefined;
  const load = () => {
    machineLoaded ??= machine.load() as Promise<Machine>;
    return machineLoaded;
  };
  return {
    name,
    summary,
    ...(kind && { kind }),
    ...(verbs && { verbs }),
    load,
    async properties() {
      if (properties === undefined) return undefined;
      const given = await loaded<GivenProperties<Config, Programs> | MachineProperties>(properties);
      if ('watch' in given) return given;
      const { judgedBy } = await import('../properties/judged-by.ts');
      return judgedBy(await load(), given as GivenProperties);
    },
    generator: async () =>
      generator && ((await loaded<ScenarioArbitrary>(generator)) as fc.Arbitrary<WrittenScenario>),
    verifies: async () => loaded<readonly ReferenceKind[]>(verifies),
  };
}

/** The machine with every key that may be left out. */
async function whole<Config, Programs, Result>(
  definition: Surroundings<Config, Programs> & WholeMachine<Config, Programs, Result>,
): Promise<Machine<Config, Programs, Result>> {
  const {
    summary: _,
    kind: __,
    properties: ___,
    generator: ____,
    verbs: _____,
    verifies: ______,
    ...machine
  } = definition;
  const { mutants = {} } = machine;
  const { noConfig, noPrograms } = await import('./nothing-given.ts');
  return {
    config: noConfig as unknown as Machine<Config>['config'],
    programs: noPrograms as unknown as Machine<Config, Programs>['programs'],
    figures: () => [],
    ...machine,
    mutants: mutants instanceof Map ? mutants : new Map(Object.entries(mutants)),
  };
}
