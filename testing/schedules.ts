import fc from 'fast-check';
import { oneOf } from '../kernel/known-keys.ts';
import { type KnownMachine, loadMachine } from '../machines/machine.ts';
import { briefly } from '../machines/machine-error.ts';
import type { ScenarioArbitrary } from '../manifests/define-machine.ts';
import { Campaign } from '../properties/explore/campaign.ts';
import { simplestFailure } from '../properties/explore/simplest.ts';
import { GeneratedSubject, givenSubject, type Subject } from '../properties/explore/subject.ts';
import { failureOf } from '../properties/explore/trial.ts';
import { generationOf } from '../properties/generated-subject.ts';
import { judgedBy } from '../properties/judged-by.ts';
import { type JudgedMachine, propertiesOf } from '../properties/judged-machine.ts';
import { watchedRun } from '../properties/watched-run.ts';
import { type ScheduleKind, scheduleKinds } from '../scenarios/schedule.ts';
import { scheduleFailure } from './failure.ts';
import {
  beside,
  checkTested,
  notTogether,
  type Tested,
  type TestedRun,
  testedRun,
  wholeNumber,
} from './given.ts';
import { placeOfCaller, type TestPlace } from './place.ts';

/** Options of fast-check that mean something here: a run is one number. */
type FastCheckOptions = Omit<
  fc.Parameters<[run: number]>,
  'numRuns' | 'reporter' | 'asyncReporter' | 'includeErrorInReport' | 'unbiased' | 'maxSkipsPerRun'
>;

const fastCheckKeys = Object.keys({
  seed: 1,
  path: 1,
  randomType: 1,
  timeout: 1,
  skipAllAfterTimeLimit: 1,
  interruptAfterTimeLimit: 1,
  markInterruptAsFailure: 1,
  skipEqualValues: 1,
  ignoreEqualValues: 1,
  logger: 1,
  verbose: 1,
  examples: 1,
  endOnFailure: 1,
} satisfies Partial<Record<keyof FastCheckOptions, 1>>);

/** How random schedules of a machine are tried. */
export interface SchedulesOptions extends TestedRun, FastCheckOptions {
  /** Runs; 100 when absent. */
  readonly runs?: number;
  /** Kinds of schedules, of which each run has one; all that differ from run to run when absent. */
  readonly strategies?: readonly ScheduleKind[];
  /** Each run has another scenario: of the machine's generator, or of this arbitrary of fast-check. Then `config`, `programs`, `network` and `until` are the generator's. */
  readonly generate?: true | ScenarioArbitrary;
}

/** What trying random schedules came to. */
export interface Schedules {
  readonly runs: number;
  /** Given as `seed`, the same runs are tried again. */
  readonly seed: number;
}

/** What a generated scenario says itself; mutants and faults are planted in each. */
const ofGenerated = ['scenario', 'config', 'programs', 'network', 'until'] as const;

const portfolio = scheduleKinds.filter((kind) => kind !== 'fifo');
/** Seconds that making a failure simple may take. */
const secondsMax = 30;
/** Milliseconds after which the test runner is told that the test is alive. */
const turnMilliseconds = 200;
/** What the numbers of runs mean is the same in all tests. */
const campaignSeed = 1;

/**
 * Runs a machine under random schedules and judges its properties, reports, deadlocks, livelocks and errors: `await schedules(lockServer, { runs: 1000, seed: 7 })`.
 *
 * Details: what fails is made simple before it is told: a generated scenario, then its schedule. Options of fast-check are those of its `fc.assert`; `seed` and `path` repeat a failure.
 *
 * Errors: `ScheduleFailure` when a run fails, with the page that explains it, recorded beside the test; `ScenarioErrors` for what the machine does not take.
 */
export function schedules(machine: KnownMachine, options: SchedulesOptions = {}): Promise<Schedules> {
  return schedulesAt(placeOfCaller(schedules), machine, options);
}

