import { TapeChoices } from '../../kernel/choices.ts';
import type { Coverage } from '../../kernel/coverage.ts';
import { CoverageSum } from '../../kernel/coverage-sum.ts';
import { mixSeed } from '../../kernel/mix-seed.ts';
import { isMistake } from '../../machines/machine-error.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { type ScheduleKind, scheduleProducers } from '../../scenarios/schedule.ts';
import { type Slices, through } from '../../scenarios/slices.ts';
import { halvesOf } from './distinct.ts';
import { type Subject, SubjectTrials } from './subject.ts';
import type { FailureKind, Trial } from './trial.ts';

/** One part of a campaign that several processes carry out: they need nothing of each other. */
export interface Shard {
  /** From 1 to `of`. */
  readonly number: number;
  readonly of: number;
}

/** What decides every run of a campaign besides its subject. */
export interface CampaignPlan {
  /** From 0 to 2^32 - 1. */
  readonly seed: number;
  /** They take turns, one run each; at least one. */
  readonly strategies: readonly ScheduleKind[];
  /** Count what the runs cover. */
  readonly coverage: boolean;
  /** Fast twins stand for parts where a machine has them; where no coverage is counted when absent. */
  readonly fast?: boolean;
  /** Which of the runs are carried out; all when absent. */
  readonly shard?: Shard | null;
}

/** What of a plan decides which run is which. */
export type Turns = Pick<CampaignPlan, 'seed' | 'strategies'>;

/** What of a plan decides who carries out which run. */
export type Dealing = Pick<CampaignPlan, 'strategies' | 'shard'>;

/**
 * The number of the run that comes in place `at`, from 0, of those that are carried out: scenarios are dealt to the shards in turn, each with all its
 * schedules.
 */
export function runNumber({ strategies, shard }: Dealing, at: number): number {
  if (!shard) return at;
  const each = strategies.length;
  return (Math.floor(at / each) * shard.of + shard.number - 1) * each + (at % each);
}

/** How many of the first `runs` runs of a campaign are dealt to a shard. */
export function dealtRuns({ strategies, shard }: Dealing, runs: number): number {
  if (!shard) return runs;
  const each = strategies.length;
  const round = each * shard.of;
  const begun = (runs % round) - (shard.number - 1) * each;
  return Math.floor(runs / round) * each + Math.max(0, Math.min(each, begun));
}

/** One run of a campaign before it is carried out. */
export interface PlannedRun {
  /** From 0. */
  readonly number: number;
  readonly strategy: ScheduleKind;
  /** Seed of its schedule. */
  readonly seed: number;
  /** Number of its scenario: each strategy meets each scenario once. */
  readonly scenario: number;
}

/** The run of a number: it depends on the plan alone, so that runs may be carried out anywhere, in any order. */
export function plannedRun({ seed, strategies }: Turns, number: number): PlannedRun {
  const turn = number % strategies.length;
  return {
    number,
    strategy: strategies[turn]!,
    seed: mixSeed(number, seed),
    scenario: Math.floor(number / strategies.length),
  };
}

/** How many of the first `runs` runs a strategy made. */
export function runsOf(
  strategy: ScheduleKind,
  runs: number,
  { strategies }: Pick<Turns, 'strategies'>,
): number {
  const turn = strategies.indexOf(strategy);
  return turn < 0 ? 0 : Math.floor((runs + strategies.length - 1 - turn) / strategies.length);
}

/** What consecutive runs came to, as plain data that threads hand over. */
export interface Batch {
  /** Place of the first run among those that are carried out. */
  readonly first: number;
  /** How many runs; fewer than asked for when it stopped at a failure. */
  readonly runs: number;
  readonly deliveries: number;
  /** How many of the runs were cut: they left the boundary, or took as many steps as a run may. */
  readonly cut: number;
  /** Both halves of the fingerprint of the end of each run. */
  readonly ends: Uint32Array;
  readonly failures: readonly { readonly run: number; readonly kind: FailureKind }[];
  /** In how many of the runs each property had something to judge. */
  readonly judged: Readonly<Record<string, number>>;
  /** Absent when the plan does not ask for it. */
  readonly coverage?: Coverage;
}

