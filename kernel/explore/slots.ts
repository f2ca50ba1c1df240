import type { AnyStateMachine } from 'xstate';
import { haveSameStates } from '../alike.ts';
import { type CompiledMachine, compile } from '../compile.ts';
import { copyContext } from '../copy.ts';
import { KernelError } from '../errors.ts';
import { InnerActors } from '../inner-actors.ts';
import { type Address, type LockstepEvent, WORLD } from '../message.ts';
import { readOnly } from '../read-only.ts';
import { familySpan, type Wiring } from '../wiring.ts';
import type { KnownVariants } from './alternative.ts';
import { ChannelMessages } from './channel-messages.ts';
import type { Posted } from './effect-recorder.ts';
import { transcriptOf } from './transcript.ts';

/** An ordered pair of actors. */
export interface Channel {
  readonly from: Address;
  readonly to: Address;
}

/** An actor, or an address where one may come to life. */
export interface Slot {
  readonly name: string;
  readonly address: Address;
  /** Whose contexts hold the same shared objects: the address of an actor, or the address of member 0 of a family. */
  readonly group: number;
  /** Set by `machineIn`; undefined until a member comes to life. */
  machine: CompiledMachine | undefined;
  /** Local states by what they hold. */
  readonly locals: Map<string, number>;
  /** Local states that are not among them yet, by a hash of what they hold. */
  readonly promised: Map<number, number[]>;
  /** All local states. */
  readonly localNumbers: number[];
  /** Letters by what they say. */
  readonly letters: Map<string, number>;
  /** By letter. */
  readonly events: LockstepEvent[];
  /** What happens when a message comes to life here, by letter and budget state. */
  readonly births: (KnownVariants | undefined)[];
  /** The same where it shares something, as in local states. */
  readonly sharingBirths: Map<number, KnownVariants>;
}

/**
 * The compiled state machine in a slot: one for all wirings and members that are made, so that the configurations of its local states are of one machine.
 *
 * Errors: KRN017 when another one was there before.
 */
export function machineIn(slot: Slot, machine: AnyStateMachine): CompiledMachine {
  slot.machine ??= compile(machine);
  if (haveSameStates(slot.machine.machine, machine)) return slot.machine;
  throw new KernelError(
    'KRN017',
    slot.name,
    `it was "${slot.machine.machine.id}" and is "${machine.id}", or one with other states`,
  );
}

/** Addresses of a machine with families are below this. */
const addressSpan = 2 ** 26;

/** The places of actors in the states of a machine, in the order in which they were met, and the message between them. */
export class Slots {
  readonly #wiring: Wiring;
  readonly #all: Slot[] = [];
  readonly #numbers = new Map<Address, number>();
  #inOrder: readonly number[] = [];
  readonly #messageIds = new ChannelMessages();
  /** By message: the slot of the receiver. */
  readonly slotTo = this.#messageIds.slotTo;
  /** By message: its channel, as a number in the order of the addresses of sender and receiver. */
  readonly channel = this.#messageIds.channel;
  /** By message: the letter, of those of the receiver. */
  readonly letter = this.#messageIds.letter;
  /** By message: true for timers. */
  readonly timer = this.#messageIds.timer;
  /** Which actors are inside others; undefined where none is. */
  readonly inner: InnerActors | undefined;
  /** By message: true for one between the actors of one whole, which is delivered before all others. */
  readonly within: boolean[] = [];

  constructor(wiring: Wiring) {
    this.#wiring = wiring;
    this.inner = InnerActors.of(wiring);
    wiring.complete.forEach((_, address) => void this.at(address as Address));
  }

  get count(): number {
    return this.#all.length;
  }

  /** The first `count` slots in the order of a run, whoever came to life first. */
  inOrder(count: number): readonly number[] {
    if (this.#inOrder.length !== count)
      this.#inOrder = Array.from({ length: count }, (_, slot) => slot).sort(
        (one, other) => this.addressOf(one) - this.addressOf(other),
      );
    return this.#inOrder;
  }

  /** The slot with a number. */
  of(slot: number): Slot {
    return this.#all[slot]!;
  }

