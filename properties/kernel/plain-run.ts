import {
  type Effect,
  kidIndex,
  nextValue,
  type WalkerSpec,
  type WalkerType,
  type WalkerWorld,
} from './walkers.ts';

/** Everything that can be seen of a run, as texts that can be compared. */
export interface SeenRun {
  /** Deliveries, probes, reports, picks and ends of ticks, each kind in its order. */
  readonly deliveries: readonly string[];
  readonly probes: readonly string[];
  readonly violations: readonly string[];
  readonly picks: readonly string[];
  readonly ticks: readonly number[];
  /** `ok`, or how it ended otherwise, with who and when. */
  readonly end: string;
  /** Where everybody stands: name, state, value, fuel. */
  readonly walkers: readonly string[];
}

interface PlainMessage {
  readonly seq: number;
  readonly due: number;
  readonly from: number;
  readonly to: number;
  readonly cause: number;
  readonly type: WalkerType;
  readonly v: number;
  readonly timer: boolean;
}

interface PlainWalker {
  readonly name: string;
  readonly address: number;
  readonly spec: WalkerSpec;
  state: 'open' | 'waiting';
  n: number;
  fuel: number;
  since: number;
}

class Thrown extends Error {}

/**
 * Carries out a run of walkers with one list of messages and no other means: what the design says of a run, and nothing of the kernel (design, section 2).
 *
 * Details: takes the picks from a tape, one for each decision with more than one answer.
 */
