import { type Observable, type PartialObserver, Subject, type Subscription } from 'rxjs';
import type { Delivery, Shown } from '../kernel/run.ts';
import type { RunStreams } from './property.ts';

/**
 * The messages and probes of one run, sorted by type once for all who watch it: nobody is asked about what he does not look at, so that many properties
 * cost what they see.
 *
 * Gotchas: who watches a type hears of it before those who watch all.
 */
export class Moments {
  readonly #messages: ByType<Delivery>;
  readonly #probes: ByType<Shown>;

  constructor({ messages$, probes$ }: Pick<RunStreams, 'messages$' | 'probes$'>) {
    this.#messages = new ByType(messages$, ({ message }) => message.event.type);
    this.#probes = new ByType(probes$, ({ probe }) => probe.type);
  }

  /** Messages of these types; all when there is no list. */
  messages(
    types: readonly string[] | undefined,
    observer: PartialObserver<Delivery>,
  ): readonly Subscription[] {
    return this.#messages.subscribe(types, observer);
  }

  /** Probes of these types; all when there is no list. */
  probes(types: readonly string[] | undefined, observer: PartialObserver<Shown>): readonly Subscription[] {
    return this.#probes.subscribe(types, observer);
  }
}

/** A stream, sorted by type. */
class ByType<T> {
  readonly #all = new Subject<T>();
  readonly #some = new Map<string, Subject<T>>();

  constructor(stream$: Observable<T>, typeOf: (one: T) => string) {
    stream$.subscribe((one) => {
      this.#some.get(typeOf(one))?.next(one);
      this.#all.next(one);
    });
  }

  subscribe(types: readonly string[] | undefined, observer: PartialObserver<T>): readonly Subscription[] {
    const streams = types ? [...new Set(types)].map((type) => this.#ofType(type)) : [this.#all];
    return streams.map((stream$) => stream$.subscribe(observer));
  }

  #ofType(type: string): Subject<T> {
    const known = this.#some.get(type);
    if (known) return known;
    const made = new Subject<T>();
    this.#some.set(type, made);
    return made;
  }
}
