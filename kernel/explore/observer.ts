import { detached } from '../detached.ts';
import { KernelError } from '../errors.ts';
import type { GlobalState } from '../global-state.ts';
import type { LockstepEvent, Probe } from '../message.ts';
import { asLooked } from '../read-only.ts';

/** A message as it was delivered, or what an actor showed: what an observer sees. Actors are named as in reports. */
export type Observation =
  | { readonly kind: 'message'; readonly from: string; readonly to: string; readonly event: LockstepEvent }
  | { readonly kind: 'probe'; readonly actor: string; readonly probe: Probe };

/** Observers that begin with a new memory each time. */
const begun = new WeakSet<Observer>();

/** The memory that an observer begins with. Errors: KRN024 when it is one object every time, which the runs before have changed. */
export function memoryOf(observer: Observer): object {
  const memory = observer.begin() as object;
  if (begun.has(observer)) return memory;
  const other = observer.begin() as object;
  const parts = new Set(Object.values(other));
  const common =
    other === memory
      ? 'the same object'
      : Object.entries(memory).find(([, part]) => isChangeable(part) && parts.has(part))?.[0];
  if (common !== undefined)
    throw new KernelError(
      'KRN024',
      `property "${observer.sentence}"`,
      `begin gives ${other === memory ? common : `the same ${common}`} every time, expected a new one: begin: () => ({ … })`,
    );
  begun.add(observer);
  return memory;
}

const isChangeable = (value: unknown): boolean =>
  Array.isArray(value)
    ? !Object.isFrozen(value)
    : value instanceof Map || value instanceof Set || ArrayBuffer.isView(value);

/** Whether an observation is something to judge for an observer that watches it. One that throws here has something to say. */
export function judgedBy({ judges }: Observer, observation: Observation): boolean {
  try {
    return judges?.(observation) ?? true;
  } catch {
    return true;
  }
}

/** What an observer is given of an observation: one of its own, unless it keeps nothing. */
export function givenTo<O extends Observation>({ keepsNothing }: Observer, observation: O): O {
  if (keepsNothing) return observation;
  return observation.kind === 'message'
    ? { ...observation, event: detached(observation.event) }
    : { ...observation, probe: detached(observation.probe) };
}

/** A message as it was delivered. */
export type Delivered = Extract<Observation, { readonly kind: 'message' }>;

/** A place in which the sentence of an observer does not hold. */
export interface Found {
  /** Names of the actors involved. */
  readonly actors: readonly string[];
  readonly why: string;
  /** The sentence that does not hold, for an observer of several; its own when absent. */
  readonly property?: string;
  /** What else does not hold at the same moment, each reported for itself. */
  readonly also?: readonly Found[];
}

/** The finding of a property that fails itself: it is found like any other, so that it is recorded and can be replayed. */
export const failsItself = (error: unknown): Found => ({
  actors: [],
  why: `the property itself fails: ${String(error)}`,
});

/** What an observer found, when that is a finding. Errors: a `TypeError` for anything else that it gives. */
export function asFound(found: Found | undefined | null): Found | undefined {
  if (found === undefined || found === null) return undefined;
  if (Array.isArray(found.actors) && typeof found.why === 'string') return found;
  throw new TypeError(`it gives ${JSON.stringify(found)}, expected nothing, or { actors, why }`);
}

/** An error that says itself whose mistake it is: nobody takes it for a finding. */
export interface Mistake extends Error {
  readonly isMistake: true;
}

/**
 * Lets an observer look at something; one that throws, or gives what is no finding, is a finding itself.
 *
 * Errors: a `Mistake`, also for one that changes what it is shown (KRN026), and for one that looks for a witness and throws (KRN014): what it threw is none.
 */
export function lookedAt(
  { sentence, reachable }: Pick<Observer, 'sentence' | 'reachable'>,
  look: () => Found | undefined,
): Found | undefined {
  try {
    return asFound(look());
  } catch (error) {
    const looked = asLooked(error, sentence);
    if ((looked as Partial<Mistake> | undefined)?.isMistake) throw looked;
    if (reachable) throw new KernelError('KRN014', sentence, String(error), { cause: error });
    return failsItself(error);
  }
}

/** What was found at one moment, as an observer returns it: nothing, or the first with the others beside it. */
export const together = ([first, ...also]: readonly Found[]): Found | undefined =>
  first && also.length > 0 ? { ...first, also } : first;

/** What was found at one moment, each for itself. */
export const apart = (found: Found): readonly Found[] => (found.also ? [found, ...found.also] : [found]);

/** Something that must still come. */
export interface Pending extends Found {
  /** What tells it from others that the sentence waits for. While it is pending, another one of the same key is taken for the same, unless the first is told to be met. */
  readonly key: string;
}

/** What an observation is about: the name of an actor, a number of a request, whatever a sentence tells apart. */
export type Key = string | number;

