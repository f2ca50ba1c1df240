import { filter, map, merge, type Observable } from 'rxjs';
import type { Found, Observer, Sight } from '../kernel/explore/observer.ts';
import type { RunStreams } from './property.ts';

/** A message as it was delivered, or a probe as it was shown, which goes to the actor that shows it. */
export interface Seen<Event> {
  readonly from: string;
  readonly to: string;
  readonly event: Event;
}

/** The same with its tick. */
export interface Said<Event> extends Seen<Event> {
  readonly tick: number;
}

/** Says in what a sentence does not hold, and of whom. */
export type Tell = (actors: readonly string[], why: string) => void;

/** A sentence about the messages and probes of a machine family, which may find several things at once. */
export interface FamilyProperty<
  Memory extends object,
  Messages extends object,
  T extends keyof Messages & string,
> extends Omit<Observer<Memory>, 'watches' | 'see' | 'atRest'> {
  readonly watches: readonly T[];
  /** Looks at one thing that happened; `met` is that of `Observer`. */
  see(memory: Memory, seen: Seen<Messages[T]>, found: Tell, met?: (key: string) => void): void;
  /** Nothing will happen any more: what never came will never come. */
  atRest?(memory: Memory, found: Tell): void;
}

/**
 * Declares properties of a machine family; `Messages` says what a type of its messages and probes stands for.
 *
 * Details: what is found at one moment is one finding, its reasons in their order.
 */
export const familyProperties =
  <Messages extends object>() =>
  <Memory extends object, T extends keyof Messages & string>({
    see,
    atRest,
    ...rest
  }: FamilyProperty<Memory, Messages, T>): Observer<Memory> => {
    let all: Found | undefined;
    const found: Tell = (actors, why) => {
      all = all
        ? { actors: [...new Set([...all.actors, ...actors])], why: `${all.why}; ${why}` }
        : { actors, why };
    };
    return {
      ...rest,
      see: (memory, sight, met) => {
        all = undefined;
        see(memory, seenOf(sight) as Seen<Messages[T]>, found, met);
        return all;
      },
      ...(atRest && {
        atRest: (memory: Memory) => {
          all = undefined;
          atRest(memory, found);
          return all;
        },
      }),
    };
  };

const seenOf = (sight: Sight): Seen<unknown> =>
  sight.kind === 'message' ? sight : { from: sight.actor, to: sight.actor, event: sight.probe };

/**
 * Looks for messages and probes of a machine family by type; `Messages` says what a type stands for.
 *
 * Details: they come in the order of the run, and a probe goes to the actor that shows it.
 */
export const saidOf =
  <Messages extends object>() =>
  <T extends keyof Messages & string>(
    run: Pick<RunStreams, 'messages$' | 'probes$'>,
    ...types: readonly T[]
  ): Observable<Said<Messages[T]>> => {
    const wanted = new Set<string>(types);
    const delivered = run.messages$.pipe(
      filter(({ message }) => wanted.has(message.event.type)),
      map(({ message, from, to }) => ({ tick: message.due, from, to, event: message.event as unknown })),
    );
    const shown = run.probes$.pipe(
      filter(({ probe }) => wanted.has(probe.type)),
      map(({ probe, actor, tick }) => ({ tick, from: actor, to: actor, event: probe as unknown })),
    );
    // The type of an event says which of the messages it is.
    return merge(delivered, shown) as Observable<Said<Messages[T]>>;
  };
