import { type CompiledMachine, compile } from '../compile.ts';
import { copyContext } from '../copy.ts';
import { defect, invariant, KernelError } from '../errors.ts';
import { type Address, type LockstepEvent, type Probe, type Report, WORLD } from '../message.ts';
import { type Port, silentPort } from '../port.ts';
import { CompiledSnapshot, type Configuration, type Context } from '../tables.ts';
import { familySpan, type Wiring } from '../wiring.ts';
import { type Chronicle, entries } from './chronicle.ts';
import { everyWay } from './every-way.ts';
import { Mails } from './mails.ts';
import { Notes, type Posted } from './notes.ts';
import { Sharing } from './sharing.ts';
import { transcriptOf } from './transcript.ts';

/** The local state of a member that has not come to life, and of an address where nobody is. */
export const unborn = 0;
/** The local state of an actor whose handling failed: from then on it takes everything and does nothing. */
export const failed = 1;

/** One way in which an actor can handle a message. */
export interface Alternative {
  /** The local state it leads to. */
  readonly next: number;
  /** What is posted: pairs of delay and mail, in the order of delay, then channel, then posting. */
  readonly posts: readonly number[];
  /** The answers to the questions of choice that lead here, those with one answer left out. */
  readonly picks: readonly number[];
  readonly reports: readonly Report[];
  /** What is shown; empty when nobody observes. */
  readonly probes: readonly Probe[];
  /** Why the handling failed. */
  readonly failure: KernelError | undefined;
}

/** Alternatives that were worked out. */
interface Known {
  readonly alternatives: readonly Alternative[];
  /** The level of the exploration in which they were first needed. */
  readonly since: number;
  /** The last search of a tick that needed them. */
  met: number;
}

/** An ordered pair of actors. */
export interface Channel {
  readonly from: Address;
  readonly to: Address;
}

/** How all actors that exist from the beginning can start. */
export interface Start {
  /** Local states by slot. */
  readonly locals: readonly number[];
  readonly posts: readonly number[];
  readonly reports: readonly { readonly actor: string; readonly report: Report }[];
  /** What is shown, in order; empty when nobody observes. */
  readonly probes: readonly { readonly actor: string; readonly probe: Probe }[];
}

/** An actor, or an address where one may come to life. */
interface Slot {
  readonly name: string;
  readonly address: Address;
  /** Whose contexts hold the same shared objects: the address of an actor, or the address of member 0 of a family. */
  readonly group: number;
  /** Undefined until a member comes to life. */
  machine: CompiledMachine | undefined;
  readonly locals: Map<string, number>;
  readonly letters: Map<string, number>;
  readonly events: LockstepEvent[];
  /** What happens when a message comes to life here, by letter. */
  readonly births: (Known | undefined)[];
}

interface Local {
  readonly slot: Slot;
  readonly configuration: Configuration;
  readonly context: Context;
  /** By letter. */
  readonly row: (Known | undefined)[];
}

/** Addresses of a machine with families are below this. */
const addressSpan = 2 ** 26;

const absorbed: readonly Alternative[] = [
  { next: failed, posts: [], picks: [], reports: [], probes: [], failure: undefined },
];

/**
 * Everything that the actors of a machine can do, found out once: (local state, message) to the alternatives.
 *
 * Why: what an actor does with a message depends on its own state, the event, and the answers to its questions of choice, on nothing else. A machine of a
 * million states has a few hundred local ones, so nearly all steps of an exploration are a look into a table of integers.
 *
 * Details: a *local state* is a configuration and a context; a *letter* is an event as one receiver gets it; *mail* is a letter in a channel; a *slot* is the place of an
 * actor in the state of the machine. All are integers from 0, given when they are first met. Local states and letters are told apart by
 * their transcripts, so exactly; a missing entry is worked out by carrying out the compiled state machine on a copy of the context. An event
 * is the whole post, so two messages that differ only in the delay they were posted with are two.
 *
 * Gotchas: what a recipe reads besides context and event is not seen here. Errors: KRN007, KRN011 and KRN012, for machines that cannot be explored.
 */
export class Repertoire {
  readonly #wiring: Wiring;
  readonly #observed: boolean;
  readonly #sharing = new Sharing();
  readonly #slots: Slot[] = [];
  readonly #slotOf = new Map<Address, number>();
  readonly #locals: (Local | undefined)[] = [undefined, undefined];
  readonly #mails = new Mails();
  readonly #probes: { readonly actor: string; readonly probe: Probe }[] = [];
  readonly #probeNumbers = new Map<Probe, number>();
  /** By mail: the slot of the receiver. */
  readonly slotTo = this.#mails.slotTo;
  /** By mail: its channel, as a number in the order of the addresses of sender and receiver. */
  readonly channel = this.#mails.channel;
  /** How many ticks from the start the states are that are being gone on from. */
  level = 0;
  /** Searches of ticks so far. */
  searches = 0;
  /** Number of the search that is going on. */
  tick = 0;
  /** Agrees with other threads on the order in which things are found out; absent where there are none. */
  chronicle: Chronicle | undefined;

