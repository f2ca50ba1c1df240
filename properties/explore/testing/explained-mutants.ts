import { RandomChoices, type Tape } from '../../../kernel/choices.ts';
import { KernelError } from '../../../kernel/errors.ts';
import type { Machine } from '../../../machines/machine.ts';
import { machines } from '../../../manifests/machines.ts';
import { parseScenario } from '../../../scenarios/load.ts';
import type { Scenario } from '../../../scenarios/scenario.ts';
import { judgedScenario } from '../../judged-scenario.ts';
import { type Explanation, explainFailure } from '../explain.ts';
import { failureSummary } from '../failure-summary.ts';
import { Trials } from '../trial.ts';
import { mutantsOf, mutated } from './protocol-mutants.ts';
import { randomProtocol } from './random-protocols.ts';
import { refutations } from './verify-causes.ts';

/*
 * Failing runs of mutated protocols, explained, and what is stated about them verified.
 */

/** Bundled protocols that are mutated; runs of some of them have faults to choose. */
const bundled = [
  'machine: two-phase-commit\nconfig: { resourceManagers: 3 }',
  'machine: recoverable-commit\nconfig: { resourceManagers: 2 }\nfaults:\n  - crash: { actor: "ResourceManager[*]", restart: 2, budget: 1 }',
  'machine: recoverable-commit\nconfig: { resourceManagers: 2 }\nfaults:\n  - drop: { budget: 1 }',
  'machine: mutual-exclusion\nconfig: { algorithm: peterson, rounds: 2 }',
  'machine: mutual-exclusion\nconfig: { algorithm: dekker, rounds: 2 }',
  'machine: register\nconfig: { clients: 2, writes: 2, reads: 2 }',
  'machine: register\nconfig: { clients: 3, writes: 1, reads: 1, copies: 2 }',
  // Over asynchronous networks.
  'machine: lamport-mutex\nconfig: { processes: 2, rounds: 1 }',
  'machine: ring-election\nconfig: { ids: [2, 0, 1] }',
  'machine: snapshot\nconfig: { balances: [1, 1, 0], transfers: 1 }',
  'machine: bakery\nconfig: { customers: 2, rounds: 1 }',
  'machine: lease-lock\nconfig: { clients: 2, rounds: 1, lease: 3, drift: 1 }',
  'machine: alternating-bit\nconfig: { messages: 3 }\nnetwork: { duplicating: false, lossy: 2 }',
  'machine: abd\nconfig: { servers: 3, clients: 2 }',
  'machine: raft\nconfig: { servers: 3, terms: 1, commands: 0 }',
  // Messages are lost, servers stop.
  'machine: abd\nconfig: { servers: 3, clients: 2 }\nnetwork: { lossy: 2 }',
  'machine: raft\nconfig: { servers: 3, terms: 2, commands: 0 }\nnetwork: { crashes: { max: 1, recover: true } }',
] as const;

/** Ticks after which a run of a mutant is left, since it may go on for ever. */
const ticksMax = 200;
/** Random schedules of a protocol in which a failure is looked for. */
const schedulesTried = 12;

/** A mutated protocol whose explanation was verified. */
export interface ExplainedMutant {
  readonly name: string;
  /** True when some of the schedules that were tried pass. */
  readonly depends: boolean;
  readonly causes: number;
  /** Things in the causes, all together. */
  readonly parts: number;
  /** What is wrong with what is stated; nothing when all of it was verified. */
  readonly refuted: readonly string[];
  readonly explanation: Explanation;
  readonly trials: Trials;
}

/** Explains failing runs of mutated protocols without end: mutants of the bundled ones and protocols that a seed makes, in turn. */
export async function* explainedMutants(seed: number): AsyncGenerator<ExplainedMutant> {
  const random = new RandomChoices(seed);
  const pick = (count: number) => (count === 1 ? 0 : random.pick('mutant', count));
  const loaded = await Promise.all(
    bundled.map(async (text) =>
      judgedScenario(await parseScenario(`name: mutant\n${text}\n`, 'm.yaml', machines)),
    ),
  );
  for (let number = 0; ; number++) {
    const made = number % 2 === 0 ? mutantOf(loaded[pick(loaded.length)]!, pick) : protocolOf(pick(2 ** 30));
    const failing = startingTape(made.trials, pick);
    if (!failing) continue;
    // What a check found ends where it failed.
    const ends = pick(2) === 0 ? {} : { until: failing.tick };
    const explanation = explainFailure(made.trials, failing.tape, ends);
    if (!explanation) throw new Error(`${made.name}: a failing run is not explained`);
    yield {
      name: made.name,
      depends: failing.depends,
      causes: explanation.causes.causes.length,
      parts: explanation.causes.causes.reduce((sum, { parts }) => sum + parts.length, 0),
      refuted: refutations(made.trials, explanation),
      explanation,
      trials: made.trials,
    };
  }
}

interface Made {
  readonly name: string;
  readonly trials: Trials;
}

function mutantOf(
  { scenario, machine, properties }: Awaited<ReturnType<typeof judgedScenario>>,
  pick: (count: number) => number,
): Made {
  const { wiring } = machine.assemble({
    name: 'mutant',
    config: scenario.config,
    programs: scenario.programs,
    mutants: [],
    scheduled: true,
  });
  const parts = [...new Map(wiring.complete.map((one) => [one.machine.id, one.machine])).values()];
  const mutants = parts.flatMap((part) => mutantsOf(part));
  const mutant = mutants[pick(mutants.length)]!;
  const trials = new Trials({ ...scenario, until: ticksMax }, mutated(machine, mutant), properties);
  return { name: `${machine.name}: ${mutant.id}: ${mutant.what}`, trials };
}

function protocolOf(seed: number): Made {
  const { machine, faults } = randomProtocol(seed);
  const scenario: Scenario = {
    file: 'random.yaml',
    text: '',
    name: machine.name,
    machine: machine.name,
    config: {},
    programs: [],
    faults,
    schedule: { kind: 'fifo', seed: 0 },
  };
  return { name: machine.name, trials: new Trials(scenario, machine as Machine, undefined) };
}

/** As `failingTape`; undefined, too, for a mutant with which no run begins. */
function startingTape(...given: Parameters<typeof failingTape>): ReturnType<typeof failingTape> {
  try {
    return failingTape(...given);
  } catch (error) {
    if (error instanceof KernelError && error.isMistake) return undefined;
    throw error;
  }
}

/** A random schedule under which a protocol fails. */
function failingTape(
  trials: Trials,
  pick: (count: number) => number,
): { readonly tape: Tape; readonly tick: number; readonly depends: boolean } | undefined {
  const first = pick(2 ** 20);
  const runs = Array.from({ length: schedulesTried }, (_, at) =>
    trials.attempt(new RandomChoices(first + at)),
  );
  const failing = runs.filter(({ failure }) => failure !== undefined);
  if (failing.length === 0) return undefined;
  const depends = failing.length < runs.length;
  // Where every schedule fails there is little to state: one in eight of these is enough.
  if (!depends && pick(8) > 0) return undefined;
  const { tape, outcome } = failing[pick(failing.length)]!;
  return { tape, tick: failureSummary(outcome)!.tick, depends };
}
