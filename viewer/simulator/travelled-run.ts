import type { Choices, Tape } from '../../kernel/choices.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import { type Delivery, Run, type RunSnapshot } from '../../kernel/run.ts';
import { assembled } from '../../machines/machine.ts';
import type { JudgedScenario } from '../../properties/judged-scenario.ts';
import type { Watch } from '../../properties/property.ts';
import { watchedRun } from '../../properties/watched-run.ts';
import { givenOf } from '../../scenarios/given.ts';
import { type Recording, recordingOf } from '../../scenarios/recording.ts';
import { type BuiltRun, buildRun } from '../../scenarios/simulate.ts';
import type { Alternatives, Ending, MessageView, Moment, Plain, RunView } from '../protocol.ts';
import { messageView, momentOf } from './moment.ts';
import { plain } from './plain.ts';
import { deliveriesMax, RunIndex } from './run-index.ts';
import { SteeredChoices } from './steered.ts';

/** How a run is carried out: its tape, for which orders its machine is built, and how far it goes. */
export interface Course {
  readonly tape: Tape;
  /** What picks in place of the tape, for a run whose picks nobody knows yet. */
  readonly choices?: Choices;
  readonly scheduled: boolean;
  readonly until?: number;
  /** Deliveries after which it is left at the end of a tick. */
  readonly deliveriesMax?: number;
}

/** For what a run is carried out: to be judged by its properties, to be looked at again, or both. */
export interface Purpose {
  readonly judged: boolean;
  readonly looked: boolean;
}

/** Milliseconds after which a run that takes long gives the page a turn, and deliveries after which it looks at the clock: at first, and at most. */
const [turnMs, firstSliceDeliveries, sliceDeliveries] = [100, 4, 256];

/** Snapshots that are kept at most: with more, every other one goes. */
const snapshotsMax = 96;
/** Deliveries between two of them at least. */
const spacingMin = 512;

interface Stop {
  readonly deliveries: number;
  readonly snapshot: RunSnapshot;
}

/**
 * A run that has been carried out, any moment of which can be looked at again: the nearest snapshot in front of it is restored, and the rest of
 * the way is run.
 */
export class TravelledRun {
  readonly index: RunIndex;
  readonly #built: BuiltRun<unknown>;
  #stops: Stop[] = [];
  /** Deliveries between two snapshots. */
  #spacing: number;
  #cut = false;
  #isRunning = true;

