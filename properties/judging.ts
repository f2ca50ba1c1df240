import {
  type Found,
  type Key,
  type Observation,
  type Observer,
  type Pending,
  together,
} from '../kernel/explore/observer.ts';
import type { GlobalState } from '../kernel/global-state.ts';

/** A message as it was delivered, or a probe as it was shown, which goes to the actor that shows it. */
export interface Seen<Event> {
  readonly from: string;
  readonly to: string;
  readonly event: Event;
}

/** Tells what does not hold, and of whom, and the sentence where it is another one than the property's own; may be called several times at one moment. */
export type Tell = (actors: readonly string[], why: string, property?: string) => void;

/** A property of a machine family: `watches` names types of its messages and probes. */
export interface Judging<Messages, T extends keyof Messages, Memory extends object>
  extends Omit<Observer<Memory>, 'watches' | 'about' | 'judges' | 'see' | 'seeState' | 'atRest'> {
  readonly watches: readonly T[];
  /** What it is about, as that of `Observer`. */
  about?(seen: Seen<Messages[T]>): Key | readonly Key[] | undefined;
  /** Whether it is something to judge, as that of `Observer`. */
  judges?(event: Messages[T]): boolean;
  /** Looks at one thing that happened; `met` is that of `Observer`. */
  see(memory: Memory, seen: Seen<Messages[T]>, tell: Tell, met?: (key: string) => void): void;
  /** Looks at the state of the whole machine, as that of `Observer`. What it returns is nothing, so that the compiler refuses a finding that is not told. */
  seeState?(memory: Memory, state: GlobalState, tell: Tell): undefined;
  /** Nothing will happen any more: what never came will never come. Changes nothing. */
  atRest?(memory: Memory, tell: Tell): void;
}

/**
 * Declares properties of a machine family; `Messages` says what a type of message or probe stands for.
 *
 * Details: what would be told of a machine at rest is pending until then, so that runs without end are judged, too; a property that compares at the end, and waits for nothing, says so with a
 * `pending` of its own.
 * Gotchas: lists by key are kept in objects and not in maps: objects are equal whatever the order in which their keys came, so that orders of deliveries that make no difference lead the
 * checker to one state.
 */
export const judgingOf =
  <Messages extends object>() =>
  <T extends keyof Messages & string, Memory extends object>({
    about,
    judges,
    see,
    seeState,
    atRest,
    ...rest
  }: Judging<Messages, T, Memory>): Observer<Memory> => {
    const told: Found[] = [];
    const tell: Tell = (actors, why, property) =>
      void told.push({ actors, why, ...(property !== undefined && { property }) });
    const found = () => (told.length === 0 ? undefined : together(told.splice(0)));
    const pending = (memory: Memory): readonly Pending[] => {
      atRest?.(memory, tell);
      return told.splice(0).map((one) => ({ ...one, key: one.why }));
    };
    return {
      ...(atRest && { pending }),
      ...rest,
      ...(about && { about: (observation: Observation) => about(seenIn<Messages[T]>(observation)) }),
      ...(judges && {
        judges: (observation: Observation) => judges(seenIn<Messages[T]>(observation).event),
      }),
      see: (memory, observation, met) => {
        see(memory, seenIn<Messages[T]>(observation), tell, met);
        return found();
      },
      ...(seeState && {
        seeState: (memory: Memory, state: GlobalState) => {
          seeState(memory, state, tell);
          return found();
        },
      }),
      ...(atRest && {
        atRest: (memory: Memory) => {
          atRest(memory, tell);
          return found();
        },
      }),
    };
  };

/** The type of an event says which of the messages it is. */
const seenIn = <Event>(observation: Observation): Seen<Event> =>
  observation.kind === 'probe'
    ? { from: observation.actor, to: observation.actor, event: observation.probe as Event }
    : { from: observation.from, to: observation.to, event: observation.event as unknown as Event };

/** The list of a key, made when it is first asked for. */
export function listOf<T>(lists: Record<string, T[]>, key: string): T[] {
  lists[key] ??= [];
  return lists[key];
}

/** Adds to the count of a key, and gives what it is now; counts of 0 are forgotten. */
export function count(counts: Record<string, number>, key: string, by: number): number {
  const sum = (counts[key] ?? 0) + by;
  if (sum === 0) delete counts[key];
  else counts[key] = sum;
  return sum;
}
