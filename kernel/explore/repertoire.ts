import { type CompiledMachine, compile } from '../compile.ts';
import { copyContext } from '../copy.ts';
import { defect, invariant, KernelError } from '../errors.ts';
import { restartType } from '../faults.ts';
import type { FaultRule } from '../faults-rule.ts';
import { type Address, type LockstepEvent, type Probe, type Report, WORLD } from '../message.ts';
import { type Port, silentPort } from '../port.ts';
import { CompiledSnapshot, type Configuration, type Context } from '../tables.ts';
import { type Family, familySpan, type Wiring } from '../wiring.ts';
import { type Chronicle, entries } from './chronicle.ts';
import { everyWay } from './every-way.ts';
import type { FaultBranches, FaultChances, FaultEnd } from './fault-branches.ts';
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
  /** What faults that struck add to the budget state. */
  readonly struck: number;
  /** True when the message is lost: its receiver crashes in front of it, or has crashed. */
  readonly lost: boolean;
  /** True when what the receiver has sent to itself is lost, too. */
  readonly clears: boolean;
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
  /** The budget state that faults of the start lead to. */
  readonly struck: number;
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
  /** What happens when a message comes to life here, by letter and budget state. */
  readonly births: (Known | undefined)[];
}

interface Local {
  readonly slot: Slot;
  readonly configuration: Configuration;
  readonly context: Context;
  /** The fault by which the actor crashed; undefined for one that did not. */
  readonly down?: FaultRule;
  /** By letter and budget state. */
  readonly row: (Known | undefined)[];
}

/** Addresses of a machine with families are below this. */
const addressSpan = 2 ** 26;

