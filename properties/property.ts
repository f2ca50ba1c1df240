import { type Observable, of } from 'rxjs';
import { KernelError } from '../kernel/errors.ts';
import type { Found, Observation, Observer } from '../kernel/explore/observer.ts';
import { propertyFault } from '../kernel/explore/property-fault.ts';
import { onlyKeys } from '../kernel/known-keys.ts';
import type { Run } from '../kernel/run.ts';
import { Observers } from './observers.ts';

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

/** A property of global states, or of those where nothing will happen any more: it looks at nothing that happens in between. */
export type StateProperty<Memory extends object> = Omit<Observer<Memory>, 'see'> & {
  readonly see?: undefined;
} & Required<Pick<Observer<Memory>, 'seeState'> | Pick<Observer<Memory>, 'seeRest'>>;

/**
 * Declares a property: `property({ sentence, watches, begin, see, atRest })`, with `seeState` (or `seeRest`, for its end) instead of `see` or beside it for one about the global state, or with `look` instead of `see` for one that
 * is written with operators of RxJS. Errors: KRN024 for keys that are not known, or missing.
 */
export const property = <Memory extends object>(
  declared: Observer<Memory> | StateProperty<Memory> | StreamedProperty<Memory>,
): Observer<Memory> => {
  onlyKeys('property', declared, propertyKeys);
  const made = 'look' in declared ? streamed(declared) : seeing(declared);
  const fault = propertyFault(made);
  if (fault !== undefined) throw new KernelError('KRN024', 'property', fault);
  return made;
};

const propertyKeys = Object.keys({
  sentence: 1,
  watches: 1,
  names: 1,
  reachable: 1,
  about: 1,
  judges: 1,
  fair: 1,
  begin: 1,
  see: 1,
  look: 1,
  seeState: 1,
  exchange: 1,
  tellsSteps: 1,
  keepsNothing: 1,
  isIdle: 1,
  opens: 1,
  advance: 1,
  endOfTick: 1,
  atRest: 1,
  seeRest: 1,
  pending: 1,
  abridge: 1,
} satisfies Record<keyof Observer | 'look', 1>);

/** What sees nothing but states watches nothing, or every order of deliveries would be explored for it. */
const seeing = <Memory extends object>(
  declared: Observer<Memory> | StateProperty<Memory>,
): Observer<Memory> =>
  declared.see === undefined && (declared.seeState ?? declared.seeRest) !== undefined
    ? { watches: [], ...declared, see: () => undefined }
    : (declared as Observer<Memory>);

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

/** Those of the sentences that had something to judge: all where that is not known. */
export function judgedOf(sentences: readonly string[], watching: Watch | undefined): readonly string[] {
  const { judged } = watching ?? {};
  // A property that looks after several sentences under a name of its own does not tell them apart.
  return judged?.every((sentence) => sentences.includes(sentence)) ? judged : sentences;
}

/**
 * Lets properties watch a run: what they find becomes a violation of the run, in the tick in which they find it.
 *
 * Details: a property that throws is told as a finding of its own sentence, and looks no further.
 *
 * Gotchas: call it before the first step, and `end` after the last one; what a property finds at the end belongs to the last tick.
 */
export function watch(run: Run, properties: readonly Property[]): Watch {
  const observers = new Observers(run);
  const watching = properties.map((one) => ({ sentence: one.sentence, at: observers.add(one) }));
  const stopListening = run.listen(observers);
  return {
    get judged() {
      return watching.filter(({ at }) => at.judged).map(({ sentence }) => sentence);
    },
    end: () => {
      stopListening();
      observers.end();
    },
  };
}