/** The same for a test at a place. */
export async function schedulesAt(
  place: TestPlace,
  known: KnownMachine,
  options: SchedulesOptions,
): Promise<Schedules> {
  const { runs = 100, strategies = portfolio, generate, record = true, ...rest } = options;
  const { scenario, config, programs, mutants, faults, network, until, properties, named, ...parameters } =
    rest;
  checkTested('schedules', known, rest, fastCheckKeys);
  notTogether('schedules', { ...rest, generate }, 'generate', ofGenerated);
  wholeNumber('schedules', 'runs', runs, 1);
  if (!Array.isArray(strategies) || strategies.length === 0)
    throw new TypeError(`schedules: found ${briefly(strategies)} as strategies, expected a list of some`);
  for (const one of strategies) oneOf('schedules: strategies', one, scheduleKinds);
  const given = generate === undefined ? await testedRun(known, rest, place) : undefined;
  const subject = given
    ? givenSubject(given.judged.scenario, given.judged.machine, given.judged.properties)
    : await generatedSubject(known, options, generate);
  const campaign = new Campaign(subject, { seed: campaignSeed, strategies, coverage: false });

  let turned = performance.now();
  let broken: { readonly error: unknown } | undefined;
  const passes = fc.asyncProperty(fc.noBias(fc.noShrink(fc.nat())), async (run) => {
    if (performance.now() - turned > turnMilliseconds) {
      await new Promise((resolve) => setImmediate(resolve));
      turned = performance.now();
    }
    try {
      return campaign.attempt(run).failure === undefined;
    } catch (error) {
      broken = { error };
      throw error;
    }
  });
  const details = await fc.check(passes, { ...parameters, numRuns: runs });
  const { failed, counterexample, seed, counterexamplePath: path, interrupted } = details;
  if (broken) throw (broken as { readonly error: unknown }).error;
  if (failed && !counterexample)
    throw new Error(`${details.numRuns} of ${runs} runs, then time ran out (interrupted: ${interrupted})`);
  if (!counterexample) return { runs: details.numRuns, seed };

  const [run] = counterexample;
  const end = performance.now() + 1000 * secondsMax;
  const { failure } = campaign.attempt(run);
  if (!failure)
    throw new Error(
      `run ${run} failed and does not fail again: it depends on something besides its schedule`,
    );
  const simplest = simplestFailure(campaign, run, failure, beside(place, subject.machine.name), {
    shouldStop: () => performance.now() > end,
  });
  const { machine, properties: judging } = subject;
  const judged = { scenario: simplest.scenario, machine, properties: judging };
  const tested: Tested = { judged, own: { ...judged, properties: await propertiesOf(known) } };
  const { outcome } = watchedRun(judged, simplest.tape, { scheduled: true });
  const { verdict, what } = failureOf(outcome) ?? failure;
  const [violation] = outcome.violations;
  const found = { verdict, what, actors: violation?.actors ?? [], why: violation?.why ?? what };
  throw scheduleFailure(
    tested,
    found,
    { tape: simplest.tape },
    {
      ...place,
      record,
      askedBy: `schedules ${options.seed ?? ''}`,
      notes: [`found in run ${details.numRuns} of ${runs}; again: { seed: ${seed}, path: "${path}" }`],
    },
  );
}

/** Errors: an `Error` for a machine without a generator. */
async function generatedSubject(
  known: KnownMachine,
  { named, properties, mutants = [], faults = [] }: SchedulesOptions,
  generate: true | ScenarioArbitrary | undefined,
): Promise<Subject> {
  const machine = await loadMachine(known);
  const generation =
    typeof generate === 'object'
      ? { machine, properties: await propertiesOf(known), arbitrary: generate as never }
      : 'generator' in known
        ? await generationOf(known as JudgedMachine)
        : undefined;
  if (!generation)
    throw new Error(
      `generate: found no generator of the machine ${machine.name}\n  help: give it one, defineMachine({ generator }), or an arbitrary here`,
    );
  return new GeneratedSubject({
    ...generation,
    ...(properties && { properties: judgedBy(machine, properties) }),
    ...(named !== undefined && { named }),
    seed: campaignSeed,
    mutants,
    faults,
  });
}