  /** Number of the slot of an address; from now on there is one. */
  at(address: Address): number {
    const known = this.#numbers.get(address);
    if (known !== undefined) return known;
    const placed = address < familySpan ? this.#wiring.placements[address] : undefined;
    const family = this.#wiring.families[Math.floor(address / familySpan) - 1];
    const index = address % familySpan;
    this.#all.push({
      name: placed?.name ?? (family ? `${family.name}[${index}]` : `address ${address}`),
      address,
      group: family ? address - index : address,
      machine: undefined,
      locals: new Map(),
      promised: new Map(),
      localNumbers: [],
      letters: new Map(),
      events: [],
      births: [],
      sharingBirths: new Map(),
    });
    this.#numbers.set(address, this.#all.length - 1);
    return this.#all.length - 1;
  }

  /** The slot of an actor. Errors: KRN013 when nobody is called so. */
  named(name: string): number {
    const slot = this.#all.findIndex((one) => one.name === name);
    if (slot < 0) throw new KernelError('KRN013', name, 'no actor is called so');
    return slot;
  }

  /** The slot that message is for. */
  receiverOf(messageId: number): Slot {
    return this.#all[this.slotTo[messageId]!]!;
  }

  /** Number of the slot that message is from; below 0 for message from outside. */
  senderOf(messageId: number): number {
    return this.#messageIds.senderOf(messageId);
  }

  /** Name of who sent message. */
  senderName(messageId: number): string {
    const sender = this.senderOf(messageId);
    return sender < 0 ? 'world' : this.of(sender).name;
  }

  /** Sender and receiver of message. */
  channelOf(messageId: number): Channel {
    return { from: this.addressOf(this.senderOf(messageId)), to: this.receiverOf(messageId).address };
  }

  /** Address of a slot, or of the outside. */
  addressOf(slot: number): Address {
    return slot < 0 ? WORLD : this.of(slot).address;
  }

  /** The event of message. */
  eventOf(messageId: number): LockstepEvent {
    return this.receiverOf(messageId).events[this.letter[messageId]!]!;
  }

  /** The message that something posted is; undefined where it was not met. */
  known(sender: number, { to: address, event, timer = false }: Posted): number | undefined {
    const to = this.#numbers.get(address);
    if (to === undefined) return undefined;
    const letter = this.of(to).letters.get(keyOf(event, timer));
    return letter === undefined ? undefined : this.#messageIds.known(sender, to, letter, timer);
  }

  /** Something posted as message with a delay. */
  posted(
    sender: number,
    { to: address, delay, event, timer = false }: Posted,
  ): readonly [delay: number, messageId: number] {
    const to = this.at(address);
    const { letters, events, name } = this.of(to);
    const key = keyOf(event, timer);
    let letter = letters.get(key);
    if (letter === undefined) {
      letter = events.push(readOnly(copyContext(event, new Map(), false, `"${event.type}" to ${name}`))) - 1;
      letters.set(key, letter);
    }
    const rank = timer ? -1 - to : this.#rankOf(sender, to);
    const messageId = this.#messageIds.of(sender, to, letter, rank, timer);
    this.within[messageId] ??= this.inner?.isWithin(this.addressOf(sender), address) ?? false;
    return [delay, messageId];
  }

  /** Posts in the order in which states and alternatives have them. */
  sorted(posts: (readonly [delay: number, messageId: number])[]): readonly number[] {
    if (posts.length === 1) return posts[0]!;
    posts.sort(
      ([delay, messageId], [otherDelay, other]) =>
        delay - otherDelay || this.channel[messageId]! - this.channel[other]!,
    );
    return posts.flat();
  }

  /** Orders channels by the addresses of their ends, so that their order does not depend on which was met first. */
  #rankOf(sender: number, receiver: number): number {
    const from = this.addressOf(sender);
    const to = this.of(receiver).address;
    const span = this.#wiring.families.length === 0 ? familySpan : addressSpan;
    // Nobody is at such an address; it only must not be taken for another one.
    if (to >= span) return span * span + (sender + 1) * familySpan + receiver;
    return (from + 1) * span + to;
  }
}

/** What tells a letter of one receiver from others. */
const keyOf = (event: LockstepEvent, timer: boolean): string =>
  timer ? `timer ${event.type}` : transcriptOf(event);
