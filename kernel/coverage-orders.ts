import type { Address, Message } from './message.ts';

/** How often a message of one kind was delivered while one of another kind could have been, to the same receiver. */
export interface DeliveryOrder {
  /** State machine id of the receiver. */
  readonly receiver: string;
  /** Kind of the message that was delivered: `type by sender`. */
  readonly first: string;
  /** Kind of the message that had to wait. */
  readonly second: string;
  readonly times: number;
}

/** Which of two senders of one type a message came from: as nothing else tells them apart, by their addresses. */
const alikeNames = ['', ' (lower)', ' (higher)'] as const;

/** Kinds of messages are fewer than this, so that two of them and a receiver fit into a safe integer. */
const kindSpan = 2 ** 20;

/**
 * Counts which of two messages came first, whenever both could have been delivered next to the same receiver.
 *
 * Details: a message's kind is its event type and the state machine id of its sender, so what is counted does not grow with the number of actors. Two
 * messages of one kind are told apart by which sender has the lower address: that race has two orders as well.
 */
export class DeliveryOrders {
  readonly #typeOf: (address: Address) => string;
  readonly #types: string[] = [];
  readonly #typeAt = new Map<Address, number>();
  readonly #kinds: string[] = [];
  /** Number of a kind by event type, then by type of the sender. */
  readonly #kindOf = new Map<string, (number | undefined)[]>();
  /** By receiver, first kind and second kind. */
  readonly #times = new Map<number, number>();

  /** `typeOf` gives the state machine id of the actor at an address, also of one that has not come to life. */
  constructor(typeOf: (address: Address) => string) {
    this.#typeOf = typeOf;
  }

  /** Notes that of these heads of channels the one at `index` is delivered. */
  see(heads: readonly Message[], index: number): void {
    const taken = heads[index]!;
    for (const other of heads) {
      if (other === taken || other.to !== taken.to) continue;
      const [first, second] = [this.#kind(taken), this.#kind(other)];
      const alike = first !== second ? 0 : taken.from < other.from ? 1 : 2;
      const key =
        (this.#type(taken.to) * kindSpan + first + alike) * kindSpan + second + (alike === 0 ? 0 : 3 - alike);
      this.#times.set(key, (this.#times.get(key) ?? 0) + 1);
    }
  }

  /** All orders seen, in the order in which they were first seen. */
  get seen(): readonly DeliveryOrder[] {
    return [...this.#times].map(([key, times]) => ({
      receiver: this.#types[Math.floor(key / kindSpan / kindSpan)]!,
      first: this.#kinds[Math.floor(key / kindSpan) % kindSpan]!,
      second: this.#kinds[key % kindSpan]!,
      times,
    }));
  }

  #type(address: Address): number {
    const known = this.#typeAt.get(address);
    if (known !== undefined) return known;
    const name = this.#typeOf(address);
    const found = this.#types.indexOf(name);
    const type = found >= 0 ? found : this.#types.push(name) - 1;
    this.#typeAt.set(address, type);
    return type;
  }

  /** Number of the kind of a message; the two that follow it are for senders that are alike. */
  #kind({ event: { type }, from }: Message): number {
    const sender = this.#type(from);
    const bySender = this.#kindOf.get(type) ?? [];
    const known = bySender[sender];
    if (known !== undefined) return known;
    this.#kindOf.set(type, bySender);
    const kind = this.#kinds.length;
    bySender[sender] = kind;
    for (const which of alikeNames) this.#kinds.push(`${type} by ${this.#types[sender]}${which}`);
    return kind;
  }
}
