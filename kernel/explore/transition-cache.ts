import { doTheSame } from '../alike.ts';
import { type CompiledMachine, compile } from '../compile.ts';
import { copyContext, ownInput } from '../copy.ts';
import { eventIn, ResourcesKept } from '../detached.ts';
import { firstDifference } from '../difference.ts';
import { defect, KernelError } from '../errors.ts';
import { restartType } from '../faults.ts';
import type { LocalState, MessageUnderWay } from '../global-state.ts';
import { type LockstepEvent, type Probe, type Report, WORLD } from '../message.ts';
import type { NetworkRules } from '../network.ts';
import { silentPort } from '../port.ts';
import { readOnly } from '../read-only.ts';
import { CompiledSnapshot, type Context, type TransitionCounts } from '../tables.ts';
import { familySpan, type Wiring } from '../wiring.ts';
import {
  type Alternative,
  absorbed,
  failed,
  type Known,
  KnownVariants,
  kept,
  knownFrom,
  nothing,
  still,
  unborn,
  unshared,
} from './alternative.ts';
import { type Carried, textOf, whatCame } from './carried.ts';
import type { EffectRecorder } from './effect-recorder.ts';
import { enumerateChoices } from './enumerate-choices.ts';
import type { FaultBranches } from './fault-branches.ts';
import type { Footprints } from './footprints.ts';
import { entries, type FindingOrder } from './journal.ts';
import { keyOrderHash } from './key-order.ts';
import { KeyOrderCheck } from './key-order-check.ts';
import { hashOf, isUp, Locals } from './locals.ts';
import { inOtherCircumstances, Repetitions } from './other-circumstances.ts';
import { RecentRecords } from './recent-records.ts';
import { type Declared, declaredIn, Sharing } from './sharing.ts';
import { machineIn, type Slot, Slots } from './slots.ts';
import { asFailure, type Handled, StepExecutor } from './step-executor.ts';
import { substituted } from './substitution.ts';
import { transcriptOf } from './transcript.ts';
import { TransitionRecords } from './transition-records.ts';

/** Where nothing is known of a letter in a local state. */
const nothingKnown = -1;
/** Columns of what is known of a local state, at most. */
const columnsMax = 2 ** 26;

/** How all actors that exist from the beginning can start. */
export interface Start {
  /** The budget state that faults of the start lead to. */
  readonly struck: number;
  /** Local states by slot. */
  readonly locals: readonly number[];
  readonly posts: readonly number[];
  /** Versions of what actors share, by declared object. */
  readonly versions: readonly number[];
  readonly reports: readonly { readonly actor: string; readonly report: Report }[];
  /** What is shown, in order; empty when nobody observes. */
  readonly probes: readonly { readonly actor: string; readonly probe: Probe }[];
}

/**
 * Everything that the actors of a machine can do, found out once: (local state, message) to the alternatives.
 *
 * Why: what an actor does with a message depends on its own state, the event, the answers to its questions of choice, and the version of what it shares with
 * others (see `Sharing`), on nothing else. A machine of a million states has a few hundred local ones, so nearly all steps of an exploration are a look into a table of integers.
 *
 * Details: a *local state* is a configuration and a context; a *letter* is an event as one receiver gets it; *message* is a letter in a channel; a *slot* is the place of an
 * actor in the state of the machine. All are integers from 0, given when they are first met. Local states and letters are told apart by
 * their transcripts, so exactly; a missing entry is worked out by carrying out the compiled state machine on a copy of the context. An event
 * is the whole post, so two messages that differ only in the delay they were posted with are two.
 *
 * Gotchas: what a recipe reads besides context, event and envelope is not seen here. Errors: KRN007, KRN011, KRN012 and KRN017, for machines that cannot be explored.
 */
