import type { Message, MessageContent } from '../../kernel/message.ts';
import type { History, Step } from './history.ts';
import { messageWords, shortNames } from './message-words.ts';

/** Characters that a message takes in a sentence. */
const wordsMax = 48;
/** Characters that it takes in lines of its own. */
const inFullMax = 110;

/** How the actors, messages and choices of one run are called in its explanation. */
export class Wording {
  readonly #history: History;
  readonly #short: (name: string) => string;

  constructor(history: History) {
    this.#history = history;
    const { steps, faults } = history;
    this.#short = shortNames([...new Set([...steps, ...faults].flatMap(({ from, to }) => [from, to]))]);
  }

  /** The whole name of the actor at an address. */
  nameOf(address: Message['to']): string {
    return this.#history.nameOf(address);
  }

  #named(message: Message): MessageContent {
    return this.#history.named(message, (address) => this.#shortName(address));
  }

  #shortName(address: Message['to']): string {
    return this.#short(this.#history.nameOf(address));
  }

  /** An actor without the words that all names begin with. */
  actor(name: string): string {
    return this.#short(name);
  }

  /** What a message says, in few words. */
  words(message: Message): string {
    return messageWords(this.#named(message), wordsMax);
  }

  /** All that a message says. */
  fullWords(message: Message): string {
    return messageWords(this.#named(message));
  }

  /** A message with its receiver: `bus.grant tag=3 to Dma[0]`. */
  sentTo(message: Message): string {
    return `${this.words(message)} to ${message.to === message.from ? 'itself' : this.#shortName(message.to)}`;
  }

  /** A message with its way: `bus.grant tag=3 (Arbiter -> Dma[0])`. */
  message(message: Message): string {
    return `${this.words(message)} (${this.#way(message)})`;
  }

  #way({ from, to }: Message): string {
    return `${this.#shortName(from)} -> ${this.#shortName(to)}`;
  }

  /** All that a message says, with its way in front of long data. */
  stepInFull({ message }: Step): string {
    return `${messageWords(this.#named(message), inFullMax)} (${this.#way(message)})`;
  }
}
