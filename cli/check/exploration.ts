import type { ExploreOptions } from '../../kernel/explore/explorer.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import type { Machine } from '../../machines/machine.ts';
import { propertiesOf } from '../../properties/properties.ts';
import { givenOf } from '../../scenarios/given.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { UsageError } from '../usage-error.ts';

/** What an exploration of a scenario is made from, and what it judges besides reports, deadlocks, livelocks and errors. */
export interface ScenarioExploration {
  readonly make: () => Wiring;
  readonly options: ExploreOptions;
  /** Sentences of the properties that it judges. */
  readonly judged: readonly string[];
  /** Sentences of the machine's other properties, which look at whole runs. */
  readonly unjudged: readonly string[];
}

/** How a scenario is explored. */
export interface ExplorationOptions {
  readonly reduction: boolean;
  readonly statesMax: number;
}

/** Prepares the exploration of a scenario. Errors: `UsageError` for faults that a run injects. */
export function explorationOf(
  scenario: Scenario,
  machine: Machine,
  { reduction, statesMax }: ExplorationOptions,
): ScenarioExploration {
  const given = givenOf(scenario, true);
  if (given.faults?.length)
    throw new UsageError(
      `${scenario.file}: found a ${given.faults[0]!.kind} fault, and faults that a run injects are not known where states are merged`,
      'take it out, or run every tape with --all-properties',
    );
  const assembly = machine.assemble(given);
  const properties = propertiesOf(machine.name);
  const observers = properties?.observers?.(given, assembly) ?? [];
  const options: ExploreOptions = {
    observers,
    reduction,
    statesMax,
    ...(assembly.deliveriesPerTickMax !== undefined && {
      deliveriesPerTickMax: assembly.deliveriesPerTickMax,
    }),
    ...(scenario.until !== undefined && { until: scenario.until }),
  };
  const judged = observers.map(({ sentence }) => sentence);
  const unjudged = (properties?.sentences ?? []).filter((sentence) => !judged.includes(sentence));
  return { make: () => machine.assemble(given).wiring, options, judged, unjudged };
}
