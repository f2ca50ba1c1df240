import { transcriptOf } from './explore/transcript.ts';
import type { Hasher } from './hash.ts';
import { type Address, Message, WORLD } from './message.ts';
import { type NetworkDrop, type NetworkRules, type NetworkSplit, networkSteps } from './network.ts';

/** What the future of a run depends on besides actors and messages, in an asynchronous wiring; plain data. */
export interface NetworkState {
  readonly losses: number;
  /** The bits of the addresses on the other side; 0 while the parties are whole. */
  readonly split: number;
  readonly splits: number;
  /** Parties that are down, with what they saved. */
  readonly down: readonly { readonly address: number; readonly saved: Record<string, unknown> }[];
  /** Messages and timers of which it is known that they change nothing now. */
  readonly idle: readonly string[];
  /** Those that changed nothing by the answers tried so far, with the first answers of the way to try next. */
  readonly untried: readonly (readonly [idle: string, answers: readonly number[]])[];
  /** True once the run has come to rest: what the network could still do by itself, it does not. */
  readonly rested: boolean;
}

/** Where steps go that concern all parties. */
const first = 0 as Address;

/** What one party looked like before a handling, to tell whether anything came of it. */
export interface Before {
  readonly state: string;
  readonly timers: string;
  readonly effects: number;
}

/**
 * The messages under way and the timers set in a run of an asynchronous wiring, and the steps that can be next.
 *
 * Details: steps are messages: a delivery is the message, a timer one from its party to itself, and what the network does by itself (crash, recovery, split) one
 * from the outside. The first step is the oldest message that can be delivered, then timers, then the network's own.
 */
export class InFlight {
  readonly rules: NetworkRules;
  /** The number of the present step. */
  now = 0;
  losses = 0;
  split = 0;
  splits = 0;
  rested = false;
  /** Posts, probes and reports so far: a handling that adds none may have done nothing. */
  effects = 0;
  readonly down = new Map<Address, Record<string, unknown>>();
  /** Oldest first. */
  #messages: Message[] = [];
  #timers: Message[] = [];
  /** Equal messages have equal keys. */
  readonly #keys = new WeakMap<Message, string>();
  /**
   * By receiver, the keys of messages and timers that changed nothing in its present state and that of what is shared, with the answers to try next where the handling asked a question; undefined when
   * they change nothing by any answer.
   */
  readonly #idle = new Map<Address, Map<string, readonly number[] | undefined>>();
  /** What the handling under way asked, and what was answered. */
  readonly #asked: { readonly count: number; readonly pick: number }[] = [];
  /** The first answers of the handling under way, where it is tried again; undefined where choices answer. */
  #answers: readonly number[] | undefined;

  readonly #shares: boolean;

  /** `shares`: whether actors share objects, so that what changed nothing may change something once another actor has changed one. */
  constructor(rules: NetworkRules, shares: boolean) {
    this.rules = rules;
    this.#shares = shares;
  }

