import { Observable } from 'rxjs';
import {
  apart,
  asFound,
  type Delivered,
  type Found,
  type Observer,
  type Pending,
} from '../kernel/explore/observer.ts';
import type { GlobalState } from '../kernel/global-state.ts';
import type { Delivery, Shown } from '../kernel/run.ts';
import type { Moments } from './moments.ts';
import type { RunStreams } from './property.ts';
import type { TimedObservation } from './temporal/pattern.ts';

/** Findings of one run that know whether there was anything to judge. */
export class Findings extends Observable<Found> {
  /** True once something came that the property is about. */
  judged = false;
}

/**
 * What a property finds in one run.
 *
 * Details: what must have come some time is judged when the run has come to rest; in one that was cut short, or failed, what is missing proves nothing, and what
 * some other run shows is not asked of this one. Observations tell their tick, which those of the checker do not. `stateOf` gives the state of the machine now, at the end of a tick, -1 before the first.
 */
export const findingsIn = (
  property: Observer,
  run: RunStreams,
  moments: Moments,
  stateOf: (tick: number) => GlobalState,
): Findings => {
  const findings = new Findings((subscriber) => {
    const observing = new Observing(property, stateOf, (finding) => subscriber.next(finding));
    const guarded =
      <A>(look: (one: A) => void) =>
      (one: A): void => {
        try {
          look(one);
          findings.judged ||= observing.judged;
        } catch (error) {
          subscriber.error(error);
        }
      };
    guarded(() => observing.state())(undefined);
    const { watches, seeState, tellsSteps, advance, endOfTick } = property;
    const looksAtTicks = seeState ?? advance ?? endOfTick;
    const subscriptions = [
      ...moments.probes(watches, { next: guarded((shown) => observing.probe(shown)) }),
      ...moments.messages(tellsSteps ? undefined : watches, {
        next: guarded((delivery) => observing.message(delivery)),
      }),
      run.ticks$.subscribe({
        ...(looksAtTicks && { next: guarded((tick: number) => observing.endOfTick(tick)) }),
        complete: () => {
          guarded(() => run.quiet && observing.atRest())(undefined);
          subscriber.complete();
        },
      }),
    ];
    return () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
    };
  });
  return findings;
};

/** A property at work on one run: everything that happens is to be told to it, in order. */
export class Observing {
  readonly #property: Observer;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #stateOf: (tick: number) => GlobalState;
  readonly #found: (finding: Found) => void;
  readonly #met: (key: string) => void;
  readonly #memory: object;
  #tick = 0;
  /** What was delivered in the present tick, for those who look at its end. */
  #step: Delivery[] = [];
  /** True once it saw something that it is about; one that looks at states always does. */
  judged = false;

  /** `met` is told the keys of what was pending and came. */
  constructor(
    property: Observer,
    stateOf: (tick: number) => GlobalState,
    found: (finding: Found) => void,
    met: (key: string) => void = () => {},
  ) {
    this.#property = property;
    this.#types = property.watches && new Set(property.watches);
    this.#stateOf = stateOf;
    this.#found = found;
    this.#met = met;
    this.#memory = property.begin();
  }

  /** What must still come. */
  get pending(): readonly Pending[] {
    return this.#property.pending?.(this.#memory) ?? [];
  }

  probe({ tick, actor, probe }: Shown): void {
    if (this.#watches(probe.type)) this.#see(tick, { kind: 'probe', actor, probe, tick });
  }

  message(delivery: Delivery): void {
    if (this.#property.tellsSteps) this.#step.push(delivery);
    const { from, to } = delivery;
    const { due, event } = delivery.message;
    if (this.#watches(event.type)) this.#see(due, { kind: 'message', from, to, event, tick: due });
  }

  endOfTick(tick: number): void {
    this.#advance(tick);
    this.#tell(this.#property.endOfTick?.(this.#memory));
    this.state(tick);
  }

  /** The state of the machine at the end of a tick, or before the first. */
  state(tick = -1): void {
    if (!this.#property.seeState) return;
    this.judged = true;
    const step = this.#step;
    this.#tell(
      this.#property.seeState(this.#memory, this.#stateOf(tick), this.#met, () => step.map(deliveredIn)),
    );
    this.#step = [];
  }

  atRest(): void {
    this.#tell(this.#property.atRest?.(this.#memory));
  }

  #watches(type: string): boolean {
    return this.#types === undefined || this.#types.has(type);
  }

  #see(tick: number, observation: TimedObservation): void {
    this.judged = true;
    this.#advance(tick);
    this.#tell(this.#property.see(this.#memory, observation, this.#met));
  }

  #advance(tick: number): void {
    if (tick > this.#tick) this.#tell(this.#property.advance?.(this.#memory, tick - this.#tick));
    this.#tick = tick;
  }

  #tell(given: Found | undefined): void {
    const found = asFound(given);
    if (found && !this.#property.reachable) for (const one of apart(found)) this.#found(one);
  }
}

const deliveredIn = ({ message: { event }, from, to }: Delivery): Delivered => ({
  kind: 'message',
  from,
  to,
  event,
});
