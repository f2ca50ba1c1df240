import { type Observable, of, Subject, takeUntil } from 'rxjs';
import { type Found, failsItself, type Observation, type Observer } from '../kernel/explore/observer.ts';
import type { Violation } from '../kernel/outcome.ts';
import type { Delivery, Pick, Run, Shown } from '../kernel/run.ts';
import { Findings } from './findings.ts';
import { Observers } from './observers.ts';

/**
 * What a property sees of a run: its streams, and nothing inside its actors.
 *
 * Details: each stream completes when the watch ends, so that a property can judge then what never came.
 */
export interface RunStreams {
  readonly messages$: Observable<Delivery>;
  readonly ticks$: Observable<number>;
  readonly probes$: Observable<Shown>;
  readonly picks$: Observable<Pick>;
  /** What the parts themselves report; the findings of properties are not among it. */
  readonly reports$: Observable<Violation>;
  /** True when nothing will happen any more; false while it goes on, and in a run that was cut short: there what is missing proves nothing. */
  readonly ended: boolean;
  /** True when it has come to rest by itself, deadlocks included: what has not come then never will. A run that failed has ended, not come to rest. */
  readonly quiet: boolean;
}

/** One place in a run where a property does not hold. The run adds the tick. */
export interface StreamFinding {
  /** Names of the actors involved. */
  readonly actors: readonly string[];
  readonly why: string;
  /** The sentence that does not hold, for a property that watches several; its own when absent. */
  readonly property?: string;
}

/**
 * A sentence that must hold in every run, whatever the schedule (design, section 5): in the one form in which runs and the exhaustive checker judge it, an observer with plain memory.
 *
 * Details: one property serves any number of runs. `StreamProperty` is the older form, which runs alone can judge; `Context` is its.
 */
// biome-ignore lint/suspicious/noExplicitAny: a list of properties holds properties of any memory
export type Property<Context = any> = Observer | StreamProperty<Context>;

/** A property that looks at the streams of whole runs: `check` names it as not judged. All that it remembers belongs to one subscription. `context` is what the machine family tells it. */
export interface StreamProperty<Context = unknown> {
  readonly sentence: string;
  /** Turns the streams of one run into a stream of findings; a correct run has none. */
  observe(run: RunStreams, context: Context): Observable<StreamFinding>;
}

/** A moment, and what the property remembers when it comes. */
export interface RememberedObservation<Memory> {
  readonly memory: Memory;
  readonly observation: Observation;
}

/** A property that is written with operators of RxJS, its memory declared. */
export interface StreamedProperty<Memory extends object> extends Omit<Observer<Memory>, 'see'> {
  /**
   * Turns moments into findings; what must be remembered is changed in `memory`.
   *
   * Gotchas: each moment is a stream of its own, so operators that remember (`scan`, `pairwise`, `distinct` …) begin anew with each: the memory is all there is.
   */
  readonly look: (seen$: Observable<RememberedObservation<Memory>>) => Observable<Found>;
}

/**
 * Declares a property: `property({ sentence, watches, begin, see, atRest })`, or with `look` instead of `see` for one that is written with operators of RxJS.
 *
 * Details: a sentence and an `observe` make the older form, `StreamProperty`.
 */
export function property<Memory extends object>(
  declared: Observer<Memory> | StreamedProperty<Memory>,
): Observer<Memory>;
export function property<Context = unknown>(
  sentence: string,
  observe: (run: RunStreams, context: Context) => Observable<StreamFinding>,
): StreamProperty<Context>;
export function property(
  declared: string | Observer | StreamedProperty<object>,
  observe?: StreamProperty['observe'],
): Property {
  if (typeof declared === 'string') return { sentence: declared, observe: observe! };
  return 'look' in declared ? streamed(declared) : declared;
}

function streamed<Memory extends object>({ look, ...rest }: StreamedProperty<Memory>): Observer<Memory> {
  const see = (memory: Memory, observation: Observation): Found | undefined => {
    const all: Found[] = [];
    let failure: { readonly error: unknown } | undefined;
    look(of({ memory, observation }))
      .subscribe({
        next: (found) => all.push(found),
        // RxJS would throw it later, where nobody waits for it.
        error: (error: unknown) => {
          failure = { error };
        },
      })
      .unsubscribe();
    if (failure) throw failure.error;
    const [first, ...more] = all;
    return first && { ...first, why: [first.why, ...more.map(({ why }) => why)].join('; ') };
  };
  return { ...rest, see };
}