export class TransitionCache {
  readonly #wiring: Wiring;
  /** What observers look at; undefined when there are none. */
  readonly #footprints: Footprints | undefined;
  readonly #faults: FaultBranches;
  readonly #budgetStates: number;
  /** True in an unordered network, in which messages of one channel have no order. */
  readonly #unordered: boolean;
  /** True in a network in which they have one. */
  readonly #ordered: boolean;
  readonly #duplicating: boolean;
  readonly #sharing: Sharing;
  /** True where actors share something. */
  readonly shares: boolean;
  /** By slot. */
  readonly #clusters: number[] = [];
  readonly #stepExecutor: StepExecutor;
  readonly #repetitions = new Repetitions();
  readonly #keyOrders: KeyOrderCheck;
  /** By local state that shares nothing, and by message, as global states have them. */
  readonly #localStates: (LocalState | undefined)[] = [];
  readonly #underWay: (MessageUnderWay | undefined)[] = [];
  readonly #probes: { readonly actor: string; readonly probe: Probe }[] = [];
  readonly #probeNumbers = new Map<Probe, number>();
  readonly slots: Slots;
  readonly locals: Locals;
  /** By message: the slot of the receiver. */
  readonly slotTo: readonly number[];
  /** By message: its channel, as a number in the order of the addresses of sender and receiver. */
  readonly channel: readonly number[];
  readonly #letter: readonly number[];
  /** In front of the tables by local state. */
  readonly #recent = new RecentRecords();
  /** What was found out. */
  readonly records = new TransitionRecords();
  /** Of an actor whose handling failed. */
  readonly #absorbed = this.records.add(absorbed, failed);
  #level = 0;
  /** Changes whenever something may be known from now on. */
  news = 0;
  /** Changes whenever something that was known is not any more. */
  forgotten = 0;
  /** Searches of ticks so far. */
  searches = 0;
  /** Number of the search that is going on. */
  tick = 0;
  /** The tick that is gone through, where it is part of a state. */
  now: number | undefined;
  /** Agrees with other threads on the order in which things are found out; absent where there are none. */
  journal: FindingOrder | undefined;

