import { Observable } from 'rxjs';
import type { Found, Observer, Sight } from '../../kernel/explore/observer.ts';
import type { LockstepEvent } from '../../kernel/message.ts';
import type { Delivery, Shown } from '../../kernel/run.ts';
import { type Finding, type Property, property } from '../property.ts';

/**
 * An observer as a property that watches runs: one sentence serves both the runs and the exhaustive checker.
 *
 * Details: what must have come some time is judged when the run has ended; in a run that was cut short what is missing proves nothing.
 */
export function asProperty({ sentence, ...observer }: Observer): Property {
  return property(
    sentence,
    (run) =>
      new Observable<Finding>((subscriber) => {
        const watching = new Watching({ sentence, ...observer }, (finding) => subscriber.next(finding));
        const guarded = (look: () => void) => {
          try {
            look();
          } catch (error) {
            subscriber.error(error);
          }
        };
        const subscriptions = [
          run.probes$.subscribe((shown) => guarded(() => watching.probe(shown))),
          run.messages$.subscribe((delivery) => guarded(() => watching.message(delivery))),
          run.ticks$.subscribe({
            next: (tick) => guarded(() => watching.endOfTick(tick)),
            complete: () => {
              guarded(() => run.ended && watching.quiet());
              subscriber.complete();
            },
          }),
        ];
        return () => {
          for (const subscription of subscriptions) subscription.unsubscribe();
        };
      }),
  );
}

/** An observer at work on one run. */
class Watching {
  readonly #observer: Observer;
  readonly #found: (finding: Finding) => void;
  readonly #memory: object;
  #tick = 0;

  constructor(observer: Observer, found: (finding: Finding) => void) {
    this.#observer = observer;
    this.#found = found;
    this.#memory = observer.begin();
  }

  probe({ tick, actor, probe }: Shown): void {
    this.#see(tick, probe.type, { kind: 'probe', actor, probe });
  }

  message({ message: { due, event }, from, to }: Delivery): void {
    this.#see(due, event.type, { kind: 'message', from, to, event: event as LockstepEvent });
  }

  endOfTick(tick: number): void {
    this.#advance(tick);
    this.#tell(this.#observer.endOfTick?.(this.#memory));
  }

  quiet(): void {
    this.#tell(this.#observer.quiet?.(this.#memory));
  }

  #see(tick: number, type: string, sight: Sight): void {
    this.#advance(tick);
    const { watches } = this.#observer;
    if (watches === undefined || watches.includes(type)) this.#tell(this.#observer.see(this.#memory, sight));
  }

  #advance(tick: number): void {
    if (tick > this.#tick) this.#tell(this.#observer.advance?.(this.#memory, tick - this.#tick));
    this.#tick = tick;
  }

  #tell(found: Found | undefined): void {
    if (found) this.#found(found);
  }
}