/** Looks at the events of one run in their order. */
export interface Judge<E> {
  see(event: E): void;
  /** Called once, when the watch ends. */
  end?(): void;
}

/** The findings of a judge; `begin` makes a new judge for each run and hands it the way to say what it found. */
export function judged<E>(
  events$: Observable<E>,
  begin: (found: (actors: readonly string[], why: string, property?: string) => void) => Judge<E>,
): Observable<StreamFinding> {
  const findings = new Findings((subscriber) => {
    const judge = begin((actors, why, name) => {
      subscriber.next({ actors, why, ...(name !== undefined && { property: name }) });
    });
    const guarded = (look: () => void) => {
      try {
        look();
      } catch (error) {
        subscriber.error(error);
      }
    };
    return events$.subscribe({
      next: (event) => {
        findings.judged = true;
        guarded(() => judge.see(event));
      },
      error: (error) => subscriber.error(error),
      complete: () => {
        guarded(() => judge.end?.());
        subscriber.complete();
      },
    });
  });
  return findings;
}

/** Properties at work on a run. */
export interface Watch {
  /** Sentences of the properties that had something to judge so far; nothing is known when absent. */
  readonly judged?: readonly string[];
  /** Ends the watch, once the run has ended or is left where it stands. */
  end(): void;
}

/**
 * Lets properties watch a run: what they find becomes a violation of the run, in the tick in which they find it.
 *
 * Details: a property that throws is told as a finding of its own sentence, and looks no further.
 *
 * Gotchas: call it before the first step, and `end` after the last one; what a property finds at the end belongs to the last tick.
 */
export function watch<Context>(run: Run, properties: readonly Property<Context>[], context: Context): Watch {
  const ended$ = new Subject<void>();
  const streams = new WatchedStreams(run, ended$);
  const observers = new Observers(run);
  const watching = properties.map((one) => ({
    sentence: one.sentence,
    work: 'observe' in one ? watchStreams(run, one, streams, context) : observers.add(one),
  }));
  const stopListening = properties.every((one) => 'observe' in one) ? () => {} : run.listen(observers);
  return {
    get judged() {
      return watching.filter(({ work }) => work.judged).map(({ sentence }) => sentence);
    },
    end: () => {
      stopListening();
      observers.end(streams.quiet);
      ended$.next();
    },
  };
}

/** Lets a property of the older form watch. What it finds is told; whether it had something to judge is not known of all. */
function watchStreams<Context>(
  run: Run,
  judge: StreamProperty<Context>,
  streams: RunStreams,
  context: Context,
): { readonly judged: boolean } {
  const { sentence } = judge;
  const findings$ = judge.observe(streams, context);
  findings$.subscribe({
    next: ({ actors, why, property }) => {
      run.report(actors, { property: property ?? sentence, why });
    },
    error: (error: unknown) => {
      // A run that a property cannot judge is a finding like any other, so that it is recorded and can be replayed.
      run.report([], { property: sentence, why: failsItself(error).why });
    },
  });
  return findings$ instanceof Findings ? findings$ : { judged: true };
}

/** The streams of a run until its watch ends. A class: an object literal with getters would keep its run alive until the next full collection. */
class WatchedStreams implements RunStreams {
  readonly messages$: Observable<Delivery>;
  readonly ticks$: Observable<number>;
  readonly probes$: Observable<Shown>;
  readonly picks$: Observable<Pick>;
  readonly reports$: Observable<Violation>;
  readonly #run: Run;

  constructor(run: Run, ended$: Observable<void>) {
    this.#run = run;
    this.messages$ = run.messages$.pipe(takeUntil(ended$));
    this.ticks$ = run.ticks$.pipe(takeUntil(ended$));
    this.probes$ = run.probes$.pipe(takeUntil(ended$));
    this.picks$ = run.picks$.pipe(takeUntil(ended$));
    this.reports$ = run.reports$.pipe(takeUntil(ended$));
  }

  get ended(): boolean {
    return this.#run.ended && !this.#run.outcome.cut;
  }

  get quiet(): boolean {
    const { failure, livelock } = this.#run.outcome;
    return this.ended && !failure && !livelock;
  }
}
