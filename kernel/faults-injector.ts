import { defect, KernelError } from './errors.ts';
import {
  type FaultState,
  type FaultTally,
  type InjectedFault,
  type Injection,
  restartType,
} from './faults.ts';
import { Corrupter } from './faults-corrupt.ts';
import { FaultRule } from './faults-rule.ts';
import type { Hasher } from './hash.ts';
import { type Address, Message, WORLD } from './message.ts';
import type { Speakers } from './protocol/speakers.ts';

/** What an injector needs of its run. */
export interface FaultHost {
  readonly calendar: { readonly now: number };
  /** Puts a message into the calendar, or under way. */
  add(message: Message): void;
  nameOf(address: Address): string;
  /** True for an address at which somebody is, or may come to life. */
  hasActorAt(address: Address): boolean;
  /** Asks for a pick. */
  choose(what: string, count: number): number;
  /** The number of the next message; each call takes one. */
  nextSeq(): number;
  /** Tells observers. */
  tell(injection: Injection): void;
}

/** What becomes of a message whose turn it is. */
export type Fate = 'delivered' | 'lost' | 'restart';

/** An ordered pair of actors, as faults see it. */
interface Channel {
  readonly rules: readonly FaultRule[];
  /** The tick of a delayed message, until which later ones wait behind it. */
  heldUntil: number;
}

/**
 * Injects faults into a run: stands between what is posted and the calendar, and between the calendar and the actors.
 *
 * Details: a message is befallen by one fault at most, the first in the order of the scenario that strikes. Message faults are decided when a
 * message is posted, a crash when a message is about to be delivered. A crashed actor begins anew by a message `lockstep.restart` from the
 * outside, so that a restart is part of the calendar.
 */
export class FaultInjector {
  readonly #host: FaultHost;
  readonly #choose: FaultHost['choose'];
  readonly #rules: readonly FaultRule[];
  readonly #corrupter: Corrupter;
  /** Channels by sender, then by receiver. */
  readonly #channels = new Map<
    Address,
    Map<Address, { readonly rules: readonly FaultRule[]; heldUntil: number }>
  >();
  readonly #crashes = new Map<Address, readonly FaultRule[]>();
  readonly #down = new Map<Address, number>();
  readonly #anew = new Map<Address, number>();

  constructor(faults: readonly InjectedFault[], host: FaultHost, speakers?: Speakers) {
    this.#corrupter = new Corrupter(speakers);
    this.#host = host;
    this.#choose = (what, count) => host.choose(what, count);
    this.#rules = faults.map((fault, index) => new FaultRule(index, fault));
  }

  /** How often each fault could have struck and did. */
  get tallies(): readonly FaultTally[] {
    return this.#rules.map(({ chances, struck }) => ({ chances, struck }));
  }

  /** True for an actor that crashed and did not begin anew. */
  isDown(address: Address): boolean {
    return this.#down.has(address);
  }

