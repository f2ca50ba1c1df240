import { type Observable, of, Subject, takeUntil } from 'rxjs';
import { type Found, failsItself, type Observation, type Observer } from '../kernel/explore/observer.ts';
import type { GlobalState } from '../kernel/global-state.ts';
import type { Delivery, Run, Shown } from '../kernel/run.ts';
import { Moments } from './moments.ts';
import { findingsIn } from './observing.ts';

/** What is told of a run to the properties that watch it; each stream completes when the watch ends. */
export interface RunStreams {
  readonly messages$: Observable<Delivery>;
  readonly ticks$: Observable<number>;
  readonly probes$: Observable<Shown>;
  /** True when the run has come to rest by itself, deadlocks included: what has not come then never will. False in a run that goes on, was cut short or failed. */
  readonly quiet: boolean;
}

/** A sentence that must hold in every run, whatever the schedule (design, section 5), in the one form in which runs and the exhaustive checker judge it. One property serves any number of runs. */
export type Property = Observer;

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

/** Declares a property: `property({ sentence, watches, begin, see, atRest })`, or with `look` instead of `see` for one that is written with operators of RxJS. */
export const property = <Memory extends object>(
  declared: Observer<Memory> | StreamedProperty<Memory>,
): Observer<Memory> => ('look' in declared ? streamed(declared) : declared);

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
export function watch(run: Run, properties: readonly Property[]): Watch {
  const ended$ = new Subject<void>();
  const streams = new WatchedStreams(run, ended$);
  const moments = new Moments(streams);
  const stateAt = onceATick(() => run.state);
  const watching = properties.map((one) => ({
    sentence: one.sentence,
    findings$: findingsIn(one, streams, moments, stateAt),
  }));
  for (const { sentence, findings$ } of watching) {
    findings$.subscribe({
      next: ({ actors, why, property }) => {
        run.report(actors, { property: property ?? sentence, why });
      },
      error: (error: unknown) => {
        // A run that a property cannot judge is a finding like any other, so that it is recorded and can be replayed.
        run.report([], { property: sentence, why: failsItself(error).why });
      },
    });
  }
  return {
    get judged() {
      return watching.filter(({ findings$ }) => findings$.judged).map(({ sentence }) => sentence);
    },
    end: () => ended$.next(),
  };
}

/** The state at the end of a tick, put together once for all who ask for it. */
function onceATick(look: () => GlobalState): (tick: number) => GlobalState {
  let known: { readonly tick: number; readonly state: GlobalState } | undefined;
  return (tick) => {
    if (known?.tick !== tick) known = { tick, state: look() };
    return known.state;
  };
}

/** The streams of a run until its watch ends. A class: an object literal with getters would keep its run alive until the next full collection. */
class WatchedStreams implements RunStreams {
  readonly messages$: Observable<Delivery>;
  readonly ticks$: Observable<number>;
  readonly probes$: Observable<Shown>;
  readonly #run: Run;

  constructor(run: Run, ended$: Observable<void>) {
    this.#run = run;
    this.messages$ = run.messages$.pipe(takeUntil(ended$));
    this.ticks$ = run.ticks$.pipe(takeUntil(ended$));
    this.probes$ = run.probes$.pipe(takeUntil(ended$));
  }

  get quiet(): boolean {
    const { cut, failure, livelock } = this.#run.outcome;
    return this.#run.ended && !cut && !failure && !livelock;
  }
}