  /** What is under way, oldest first, then the timers that are set. */
  get messages(): readonly Message[] {
    return [...this.#messages, ...this.#timers];
  }

  /** The same channel by channel, where order does not matter by what they are: of equal states it is equal. */
  get inOrder(): readonly Message[] {
    const age = new Map(this.#messages.map((message, index) => [message, index]));
    const rank = (message: Message) => (this.rules.ordered && !message.timer ? age.get(message)! : -1);
    const textOf = (message: Message) => (this.rules.ordered && !message.timer ? '' : this.#keyOf(message));
    return [...this.messages].sort(
      (a, b) =>
        a.from - b.from ||
        a.to - b.to ||
        rank(a) - rank(b) ||
        (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0),
    );
  }

  /** A message is under way from now on; in a duplicating network those that are equal are one, where order matters only next to each other. */
  add(message: Message): void {
    this.rested = false;
    if (message.timer) {
      this.#timers.push(message);
      return;
    }
    if (this.rules.duplicating && this.#isDouble(message)) return;
    this.#messages.push(message);
  }

  #isDouble(message: Message): boolean {
    const { from, to } = message;
    const others = this.rules.ordered
      ? this.#messages.filter((one) => one.from === from && one.to === to).slice(-1)
      : this.#messages;
    return others.some((one) => this.#keyOf(one) === this.#keyOf(message));
  }

  /** True when a timer of a party is set. */
  isSet(party: Address, type: string): boolean {
    return this.#timers.some((one) => one.to === party && one.event.type === type);
  }

  /** Cancels a timer of a party. */
  cancel(party: Address, type: string): void {
    this.#timers = this.#timers.filter((one) => one.to !== party || one.event.type !== type);
  }

  /** What can be next; empty when the run has come to rest. */
  steps(): readonly Message[] {
    if (this.rested) return [];
    const fresh = this.#partySteps(false);
    // What changes nothing by one answer may change something by another one: no run comes to rest before that is known.
    const parties = fresh.length > 0 ? fresh : this.#partySteps(true);
    const own = this.#networkSteps();
    if (parties.length > 0) return own.length === 0 ? parties : [...parties, ...own];
    // A split heals some time.
    return own.length === 0 || this.split !== 0 ? own : [ofNetwork(networkSteps.rest, first), ...own];
  }

  /** Loses a message, of which there may be several that are equal. Returns it. */
  lose(to: Address, { from, event }: NetworkDrop): Message | undefined {
    const key = this.#keyOf(new Message(-1, 0, from as Address, to, -1, event));
    const message = this.#messages.find((one) => this.#keyOf(one) === key);
    if (message) this.#remove(message);
    if (Number.isFinite(this.rules.lossesMax)) this.losses++;
    return message;
  }

  /** What a party looks like before it handles something; the timer that goes off is not set any more. */
  before(message: Message, party: { readonly value: unknown; readonly context: unknown }): Before {
    const timers = this.#timersOf(message.to);
    this.#asked.length = 0;
    this.#answers = this.#idle.get(message.to)?.get(this.#keyOf(message));
    if (message.timer) this.cancel(message.to, message.event.type);
    return { state: stateOf(party), timers, effects: this.effects };
  }

  /**
   * Takes a message that was handled off the network, unless nothing came of it. Returns false in that case: the message then was not received, where it stays
   * under way.
   */
  handled(
    message: Message,
    party: { readonly value: unknown; readonly context: unknown },
    before: Before,
  ): boolean {
    const { to } = message;
    const changed =
      this.effects !== before.effects ||
      this.#timersOf(to) !== before.timers ||
      stateOf(party) !== before.state;
    this.#answers = undefined;
    if (changed && this.#shares) this.#idle.clear();
    else if (changed) this.#idle.delete(to);
    else if (message.timer || this.rules.keepsIdle) {
      if (message.timer && !this.isSet(to, message.event.type)) this.#timers.push(message);
      const idle = this.#idle.get(to) ?? new Map<string, readonly number[] | undefined>();
      const key = this.#keyOf(message);
      // Answers that choices gave need not be the first ones; the ways are gone through from the beginning.
      const next = idle.has(key) ? nextWay(this.#asked) : this.#asked.length > 0 ? [] : undefined;
      this.#idle.set(to, idle.set(key, next));
      return false;
    }
    if (message.timer || (this.rules.duplicating && this.rules.ordered)) return true;
    this.#remove(message);
    // It may come again when each of the others has had its turn.
    if (this.rules.duplicating) this.#messages.push(message);
    return true;
  }

  /** The answer to a question of the handling under way, where it is tried again by other answers; undefined where choices answer. */
  answer(count: number): number | undefined {
    return this.#answers && (this.#answers[this.#asked.length] ?? 0) % count;
  }

  /** Notes a question of the handling under way. */
  answered(count: number, pick: number): void {
    if (count > 1) this.#asked.push({ count, pick });
  }

  /** A party goes down: its timers are cancelled, and what it saved is kept. */
  crash(party: Address, context: Readonly<Record<string, unknown>>): void {
    this.down.set(party, this.rules.saved(context));
    this.#timers = this.#timers.filter(({ to }) => to !== party);
    this.#idle.delete(party);
  }

  /** Feeds what the future depends on: equal states of an unordered network are equal whatever was posted first. */
  hash(hasher: Hasher): void {
    for (const message of this.inOrder) hasher.string(this.#keyOf(message));
    hasher.numbers([this.losses, this.split, this.splits]);
    for (const [address, saved] of [...this.down].sort(([a], [b]) => a - b)) {
      hasher.number(address);
      hasher.value(saved);
    }
  }

  /** What the future depends on, but for the messages. */
  save(): NetworkState {
    return {
      losses: this.losses,
      split: this.split,
      splits: this.splits,
      down: [...this.down].map(([address, saved]) => ({ address, saved })),
      idle: this.#idleWhere((answers) => answers === undefined).map(([idle]) => idle),
      untried: this.#idleWhere((answers) => answers !== undefined) as NetworkState['untried'],
      rested: this.rested,
    };
  }

  /** Continues where another one was. */
  load(now: number, messages: readonly Message[], state: NetworkState): void {
    this.now = now;
    this.#messages = messages.filter(({ timer }) => !timer);
    this.#timers = messages.filter(({ timer }) => timer);
    this.losses = state.losses;
    this.split = state.split;
    this.splits = state.splits;
    this.rested = state.rested;
    this.down.clear();
    for (const { address, saved } of state.down) this.down.set(address as Address, saved);
    this.#idle.clear();
    for (const [one, answers] of [
      ...state.idle.map((idle) => [idle, undefined] as const),
      ...state.untried,
    ]) {
      const space = one.indexOf(' ');
      const party = Number(one.slice(0, space)) as Address;
      this.#idle.set(party, (this.#idle.get(party) ?? new Map()).set(one.slice(space + 1), answers));
    }
  }

  #idleWhere(
    is: (answers: readonly number[] | undefined) => boolean,
  ): (readonly [string, readonly number[] | undefined])[] {
    return [...this.#idle].flatMap(([party, keys]) =>
      [...keys]
        .filter(([, answers]) => is(answers))
        .map(([key, answers]) => [`${party} ${key}`, answers] as const),
    );
  }

  /** What parties may do next; `again`: also what has changed nothing so far, where other answers are left. */
  #partySteps(again: boolean): Message[] {
    const mayCome = (party: Address, key: string): boolean => {
      const idle = this.#idle.get(party);
      return !idle?.has(key) || (again && idle.get(key) !== undefined);
    };
    const { ordered } = this.rules;
    const met = new Set<string>();
    const steps: Message[] = [];
    for (const message of this.#messages) {
      const { from, to } = message;
      const key = this.#keyOf(message);
      const once = ordered ? `${from} ${to}` : key;
      if (met.has(once)) continue;
      met.add(once);
      if (this.down.has(to) || this.rules.separates(this.split, from, to)) continue;
      if (mayCome(to, key)) steps.push(message);
    }
    for (const timer of this.#timers) if (mayCome(timer.to, this.#keyOf(timer))) steps.push(timer);
    return steps;
  }

  #networkSteps(): readonly Message[] {
    const { crashes, mayCrash, sides, splitsMax, lossesMax } = this.rules;
    const steps: Message[] = this.losses < lossesMax ? this.#drops() : [];
    if (this.split !== 0) steps.unshift(ofNetwork(networkSteps.heal, first));
    if (crashes)
      mayCrash.forEach((may, party) => {
        const address = party as Address;
        if (this.down.has(address)) {
          if (crashes.recover) steps.push(ofNetwork(networkSteps.recover, address));
        } else if (may && this.down.size < crashes.max) steps.push(ofNetwork(networkSteps.crash, address));
      });
    if (this.split === 0 && this.splits < splitsMax) steps.push(...sides.map(ofSplit));
    return steps;
  }

  /** The steps that lose a message; of a channel in order only its oldest one can be lost. */
  #drops(): Message[] {
    const met = new Set<string>();
    const steps: Message[] = [];
    this.#messages.forEach((message, index) => {
      const { from, to, event } = message;
      const once = this.rules.ordered ? `${from} ${to}` : this.#keyOf(message);
      if (from === WORLD || met.has(once)) return;
      met.add(once);
      const drop: NetworkDrop = { type: networkSteps.drop, from, event };
      steps.push(new Message(-(2 ** 28) - index, 0, WORLD, to, -1, drop));
    });
    return steps;
  }

  #remove(message: Message): void {
    const at = this.#messages.indexOf(message);
    if (at >= 0) this.#messages.splice(at, 1);
  }

  #keyOf(message: Message): string {
    const known = this.#keys.get(message);
    if (known !== undefined) return known;
    const { from, to, event, timer } = message;
    const key = `${from} ${to} ${timer ? 'timer' : 'message'} ${transcriptOf(event)}`;
    this.#keys.set(message, key);
    return key;
  }

