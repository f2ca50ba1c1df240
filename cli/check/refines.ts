import { basename } from 'node:path';
import { Wiring } from '../../kernel/wiring.ts';
import { assembled, type Machine } from '../../machines/machine.ts';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';
import { type EventMap, refinement, type StateMap } from '../../properties/refinement/refinement.ts';
import { type Specification, SpecificationError } from '../../properties/refinement/specification.ts';
import { withProperty } from '../../properties/with-property.ts';
import { describeFound } from '../../scenarios/found.ts';
import { givenOf } from '../../scenarios/given.ts';
import { loadScenario } from '../../scenarios/load.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { knownMachines } from '../known-machines.ts';
import { loadExport } from '../load-export.ts';
import { UsageError } from '../usage-error.ts';

/** What a scenario is to refine, as the user named it. */
export interface Refines {
  /** `file.ts#machine`, or a scenario file. */
  readonly specification: string;
  /** `file.ts#export`; what both show when absent. */
  readonly map?: string | undefined;
}

const specificationHelp =
  'write for example --refines spec.ts#counter, where spec.ts exports const counter = { initial: [0], next: (n) => [{ state: n + 1 }] }, a function of the configuration that gives one, a machine or a wiring; or name a scenario file';
const mapHelp =
  "write for example --map spec.ts#toCounter, where spec.ts exports const toCounter = { state: (state) => state.actor('Counter').context.n }, or { event: (observation) => … } for what is shown";

/** A scenario whose properties say, too, that it refines a specification. Errors: `UsageError` for a specification or a map that there is not, or that is none; `ScenarioErrors` for a wrong scenario. */
export async function withRefinement(
  judged: JudgedScenario,
  refines: Refines | undefined,
): Promise<JudgedScenario> {
  if (!refines) return judged;
  const { specification, map } = refines;
  const observer = refinementOf(`it refines ${basename(specification)}`, {
    specification: await loadSpecification(specification, judged.scenario),
    ...(map !== undefined && { map: await loadMap(map) }),
  });
  const properties = withProperty(judged.properties, observer);
  return { ...judged, properties, refines };
}

function refinementOf(...[sentence, options]: Parameters<typeof refinement>): ReturnType<typeof refinement> {
  try {
    return refinement(sentence, options);
  } catch (error) {
    if (!(error instanceof SpecificationError)) throw error;
    throw new UsageError(`--refines: ${error.what}`, error.help);
  }
}

async function loadSpecification(reference: string, { config }: Scenario): Promise<Specification> {
  if (/\.ya?ml$/.test(reference)) return fromScenario(reference);
  const found = await loadExport('--refines', reference, specificationHelp);
  const isFunction = typeof found === 'function';
  const made: unknown = isFunction ? called(reference, found as (config: unknown) => unknown, config) : found;
  if (made instanceof Wiring) return () => (found as (config: unknown) => Wiring)(config);
  if (isMachine(made)) {
    const given = {
      name: reference,
      config: made.config.parse({}),
      programs: made.programs.parse([]),
      mutants: [],
      scheduled: true,
    };
    return () => assembled(made, given).wiring;
  }
  if (isSmall(made)) return made;
  throw new UsageError(
    `--refines: found ${describeFound(made)} as ${reference}, expected a specification`,
    specificationHelp,
  );
}

function called(reference: string, make: (config: unknown) => unknown, config: unknown): unknown {
  try {
    return make(config);
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `--refines: ${reference}, called with the configuration, threw: ${what}`,
      specificationHelp,
    );
  }
}

async function fromScenario(file: string): Promise<Specification> {
  const { scenario, machine } = await loadScenario(file, await knownMachines());
  const given = givenOf(scenario, true);
  if (given.faults?.length)
    throw new UsageError(
      `--refines: found injected faults in ${file}, expected a specification without`,
      'take the faults out; what goes wrong on purpose belongs into the scenario that is checked',
    );
  return () => assembled(machine, given).wiring;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isMachine = (value: unknown): value is Machine =>
  isObject(value) && 'assemble' in value && 'config' in value && 'programs' in value;

const isSmall = (value: unknown): value is Exclude<Specification, () => Wiring> =>
  isObject(value) && 'initial' in value && 'next' in value;

async function loadMap(reference: string): Promise<StateMap | EventMap> {
  const found = await loadExport('--map', reference, mapHelp);
  if (typeof found === 'function') return { state: found as StateMap['state'] };
  const { state, of, event, watches } = (isObject(found) ? found : {}) as Partial<
    Record<'state' | 'of' | 'event' | 'watches', unknown>
  >;
  const wrong = [state, of, event].some((one) => one !== undefined && typeof one !== 'function');
  const both = (state === undefined) === (event === undefined);
  if (wrong || both || (watches !== undefined && !Array.isArray(watches)))
    throw new UsageError(
      `--map: found ${isObject(found) ? describeFound(found) : typeof found} as ${reference}, expected a function of the state, or an object with the function state or the function event`,
      mapHelp,
    );
  return found as StateMap | EventMap;
}
