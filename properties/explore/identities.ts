import type { Message } from '../../kernel/message.ts';

/**
 * Names for what happens in a run that mean the same in another run of the scenario.
 *
 * Details: a message is the n-th of its type from its sender to its receiver. A question is the one that an actor asks while it handles its n-th
 * message of a type; whether a fault strikes is asked of the n-th message that it could strike. So another order of other messages, or a fault that
 * does not strike, leaves these names as they are; places in a tape would all be shifted.
 */
export class Identities {
  readonly #counts = new Map<string, number>();

  /** The name of a message that is about to be delivered. */
  ofMessage({ from, to, event }: Message): string {
    return this.#numbered(`${from} ${to} ${event.type}`);
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

  /** Notes that a message was delivered. */
  delivered({ from, to, event }: Message): void {
    this.#count(`${from} ${to} ${event.type}`);
    this.#count(`handling ${to} ${event.type}`);
  }

  #numbered(what: string): string {
    return `${what} ${this.#counts.get(what) ?? 0}`;
  }

  #count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }
}

/** True for the question whether a fault strikes. */
export const isFault = (what: string): boolean => what.startsWith('fault ');

/** Of the question whether a fault strikes: the kind of the fault. */
export const kindOfFault = (what: string): string | undefined => what.split(' ')[1];
