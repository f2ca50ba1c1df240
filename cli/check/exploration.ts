import { kindOf } from '../../kernel/explore/claim.ts';
import type { ExploreOptions, OpenSentence } from '../../kernel/explore/explorer.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { Symmetry } from '../../kernel/explore/symmetry.ts';
import { budgetOf, type InjectedFault } from '../../kernel/faults.ts';
import { patternTest } from '../../kernel/faults-pattern.ts';
import type { Wiring } from '../../kernel/wiring.ts';
import { assembled, type Machine } from '../../machines/machine.ts';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';
import { givenOf } from '../../scenarios/given.ts';
import { lastTickOf } from '../../scenarios/last-tick.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { UsageError } from '../usage-error.ts';
import { type Constraint, constrained } from './constraint.ts';
import type { Refines } from './refines.ts';

/** What an exploration of a scenario is made from, and what it judges besides reports, deadlocks, livelocks and errors. */
export interface ScenarioExploration {
  readonly make: () => Wiring;
  readonly options: ExploreOptions;
  /** Sentences of the properties that it judges. */
  readonly judged: readonly string[];
  /** Those of them that wait for something without a deadline: judged where nothing is under way any more, and only there. */
  readonly atRest: readonly string[];
  /** Those of them that do not say that they mean all interchangeable actors alike; none without symmetry. */
  readonly notSymmetric: readonly string[];
  /** Names of the interchangeable actors; none without symmetry. */
  readonly interchangeable: readonly string[];
  /** Sentences that are not judged to their end in this way of exploring, and why. */
  readonly open: readonly OpenSentence[];
  /** Sentences of the machine's other properties, which look at whole runs. */
  readonly unjudged: readonly string[];
}

/** How a scenario is explored. */
export interface ExplorationOptions {
  readonly reduction: boolean;
  readonly statesMax: number;
  /** Explore states that differ in the places of interchangeable actors only once. */
  readonly symmetry: boolean;
  /** Threads share the states: then nobody has the whole graph of them. */
  readonly shared?: boolean;
  /** The searches of a swarm, each of which shares nothing. */
  readonly swarm?: boolean;
  /** Last tick, instead of the scenario's; of an asynchronous wiring, whose states are all explored otherwise, last step. */
  readonly until?: number;
  /** Ticks with deliveries after which it stops. */
  readonly depth?: number;
  /** Go on whatever is found, and keep one finding of each kind. */
  readonly keepGoing?: boolean;
  /** States for which it says false are not gone on from, nor are they states: `file.ts#export`. */
  readonly constraint?: string;
  /** What it is to refine besides. */
  readonly refines?: Refines;
}

/** Prepares the exploration of a scenario. Errors: `UsageError` for faults that cannot be explored, and for a symmetry that there is not. */
export function explorationOf(
  { scenario, machine, properties }: JudgedScenario,
  {
    reduction,
    statesMax,
    symmetry: asked,
    shared = false,
    swarm = false,
    until: last,
    depth,
    keepGoing,
  }: ExplorationOptions,
  constraint?: Constraint,
): ScenarioExploration {
  const given = givenOf(scenario, true);
  const { faults = [] } = given;
  refuseFaults(scenario, faults);
  const assembly = assembled(machine, given);
  const until = last ?? lastTickOf(scenario, assembly.wiring);
  const symmetry = asked ? symmetryOf(scenario, machine, assembly.wiring) : undefined;
  if (symmetry) for (const fault of faults) refuseUnlike(scenario, fault, symmetry);
  const all = properties?.observers?.(given, assembly) ?? [];
  // What such a sentence remembers has numbers in it that threads do not agree on.
  const observers = all.filter(({ tellsSteps }) => !shared || !tellsSteps);
  const options: ExploreOptions = {
    observers,
    reduction,
    statesMax,
    ...(faults.length > 0 && { faults }),
    ...(symmetry && { symmetry }),
    ...(assembly.deliveriesPerTickMax !== undefined && {
      deliveriesPerTickMax: assembly.deliveriesPerTickMax,
    }),
    ...(until !== undefined && { until }),
    ...(depth !== undefined && { depthMax: depth }),
    ...(keepGoing && { findingsMax: Number.POSITIVE_INFINITY, kindOf }),
  };
  const judged = observers.map(({ sentence }) => sentence);
  const known = all.map(({ sentence }) => sentence);
  const sentences = properties?.sentencesOf?.(given) ?? properties?.sentences ?? [];
  const unjudged = [
    ...sentences.filter((sentence) => !known.includes(sentence)),
    ...(assembly.judgedInRuns ?? []),
  ];
  return {
    make: () => constrained(assembled(machine, given).wiring, constraint),
    options,
    judged,
    atRest: observers.filter(waitsForRest).map(({ sentence }) => sentence),
    notSymmetric: symmetry
      ? observers.filter(({ exchange }) => !exchange).map(({ sentence }) => sentence)
      : [],
    interchangeable: symmetry?.actors ?? [],
    open: shared ? all.flatMap((one) => openWhereShared(one, swarm)) : [],
    unjudged,
  };
}