  /** Puts a posted message, or what a fault makes of it, into the calendar. */
  send(posted: Message): void {
    const host = this.#host;
    if (posted.from === posted.to) {
      host.add(posted);
      return;
    }
    const channel = this.#channel(posted.from, posted.to);
    const message = channel.heldUntil > posted.due ? moved(posted, channel.heldUntil) : posted;
    const rule = channel.rules.find((one) => this.#befalls(one, message));
    if (rule === undefined) host.add(message);
    else this.#tell(rule, rule.fault.kind, message, this.#befall(rule, message, channel));
  }

  /** Puts into the calendar what a fault makes of a message. Returns what that is, in words. */
  #befall(rule: FaultRule, message: Message, channel: Channel): string {
    const host = this.#host;
    const { seq, due, from, to, cause, event } = message;
    const { fault } = rule;
    switch (fault.kind) {
      case 'drop':
        return 'never delivered';
      case 'duplicate':
        host.add(message);
        host.add(new Message(this.#host.nextSeq(), due, from, to, cause, event));
        return 'delivered twice';
      case 'delay':
        channel.heldUntil = due + fault.ticks;
        host.add(moved(message, channel.heldUntil));
        return `due in tick ${channel.heldUntil} instead of ${due}`;
      case 'reorder':
        host.add(moved(message, due + fault.ticks));
        return `due in tick ${due + fault.ticks} instead of ${due}, and may be overtaken`;
      case 'corrupt': {
        const changed = this.#corrupter.corrupted(to, event, fault.field, (name, count) =>
          this.#choose(`${this.#textOf(rule, message)}: ${name}`, count),
        );
        host.add(new Message(seq, due, from, to, cause, changed.event));
        return changed.what;
      }
      case 'crash':
        return defect('a crash is decided when a message is delivered');
      default:
        return fault satisfies never;
    }
  }

  /** Decides what becomes of a message whose turn it is. */
  fateOf(message: Message): Fate {
    const { to } = message;
    if (message.event.type === restartType) {
      const fault = this.#down.get(to);
      if (fault === undefined) return 'lost';
      this.#down.delete(to);
      this.#anew.set(to, this.#host.nextSeq());
      this.#tell(this.#rules[fault]!, 'restart', message, 'begins anew');
      return 'restart';
    }
    const by = this.#down.get(to);
    if (by !== undefined) {
      this.#tell(this.#rules[by]!, 'lost', message, 'came to a crashed actor');
      return 'lost';
    }
    if (this.isStale(message)) return 'lost';
    const rule = this.#crashesOf(to).find((one) =>
      one.strikes(() => this.#textOf(one, message), this.#choose),
    );
    if (rule === undefined) return 'delivered';
    this.#crash(rule, message);
    return 'lost';
  }

  /** True for what an actor sent to itself before it crashed, once it began anew: nobody waits for it. */
  isStale({ seq, from, to }: Message): boolean {
    return from === to && seq < (this.#anew.get(to) ?? -1);
  }

  /** True for a message that reaches nobody: what an actor sent to itself before it crashed. */
  isGone(message: Message): boolean {
    return this.isStale(message) || (message.from === message.to && this.#down.has(message.to));
  }

  /** What the future depends on. */
  save(): FaultState {
    return {
      tallies: this.tallies,
      heldUp: this.#heldUp,
      down: [...this.#down].map(([address, fault]) => ({ address, fault })),
      anew: [...this.#anew].map(([address, since]) => ({ address, since })),
    };
  }

  /** Continues where a run with the same faults was. Errors: KRN010 for a state of other faults. */
  load(state: FaultState | undefined): void {
    if (state?.tallies.length !== this.#rules.length)
      throw new KernelError('KRN010', 'faults', 'the snapshot was taken in a run with other faults');
    for (const [index, { chances, struck }] of state.tallies.entries())
      Object.assign(this.#rules[index]!, { chances, struck });
    this.#channels.clear();
    for (const { from, to, until } of state.heldUp)
      this.#channel(from as Address, to as Address).heldUntil = until;
    this.#down.clear();
    for (const { address, fault } of state.down) this.#down.set(address as Address, fault);
    this.#anew.clear();
    for (const { address, since } of state.anew) this.#anew.set(address as Address, since);
  }

  /** Feeds what the future depends on; nothing while no fault struck, so that such a run has the fingerprint of one without faults. */
  hash(hasher: Hasher): void {
    for (const { index, struck, budget } of this.#rules)
      if (struck > 0 && budget !== Number.POSITIVE_INFINITY) hasher.numbers([index, struck]);
    for (const { from, to, until } of this.#heldUp) hasher.numbers([from, to, until]);
    for (const address of [...this.#down.keys()].sort((a, b) => a - b)) hasher.numbers([address]);
  }

  get #heldUp(): readonly { readonly from: Address; readonly to: Address; readonly until: number }[] {
    const { now } = this.#host.calendar;
    return [...this.#channels]
      .flatMap(([from, channels]) =>
        [...channels].map(([to, { heldUntil }]) => ({ from, to, until: heldUntil })),
      )
      .filter(({ until }) => until > now)
      .sort((a, b) => a.from - b.from || a.to - b.to);
  }

  #channel(from: Address, to: Address): Channel {
    const receivers = this.#channels.get(from) ?? new Map<Address, Channel>();
    const known = receivers.get(to);
    if (known) return known;
    this.#channels.set(from, receivers);
    const made = { rules: this.#rulesFor(from, to, false), heldUntil: -1 };
    receivers.set(to, made);
    return made;
  }

  #crashesOf(address: Address): readonly FaultRule[] {
    const known = this.#crashes.get(address);
    if (known) return known;
    // Where nobody is nobody can crash.
    const made = this.#host.hasActorAt(address) ? this.#rulesFor(WORLD, address, true) : [];
    this.#crashes.set(address, made);
    return made;
  }

  #rulesFor(from: Address, to: Address, crashes: boolean): readonly FaultRule[] {
    const [fromName, toName] = [this.#host.nameOf(from), this.#host.nameOf(to)];
    return this.#rules.filter(
      (rule) => (rule.fault.kind === 'crash') === crashes && rule.isOn(from, fromName, toName),
    );
  }

  #befalls(rule: FaultRule, message: Message): boolean {
    const { fault } = rule;
    if (!rule.isOf(message.event.type)) return false;
    if (fault.kind === 'corrupt' && !this.#corrupter.canCorrupt(message.to, message.event, fault.field))
      return false;
    return rule.strikes(() => this.#textOf(rule, message), this.#choose);
  }

  #crash(rule: FaultRule, message: Message): void {
    const { fault } = rule;
    if (fault.kind !== 'crash') return;
    this.#down.set(message.to, rule.index);
    this.#tell(rule, 'crash', message, 'crashes in front of this message');
    if (fault.restart === undefined) return;
    const host = this.#host;
    host.add(
      new Message(host.nextSeq(), host.calendar.now + fault.restart, WORLD, message.to, message.seq, {
        type: restartType,
      }),
    );
  }

  /** Names a decision in reports. */
  #textOf({ fault }: FaultRule, { from, to, event }: Message): string {
    return `fault ${fault.kind} ${this.#host.nameOf(from)} -> ${this.#host.nameOf(to)} ${event.type}`;
  }

  #tell({ index }: FaultRule, kind: Injection['kind'], message: Message, what: string): void {
    const [from, to] = [this.#host.nameOf(message.from), this.#host.nameOf(message.to)];
    this.#host.tell({ tick: this.#host.calendar.now, fault: index, kind, from, to, message, what });
  }
}

/** A message that is due at another time. */
const moved = ({ seq, from, to, cause, event }: Message, due: number): Message =>
  new Message(seq, due, from, to, cause, event);
