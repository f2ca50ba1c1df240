import type { Choices, Tape } from '../../kernel/choices.ts';
import type { Observer } from '../../kernel/explore/observer.ts';
import type { Outcome, Verdict } from '../../kernel/outcome.ts';
import type { Run } from '../../kernel/run.ts';
import type { Machine } from '../../machines/machine.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { type Built, simulateInSlices } from '../../scenarios/simulate.ts';
import { type Slices, through } from '../../scenarios/slices.ts';
import { type Waiting, watchWaiting } from '../endless.ts';
import type { MachineProperties } from '../properties.ts';
import { judgedOf, type Watch } from '../property.ts';
import { comesToRest, restSentence } from '../rest.ts';

/** In what way a run failed. Two failures of the same kind are, for shrinking and for counting, the same bug. */
export interface FailureKind {
  readonly verdict: Exclude<Verdict, 'ok'>;
  /** The sentence of the first violation, the code of the error, or the actors that are stuck. */
  readonly what: string;
}

/** One run of a scenario under given choices, judged by the properties of its machine. */
export interface Trial {
  readonly outcome: Outcome;
  /** Absent when all is well. */
  readonly failure?: FailureKind;
  /** True for a run that was left while it still waited for what the sentence of `awaits` says must come. */
  readonly waits?: true;
  /** Other sentences that say what must come, for which that is so. */
  readonly open: readonly string[];
  /** True where the wiring has a boundary. */
  readonly isBounded: boolean;
  /** The picks, without trailing zeros. */
  readonly tape: Tape;
  /** One hash of the state in which the run ended. */
  readonly fingerprint: string;
  readonly run: Run;
  /** Sentences of the properties that judge it, and those of them that had something to judge. */
  readonly sentences: readonly string[];
  readonly judged: readonly string[];
}

/** How a trial is carried out besides its choices. */
export interface TrialOptions {
  /** Count transitions and guards of the state machines. */
  readonly coverage?: boolean;
  /** Last tick that is carried out, instead of the scenario's. */
  readonly until?: number;
  /** Whether the machine is built for other orders than first come first served; true when absent. */
  readonly scheduled?: boolean;
  /** Whether fast twins may stand for parts, as nobody looks inside; false when absent. */
  readonly fast?: boolean;
  /** Deliveries after which, or after a violation, the run is left where it stands, give or take a slice; it goes on to its end when absent. */
  readonly deliveriesMax?: number;
  /** Called between two slices of the run, with the deliveries so far. */
  readonly onProgress?: (deliveries: number) => void;
  /** Go on beyond the boundary of the wiring, which bounds what is explored and is no part of what it does. */
  readonly unbounded?: boolean;
  /** A sentence that says what must come: whether a run is left while it still waits for that is then known. */
  readonly awaits?: string;
  /** Attaches further observers before the first step. */
  readonly observe?: (run: Run, built: Built) => void;
}

/** Any number of runs of one scenario, each judged. What the runs have in common is made once. */
export class Trials {
  readonly scenario: Scenario;
  readonly machine: Machine;
  /** Those that watch the runs; undefined for a machine that has none. */
  readonly properties: MachineProperties | undefined;
  /** Deliveries that one tick may have before it is a livelock, instead of those of the machine. */
  readonly deliveriesPerTickMax: number | undefined;
  #sentences: readonly string[] | undefined;

  constructor(
    scenario: Scenario,
    machine: Machine,
    properties: MachineProperties | undefined,
    deliveriesPerTickMax?: number,
  ) {
    this.deliveriesPerTickMax = deliveriesPerTickMax;
    this.scenario = scenario;
    this.machine = machine;
    this.properties = properties;
  }

  /** The property with this sentence, in a run that was made so; undefined for what no property of the machine says. */
  observerOf(sentence: string, { given, assembly }: Built): Observer | undefined {
    if (sentence === restSentence) return comesToRest();
    return this.properties?.observers?.(given, assembly).find((one) => one.sentence === sentence);
  }

  /** Watches the sentences that say what must come: that one and, where runs are often left before their end, all others. */
  #waitingFor(run: Run, built: Built, awaits: string): readonly Waiting[] {
    const { given, assembly } = built;
    const asked = this.observerOf(awaits, built);
    const all = run.asynchronous ? (this.properties?.observers?.(given, assembly) ?? []) : [];
    return [...(asked ? [asked] : []), ...all.filter(({ sentence }) => sentence !== awaits)]
      .filter(({ pending }) => pending)
      .map((one) => watchWaiting(run, one));
  }

  /** Runs the scenario under these choices with its properties watching. Errors: what `simulate` throws. */
  attempt(choices: Choices, options: TrialOptions = {}): Trial {
    return through(this.attemptInSlices(choices, options));
  }

  /** As `attempt`, slice by slice. */
  *attemptInSlices(choices: Choices, options: TrialOptions = {}): Slices<Trial> {
    let watching: Watch | undefined;
    let waiting: readonly Waiting[] = [];
    let observed: Run | undefined;
    let isBounded = false;
    const { deliveriesMax, onProgress, awaits } = options;
    const { outcome, tape, fingerprint, run } = yield* simulateInSlices(this.scenario, this.machine, {
      choices,
      scheduled: options.scheduled ?? true,
      checkpoints: 0,
      ...(this.deliveriesPerTickMax !== undefined && { deliveriesPerTickMax: this.deliveriesPerTickMax }),
      ...(options.fast !== undefined && { fast: options.fast }),
      ...(options.coverage !== undefined && { coverage: options.coverage }),
      ...(options.until !== undefined && { until: options.until }),
      ...(deliveriesMax !== undefined && {
        shouldStop: () => {
          const { deliveries = 0, violations = [] } = observed?.outcome ?? {};
          return deliveries > deliveriesMax || violations.length > 0;
        },
      }),
      ...(onProgress && { onProgress: (_now, deliveries) => onProgress(deliveries) }),
      observe: (run, built) => {
        observed = run;
        const { wiring } = built.assembly;
        isBounded = wiring.boundary !== undefined;
        if (options.unbounded) wiring.boundary = undefined;
        this.#sentences ??= this.properties?.sentencesOf?.(built.given) ?? this.properties?.sentences;
        watching = this.properties?.watch(run, built.given, built.assembly);
        if (awaits !== undefined) waiting = this.#waitingFor(run, built, awaits);
        options.observe?.(run, built);
      },
      onEnd: () => watching?.end(),
    });
    const failure = failureOf(outcome);
    const sentences = this.#sentences ?? [];
    const judged = judgedOf(sentences, watching);
    const open = waiting.filter(({ waits }) => waits).map(({ sentence }) => sentence);
    return {
      outcome,
      tape,
      fingerprint,
      run,
      sentences,
      judged,
      isBounded,
      ...(failure && { failure }),
      ...(open.includes(awaits!) && { waits: true }),
      open: open.filter((sentence) => sentence !== awaits),
    };
  }
}

/** In what way a run failed; undefined when it did not. */
export function failureOf(outcome: Outcome): FailureKind | undefined {
  const { verdict, violations, deadlock, livelock, failure } = outcome;
  switch (verdict) {
    case 'ok':
      return undefined;
    case 'violated':
      return { verdict, what: violations[0]!.property };
    case 'deadlock':
      return {
        verdict,
        what: deadlock!.waiting.map(({ actor, state }) => `${actor} in ${state}`).join(', '),
      };
    case 'livelock':
      return { verdict, what: livelock!.repeating[0]?.type ?? 'no message repeats' };
    case 'error':
      return { verdict, what: failure!.message };
  }
}
