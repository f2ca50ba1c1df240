import { filter, map, merge, type Observable } from 'rxjs';
import type { Run } from '../../../kernel/run.ts';

/** A message as it was delivered, or a probe as it was shown: the tick, and the names of sender and receiver. */
export interface TimedEvent<Event> {
  readonly tick: number;
  readonly from: string;
  readonly to: string;
  readonly event: Event;
}

/**
 * Looks for messages and probes of a machine family by type; `Messages` says what a type stands for.
 *
 * Details: they come in the order of the run, and a probe goes to the actor that shows it.
 */
export const eventsOf =
  <Messages extends object>() =>
  <T extends keyof Messages & string>(
    run: Pick<Run, 'messages$' | 'probes$'>,
    ...types: readonly T[]
  ): Observable<TimedEvent<Messages[T]>> => {
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
    return merge(delivered, shown) as Observable<TimedEvent<Messages[T]>>;
  };