/** The runs of a subject under a plan. What they come to is a function of both and of the number of the run, nothing else. */
export class Campaign {
  readonly #trials: SubjectTrials;
  /** Called now and then while a run goes on, with its deliveries so far: one may have no end. */
  onProgress: ((deliveries: number) => void) | undefined;

  constructor(
    readonly subject: Subject,
    readonly plan: CampaignPlan,
  ) {
    this.#trials = new SubjectTrials(subject);
  }

  /**
   * Carries out one run. Errors: what `Trials.attempt` throws, with the number of the run.
   *
   * Details: where nobody looks inside, fast twins do the work. A run of theirs that fails is carried out again by its tape with all its parts, which have more to say of it.
   */
  attempt(number: number): Trial {
    return through(this.#attemptInSlices(number));
  }

  *#attemptInSlices(number: number): Slices<Trial> {
    const { strategy, seed, scenario } = plannedRun(this.plan, number);
    const { onProgress } = this;
    try {
      const trials = this.#trials.of(scenario);
      const options = { coverage: this.plan.coverage, ...(onProgress && { onProgress }) };
      let hasTwins = false;
      const trial = yield* trials.attemptInSlices(scheduleProducers[strategy](seed), {
        ...options,
        fast: this.plan.fast ?? !this.plan.coverage,
        observe: (_run, { assembly }) => {
          hasTwins = assembly.fast === true;
        },
      });
      if (!trial.failure || !hasTwins) return trial;
      const { verdict, what } = trial.failure;
      const whole = yield* trials.attemptInSlices(new TapeChoices(trial.tape), options);
      if (whole.failure?.verdict === verdict) return whole;
      throw new Error(`only with fast twins of its parts it fails: ${verdict}, ${what}`);
    } catch (error) {
      if (error instanceof Error && error.name === 'StepLimitError') throw error;
      const run = `run ${number} (${strategy}, seed ${seed})`;
      if (!(error instanceof Error) || !isMistake(error))
        throw new Error(`${run}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      // A mistake in a module of the user stays one.
      error.message = `${run}: ${error.message}`;
      throw error;
    }
  }

  /** The scenario of a run. */
  scenarioOf(number: number): Scenario {
    return this.#trials.of(plannedRun(this.plan, number).scenario).scenario;
  }

  /**
   * Carries out `count` runs of the plan's shard from place `first` on; with `stopAtFailure` none after the first that fails. `onFailure` is told of each that fails while it is at hand.
   */
  batch(
    first: number,
    count: number,
    stopAtFailure: boolean,
    onFailure?: (number: number, trial: Trial & Required<Pick<Trial, 'failure'>>) => void,
  ): Batch {
    return through(this.batchInSlices(first, count, stopAtFailure, onFailure));
  }

  /** As `batch`, slice by slice; told to end, it leaves the run at hand out. */
  *batchInSlices(
    first: number,
    count: number,
    stopAtFailure: boolean,
    onFailure?: (number: number, trial: Trial & Required<Pick<Trial, 'failure'>>) => void,
  ): Slices<Batch> {
    const ends = new Uint32Array(2 * count);
    const failures: { run: number; kind: FailureKind }[] = [];
    const coverage = this.plan.coverage ? new CoverageSum() : undefined;
    const judged: Record<string, number> = {};
    let deliveries = 0;
    let cut = 0;
    let runs = 0;
    while (runs < count && !(stopAtFailure && failures.length > 0)) {
      const number = runNumber(this.plan, first + runs);
      const attempt = this.#attemptInSlices(number);
      let slice = attempt.next();
      while (!slice.done && (yield) !== true) slice = attempt.next();
      if (!slice.done) break;
      const trial = slice.value;
      const { outcome, fingerprint, failure, run } = trial;
      ends.set(halvesOf(fingerprint), 2 * runs);
      if (failure) {
        failures.push({ run: number, kind: failure });
        onFailure?.(number, { ...trial, failure });
      }
      for (const sentence of trial.sentences) judged[sentence] ??= 0;
      for (const sentence of trial.judged) judged[sentence]!++;
      deliveries += outcome.deliveries;
      if (outcome.cut) cut++;
      coverage?.add(run);
      runs++;
    }
    return {
      first,
      runs,
      deliveries,
      cut,
      ends: ends.slice(0, 2 * runs),
      failures,
      judged,
      ...(coverage && { coverage: coverage.coverage }),
    };
  }
}