  /** `observed`: whether what actors show is kept. */
  constructor(wiring: Wiring, observed: boolean) {
    this.#wiring = wiring;
    this.#observed = observed;
    wiring.complete.forEach((_, address) => void this.#slotAt(address as Address));
  }

  /** The slots given so far. */
  get slotCount(): number {
    return this.#slots.length;
  }

  /** Local states met so far. */
  get localCount(): number {
    return this.#locals.length;
  }

  /** Name of the actor in a slot. */
  nameOf(slot: number): string {
    return this.#slots[slot]!.name;
  }

  /** Sender and receiver of mail. */
  channelOf(mail: number): Channel {
    const sender = this.#mails.senderOf(mail);
    const from = sender < 0 ? WORLD : this.#slots[sender]!.address;
    return { from, to: this.#slots[this.slotTo[mail]!]!.address };
  }

  /** Name of the sender of mail. */
  senderOf(mail: number): string {
    const sender = this.#mails.senderOf(mail);
    return sender < 0 ? 'world' : this.#slots[sender]!.name;
  }

  /** Name of the receiver of mail. */
  receiverOf(mail: number): string {
    return this.#slots[this.slotTo[mail]!]!.name;
  }

  /** The event of mail. */
  eventOf(mail: number): LockstepEvent {
    return this.#slots[this.slotTo[mail]!]!.events[this.#mails.letter[mail]!]!;
  }

  /** A local state as data: its active states, its context, and whether it is tagged as waiting. */
  describe(local: number): { readonly state: string; readonly context: object; readonly waits: boolean } {
    const found = this.#locals[local];
    invariant(found, `there is no local state ${local}`);
    const { configuration, context } = found;
    return { state: configuration.name, context, waits: configuration.waiting };
  }

  /**
   * What `alternatives` would give, where that was known before the present level of the exploration or was needed by the present search of a tick.
   *
   * Details: what others of the level found out does not count, so that the answer does not depend on which state is gone on from first, or by which thread.
   */
  known(local: number, mail: number): readonly Alternative[] | undefined {
    if (local === failed) return absorbed;
    const known = this.#rowOf(local, mail)[this.#mails.letter[mail]!];
    return known !== undefined && (known.since < this.level || known.met === this.tick)
      ? known.alternatives
      : undefined;
  }

  /** In how many ways the actor that mail is for can handle it in a local state, and what comes of each; at least one. */
  alternatives(local: number, mail: number): readonly Alternative[] {
    if (local === failed) return absorbed;
    const row = this.#rowOf(local, mail);
    const letter = this.#mails.letter[mail]!;
    if (row[letter] === undefined) {
      const mine = this.chronicle?.agree(entries.handling, this.level, local, mail, 0) ?? true;
      if (mine) this.#workOut(local, mail, this.level);
    }
    const known = row[letter]!;
    known.met = this.tick;
    return known.alternatives;
  }

  /** Works out what another thread found out in a level, in its turn. */
  follow(local: number, mail: number, level: number): void {
    this.#workOut(local, mail, level);
  }

  #rowOf(local: number, mail: number): (Known | undefined)[] {
    return local === unborn ? this.#slots[this.slotTo[mail]!]!.births : this.#locals[local]!.row;
  }

  #workOut(local: number, mail: number, since: number): void {
    const slot = this.#slots[this.slotTo[mail]!]!;
    const letter = this.#mails.letter[mail]!;
    const found = [...everyWay((ask) => this.#handle(slot, local, slot.events[letter]!, ask))];
    const alternatives = found.map(({ result, picks }) => this.#alternative(slot, result, picks));
    this.#rowOf(local, mail)[letter] = { alternatives, since, met: -1 };
  }

  /** Starts the actors of the wiring that was given or, from the second time on, of another one like it, with the questions that they ask while they start. Errors: what a start throws. */
  start(wiring: Wiring, ask: (count: number) => number): Start {
    const ports: Notes[] = [];
    const snapshots = wiring.complete.map(({ name, machine, input }) => {
      const port = new Notes(name, ask, this.#observed);
      ports.push(port);
      return compile(machine).start(input, port);
    });
    snapshots.forEach(({ context }, slot) => {
      this.#sharing.note(slot, this.nameOf(slot), context);
    });
    if (wiring === this.#wiring) this.#noteFamilies();
    return {
      locals: snapshots.map((snapshot, slot) => this.#localOf(this.#slots[slot]!, snapshot)),
      posts: this.#sorted([
        ...ports.flatMap(({ posts }, slot) => posts.map((post) => this.#posted(slot, post))),
        ...wiring.boot.map((event) => this.#posted(-1, { to: event.to, delay: event.delay ?? 0, event })),
      ]),
      reports: ports.flatMap(({ reports, name: actor }) => reports.map((report) => ({ actor, report }))),
      probes: ports.flatMap(({ probes, name: actor }) => probes.map((probe) => ({ actor, probe }))),
    };
  }

  /** Looks at two members of each family, for what they share with others. */
  #noteFamilies(): void {
    this.#wiring.families.forEach(({ name, member }, number) => {
      for (const index of [0, 1]) {
        try {
          const { machine, input } = member(index);
          const { context } = compile(machine).start(input, silentPort);
          this.#sharing.note((number + 1) * familySpan, `${name}[${index}]`, context);
        } catch (error) {
          // Nobody asked for this member: that it cannot be made is no finding.
          if (error instanceof KernelError && error.code === 'KRN011') throw error;
        }
      }
    });
  }

  #handle(slot: Slot, local: number, event: LockstepEvent, ask: (count: number) => number): Handled {
    const port = new Notes(slot.name, ask, this.#observed);
    // A recipe may keep a part of its event and change it later.
    const given = copyContext(event, new Map(), false, `"${event.type}"`);
    const found = this.#locals[local];
    const snapshot =
      found &&
      new CompiledSnapshot(
        slot.machine!,
        found.configuration,
        this.#sharing.copy(slot.group, found.context, slot.name),
        'mutable',
      );
    try {
      const state = snapshot ?? this.#born(slot, port, event);
      if (!slot.machine!.react(state, given, port))
        throw new KernelError(
          'KRN004',
          slot.name,
          `state "${state.configuration.name}" does not decide on "${event.type}"`,
        );
      return { state, port };
    } catch (error) {
      return { failure: asFailure(slot.name, event, error), port };
    }
  }

  /** Brings a member of a family to life. Errors: KRN005 where nobody can be, and what its start throws. */
  #born(slot: Slot, port: Port, event: LockstepEvent): CompiledSnapshot {
    const family = this.#wiring.families[Math.floor(slot.address / familySpan) - 1];
    if (!family)
      throw new KernelError('KRN005', slot.name, `"${event.type}" was posted to address ${slot.address}`);
    const { machine, input } = family.member(slot.address % familySpan);
    slot.machine = compile(machine);
    const state = slot.machine.start(input, port);
    // What the context was made from may be what the next birth is made from.
    state.context = this.#sharing.copy(slot.group, state.context, slot.name);
    return state;
  }

  #alternative(slot: Slot, handled: Handled, picks: readonly number[]): Alternative {
    const { port, state, failure } = handled;
    this.#sharing.verify(slot.group, slot.name);
    const sender = this.#slotAt(slot.address);
    if (state) for (const probe of port.probes) this.#numberProbe(slot.name, probe);
    return {
      next: state ? this.#localOf(slot, state) : failed,
      posts: state ? this.#sorted(port.posts.map((post) => this.#posted(sender, post))) : [],
      picks,
      reports: port.reports,
      probes: state ? port.probes : [],
      failure,
    };
  }

  /** The slot of an actor. Errors: KRN013 when nobody is called so. */
  slotNamed(name: string): number {
    const slot = this.#slots.findIndex((one) => one.name === name);
    if (slot < 0) throw new KernelError('KRN013', name, 'no actor is called so');
    return slot;
  }

  addressOf(slot: number): Address {
    return this.#slots[slot]!.address;
  }

  /** True for actors with one state machine. */
  sameMachine(one: number, other: number): boolean {
    const [first, second] = [one, other].map((slot) => this.#wiring.placements[this.addressOf(slot)]);
    return first !== undefined && first.machine === second?.machine;
  }

  /** The local state of an actor in another slot that has the same active states and another context. */
  exchangedLocal(
    local: number,
    slot: number,
    exchange: (context: Context) => Record<string, unknown>,
  ): number {
    const found = this.#locals[local];
    if (!found) return local;
    const there = this.#slots[slot]!;
    return this.#localOf(
      there,
      new CompiledSnapshot(found.slot.machine!, found.configuration, exchange(found.context), 'mutable'),
    );
  }

  /** Mail between other slots with another event. */
  exchangedMail(
    mail: number,
    slotOf: (slot: number) => number,
    exchange: (event: Record<string, unknown>) => Record<string, unknown>,
  ): number {
    const sender = this.#mails.senderOf(mail);
    const to = slotOf(this.slotTo[mail]!);
    const event = exchange({ ...this.eventOf(mail) }) as unknown as LockstepEvent;
    const posted = { to: this.addressOf(to), delay: 0, event };
    return this.#posted(sender < 0 ? sender : slotOf(sender), posted)[1];
  }

  /** What a local state is, as a text that does not depend on numbers. */
  localText(local: number): string {
    const found = this.#locals[local];
    return found ? keyOf(found.configuration, found.context) : `${local}`;
  }

  /** What mail says, as a text that does not depend on numbers. */
  letterText(mail: number): string {
    return transcriptOf(this.eventOf(mail));
  }

  /** What was met: local states with mail. */
  *met(): Generator<readonly [local: number, mail: number], void> {
    for (let mail = 0; mail < this.slotTo.length; mail++) {
      const letter = this.#mails.letter[mail]!;
      const slot = this.#slots[this.slotTo[mail]!]!;
      for (const local of slot.locals.values())
        if (this.#locals[local]!.row[letter] !== undefined) yield [local, mail];
    }
  }

  /** The number of something shown in a handling, the same in all threads. */
  numberOf(probe: Probe): number {
    return this.#probeNumbers.get(probe) ?? defect(`"${probe.type}" was shown outside of a handling`);
  }

  /** Who showed something in a handling, and what, by its number. */
  probeOf(number: number): { readonly actor: string; readonly probe: Probe } {
    return this.#probes[number]!;
  }

  #numberProbe(actor: string, probe: Probe): void {
    if (this.#probeNumbers.has(probe)) return;
    this.#probeNumbers.set(probe, this.#probes.push({ actor, probe }) - 1);
  }

  #localOf(slot: Slot, { configuration, context, machine }: CompiledSnapshot): number {
    slot.machine ??= machine;
    const key = keyOf(configuration, context);
    const known = slot.locals.get(key);
    if (known !== undefined) return known;
    const local = this.#locals.length;
    this.#locals.push({ slot, configuration, context, row: [] });
    slot.locals.set(key, local);
    return local;
  }

  #slotAt(address: Address): number {
    const known = this.#slotOf.get(address);
    if (known !== undefined) return known;
    const placed = address < familySpan ? this.#wiring.placements[address] : undefined;
    const family = this.#wiring.families[Math.floor(address / familySpan) - 1];
    const index = address % familySpan;
    this.#slots.push({
      name: placed?.name ?? (family ? `${family.name}[${index}]` : `address ${address}`),
      address,
      group: family ? address - index : address,
      machine: undefined,
      locals: new Map(),
      letters: new Map(),
      events: [],
      births: [],
    });
    this.#slotOf.set(address, this.#slots.length - 1);
    return this.#slots.length - 1;
  }

  #posted(sender: number, { to: address, delay, event }: Posted): readonly [delay: number, mail: number] {
    const to = this.#slotAt(address);
    const { letters, events, name } = this.#slots[to]!;
    const key = transcriptOf(event);
    let letter = letters.get(key);
    if (letter === undefined) {
      letter = events.push(copyContext(event, new Map(), false, `"${event.type}" to ${name}`)) - 1;
      letters.set(key, letter);
    }
    return [delay, this.#mails.of(sender, to, letter, this.#rankOf(sender, to))];
  }

  /** Orders channels by the addresses of their ends, so that their order does not depend on which was met first. */
  #rankOf(sender: number, receiver: number): number {
    const from = sender < 0 ? WORLD : this.#slots[sender]!.address;
    const to = this.#slots[receiver]!.address;
    const span = this.#wiring.families.length === 0 ? familySpan : addressSpan;
    // Nobody is at such an address; it only must not be taken for another one.
    if (to >= span) return span * span + (sender + 1) * familySpan + receiver;
    return (from + 1) * span + to;
  }

  #sorted(posts: readonly (readonly [delay: number, mail: number])[]): readonly number[] {
    const inOrder = [...posts].sort(
      ([delay, mail], [otherDelay, other]) =>
        delay - otherDelay || this.channel[mail]! - this.channel[other]!,
    );
    return inOrder.flat();
  }
}

const keyOf = (configuration: Configuration, context: Context): string =>
  `${configuration.index} ${transcriptOf(context)}`;

/** What came of one handling: a state, or a failure. */
type Handled =
  | { readonly state: CompiledSnapshot; readonly failure?: undefined; readonly port: Notes }
  | { readonly state?: undefined; readonly failure: KernelError; readonly port: Notes };

/** What an actor threw, as an entry of the catalogue. What makes the machine impossible to explore is thrown on. */
function asFailure(actor: string, event: LockstepEvent, thrown: unknown): KernelError {
  if (thrown instanceof KernelError && thrown.code === 'KRN012') throw thrown;
  if (thrown instanceof KernelError) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new KernelError('KRN008', actor, `"${event.type}" threw: ${why}`, { cause: thrown });
}