  #timersOf(party: Address): string {
    return this.#timers
      .filter(({ to }) => to === party)
      .map(({ event }) => event.type)
      .sort()
      .join();
  }
}

/** A step of the network itself. Its number tells it apart from all messages, and is the same whenever it can be next. */
function ofNetwork(type: string, to: Address): Message {
  const kind = Object.values(networkSteps).indexOf(type as never);
  return new Message(-2 - kind - 8 * (to + 1), 0, WORLD, to, -1, { type });
}

const ofSplit = (side: number): Message => {
  const split: NetworkSplit = { type: networkSteps.split, side };
  return new Message(-(2 ** 24) - side, 0, WORLD, first, -1, split);
};

const stateOf = ({ value, context }: { readonly value: unknown; readonly context: unknown }): string =>
  `${JSON.stringify(value)} ${transcriptOf(context)}`;

/** The answers of the way that comes after this one, the last question first; undefined when it is the last way. */
function nextWay(
  asked: readonly { readonly count: number; readonly pick: number }[],
): readonly number[] | undefined {
  const last = asked.findLastIndex(({ count, pick }) => pick + 1 < count);
  if (last < 0) return undefined;
  return asked.slice(0, last + 1).map(({ pick }, index) => (index === last ? pick + 1 : pick));
}