/**
 * A sentence that must hold in every run, in the one form in which runs and the exhaustive checker judge it: all that it remembers is data.
 *
 * Details: `Memory` is plain data (objects, lists, maps, sets, numbers, strings) that the functions below change in place; nothing else may
 * influence them. The checker counts the memory as part of the state of the machine and keeps copies of it, so what is finite and small here is finite
 * and small there: remember what matters for the verdict, not what happened. What a handling shows is seen behind the message that it handled, as in
 * the streams of a run.
 *
 * Gotchas: there is no absolute time, or no two states would ever be equal; an observer of durations counts them down in `advance`.
 */
// biome-ignore lint/suspicious/noExplicitAny: a list of observers holds observers of any memory
export interface Observer<Memory extends object = any, O extends Observation = Observation> {
  /** The sentence. */
  readonly sentence: string;
  /**
   * Types of the messages and probes that it looks at; all when absent, none when it is empty. Name them: deliveries that the same observer looks at are explored in every
   * order, unless `about` tells them apart; the others are not.
   */
  readonly watches?: readonly string[];
  /** Patterns of names of actors that it looks at: where one of them is nobody's it judges nothing. */
  readonly names?: readonly string[];
  /** True for a sentence that some run must show instead of all: what it finds is a witness, and finding none is what is wrong. */
  readonly reachable?: boolean;
  /**
   * What an observation is about, as one key or several: two observations without a common key are seen in either order with the same result (equal memories, equal findings), and the checker need not
   * explore both orders. Absent, or undefined for an observation: about everything. It depends on nothing but the observation.
   */
  about?(observation: O): Key | readonly Key[] | undefined;
  /** True for what opens the scope in which something else is judged. For explanations only: it has no part in judging. */
  opens?(observation: O, judged: O): boolean;
  /** Judge infinite runs only where they are weakly fair: no channel (ordered pair of actors) that can always step is left out for ever. Matters where there is a `pending`. */
  readonly fair?: boolean;
  /**
   * Whether an observation is something to judge, and not only what sets the scene; each is when absent. A sentence that has seen nothing to judge, and whose `seeState` so had nothing either, is named as such, not
   * as one that holds.
   */
  judges?(observation: O): boolean;
  /** The memory before the first delivery. */
  begin(): Memory;
  /** Looks at one thing that happened. `met` tells that something pending came, by its key: call it where something of the same key may be pending at once again. */
  see(memory: Memory, observation: O, met?: (key: string) => void): Found | undefined;
  /**
   * Looks at the state of the whole machine, before the first tick and at the end of each: inside a tick there is no order that anybody may rely on. Declare it only for a sentence
   * about the global state; `met` is that of `see`. `step` gives what was delivered in the tick that led here, nothing before the first and where the network did something: it is for the words of what is found, the
   * memory must not depend on it. A run keeps it for who declares `tellsSteps`.
   */
  seeState?(
    memory: Memory,
    state: GlobalState,
    met?: (key: string) => void,
    step?: () => readonly Delivered[],
  ): Found | undefined;
  /**
   * The memory after two actors that can be exchanged have changed places, as a new object: declares that the sentence says of one what it says of the other. Without
   * it the memory is taken to name nobody, and an exploration that exchanges actors warns.
   */
  exchange?(memory: Memory, nameOf: (name: string) => string): Memory;
  /**
   * True: its memory keeps no object of what it is shown, only numbers, texts and copies of its own, so nothing is copied for it. Otherwise what it is shown is its own: it does not change
   * when the run goes on, and others do not see what it changes.
   */
  readonly keepsNothing?: boolean;
  /** True while nothing that it was shown was anything to it: then it has judged nothing, and is named so. */
  isIdle?(): boolean;
  /** True when what `seeState` finds is told with the step that led there. */
  readonly tellsSteps?: boolean;
  /** The clock moves on by so many ticks, at least 1, to the next tick that has a message. */
  advance?(memory: Memory, ticks: number): Found | undefined;
  /** A tick is over. */
  endOfTick?(memory: Memory): Found | undefined;
  /** Nothing will happen any more: what never came will never come. */
  atRest?(memory: Memory): Found | undefined;
  /**
   * Looks at the state of the whole machine where nothing will happen any more, and only there. Changes nothing.
   *
   * Details: orders of deliveries that come to the same end need not be told apart for it, as they must be for `seeState`. Gotchas: in a network without order, messages that change nothing in
   * their receivers are still under way then.
   */
  seeRest?(memory: Memory, state: GlobalState): Found | undefined;
  /**
   * Called by the checker behind each look: may forget what would make a new memory again and again, so that there is an end of them. Says why the sentence is not judged to the end from a memory in which
   * what was forgotten counts; runs forget nothing.
   */
  abridge?(memory: Memory): string | undefined;
  /** What must still come. A run without end in which something stays pending for ever contradicts the sentence: the checker looks for one. Changes nothing. */
  pending?(memory: Memory): readonly Pending[];
}
