import type { Message } from '../../kernel/message.ts';
import type { History, Step } from './history.ts';
import { messageWords, shortNames } from './message-words.ts';

/** Characters that a message takes in a sentence. */
const wordsMax = 48;
/** Characters that it takes in lines of its own. */
const inFullMax = 110;

/** How the actors, messages and choices of one run are called in its explanation. */
export class Wording {
  readonly #nameOf: History['nameOf'];
  readonly #short: (name: string) => string;

  constructor({ steps, faults, nameOf }: History) {
    this.#nameOf = nameOf;
    this.#short = shortNames([...new Set([...steps, ...faults].flatMap(({ from, to }) => [from, to]))]);
  }

  /** The whole name of the actor at an address. */
  nameOf(address: Message['to']): string {
    return this.#nameOf(address);
  }

  /** An actor without the words that all names begin with. */
  actor(name: string): string {
    return this.#short(name);
  }

  /** What a message says, in few words. */
  words(message: Message): string {
    return messageWords(message, wordsMax);
  }

  /** All that a message says. */
  fullWords(message: Message): string {
    return messageWords(message);
  }

  /** A message with its receiver: `bus.grant tag=3 to Dma[0]`. */
  sentTo(message: Message): string {
    return `${this.words(message)} to ${message.to === message.from ? 'itself' : this.#short(this.#nameOf(message.to))}`;
  }

  /** A message with its way: `bus.grant tag=3 (Arbiter -> Dma[0])`. */
  message(message: Message): string {
    return `${this.words(message)} (${this.#way(message)})`;
  }

  #way({ from, to }: Message): string {
    return `${this.#short(this.#nameOf(from))} -> ${this.#short(this.#nameOf(to))}`;
  }

  /** All that a message says, with its way in front of long data. */
  stepInFull({ message }: Step): string {
    return `${messageWords(message, inFullMax)} (${this.#way(message)})`;
  }
}
