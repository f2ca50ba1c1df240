import { Observable } from 'rxjs';
import type { Found, Observer } from '../../kernel/explore/observer.ts';
import type { Delivery, Shown } from '../../kernel/run.ts';
import { type Finding, type Property, property } from '../property.ts';
import type { TimedSight } from './pattern.ts';

/**
 * An observer as a property that watches runs: one sentence serves both the runs and the exhaustive checker.
 *
 * Details: what must have come some time is judged when the run has come to rest; in one that was cut short, or failed, what is missing proves nothing.
 * Sights tell their tick, which those of the checker do not.
 */
export const asProperty = (observer: Observer): Property =>
  property(
    observer.sentence,
    (run) =>
      new Observable<Finding>((subscriber) => {
        const watching = new Watching(observer, (finding) => subscriber.next(finding));
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
              guarded(() => run.quiet && watching.quiet());
              subscriber.complete();
            },
          }),
        ];
        return () => {
          for (const subscription of subscriptions) subscription.unsubscribe();
        };
      }),
  );

/** An observer at work on one run. */
class Watching {
  readonly #observer: Observer;
  readonly #types: ReadonlySet<string> | undefined;
  readonly #found: (finding: Finding) => void;
  readonly #memory: object;
  #tick = 0;

  constructor(observer: Observer, found: (finding: Finding) => void) {
    this.#observer = observer;
    this.#types = observer.watches && new Set(observer.watches);
    this.#found = found;
    this.#memory = observer.begin();
  }

  probe({ tick, actor, probe }: Shown): void {
    if (this.#watches(probe.type)) this.#see(tick, { kind: 'probe', actor, probe, tick });
  }

  message({ message: { due, event }, from, to }: Delivery): void {
    if (this.#watches(event.type)) this.#see(due, { kind: 'message', from, to, event, tick: due });
  }

  endOfTick(tick: number): void {
    this.#advance(tick);
    this.#tell(this.#observer.endOfTick?.(this.#memory));
  }

  quiet(): void {
    this.#tell(this.#observer.quiet?.(this.#memory));
  }

  #watches(type: string): boolean {
    return this.#types === undefined || this.#types.has(type);
  }

  #see(tick: number, sight: TimedSight): void {
    this.#advance(tick);
    this.#tell(this.#observer.see(this.#memory, sight));
  }

  #advance(tick: number): void {
    if (tick > this.#tick) this.#tell(this.#observer.advance?.(this.#memory, tick - this.#tick));
    this.#tick = tick;
  }

  #tell(found: Found | undefined): void {
    if (found) this.#found(found);
  }
}