export class PlainRun {
  readonly #world: WalkerWorld;
  readonly #tape: readonly number[];
  #asked = 0;
  #now = 0;
  #seq = 0;
  #cause = -1;
  #messages: PlainMessage[] = [];
  readonly #walkers = new Map<number, PlainWalker>();
  readonly #seen = {
    deliveries: [] as string[],
    probes: [] as string[],
    violations: [] as string[],
    picks: [] as string[],
    ticks: [] as number[],
  };
  #end = 'ok';

  constructor(world: WalkerWorld, tape: readonly number[]) {
    this.#world = world;
    this.#tape = tape;
  }

  carriedOut(): SeenRun {
    const { walkers, boot } = this.#world;
    for (const [index, spec] of walkers.entries()) this.#bear(`Walker[${index}]`, index, spec);
    for (const { to, type, delay } of boot) this.#send(-1, to, type, 2, delay);
    while (this.#end === 'ok' && this.#messages.length > 0) {
      this.#now = Math.min(...this.#messages.map(({ due }) => due));
      if (this.#wholeTick()) this.#seen.ticks.push(this.#now);
    }
    if (this.#end === 'ok') this.#quiet();
    const standing = [...this.#walkers.values()].sort((a, b) => a.address - b.address);
    return {
      ...this.#seen,
      end: this.#end,
      walkers: standing.map(({ name, state, n, fuel }) => `${name} ${state} ${n} ${fuel}`),
    };
  }

  #quiet(): void {
    const waiting = [...this.#walkers.values()].filter(({ state }) => state === 'waiting');
    waiting.sort((a, b) => a.address - b.address);
    if (waiting.length > 0)
      this.#end = `deadlock in tick ${this.#now}: ${waiting.map(({ name, since }) => `${name} since ${since}`).join(', ')}`;
    else if (this.#seen.violations.length > 0) this.#end = 'violated';
  }

  /** Delivers until nothing is due. Returns false when the run broke off. */
  #wholeTick(): boolean {
    for (let delivered = 0; ; ) {
      const due = this.#messages.filter((one) => one.due === this.#now);
      if (due.length === 0) return true;
      if (delivered > 0 && delivered >= this.#world.budget) {
        this.#end = `livelock in tick ${this.#now}`;
        return false;
      }
      // The oldest of each channel; a timer is of no channel of messages.
      const heads = due.filter(
        (one) =>
          !due.some(
            (other) =>
              other.seq < one.seq &&
              other.from === one.from &&
              other.to === one.to &&
              other.timer === one.timer,
          ),
      );
      const message = heads[this.#pick('deliver', heads.length)]!;
      this.#messages = this.#messages.filter((one) => one !== message);
      this.#cause = message.seq;
      try {
        this.#deliver(message);
      } catch (error) {
        if (!(error instanceof Thrown)) throw error;
        this.#end = `error in tick ${this.#now}: ${this.#nameOf(message.to)} ${error.message}`;
        return false;
      } finally {
        this.#cause = -1;
      }
      const { seq, due: at, from, to, cause, type, v } = message;
      this.#seen.deliveries.push(`${seq} ${at} ${from} ${to} ${cause} ${type} ${v}`);
      delivered++;
    }
  }

  #deliver({ from, to, type, v }: PlainMessage): void {
    const one = this.#walkers.get(to) ?? this.#bear(this.#nameOf(to), to, this.#world.kid);
    const row = one.spec.table[one.n % one.spec.moods]![['x', 'y', 'z', 'ring', 'bell'].indexOf(type)]!;
    const before = one.state;
    if (type === 'ring') this.#work(one, row.effects, type, v, from);
    else if (type === 'bell') {
      this.#work(one, row.effects, type, v, from);
      one.state = 'open';
    } else if (before === 'waiting' && type === 'z') throw new Thrown('does not decide');
    else if (before === 'waiting' && type === 'y') return;
    else {
      this.#work(one, row.effects, type, v, from);
      if (type !== 'z') one.state = row.waits ? 'waiting' : 'open';
    }
    if (one.state !== before) one.since = this.#now;
  }

  #work(one: PlainWalker, effects: readonly Effect[], type: WalkerType, v: number, from: number): void {
    one.n = nextValue(one.n, type, v, from);
    if (one.fuel === 0) return;
    one.fuel--;
    for (const effect of effects) this.#carryOut(one, effect);
  }

  #carryOut(one: PlainWalker, effect: Effect): void {
    const { name, address, spec } = one;
    switch (effect.kind) {
      case 'post':
        this.#send(
          address,
          spec.peers[effect.peer % spec.peers.length]!,
          effect.type,
          one.n % 8,
          effect.delay,
        );
        return;
      case 'pick':
        one.n = (one.n + 7 * this.#pick(`${name} a way`, effect.count)) % 1009;
        return;
      case 'show':
        this.#seen.probes.push(`${this.#now} ${name} ${address} ${one.n} ${this.#now} ${address}`);
        return;
      case 'complain':
        if (one.n % 2 === 1) this.#seen.violations.push(`${this.#now} ${name} n is even: n is ${one.n}`);
        return;
      case 'throw':
        throw new Thrown('it throws');
      case 'set': {
        const { timer: type, ticks } = effect;
        if (this.#messages.some((other) => other.timer && other.to === address && other.type === type))
          return;
        this.#keep({ from: address, to: address, type, v: 0, due: this.#now + ticks, timer: true });
        return;
      }
      case 'cancel':
        this.#messages = this.#messages.filter(
          (other) => !(other.timer && other.to === address && other.type === effect.timer),
        );
        return;
      default:
        effect satisfies never;
    }
  }

  #send(from: number, to: number, type: WalkerType, v: number, delay: number): void {
    this.#keep({ from, to, type, v, due: this.#now + delay, timer: false });
  }

  #keep(message: Omit<PlainMessage, 'seq' | 'cause'>): void {
    this.#messages.push({ ...message, seq: this.#seq++, cause: this.#cause });
  }

  #bear(name: string, address: number, spec: WalkerSpec): PlainWalker {
    const made: PlainWalker = { name, address, spec, state: 'open', n: 0, fuel: spec.fuel, since: this.#now };
    this.#walkers.set(address, made);
    for (const effect of spec.birth)
      if (effect.kind === 'post')
        this.#send(address, spec.peers[effect.peer % spec.peers.length]!, effect.type, 1, effect.delay);
    return made;
  }

  #nameOf(address: number): string {
    return address < this.#world.walkers.length ? `Walker[${address}]` : `Kid[${kidIndex}]`;
  }

  /** The next answer of the tape, 0 when it is over; where there is one answer only, nobody is asked. */
  #pick(what: string, count: number): number {
    if (count === 1) return 0;
    const pick = (this.#tape[this.#asked++] ?? 0) % count;
    this.#seen.picks.push(`${this.#now} ${what} ${count} ${pick}`);
    return pick;
  }
}
