import type { AnyStateMachine } from 'xstate';
import type { Actor } from '../../kernel/actor.ts';
import type { Message } from '../../kernel/message.ts';
import type { Run } from '../../kernel/run.ts';
import { familySpan, type Wiring } from '../../kernel/wiring.ts';
import type { ActorInfo, DeliveryColumns, Mark, PickRow, StateChange, StateInfo } from '../protocol.ts';

/** Deliveries that a page keeps: 28 bytes each. */
export const deliveriesMax = 4_000_000;

/** Numbers in a list that grows. */
class Column<A extends Int32Array | Float64Array> {
  length = 0;
  constructor(private values: A) {}
  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new (this.values.constructor as new (length: number) => A)(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }
  at(index: number): number {
    return this.values[index]!;
  }
  set(index: number, value: number): void {
    this.values[index] = value;
  }
  get whole(): A {
    return this.values.slice(0, this.length) as A;
  }
}

/** Names that get numbers in the order in which they come. */
class Numbered {
  readonly names: string[] = [];
  readonly #numbers = new Map<string, number>();
  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

/** Follows a run and keeps for each delivery who got what from whom, why, and in what state that left the receiver. */
export class RunIndex {
  readonly picks: PickRow[] = [];
  readonly #marks: Mark[] = [];
  readonly actors: ActorInfo[] = [];
  /** States that actors came to without a delivery. */
  readonly changes: StateChange[] = [];
  readonly states: StateInfo[] = [];
  readonly #types = new Numbered();
  readonly #actorNumbers = new Map<string, number>();
  readonly #stateNumbers = new Map<string, number>();
  readonly #tick = new Column(new Float64Array(1024));
  readonly #to = new Column(new Int32Array(1024));
  readonly #from = new Column(new Int32Array(1024));
  readonly #type = new Column(new Int32Array(1024));
  readonly #cause = new Column(new Int32Array(1024));
  readonly #state = new Column(new Int32Array(1024));
  /** Number of the message that was delivered last. */
  #last: number | undefined;
  /** The steps of an asynchronous network: the moments that are no delivery, in order. */
  readonly network: { readonly at: number; readonly tick: number }[] = [];
  /** Steps of the network since the last delivery, and the last one. */
  #steps = 0;
  #step: Message | undefined;
  /** The delivery of each message by its number, -1 for one that was not delivered. */
  readonly #deliveryOf = new Column(new Int32Array(1024));

  constructor(
    readonly run: Run,
    readonly wiring: Wiring,
  ) {
    for (const actor of run.parts) this.#knows(actor);
    run.messages$.subscribe(({ message, to, from }) => {
      const at = this.#tick.length;
      this.#last = message.seq;
      this.#steps = 0;
      const actor = run.partAt(message.to)!;
      const receiver = this.#actorNumbers.get(to) ?? this.#knows(actor);
      this.#tick.push(message.due);
      this.#to.push(receiver);
      this.#from.push(
        message.from < 0 ? -1 : (this.#actorNumbers.get(from) ?? this.#knows(run.part(message.from))),
      );
      this.#type.push(this.#types.of(message.event.type));
      this.#cause.push(
        message.cause < 0 || message.cause >= this.#deliveryOf.length
          ? -1
          : this.#deliveryOf.at(message.cause),
      );
      this.#state.push(this.#stateOf(actor));
      while (this.#deliveryOf.length <= message.seq) this.#deliveryOf.push(-1);
      if (message.seq >= 0) this.#deliveryOf.set(message.seq, at);
    });
    run.picks$.subscribe((pick) => this.picks.push({ at: this.#tick.length, ...pick }));
    run.violations$.subscribe(({ property, tick, actors, why }) => {
      // What is found during a delivery is found before the delivery is told, but for what is found of things shown.
      const within = run.handled !== undefined && run.handled.seq !== this.#last;
      const at = this.#stepIn(tick) ?? (within ? this.count : this.last);
      this.#marks.push({ kind: 'finding', at, tick, title: property, why, actors });
    });
    run.faults$.subscribe(({ tick, fault, kind, from, to, message, what }) => {
      const step = fault === undefined ? this.#stepIn(tick) : undefined;
      const at = step ?? this.last;
      const ofParty = step !== undefined && kind !== 'drop';
      const isDown = kind === 'crash' || kind === 'restart';
      this.#marks.push({
        kind: 'fault',
        at,
        tick,
        title: ofParty ? kind : `${kind}: ${message.event.type}`,
        why: ofParty ? (isDown ? `${to} ${what}` : what) : `${from} to ${to}: ${what}`,
        actors: ofParty ? (isDown ? [to] : []) : [from, to],
      });
      // A clocked run tells of a restart by a delivery.
      if (kind !== 'crash' && (kind !== 'restart' || fault !== undefined)) return;
      const actor = this.#actorNumbers.get(to) ?? this.#knows(run.part(message.to));
      const { state, waits } =
        kind === 'crash' ? { state: 'crashed', waits: false } : run.localStateAt(message.to)!;
      this.changes.push({ actor, at, tick, state: this.#numberOf(state, waits) });
    });
  }

  /** Findings and faults; what was found in a delivery that was never told belongs to the last moment. */
  get marks(): readonly Mark[] {
    return this.#marks.map((mark) => ({ ...mark, at: Math.min(mark.at, this.last) }));
  }

  /** The last moment: a delivery, or a step of the network behind it. */
  get last(): number {
    return Math.max(this.count - 1, this.network.at(-1)?.at ?? -1);
  }

  /** The moment of the step of the network that is handled; undefined where none is. A property may tell of it before the network does. */
  #stepIn(tick: number): number | undefined {
    const { asynchronous, handled } = this.run;
    if (!asynchronous || !handled || handled.seq >= 0) return undefined;
    if (handled !== this.#step) {
      this.#step = handled;
      const step = ++this.#steps;
      this.network.push({ at: this.count - 1 + step / (step + 1), tick });
    }
    return this.last;
  }

  get count(): number {
    return this.#tick.length;
  }

  /** Number of the actor that got a delivery. */
  receiverOf(at: number): number {
    return this.#to.at(at);
  }

  get types(): readonly string[] {
    return this.#types.names;
  }

  get columns(): DeliveryColumns {
    return {
      count: this.count,
      tick: this.#tick.whole,
      to: this.#to.whole,
      from: this.#from.whole,
      type: this.#type.whole,
      cause: this.#cause.whole,
      state: this.#state.whole,
    };
  }

  #knows(actor: Actor): number {
    const number = this.actors.push({
      name: actor.name,
      machine: machineAt(this.wiring, actor.address).id,
      begins: this.#stateOf(actor),
    });
    this.#actorNumbers.set(actor.name, number - 1);
    return number - 1;
  }

  #stateOf({ configuration: { name, waiting } }: Actor): number {
    return this.#numberOf(name, waiting);
  }

  #numberOf(name: string, waiting: boolean): number {
    const known = this.#stateNumbers.get(name);
    if (known !== undefined) return known;
    const number = this.states.push({ name, waiting }) - 1;
    this.#stateNumbers.set(name, number);
    return number;
  }
}

/** The state machine of the actor at an address. */
export function machineAt({ placements, families }: Wiring, address: number): AnyStateMachine {
  const placed = placements[address];
  if (placed) return placed.machine;
  return families[Math.floor(address / familySpan) - 1]!.member(address % familySpan).machine;
}