const absorbed: readonly Alternative[] = [
  {
    next: failed,
    posts: [],
    picks: [],
    reports: [],
    probes: [],
    struck: 0,
    lost: false,
    clears: false,
    failure: undefined,
  },
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
  readonly #faults: FaultBranches;
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

  /** `observed`: whether what actors show is kept. `faults`: what may go wrong on purpose. */
  constructor(wiring: Wiring, observed: boolean, faults: FaultBranches) {
    this.#faults = faults;
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

  /** True for mail of an actor to itself. */
  isToItself(mail: number): boolean {
    return this.#mails.senderOf(mail) === this.slotTo[mail];
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
    const { configuration, context, down } = found;
    if (down) return { state: 'crashed', context: {}, waits: false };
    return { state: configuration.name, context, waits: configuration.waiting };
  }

  /**
   * What `alternatives` would give, where that was known before the present level of the exploration or was needed by the present search of a tick.
   *
   * Details: what others of the level found out does not count, so that the answer does not depend on which state is gone on from first, or by which thread.
   */
  known(local: number, mail: number, budgetState: number): readonly Alternative[] | undefined {
    if (local === failed) return absorbed;
    const known = this.#rowOf(local, mail)[this.#mails.letter[mail]! * this.#faults.states + budgetState];
    return known !== undefined && (known.since < this.level || known.met === this.tick)
      ? known.alternatives
      : undefined;
  }

  /** In how many ways the actor that mail is for can handle it in a local state and a budget state of faults, and what comes of each; at least one. */
  alternatives(local: number, mail: number, budgetState: number): readonly Alternative[] {
    if (local === failed) return absorbed;
    const row = this.#rowOf(local, mail);
    const column = this.#mails.letter[mail]! * this.#faults.states + budgetState;
    if (row[column] === undefined) {
      const mine = this.chronicle?.agree(entries.handling, this.level, local, mail, budgetState) ?? true;
      if (mine) this.#workOut(local, mail, budgetState, this.level);
    }
    const known = row[column]!;
    known.met = this.tick;
    return known.alternatives;
  }

  /** Works out what another thread found out in a level, in its turn. */
  follow(local: number, mail: number, budgetState: number, level: number): void {
    this.#workOut(local, mail, budgetState, level);
  }

  #rowOf(local: number, mail: number): (Known | undefined)[] {
    return local === unborn ? this.#slots[this.slotTo[mail]!]!.births : this.#locals[local]!.row;
  }

  #workOut(local: number, mail: number, budgetState: number, since: number): void {
    const slot = this.#slots[this.slotTo[mail]!]!;
    const letter = this.#mails.letter[mail]!;
    const sender = this.#mails.senderOf(mail);
    const event = slot.events[letter]!;
    const found = [
      ...everyWay((ask) => {
        const chances = this.#faults.handling(budgetState, ask);
        return this.#come(slot, local, sender, event, ask, chances);
      }),
    ];
    const alternatives = found.map(({ result, picks }) => this.#alternative(slot, local, result, picks));
    this.#rowOf(local, mail)[letter * this.#faults.states + budgetState] = { alternatives, since, met: -1 };
  }

  /** Starts the actors of the wiring that was given or, from the second time on, of another one like it, with the questions that they ask while they start. Errors: what a start throws. */
  start(wiring: Wiring, ask: (count: number) => number): Start {
    const ports: Notes[] = [];
    const chances = this.#faults.handling(0, ask);
    const snapshots = wiring.complete.map(({ machine, input }) => {
      const port = this.#portOf(ports.length, ask, chances);
      ports.push(port);
      return compile(machine).start(input, port);
    });
    snapshots.forEach(({ context }, slot) => {
      this.#sharing.note(slot, this.nameOf(slot), context);
    });
    if (wiring === this.#wiring) this.#noteFamilies();
    const boot = wiring.boot.flatMap((event) =>
      chances
        .posted({ address: WORLD, name: 'world' }, this.#endOf(event.to), event.delay ?? 0, event)
        .map((one) => this.#posted(-1, { to: event.to, ...one })),
    );
    return {
      struck: chances.struck,
      locals: snapshots.map((snapshot, slot) => this.#localOf(this.#slots[slot]!, snapshot)),
      posts: this.#sorted([
        ...ports.flatMap(({ posts }, slot) => posts.map((post) => this.#posted(slot, post))),
        ...boot,
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

  /** A port for the actor of a slot, on which faults may befall what it posts. */
  #portOf(slot: number, ask: (count: number) => number, chances: FaultChances): Notes {
    const from = this.#slots[slot]!;
    const befall = (to: Address, delay: number, event: LockstepEvent) =>
      chances.posted(from, this.#endOf(to), delay, event);
    return new Notes(from.name, ask, this.#observed, this.#faults.rules.length > 0 ? befall : undefined);
  }

  #endOf(address: Address): FaultEnd {
    return this.#slots[this.#slotAt(address)]!;
  }

  /** Decides what becomes of a message that has come to an actor, as a run does: it is handled, or lost with the actor, or makes it begin anew. */
  #come(
    slot: Slot,
    local: number,
    sender: number,
    event: LockstepEvent,
    ask: (count: number) => number,
    chances: FaultChances,
  ): Handled {
    const port = this.#portOf(this.#slotAt(slot.address), ask, chances);
    const down = this.#locals[local]?.down;
    const made = { port, chances };
    if (event.type === restartType) return down ? { ...this.#anew(slot, port, event), chances } : made;
    if (down) return { ...made, down };
    const from = sender < 0 ? WORLD : this.#slots[sender]!.address;
    const crash = chances.crash(from, slot);
    if (crash) return { ...made, down: crash, crashes: true };
    return { ...this.#handle(slot, local, event, port), chances };
  }

  /** Puts a new actor in the place of one that crashed. */
  #anew(slot: Slot, port: Notes, event: LockstepEvent): Made {
    try {
      return { state: this.#born(slot, port, event), port };
    } catch (error) {
      return { failure: asFailure(slot.name, event, error), port };
    }
  }

  #handle(slot: Slot, local: number, event: LockstepEvent, port: Notes): Made {
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

  /** Brings an actor to life: a member of a family, or one that begins anew. Errors: KRN005 where nobody can be, and what its start throws. */
  #born(slot: Slot, port: Port, event: LockstepEvent): CompiledSnapshot {
    const family = this.#wiring.families[Math.floor(slot.address / familySpan) - 1];
    const placed = family ? family.member(slot.address % familySpan) : this.#wiring.placements[slot.address];
    if (!placed)
      throw new KernelError('KRN005', slot.name, `"${event.type}" was posted to address ${slot.address}`);
    const { machine, input } = placed;
    slot.machine = compile(machine);
    const state = slot.machine.start(input, port);
    // What the context was made from may be what the next birth is made from.
    state.context = this.#sharing.copy(slot.group, state.context, slot.name);
    return state;
  }

  #alternative(slot: Slot, local: number, handled: Handled, picks: readonly number[]): Alternative {
    const { port, state, failure, chances, down, crashes = false } = handled;
    const { struck } = chances;
    if (!state && !failure) {
      const { next, posts } = this.#downFrom(slot, local, down, crashes);
      return { next, posts, picks, reports: [], probes: [], struck, lost: true, clears: crashes, failure };
    }
    this.#sharing.verify(slot.group, slot.name);
    const sender = this.#slotAt(slot.address);
    if (state) for (const probe of port.probes) this.#numberProbe(slot.name, probe);
    return {
      next: state ? this.#localOf(slot, state) : failed,
      posts: state ? this.#sorted(port.posts.map((post) => this.#posted(sender, post))) : [],
      picks,
      reports: port.reports,
      probes: state ? port.probes : [],
      struck,
      lost: false,
      clears: false,
      failure,
    };
  }

  /** What comes of a message that is lost: nothing, or the actor goes down and may be told to begin anew. */
  #downFrom(
    slot: Slot,
    local: number,
    down: FaultRule | undefined,
    crashes: boolean,
  ): Pick<Alternative, 'next' | 'posts'> {
    if (!down || !crashes) return { next: local, posts: [] };
    const restart = down.fault.kind === 'crash' ? down.fault.restart : undefined;
    const next = this.#downOf(slot, down);
    if (restart === undefined) return { next, posts: [] };
    return {
      next,
      posts: this.#posted(-1, { to: slot.address, delay: restart, event: { type: restartType } }),
    };
  }

  /** The local state of an actor that a fault has crashed: what it was before does not matter any more. */
  #downOf(slot: Slot, down: FaultRule): number {
    const key = `down ${down.index}`;
    const known = slot.locals.get(key);
    if (known !== undefined) return known;
    const placed = this.#wiring.placements[slot.address] ?? this.#memberAt(slot.address);
    const machine = compile(placed.machine);
    const { configuration } = machine.start(placed.input, silentPort);
    const local = this.#locals.push({ slot, configuration, context: {}, down, row: [] }) - 1;
    slot.locals.set(key, local);
    return local;
  }

  #memberAt(address: Address): ReturnType<Family['member']> {
    const family = this.#wiring.families[Math.floor(address / familySpan) - 1];
    return family?.member(address % familySpan) ?? defect(`nobody can crash at address ${address}`);
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
        if (this.#locals[local]!.row[letter * this.#faults.states] !== undefined) yield [local, mail];
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

/** What a handling is made with, and whether a fault took the place of it; neither state nor failure when the message is lost. */
interface Chanced {
  readonly chances: FaultChances;
  readonly down?: FaultRule | undefined;
  readonly crashes?: boolean;
}
type Handled = Chanced &
  (Made | { readonly state?: undefined; readonly failure?: undefined; readonly port: Notes });

/** What came of one handling: a state, or a failure. */
type Made =
  | { readonly state: CompiledSnapshot; readonly failure?: undefined; readonly port: Notes }
  | { readonly state?: undefined; readonly failure: KernelError; readonly port: Notes };

/** What an actor threw, as an entry of the catalogue. What makes the machine impossible to explore is thrown on. */
function asFailure(actor: string, event: LockstepEvent, thrown: unknown): KernelError {
  if (thrown instanceof KernelError && thrown.code === 'KRN012') throw thrown;
  if (thrown instanceof KernelError) return thrown;
  const why = thrown instanceof Error ? thrown.message : String(thrown);
  return new KernelError('KRN008', actor, `"${event.type}" threw: ${why}`, { cause: thrown });
}
