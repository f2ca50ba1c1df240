import { hashOf } from '../../kernel/hash.ts';
import type { Message } from '../../kernel/message.ts';
import { networkSteps } from '../../kernel/network.ts';
import type { Run } from '../../kernel/run.ts';

/**
 * Names for what happens in a run that mean the same in another run of the scenario.
 *
 * Details: a message is the n-th of its type from its sender to its receiver: the n-th that was posted where messages overtake each other, in an asynchronous network, else the n-th that came. What a duplicating network
 * delivers again is that message again. A question is the one that an actor asks while it handles its n-th
 * message of a type; whether a fault strikes is asked of the n-th message that it could strike. So another order of other messages, or a fault that
 * does not strike, leaves these names as they are; places in a tape would all be shifted.
 */
export class Identities {
  readonly #counts = new Map<string, number>();
  /** Names of the messages that were delivered, by their numbers. */
  readonly #names = new Map<number, string>();
  /** An asynchronous run: its messages, by their numbers, as they were posted; and how many numbers were looked at. */
  #asynchronous: Run | undefined;
  readonly #posted = new Map<number, string>();
  #seen = -1;

  /** Names what happens in a run from its first step on. */
  follow(run: Run): void {
    if (run.asynchronous) this.#asynchronous = run;
  }

  /** The name of a message that is about to be delivered, or of a step of the network that is about to be taken. */
  ofMessage(message: Message): string {
    const first = this.#names.has(message.seq) ? undefined : this.#postedAs(message);
    return first ?? this.#numbered(this.#kindOf(message));
  }

  /** The name of a question that is being asked while a message is handled; none is handled when the actors are made. */
  ofQuestion(what: string, during: Message | undefined): string {
    const place =
      during && !isFault(what) ? this.#numbered(`handling ${during.to} ${during.event.type}`) : 'run';
    const question = `${what} in ${place}`;
    const name = this.#numbered(question);
    this.#count(question);
    return name;
  }

  /** Notes that a message was delivered, or that a step of the network was taken. */
  delivered(message: Message): void {
    const { seq, to, event } = message;
    const kind = this.#kindOf(message);
    if (!isOfNetwork(event.type)) {
      if (!this.#names.has(seq)) this.#names.set(seq, this.ofMessage(message));
      this.#count(`handling ${to} ${event.type}`);
    }
    this.#count(kind);
  }

  /** The name of a message by when it was posted; undefined for what is named by when it comes: also a timer, which may be cancelled. */
  #postedAs(message: Message): string | undefined {
    if (!this.#asynchronous || message.timer || isOfNetwork(message.event.type)) return undefined;
    const known = this.#posted.get(message.seq);
    if (known !== undefined) return known;
    const fresh = [...this.#asynchronous.pending, message].filter(({ seq }) => seq > this.#seen);
    fresh.sort((one, other) => one.seq - other.seq);
    for (const { seq, from, to, event, timer } of fresh) {
      if (timer || this.#posted.has(seq)) continue;
      const kind = `${from} ${to} posted ${event.type}`;
      this.#posted.set(seq, this.#numbered(kind));
      this.#count(kind);
    }
    this.#seen = fresh.at(-1)?.seq ?? this.#seen;
    return this.#posted.get(message.seq);
  }

  /** What is numbered. */
  #kindOf({ seq, from, to, event }: Message): string {
    if (isOfNetwork(event.type)) return `${from} ${to} ${hashOf(event)}`;
    const known = this.#names.get(seq);
    return known === undefined ? `${from} ${to} ${event.type}` : `${known} again`;
  }

  #numbered(what: string): string {
    return `${what} ${this.#counts.get(what) ?? 0}`;
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}

const networkTypes: ReadonlySet<string> = new Set(Object.values(networkSteps));

/** True for the event of a step of an asynchronous network, which is no delivery. */
export const isOfNetwork = (type: string): boolean => networkTypes.has(type);

/** Of the name of what a duplicating network delivers again: the name of the first delivery, and how often it came again before. */
export function againOf(name: string): { readonly first: string; readonly before: number } | undefined {
  const [, first, before] = /^(.+) again (\d+)$/.exec(name) ?? [];
  return first === undefined ? undefined : { first, before: Number(before) };
}

/** True for the question whether a fault strikes. */
export const isFault = (what: string): boolean => what.startsWith('fault ');

/** Of the question whether a fault strikes: the kind of the fault. */
export const kindOfFault = (what: string): string | undefined => what.split(' ')[1];