  constructor(
    readonly judged: JudgedScenario,
    readonly course: Course,
    readonly purpose: Purpose = { judged: true, looked: true },
  ) {
    const { scenario, machine, properties } = judged;
    const { tape, choices, scheduled, deliveriesMax: expected = 0 } = course;
    this.#spacing = Math.max(spacingMin, Math.ceil(expected / snapshotsMax));
    let watching: Watch | undefined;
    this.#built = buildRun(scenario, machine, {
      choices: new SteeredChoices(tape, choices),
      scheduled,
      observe: (run, { given, assembly }) => {
        observed(run);
        if (purpose.judged) watching = properties?.watch(run, given, assembly);
      },
    });
    this.#finish = () => watching?.end();
    this.index = new RunIndex(this.#built.run, this.#built.assembly.wiring);
  }

  readonly #finish: () => void;

  /** Carries the run out, once. `onTurn` is called now and then; what has been carried out by then can be looked at. */
  async carryOut(onTurn: () => Promise<void>): Promise<void> {
    const { run } = this.#built;
    const last = this.course.until ?? this.judged.scenario.until ?? Number.MAX_SAFE_INTEGER;
    const most = Math.min(this.course.deliveriesMax ?? deliveriesMax, deliveriesMax);
    this.#keep();
    let turned = performance.now();
    let [slice, all] = [firstSliceDeliveries, 0];
    for (let isOver = false; !isOver; slice = Math.min(sliceDeliveries, 2 * slice)) {
      const { deliveries } = run.until(last, slice);
      isOver = run.ended || deliveries - all < slice;
      all = deliveries;
      if (
        this.purpose.looked &&
        this.index.count - this.#stops.at(-1)!.deliveries >= this.#spacing &&
        !run.ended
      )
        this.#keep();
      if (this.index.count > most) {
        this.#cut = this.course.deliveriesMax === undefined;
        break;
      }
      if (isOver || performance.now() - turned < turnMs) continue;
      await onTurn();
      turned = performance.now();
    }
    this.#finish();
    this.#isRunning = false;
  }

  #keep(): void {
    this.#stops.push({ deliveries: this.index.count, snapshot: this.#built.run.snapshot() });
    if (this.#stops.length <= snapshotsMax) return;
    this.#stops = this.#stops.filter((_, index) => index % 2 === 0);
    this.#spacing *= 2;
  }

  /** True where the machine draws itself as it stands. */
  get hasScene(): boolean {
    return this.#built.assembly.scene !== undefined;
  }

  get run(): Run {
    return this.#built.run;
  }

  /** What a page draws. */
  get view(): RunView {
    const { actors, types, states, columns, changes, picks, marks } = this.index;
    const { deliveriesMax: deliveries, until: ticks } = this.course;
    const expected = deliveries !== undefined && ticks !== undefined && { deliveries, ticks };
    return {
      actors,
      types,
      states,
      columns,
      changes,
      picks,
      marks,
      left: this.#isRunning ? [] : this.#left,
      ending: this.#isRunning || !this.purpose.judged ? this.#sofar : this.#ending,
      ...(this.#isRunning && { isRunning: true, ...(expected && { expected }) }),
      ...((this.#isRunning || !this.purpose.judged) && { isUnjudged: true }),
      ...(this.#cut && { cutAt: columns.count }),
    };
  }

  get #left(): RunView['left'] {
    const pairs = new Map(
      this.run.state.messages.map(({ from, to }) => [`${from}\n${to}`, [from, to] as const]),
    );
    return [...pairs.values()];
  }

  /** How it is carried out again: with the picks that it had. */
  get settled(): Course {
    const { choices, ...course } = this.course;
    return choices ? { ...course, tape: this.#built.choices.tape } : course;
  }

  /** What can be told of the end before it is there: nothing. */
  get #sofar(): Ending {
    const { now } = this.run;
    const none = { words: '', actors: [], waiting: [], cycle: [], figures: [] };
    return { verdict: 'ok', ticks: now, deliveries: this.index.count, fingerprint: '', ...none };
  }

  get #ending(): Ending {
    const { outcome, fingerprint, ended } = this.run;
    const { machine } = this.judged;
    return {
      verdict: outcome.verdict,
      ...((!ended || outcome.cut) && { isSoFar: true }),
      ticks: outcome.ticks,
      deliveries: outcome.deliveries,
      fingerprint,
      words: wordsOf(outcome),
      actors: actorsOf(outcome),
      waiting: outcome.deadlock?.waiting ?? [],
      cycle: outcome.deadlock?.cycle ?? [],
      figures: machine.figures(this.#built.assembly.result(this.run), outcome),
    };
  }

  /** The run as it stands after a delivery or a step of the network, -1 for before the first; `actor` is looked at from near, and the machine draws itself where a scene is wanted. */
  moment(asked: number, actor: string | undefined, withScene = false): Moment {
    const { index } = this;
    const step = index.network.find((one) => one.at === asked);
    // A run may end before anything is delivered, and another one has other steps.
    const at = step ? asked : Math.floor(Math.min(asked, index.count - 1));
    const { run, assembly } = this.#from(Math.floor(at));
    const look = () => (actor === undefined ? undefined : run.parts.find(({ name }) => name === actor));
    let before: Plain | undefined;
    // The context is copied before the step changes it.
    const copy = () => {
      const found = look();
      if (found) before = plain(run.localStateAt(found.address)!.context);
    };
    const shown = (delivery?: Delivery): Moment =>
      momentOf(run, {
        at,
        actor: look(),
        scene: withScene ? assembly.scene?.(run) : undefined,
        ...(delivery && { delivery }),
        ...(before !== undefined && { before }),
      });
    if (at === -1) return shown();
    if (step) {
      const changes = index.changes.some((one) => one.at === at && index.actors[one.actor]!.name === actor);
      while (run.outcome.ticks < step.tick && run.tick());
      if (changes) copy();
      run.tick();
      return shown();
    }
    const receiver = actor !== undefined && at >= 0 && index.actors[index.receiverOf(at)]?.name === actor;
    if (receiver && run.outcome.deliveries === at) copy();
    let moment: Moment | undefined;
    run.messages$.subscribe((delivery) => {
      if (receiver && delivery.index === at - 1) copy();
      if (delivery.index === at) moment = shown(delivery);
    });
    while (!moment && run.tick()) if (receiver && run.asynchronous && run.outcome.deliveries === at) copy();
    if (!moment) throw new Error(`found no delivery ${at}, expected at most ${index.count - 1}`);
    return moment;
  }

  /** What the question `pick` could have been answered with. */
  alternatives(pick: number): Alternatives {
    const { what, count, at } = this.index.picks[pick]!;
    const choices = new SteeredChoices(this.settled.tape);
    const { run } = this.#from(at, choices);
    let answers: readonly string[] | undefined;
    choices.asked = {
      pick,
      tell: (candidates, many) => {
        answers = candidates
          ? candidates.map((message) => messageWords(messageView(run, message)))
          : Array.from({ length: many }, (_, index) => `${what}: ${index}`);
      },
    };
    while (!answers && run.tick());
    return { pick, answers: answers ?? Array.from({ length: count }, (_, index) => String(index)) };
  }

  /** The tape of a run that begins as this one and answers a question otherwise; from then on first come, first served. */
  tapeWith(pick: number, answer: number): Tape {
    return [...this.index.picks.slice(0, pick).map((one) => one.pick), answer];
  }

  /** The run as a recording. */
  recording(): Recording {
    const { tape, scheduled, until } = this.settled;
    return recordingOf(
      this.judged.scenario,
      watchedRun(this.judged, tape, { scheduled, ...(until !== undefined && { until }) }),
    );
  }

  /** A run that stands at the last snapshot in front of a delivery. */
  #from(at: number, choices = new SteeredChoices(this.settled.tape)) {
    const { scenario, machine } = this.judged;
    const { snapshot } =
      this.#stops.findLast(({ deliveries }) => deliveries <= Math.max(0, at)) ?? this.#stops[0]!;
    const given = givenOf(scenario, this.course.scheduled);
    const assembly = assembled(machine, given);
    const { wiring, deliveriesPerTickMax } = assembly;
    const run = Run.restore(
      wiring,
      { ...snapshot, choices: (snapshot.choices as { readonly source: unknown }).source },
      {
        choices,
        ...(deliveriesPerTickMax !== undefined && { deliveriesPerTickMax }),
        ...(given.faults && { faults: given.faults }),
      },
    );
    observed(run);
    return { run, assembly };
  }
}

/** Some machines take longer steps when nobody looks: every run of a page is one that is looked at, so that all have the same deliveries. */
const observed = (run: Run): void => {
  run.probes$.subscribe(() => {});
};

const messageWords = ({ from, to, type, payload }: MessageView): string =>
  `${type} from ${from} to ${to}${payload && Object.keys(payload).length > 0 ? ` ${JSON.stringify(payload)}` : ''}`;

const actorsOf = ({ failure, livelock }: Outcome): readonly string[] =>
  failure ? [failure.actor] : [...new Set(livelock?.repeating.flatMap(({ from, to }) => [to, from]))];

function wordsOf({ failure, livelock, deadlock }: Outcome): string {
  if (failure) return failure.message;
  if (livelock) return `tick ${livelock.tick} does not come to its end after ${livelock.budget} deliveries`;
  if (deadlock) return `${deadlock.waiting.length} actors wait for what never comes`;
  return '';
}