/** What threads that share the states leave open of a sentence. */
function openWhereShared(
  { sentence, tellsSteps, pending }: Observer,
  swarm: boolean,
): readonly OpenSentence[] {
  const how = swarm
    ? 'not judged by a swarm: take --swarm out'
    : 'judged by one thread only: take --workers out';
  if (tellsSteps) return [{ sentence, why: `maps of states to a specification are ${how}` }];
  if (pending) return [{ sentence, why: `runs that never end are ${how}` }];
  return [];
}

/** True for a sentence that only the end of a run can contradict by what did not come. */
const waitsForRest = ({ atRest, advance, endOfTick, pending }: Observer): boolean =>
  !!atRest && !advance && !endOfTick && !pending;

/** Budgets of all faults together, as the product of each plus 1, that states are told apart by. */
const budgetStatesMax = 4096;

/** Errors: `UsageError` for faults that cannot be explored. */
function refuseFaults({ file }: Scenario, faults: readonly InjectedFault[]): void {
  if (faults.some(({ kind }) => kind === 'delay'))
    throw new UsageError(
      `${file}: found a delay fault, which holds up its channel, and such channels are not known where states are merged`,
      'use reorder, which holds up nothing, or run every tape with --all-properties',
    );
  const budgets = faults.map(budgetOf).filter((budget) => budget !== Number.POSITIVE_INFINITY);
  const states = budgets.reduce((product, budget) => product * (budget + 1), 1);
  if (states > budgetStatesMax)
    throw new UsageError(
      `${file}: found faults with budgets ${budgets.join(', ')}, expected a product of all, each plus 1, of at most ${budgetStatesMax}`,
      'make the budgets smaller, or give a probability without a budget: then a fault may always strike',
    );
}

/** Errors: `UsageError` for a fault that does not mean all interchangeable actors alike: exchanged, they would not be what they were. */
function refuseUnlike({ file }: Scenario, fault: InjectedFault, { actors }: Symmetry): void {
  const places = fault.kind === 'crash' ? { actor: fault.actor } : { from: fault.from, to: fault.to };
  for (const [key, pattern] of Object.entries(places)) {
    const meant = actors.filter(patternTest(pattern));
    if (meant.length > 0 && meant.length < actors.length)
      throw new UsageError(
        `--symmetry: found in ${file} the ${fault.kind} fault with ${key} "${pattern}", which means ${meant.join(', ')} and not ${actors.find((actor) => !meant.includes(actor))}; expected all of the ${actors.length} interchangeable actors or none`,
        'write a pattern that means all of them, or take --symmetry out',
      );
  }
}

/** The symmetry of the machine as it is wired. Errors: `UsageError` when it declares none. */
function symmetryOf({ file }: Scenario, machine: Machine, { speakers }: Wiring): Symmetry {
  if (machine.symmetric !== undefined && speakers) return speakers.symmetry(machine.symmetric);
  throw new UsageError(
    `--symmetry: found the machine ${machine.name} in ${file}, expected one that declares interchangeable actors`,
    'take --symmetry out',
  );
}