  /** `watches`: whether observers look at a type of messages and of what is shown, absent when nobody observes. `faults`: what may go wrong on purpose. */
  constructor(
    wiring: Wiring,
    footprints: Footprints | undefined,
    faults: FaultBranches,
    network: NetworkRules | undefined,
  ) {
    this.#faults = faults;
    this.#budgetStates = faults.states;
    this.#unordered = network !== undefined && !network.ordered;
    this.#ordered = network?.ordered ?? false;
    this.#duplicating = network?.duplicating ?? false;
    this.#wiring = wiring;
    this.#sharing = new Sharing(wiring);
    this.shares = wiring.shared.length > 0;
    this.#footprints = footprints;
    this.slots = new Slots(wiring);
    this.locals = new Locals(wiring);
    this.#keyOrders = new KeyOrderCheck(
      this.locals,
      this.slots,
      this.#unordered,
      (local) => this.#knownOf(local),
      (...handling) => this.#uncounted(() => this.#carriedOut(...handling)),
    );
    this.slotTo = this.slots.slotTo;
    this.channel = this.slots.channel;
    this.#letter = this.slots.letter;
    const observed = footprints !== undefined;
    this.#stepExecutor = new StepExecutor(
      wiring,
      this.slots,
      this.locals,
      this.#sharing,
      faults,
      observed,
      network,
    );
  }

  /** How many ticks from the start the states are that are being gone on from. */
  get level(): number {
    return this.#level;
  }

  set level(level: number) {
    if (level < this.#level) this.forgotten++;
    this.#level = level;
    this.news++;
  }

  /** True when one message comes before another one in the words of a state, both due at once. */
  isBefore(messageId: number, other: number): boolean {
    const [one, two] = [this.channel[messageId]!, this.channel[other]!];
    if (one !== two) return one < two;
    const { timer } = this.slots;
    // In a network that keeps the order of messages timers have none; they come behind the messages of an actor to itself.
    if (this.#ordered && timer[messageId] !== timer[other]) return timer[other]!;
    return (this.#unordered || (this.#ordered && timer[messageId]!)) && messageId < other;
  }

  /** Counts from now on what state machines do, each start and each handling of a message in a local state once. */
  countBy(countsOf: (machine: CompiledMachine) => TransitionCounts): void {
    this.#stepExecutor.countsOf = countsOf;
  }

  /** True for message of an actor to itself. */
  isToItself(messageId: number): boolean {
    return this.slots.senderOf(messageId) === this.slotTo[messageId];
  }

  /**
   * What is known of message in a local state, a budget state and a version of what is shared, where that was known before the present level of the exploration or was needed by the present search of a tick.
   *
   * Details: what others of the level found out does not count, so that the answer does not depend on which state is gone on from first, or by which thread.
   */
  known(local: number, messageId: number, budgetState: number, version: number): Known | undefined {
    const record = this.knownRecord(local, messageId, budgetState, version);
    return record === 0 ? undefined : this.records.of(record);
  }

  /** The record of what is known in this sense; 0 for nothing. */
  knownRecord(local: number, messageId: number, budgetState: number, version: number): number {
    if (local === failed) return this.#absorbed;
    const record = this.#recall(local, messageId, budgetState, version);
    return record !== 0 && this.records.isKnown(record, this.#level, this.tick) ? record : 0;
  }

  /** In how many ways the actor that message is for can handle it in a local state, a budget state of faults and a version of what it shares, and what comes of each; at least one. */
  alternatives(
    local: number,
    messageId: number,
    budgetState: number,
    version: number,
  ): readonly Alternative[] {
    return this.records.of(this.recordOf(local, messageId, budgetState, version)).alternatives;
  }

  /** The record of these alternatives. */
  recordOf(local: number, messageId: number, budgetState: number, version: number): number {
    if (local === failed) return this.#absorbed;
    let record = this.#recall(local, messageId, budgetState, version);
    if (record === 0) {
      this.#findOut(local, messageId, budgetState, version);
      record = this.#recall(local, messageId, budgetState, version);
    }
    if (this.records.meet(record, this.#level, this.tick)) this.news++;
    return record;
  }

  /** Works out what another thread found out in a level, in its turn. */
  follow(local: number, messageId: number, budgetAndNow: number, version: number, level: number): void {
    const present = this.now;
    if (present !== undefined) this.now = Math.floor(budgetAndNow / this.#budgetStates);
    const published = this.journal?.published;
    if (published) this.#adopt(local, messageId, budgetAndNow % this.#budgetStates, published, level);
    else {
      const budgetState = budgetAndNow % this.#budgetStates;
      const carried = this.#carriedOut(local, messageId, budgetState, version);
      this.#note(local, messageId, budgetState, version, carried, level);
    }
    this.now = present;
  }

  /** The record of what is known, whenever it was found out; 0 for nothing. */
  #recall(local: number, messageId: number, budgetState: number, version: number): number {
    const letter = this.#letter[messageId]!;
    // Those that are not born have one local state, and a row each.
    const recent = local === unborn ? 0 : this.#recent.at(local, letter, budgetState, version);
    if (recent !== 0) return recent === nothingKnown ? 0 : recent;
    const variants = this.#tabled(local, messageId, budgetState, version);
    const only = variants === undefined ? nothingKnown : variants.only;
    if (local !== unborn) this.#recent.set(local, letter, budgetState, version, only);
    if (variants === undefined) return 0;
    return only === 0 ? variants.at(this.slots.senderOf(messageId), this.now ?? 0) : only;
  }

  #tabled(local: number, messageId: number, budgetState: number, version: number): KnownVariants | undefined {
    const column = this.#letter[messageId]! * this.#budgetStates + budgetState;
    return version === unshared
      ? this.#rowOf(local, messageId)[column]
      : this.#sharingRowOf(local, messageId).get(version * columnsMax + column);
  }

  #setVariants(local: number, messageId: number, budgetState: number, version: number): KnownVariants {
    const column = this.#letter[messageId]! * this.#budgetStates + budgetState;
    const variants = new KnownVariants();
    if (version === unshared) this.#rowOf(local, messageId)[column] = variants;
    else this.#sharingRowOf(local, messageId).set(version * columnsMax + column, variants);
    return variants;
  }

  #rowOf(local: number, messageId: number): (KnownVariants | undefined)[] {
    return local === unborn ? this.slots.receiverOf(messageId).births : this.locals.at(local)!.row;
  }

  #sharingRowOf(local: number, messageId: number): Map<number, KnownVariants> {
    return local === unborn ? this.slots.receiverOf(messageId).sharingBirths : this.locals.at(local)!.sharing;
  }

  /** What actors share belongs to clusters: that of a slot, below 0 for none. */
  clusterOf(slot: number): number {
    if (!this.shares) return -1;
    this.#clusters[slot] ??= this.#sharing.clusterOf(this.slots.of(slot).group);
    return this.#clusters[slot];
  }

  /** An actor in a local state, with what it shares. Look, never touch: it is kept. */
  localStateOf(local: number, version: number): LocalState {
    const known = this.#localStates[local];
    if (known && version === unshared) return known;
    const { state, context, waits } = this.locals.describe(local);
    const { group, name } = this.locals.at(local)!.slot;
    const shown = this.#sharing.shown(context, group, version) as Context;
    if (version !== unshared) return { name, state, context: shown, waits };
    const own = readOnly(copyContext(shown, new ResourcesKept(), false, name));
    const localState = { name, state, context: own, waits };
    this.#localStates[local] = localState;
    return localState;
  }

  /** A message that is due in so many ticks. Look, never touch: it is kept. */
  underWay(messageId: number, due: number): MessageUnderWay {
    const known = this.#underWay[messageId];
    if (known?.due === due) return known;
    const { slots } = this;
    const [from, to] = [slots.senderName(messageId), slots.receiverOf(messageId).name];
    const message = { due, from, to, event: slots.eventOf(messageId) };
    this.#underWay[messageId] = message;
    return message;
  }

  /** Finds out what comes of a message, unless another thread has by now. */
  #findOut(local: number, messageId: number, budgetState: number, version: number): void {
    const { journal, level } = this;
    this.#keyOrders.doubt(local, messageId, budgetState, version);
    if (!journal) {
      const carried = this.#verified(local, messageId, budgetState, version);
      this.#note(local, messageId, budgetState, version, carried, level);
      this.verifyOrders();
      return;
    }
    let early: readonly Carried[] | undefined;
    if (journal.catchUp && this.#isNumberless) {
      journal.catchUp();
      if (this.#recall(local, messageId, budgetState, version) !== 0) return;
      // The others wait while numbers are given: what can be looked up before is.
      early = this.#verified(local, messageId, budgetState, version).map((one) => ({
        ...one,
        posts: this.#lookUp(messageId, one),
      }));
    }
    const budgetAndNow = budgetState + this.#budgetStates * (this.now ?? 0);
    journal.agree(entries.handling, level, local, messageId, budgetAndNow, version, () =>
      this.#noteForAll(
        local,
        messageId,
        budgetState,
        version,
        early ?? this.#verified(local, messageId, budgetState, version),
      ),
    );
    this.verifyOrders();
  }

  /** Looks up the local state that a step led to, and what it posted: the numbers of that, where all of it is known. */
  #lookUp(messageId: number, { handled, key }: Carried): readonly number[] | undefined {
    const { slots, slotTo } = this;
    if (key === undefined) return undefined;
    this.locals.known(slots.receiverOf(messageId), key);
    const posts: (readonly [delay: number, messageId: number])[] = [];
    for (const post of handled.port.posts) {
      const known = slots.known(slotTo[messageId]!, post);
      if (known === undefined) return undefined;
      posts.push([post.delay, known]);
    }
    return slots.sorted(posts);
  }

  /** True where carrying out a step gives no numbers to what it meets, so that threads can do so at the same time. */
  get #isNumberless(): boolean {
    return this.#faults.rules.length === 0 && this.slots.inner === undefined;
  }

  /** Notes what came of a message. Returns it in words for others where numbers say all of it: nothing else is new but local states, and nothing was shown or is wrong. */
  #noteForAll(
    local: number,
    messageId: number,
    budgetState: number,
    version: number,
    carried: readonly Carried[],
  ): readonly number[] | undefined {
    const { slots, locals } = this;
    const [slotCount, messageIds, firstNew] = [slots.count, this.slotTo.length, locals.count];
    const read = this.#note(local, messageId, budgetState, version, carried, this.level);
    if (this.shares || !isUp(locals.at(local))) return undefined;
    if (slots.count !== slotCount || this.slotTo.length !== messageIds) return undefined;
    const words = [read];
    const { alternatives } = this.records.of(this.#recall(local, messageId, budgetState, version));
    for (const [way, alternative] of alternatives.entries()) {
      const { next, posts, timers, picks, reports, probes, struck, lost, failure } = alternative;
      const found = locals.at(next);
      if (!found || !isUp(found) || lost || failure || reports.length + probes.length > 0) return undefined;
      const nodes = next < firstNew ? nothing : found.configuration.nodes.map(({ order }) => order);
      const isNew = next >= firstNew;
      words.push(
        next,
        isNew ? hashOf(carried[way]!.key!) : 0,
        isNew ? keyOrderHash(found.context) : 0,
        struck,
      );
      for (const list of [nodes, posts, timers, picks]) words.push(list.length, ...list);
    }
    return words.every((word) => word === (word | 0)) ? words : undefined;
  }

  /** Takes up what another thread worked out: what was read, then of each alternative where it leads to, hashes of that and of the order of its keys where it is new, what struck, and lists, each behind its length. */
  #adopt(local: number, messageId: number, budgetState: number, words: Int32Array, since: number): void {
    const { slots, locals, now } = this;
    const slot = slots.receiverOf(messageId);
    const event = slots.eventOf(messageId);
    const footprint = this.#footprints?.of(slots.senderName(messageId), slot.name, event, nothing) ?? nothing;
    const alternatives: Alternative[] = [];
    let at = 1;
    const take = () => {
      const list: number[] = [];
      for (let left = words[at++]!; left > 0; left--) list.push(words[at++]!);
      return kept(list);
    };
    while (at < words.length) {
      const [next, hash, keyOrder, struck] = [words[at++]!, words[at++]!, words[at++]!, words[at++]!];
      const [nodes, posts, timers, picks] = [take(), take(), take(), take()];
      if (next === locals.count)
        locals.promise(slot, nodes, { hash, keyOrder }, local, () => {
          let asked = 0;
          const ask = () => picks[asked++]!;
          const { state, copies } = this.#stepExecutor.come(
            local,
            messageId,
            budgetState,
            unshared,
            now,
            ask,
          );
          return this.#sharing.withoutCopies(state!.context, slot.name, copies);
        });
      alternatives.push({ ...still, next, posts, timers, picks, footprint, struck });
    }
    this.#keep(local, messageId, budgetState, unshared, words[0]!, alternatives, since);
    this.#keyOrders.doubt(local, messageId, budgetState, unshared);
  }

  /** Carries out a step in all ways in which it can go. */
  #carriedOut(local: number, messageId: number, budgetState: number, version: number): readonly Carried[] {
    const slot = this.slots.receiverOf(messageId);
    const carried: Carried[] = [];
    for (const { result, picks } of enumerateChoices((ask) =>
      this.#stepExecutor.come(local, messageId, budgetState, version, this.now, ask),
    )) {
      const { state, failure, port, copies } = result;
      if (state || failure) {
        this.#sharing.verify(slot.group, slot.name);
        for (const { event } of port.posts) this.#sharing.verifyMessage(slot.name, event);
      }
      if (state) state.context = this.#sharing.withoutCopies(state.context, slot.name, copies);
      carried.push({ handled: result, picks: kept(picks), key: state && this.locals.keyOf(state) });
    }
    return carried;
  }

  /** Gives what came of a message its numbers, and keeps it. Returns what was read. */
  #note(
    local: number,
    messageId: number,
    budgetState: number,
    version: number,
    carried: readonly Carried[],
    since: number,
  ): number {
    const alternatives: Alternative[] = [];
    let read = 0;
    for (const one of carried) {
      alternatives.push(this.#alternative(local, messageId, one));
      read |= one.handled.port.read;
    }
    this.#keep(local, messageId, budgetState, version, read, alternatives, since);
    return read;
  }

  /** Carries out a step, and makes sure now and then that the same comes of it when it is carried out again. Errors: KRN025 when something else does. */
  #verified(local: number, messageId: number, budgetState: number, version: number): readonly Carried[] {
    const first = this.#carriedOut(local, messageId, budgetState, version);
    if (this.#repetitions.next()) this.#repeat(first, local, messageId, budgetState, version);
    return first;
  }

  #repeat(
    first: readonly Carried[],
    local: number,
    messageId: number,
    budgetState: number,
    version: number,
  ): void {
    const { slots } = this;
    const expected = textOf(first);
    for (const chance of [0, 0.999999]) {
      const { result: again, asked } = inOtherCircumstances(chance, () =>
        this.#uncounted(() => this.#carriedOut(local, messageId, budgetState, version)),
      );
      if (textOf(again) === expected) {
        // Where it asked for nothing, other luck is the same luck.
        if (asked) continue;
        break;
      }
      const difference = firstDifference(again.map(whatCame), first.map(whatCame), 'alternative');
      throw new KernelError(
        'KRN025',
        slots.receiverOf(messageId).name,
        `"${slots.eventOf(messageId).type}" came a second time in the same state, and did something else: ${difference}`,
      );
    }
  }

  /** What is known of a local state, as far as it needs nothing that actors share. */
  *#knownOf(local: number): Generator<readonly [messageId: number, budgetState: number], void> {
    const { slot, row } = this.locals.at(local)!;
    const number = this.slots.at(slot.address);
    for (const [messageId, to] of this.slotTo.entries()) {
      if (to !== number) continue;
      const column = this.#letter[messageId]! * this.#budgetStates;
      for (let budgetState = 0; budgetState < this.#budgetStates; budgetState++)
        if (row[column + budgetState] !== undefined) yield [messageId, budgetState];
    }
  }

  /** Makes sure that nothing that is known goes by the order of keys. Errors: KRN025 where it does. */
  verifyOrders(): void {
    if (!this.journal || this.#isNumberless) this.#keyOrders.verify();
  }

  /** Carries something out once more, which counts as once. */
  #uncounted<T>(carryOut: () => T): T {
    const { countsOf } = this.#stepExecutor;
    this.#stepExecutor.countsOf = undefined;
    try {
      return carryOut();
    } finally {
      this.#stepExecutor.countsOf = countsOf;
    }
  }

  #keep(
    local: number,
    messageId: number,
    budgetState: number,
    version: number,
    read: number,
    alternatives: readonly Alternative[],
    since: number,
  ): void {
    const variants =
      this.#tabled(local, messageId, budgetState, version) ??
      this.#setVariants(local, messageId, budgetState, version);
    const record = this.records.add(knownFrom(alternatives, since), local);
    if (!variants.set(this.slots.senderOf(messageId), this.now ?? 0, read, record)) this.forgotten++;
    if (local !== unborn)
      this.#recent.set(local, this.#letter[messageId]!, budgetState, version, variants.only);
  }

  #alternative(local: number, messageId: number, { handled, picks, key, posts }: Carried): Alternative {
    const { port, state, failure, chances, crashes = false, saved, copies } = handled;
    const { struck } = chances;
    const slot = this.slots.receiverOf(messageId);
    if (saved) return this.#crash(local, slot, saved);
    if (!state && !failure) {
      const { next, posts } = this.#lost(local, messageId, handled);
      return {
        next,
        version: unshared,
        posts: kept(posts),
        timers: nothing,
        picks,
        reports: nothing,
        probes: nothing,
        footprint: nothing,
        struck,
        lost: true,
        clears: crashes,
        failure,
        sight: undefined,
      };
    }
    const { probes } = port;
    for (const probe of probes) this.#numberProbe(slot.name, probe);
    return {
      next: state ? this.#localOf(slot, state, key) : failed,
      version: state ? this.#sharing.versionAfter(copies) : unshared,
      posts: state ? kept(posts ?? this.#posts(this.slotTo[messageId]!, port)) : nothing,
      timers: state ? kept(this.#timers(this.slotTo[messageId]!, port)) : nothing,
      picks,
      reports: kept(port.reports),
      probes: kept(probes),
      footprint:
        this.#footprints?.of(
          this.slots.senderName(messageId),
          slot.name,
          this.slots.eventOf(messageId),
          probes,
        ) ?? nothing,
      struck,
      lost: false,
      clears: false,
      failure,
      sight: undefined,
    };
  }

  #localOf(slot: Slot, state: CompiledSnapshot, key: string | undefined): number {
    const local = this.locals.of(slot, state, key);
    this.#keyOrders.meet(local, state.context);
    return local;
  }

  #posts(sender: number, { posts }: EffectRecorder): readonly number[] {
    const { slots } = this;
    if (posts.length === 0) return nothing;
    const posted: (readonly [delay: number, messageId: number])[] = [];
    for (const post of posts)
      posted.push(slots.posted(post.from === undefined ? sender : slots.at(post.from), post));
    return slots.sorted(posted);
  }

  #timers(owner: number, { timers }: EffectRecorder): readonly number[] {
    if (timers.length === 0) return nothing;
    const to = this.slots.addressOf(owner);
    return timers.flatMap(({ type, ticks }) => {
      const [, messageId] = this.slots.posted(owner, { to, delay: 0, event: { type }, timer: true });
      return [ticks ?? -1, messageId];
    });
  }

  /** A party of an asynchronous wiring goes down. */
  #crash(local: number, slot: Slot, saved: Record<string, unknown>): Alternative {
    const copied = this.#sharing.copy(slot.group, saved, slot.name);
    return { ...still, next: this.locals.crashedOf(slot, this.locals.at(local)!.configuration, copied) };
  }

  /** What comes of a message that is lost: nothing, or the actor goes down and may be told to begin anew. */
  #lost(local: number, messageId: number, { down, crashes }: Handled): Pick<Alternative, 'next' | 'posts'> {
    if (!down || !crashes) return { next: local, posts: [] };
    const restart = down.fault.kind === 'crash' ? down.fault.restart : undefined;
    const slot = this.slots.receiverOf(messageId);
    const next = this.locals.downOf(slot, down);
    if (restart === undefined) return { next, posts: [] };
    const event = { type: restartType };
    return { next, posts: this.slots.posted(-1, { to: slot.address, delay: restart, event }) };
  }

  /** Starts the actors of the wiring that was given or, from the second time on, of another one like it, with the questions that they ask while they start. Errors: what a start throws. */
  start(wiring: Wiring, ask: (count: number) => number): Start {
    const ports: EffectRecorder[] = [];
    const chances = this.#faults.handling(0, ask);
    const now = this.now;
    const declared = declaredIn(wiring);
    const inputs = new Map<object, unknown>();
    const snapshots = wiring.complete.map(({ machine, input: given }) => {
      const input = ownInput(given, inputs);
      const slot = ports.length;
      const port = this.#stepExecutor.portOf(slot, -1, now, ask, chances, () => input);
      ports.push(port);
      try {
        const compiled = machineIn(this.slots.of(slot), machine);
        const counts = this.#stepExecutor.countsOf?.(compiled);
        if (counts) counts.starts++;
        return compiled.start(input, port, 'mutable', counts);
      } catch (error) {
        throw asFailure(this.slots.of(slot).name, 'its start', error);
      }
    });
    snapshots.forEach(({ context }, slot) => {
      const { name } = this.slots.of(slot);
      this.#sharing.note(slot, name, context, declared);
      this.#sharing.noteInput(slot, name, wiring.placements[slot]!.input, declared);
    });
    if (wiring === this.#wiring) {
      this.#noteFamilies(declared);
      this.#sharing.settle();
    }
    const versions = this.#sharing.versionsIn(wiring);
    const world = { address: WORLD, name: 'world' };
    const boot = wiring.boot.flatMap((event) => {
      wiring.speakers?.checked?.check(world.name, event.to, event);
      return chances
        .posted(
          world,
          this.slots.of(this.slots.at(event.to)),
          event.delay ?? 0,
          wiring.zeroCopy ? event : eventIn(event, event.to, event.delay, true),
        )
        .map((one) => this.slots.posted(-1, { to: event.to, ...one }));
    });
    return {
      struck: chances.struck,
      versions,
      locals: snapshots.map((snapshot, slot) => {
        snapshot.context = this.#sharing.withPlaces(snapshot.context, this.slots.of(slot).name, declared);
        return this.locals.of(this.slots.of(slot), snapshot);
      }),
      posts: this.#inOrder([
        ...ports.flatMap(({ posts }, slot) => posts.map((post) => this.slots.posted(slot, post))),
        ...ports.flatMap((port, slot) => timersSetBy(this.#timers(slot, port))),
        ...boot,
      ]),
      reports: ports.flatMap(({ reports, name: actor }) => reports.map((report) => ({ actor, report }))),
      probes: ports.flatMap(({ probes, name: actor }) => probes.map((probe) => ({ actor, probe }))),
    };
  }

  /** The messages of the start in the order in which states have them. */
  #inOrder(posts: (readonly [delay: number, messageId: number])[]): readonly number[] {
    if (this.#unordered || this.#ordered)
      posts.sort(([, one], [, other]) =>
        this.isBefore(one, other) ? -1 : this.isBefore(other, one) ? 1 : 0,
      );
    else this.slots.sorted(posts);
    return posts.filter(([, messageId], at) => !this.#duplicating || messageId !== posts[at - 1]?.[1]).flat();
  }

  /** Looks at two members of each family, for what they share with others. */
  #noteFamilies(declared: Declared): void {
    this.#wiring.families.forEach(({ name, member }, number) => {
      for (const index of [0, 1]) {
        try {
          const { machine, input } = member(index);
          const [group, own] = [(number + 1) * familySpan, `${name}[${index}]`];
          this.#sharing.noteInput(group, own, input, declared);
          const copies = new Map([...declared.keys()].map((object) => [object, object.fork()]));
          const { context } = compile(machine).start(substituted(input, copies), silentPort);
          const held = new Map([...declared].map(([object, at]) => [copies.get(object)!, at]));
          this.#sharing.note(group, own, context, held);
        } catch (error) {
          // Nobody asked for this member: that it cannot be made is no finding.
          if (error instanceof KernelError && error.code === 'KRN011') throw error;
        }
      }
    });
  }

  /** True for actors with one state machine, be it made anew for each. */
  sameMachine(one: number, other: number): boolean {
    const [first, second] = [one, other].map((slot) => this.#wiring.placements[this.slots.of(slot).address]);
    return first !== undefined && second !== undefined && doTheSame(first.machine, second.machine);
  }

  /** The local state of an actor in another slot that has the same active states and another context. */
  exchangedLocal(
    local: number,
    slot: number,
    exchange: (context: Context) => Record<string, unknown>,
  ): number {
    const found = this.locals.at(local);
    if (!found) return local;
    const there = this.slots.of(slot);
    if (found.down) return this.locals.downOf(there, found.down);
    const machine = there.machine!;
    const configuration =
      machine.configurationLike(found.configuration) ??
      defect(`${found.slot.name} and ${there.name} were taken to have one state machine`);
    if (found.crashed) return this.locals.crashedOf(there, configuration, exchange(found.context) as Context);
    return this.locals.of(
      there,
      new CompiledSnapshot(machine, configuration, exchange(found.context), 'mutable'),
    );
  }

  /** Message between other slots with another event. */
  exchangedMessageId(
    messageId: number,
    slotOf: (slot: number) => number,
    exchange: (event: Record<string, unknown>) => Record<string, unknown>,
  ): number {
    const sender = this.slots.senderOf(messageId);
    const to = slotOf(this.slotTo[messageId]!);
    const event = exchange({ ...this.slots.eventOf(messageId) }) as unknown as LockstepEvent;
    const timer = this.slots.timer[messageId]!;
    const posted = { to: this.slots.addressOf(to), delay: 0, event, timer };
    return this.slots.posted(sender < 0 ? sender : slotOf(sender), posted)[1];
  }

  /** What message says, as a text that does not depend on numbers. */
  letterText(messageId: number): string {
    return transcriptOf(this.slots.eventOf(messageId));
  }

  /** What was met: local states with message, in budget states of faults. */
  *met(): Generator<readonly [local: number, messageId: number, budgetState: number], void> {
    for (let messageId = 0; messageId < this.slotTo.length; messageId++) {
      const column = this.#letter[messageId]! * this.#budgetStates;
      for (const local of [unborn, ...this.slots.receiverOf(messageId).localNumbers])
        for (let budgetState = 0; budgetState < this.#budgetStates; budgetState++)
          if (this.#rowOf(local, messageId)[column + budgetState] !== undefined)
            yield [local, messageId, budgetState];
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
}

/** The timers that are set after changes of an actor that had none, as delays and message. */
function timersSetBy(changes: readonly number[]): readonly (readonly [delay: number, messageId: number])[] {
  const set = new Map<number, number>();
  for (let i = 0; i < changes.length; i += 2) {
    const [ticks, messageId] = [changes[i]!, changes[i + 1]!];
    if (ticks < 0) set.delete(messageId);
    else if (!set.has(messageId)) set.set(messageId, ticks);
  }
  return [...set].map(([messageId, ticks]) => [ticks, messageId]);
}
