import { doTheSame } from '../alike.ts';
import type { Tape } from '../choices.ts';
import type { CompiledMachine } from '../compile.ts';
import { invariant, KernelError } from '../errors.ts';
import { onlyKeys } from '../known-keys.ts';
import type { Verdict } from '../outcome.ts';
import { TransitionCounts } from '../tables.ts';
import type { Wiring } from '../wiring.ts';
import { dropped } from './alternative.ts';
import { type Checkpoint, Digest, restoreWords, storeWords } from './checkpoint.ts';
import type { Claim } from './claim.ts';
import { type DecodedState, decode } from './decode.ts';
import { ClockNeeded } from './effect-recorder.ts';
import { type ExpandOptions, Expansion, type FirstState, type Spotted } from './expansion.ts';
import { JournalRecorder } from './journal.ts';
import { NumberedStates } from './numbered-states.ts';
import type { Observer } from './observer.ts';
import { propertyFault } from './property-fault.ts';
import { type LastSteps, type Route, routeAlong } from './route.ts';
import { shownAlong } from './shown.ts';
import { type EndlessRun, StateGraph } from './state-graph.ts';
import type { StoredTable } from './state-table.ts';
import type { TickLimit } from './tick-search.ts';
import type { WordStore } from './word-store.ts';

const statesMaxDefault = 10_000_000;

/** What an exploration looks for, and how far it goes. */
export interface ExploreOptions extends ExpandOptions {
  /** States at the ends of ticks, and as many inside one tick, after which the exploration stops; default 10,000,000. */
  readonly statesMax?: number;
  /** Different things found after which it stops; default 1. */
  readonly findingsMax?: number;
  /** Ticks with deliveries after which it stops; to the end when absent. */
  readonly depthMax?: number;
  /** What findings have in common of which only the first is kept; each is of its own kind when absent. */
  readonly kindOf?: (finding: Claim) => string;
  /** Count which transitions are taken and which guards hold; default false. */
  readonly coverage?: boolean;
  /** Outside memory, where it puts down how far it has come (`checkpoint`), and states that are too many for memory (`moveOut`); in memory alone when absent. */
  readonly store?: WordStore;
  /** Where to go on from, and how many bytes of states may be in memory at first. What it is made from must be as it was: errors KRN023. */
  readonly from?: { readonly checkpoint: Checkpoint; readonly bytesMax: number };
  /** Hears of each tick: the numbers of the states before and after it, and its deliveries. */
  readonly onTick?: (before: number, after: number, deliveries: readonly TickDelivery[]) => void;
}

/** A delivery, by names. */
export interface TickDelivery {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** True where the message was lost. */
  readonly lost?: true;
}

/** Something that is not as it should be. */
export interface Finding {
  readonly verdict: Exclude<Verdict, 'ok'>;
  /** The sentence that does not hold, the error, who waits, or what does not end. */
  readonly what: string;
  readonly actors: readonly string[];
  readonly why: string;
  /** Where, for `routeTo`. */
  readonly place: Place;
  /** True when what is wrong is that no run shows something: then there is no run to show. */
  readonly unreached?: true;
  /** How many other different findings are of its kind. */
  readonly alike?: number;
  /** The picks of a run that comes to it, for `TapeChoices`; where it is `unreached` there is none. */
  readonly tape?: Tape;
}

/** Something that is not as it should be, as a run shows it that takes a way. */
export interface ShownFinding {
  readonly finding: Finding;
  readonly route: Route;
}

/** A place in an exploration: a state, and deliveries of the tick that follows it. */
export interface Place extends LastSteps {
  /** Number of the state, from 0, in the order in which states are found. */
  readonly state: number;
  /** The ticks that lead there, where it matters which. */
  readonly run?: Pick<EndlessRun, 'states' | 'trails' | 'cycleAt'>;
}

/** A sentence that is not judged to its end, and why. */
export interface OpenSentence {
  readonly sentence: string;
  readonly why: string;
}

/** How far an exploration has come. */
export interface ExploreFigures {
  /** Different states at the ends of ticks, the one before the first tick included. */
  readonly states: number;
  /** Deliveries carried out. */
  readonly transitions: number;
  /** Ticks with deliveries on the shortest way to the farthest state that was gone on from. */
  readonly depth: number;
  /** States that were found and not gone on from. */
  readonly unexplored: number;
  /** States in which nothing will happen any more. */
  readonly quiet: number;
  /** States beyond which `until` did not let go. */
  readonly cut: number;
  /** Ends of ticks outside the boundary, from which it did not go on. */
  readonly outside: number;
  /** Deliveries that were not tried first in a state, since another one commutes with all that can happen before it. */
  readonly postponed: number;
  /** Deliveries that led to a state already known. */
  readonly merged: number;
  /** Local states of all actors. */
  readonly locals: number;
  /** Who was found to read the time (`now`), so that the tick is a part of each state; absent when nobody does. */
  readonly readsTime?: string;
}

/** What an exploration stopped at before its end: its states, those inside one tick, its depth, or memory, the heap of a thread, the disk that states are moved to. */
export type ExploreLimit = 'states' | TickLimit | 'depth' | 'memory' | 'heap' | 'disk';

/** What an exploration came to. */
export interface Exploration extends ExploreFigures {
  /** The worst of what was found; `ok` when nothing was, nothing is left and nothing is open, else `incomplete`. */
  readonly verdict: Verdict | 'incomplete';
  /** What it stopped at; absent where it did not. */
  readonly limit?: ExploreLimit;
  readonly findings: readonly Finding[];
  /** What could not be judged to its end although nothing more is left to explore. */
  readonly open: readonly OpenSentence[];
  /** What sentences say that some run shows, and where one does. */
  readonly witnesses: readonly Omit<Finding, 'verdict'>[];
  /** Sentences of which nothing that they look at came in any run: right for what must never come, else perhaps a misspelt type. Empty where not everything was explored. */
  readonly idle: readonly string[];
}

const optionKeys = Object.keys({
  observers: 1,
  reduction: 1,
  deliveriesPerTickMax: 1,
  statesMax: 1,
  faults: 1,
  symmetry: 1,
  until: 1,
  clock: 1,
  cycles: 1,
  findingsMax: 1,
  depthMax: 1,
  kindOf: 1,
  coverage: 1,
  store: 1,
  from: 1,
  onTick: 1,
} satisfies Record<keyof ExploreOptions, 1>);

/** Errors: KRN024 for what is no list of properties: it would be judged by nobody. */
function checkObservers(observers: unknown): void {
  const where = 'Explorer.observers';
  if (!Array.isArray(observers)) throw new KernelError('KRN024', where, 'expected a list of properties');
  for (const [index, one] of observers.entries()) {
    const fault = propertyFault(one);
    if (fault !== undefined) throw new KernelError('KRN024', `${where}[${index}]`, fault);
  }
}

/**
 * Explores a machine under all its choices: every order of deliveries and every answer to a question of choice, each state once.
 *
 * Details: a *state* is what is left at the end of a tick: the local states of all actors, the messages under way, each with the number of ticks until it is
 * due, and the memories of the observers. The states at the ends of ticks, and what is found, are those of a `Run` under each tape there is.
 * States are gone through breadth first, so that what is found is found on a way of fewest ticks; inside a tick see `TickSearch`.
 *
 * Gotchas: a machine that never comes back to a state has no end but `statesMax` or `until`. Errors: KRN007, KRN011, KRN012, and what the start of an
 * actor throws.
 */
export class Explorer {
  readonly #make: () => Wiring;
  readonly #options: ExploreOptions;
  #expansion: Expansion;
  #states: NumberedStates;
  /** Answers to the questions of the start, by state before the first tick. */
  readonly #starts = new Map<number, readonly number[]>();
  readonly #findings: Finding[] = [];
  /** What was shown, by the finding as it was found and as it is shown. */
  readonly #shown = new Map<Finding, ShownFinding>();
  /** By kind: all that was found, by what tells it apart. */
  readonly #known = new Map<string, Set<string>>();
  #words = new Uint32Array(1 << 10);
  /** The state that is being gone on from, those before it are done; and its reference. */
  #state = 0;
  #reference = 0;
  /** False while the reference is that of the state before. */
  #isAhead = false;
  /** True while the tick after that state is not gone through. */
  #inside = false;
  /** The last state that is as many ticks from the start as the present one. */
  #levelEnd = 0;
  #merged = 0;
  /** Its ticks as edges between states, where infinite runs are judged. */
  #graph: StateGraph | undefined;
  /** By sentence. */
  readonly #witnesses = new Map<string, Finding>();
  #judgedCycles = false;
  /** True when it cannot go on any more. */
  #isOver = false;
  #limit: ExploreLimit | undefined;
  /** What it has found out, in this order; only with a store. */
  #journal: JournalRecorder | undefined;
  /** Where its streams end that the store has. */
  #stored: Checkpoint['stored'] = {};
  #readsTime: string | undefined;
  #digest = new Digest();
  /** By id of the state machine. */
  readonly #coverage = new Map<string, TransitionCounts>();

  /** `make` wires the machine, anew at each call: a wiring serves for one of the ways in which its actors can start. */
  constructor(make: () => Wiring, options: ExploreOptions = {}) {
    onlyKeys('Explorer', options, optionKeys);
    checkObservers(options.observers ?? []);
    this.#make = make;
    this.#options = options;
    this.#expansion = this.#expand(options);
    this.#states = new NumberedStates(this.#expansion.form);
    if (options.from) this.#resume(options.from.checkpoint, options.from.bytesMax);
    else this.#withClock(() => this.#start());
  }

  #expand(options: ExploreOptions): Expansion {
    // One state that stands for others may be on no cycle when they are.
    const cycles = (options.cycles ?? true) && !options.symmetry;
    const { from } = options;
    const expansion = new Expansion(
      this.#make,
      {
        ...options,
        cycles,
        statesMax: options.statesMax ?? statesMaxDefault,
        ...(from && { clock: from.checkpoint.clock }),
      },
      {
        ended: (words, at, length) => this.#ended(words, at, length),
        reached: (words, at, length, isInside) => this.#ended(words, at, length, isInside),
        spotted: (spotted) => this.#find(spotted, this.#state),
        witnessed: (witness) => this.#witness(witness, this.#state),
      },
    );
    if (options.coverage) expansion.transitionCache.countBy((machine) => this.#countsOf(machine));
    this.#graph = expansion.layout.trail === undefined ? undefined : new StateGraph(expansion.watchers);
    return expansion;
  }

  #start(): void {
    for (const first of this.#expansion.starts()) this.#begin(first);
    this.#record(new JournalRecorder());
  }

  /** What starts find out follows from the machine alone, so that only what comes after them is recorded. */
  #record(journal: JournalRecorder): void {
    if (!this.#options.store) return;
    this.#journal = journal;
    this.#expansion.agreeBy(journal);
  }

  /** True when it can put down how far it has come: it has a store, and no sentence remembers what cannot be found out again. */
  get canStop(): boolean {
    return (
      this.#options.store !== undefined && !this.#options.observers?.some(({ tellsSteps }) => tellsSteps)
    );
  }

  /** True between two states, when `checkpoint` may be asked for, and before the end. */
  get isBetweenStates(): boolean {
    return !this.#inside && !this.#isOver && !this.#judgedCycles;
  }

  /**
   * Puts down how far it has come: words in its store, and the rest, which is plain data for a structured clone. An explorer of the same machine with the same options goes on `from` it, to the same end.
   *
   * Details: what is known of the machine, which is no data, is kept as the order in which it was found out, so that it can be found out again in this order.
   */
  checkpoint(): Checkpoint {
    const { store } = this.#options;
    invariant(store && this.canStop && this.isBetweenStates, 'the exploration cannot be put down here');
    const { transitionCache, search, watchers, quiet, cut, outside, waiting, layout } = this.#expansion;
    const table = this.#storeStates(store);
    const journal = storeWords(store, 'journal', this.#journal!.words, this.#stored['journal']);
    this.#stored = { ...this.#stored, journal, ...this.#graph?.storeIn(store, this.#stored) };
    return {
      clock: layout.clock !== undefined,
      table,
      stored: this.#stored,
      position: [this.#state, this.#levelEnd, this.#merged],
      level: transitionCache.level,
      searches: transitionCache.searches,
      counts: { ...search.counts },
      quiet,
      cut,
      outside,
      waiting: [...waiting],
      exchanged: this.exchanged,
      starts: [...this.#starts],
      findings: [...this.#findings],
      known: [...this.#known].map(([kind, keys]) => [kind, [...keys]]),
      witnesses: [...this.#witnesses],
      watched: watchers.numbers,
      digest: this.#digest.of(transitionCache),
    };
  }

  #resume(checkpoint: Checkpoint, bytesMax: number): void {
    const { store } = this.#options;
    invariant(store, 'an exploration goes on with the store that it had');
    Array.from(this.#expansion.starts());
    const { transitionCache, search, watchers, waiting, exchanges } = this.#expansion;
    const { stored, counts, starts, findings, known, witnesses } = checkpoint;
    const journal = new JournalRecorder();
    restoreWords(store, 'journal', stored['journal']!, journal.words);
    journal.replay(this.#expansion.follow);
    this.#digest.compare(transitionCache, checkpoint.digest);
    this.#record(journal);
    watchers.restore(checkpoint.watched);
    this.#graph?.restore(store, stored);
    this.#states.restore(store, checkpoint.table, bytesMax);
    this.#stored = stored;
    [this.#state, this.#levelEnd, this.#merged] = checkpoint.position;
    if (this.#state > 0) this.#reference = this.#states.referenceOf(this.#state - 1);
    transitionCache.level = checkpoint.level;
    transitionCache.searches = checkpoint.searches;
    Object.assign(search.counts, counts);
    this.#expansion.quiet = checkpoint.quiet;
    this.#expansion.cut = checkpoint.cut;
    this.#expansion.outside = checkpoint.outside;
    for (const [sentence, why] of checkpoint.waiting) waiting.set(sentence, why);
    if (exchanges) exchanges.exchanged = checkpoint.exchanged;
    for (const [state, picks] of starts) this.#starts.set(state, picks);
    this.#findings.push(...findings);
    for (const [kind, keys] of known) this.#known.set(kind, new Set(keys));
    for (const [sentence, witness] of witnesses) this.#witnesses.set(sentence, witness);
  }

  /** Moves states out of memory, where there is a store: the older half of those that are in it. Returns how many bytes that were; 0 when there was nothing to move. */
  moveOut(): number {
    const { store } = this.#options;
    if (!store) return 0;
    this.#storeStates(store);
    return this.#states.moveOut(store);
  }

  #storeStates(store: WordStore): StoredTable {
    const table = this.#states.storeIn(store, this.#stored['states'] ?? 0);
    const last = table.pieces.at(-1)!;
    this.#stored = { ...this.#stored, states: last.from + last.words };
    return table;
  }

  /** What the exploration has covered, when it was asked to: a handling of a message in a local state counts once, however many states it is in. */
  get coverage(): ReadonlyMap<string, TransitionCounts> {
    return this.#coverage;
  }

  /** Different state machines of one id are counted apart, the later ones under the id with a mark. */
  #countsOf(machine: CompiledMachine): TransitionCounts {
    let { id } = machine.machine;
    for (let known = this.#coverage.get(id); known; known = this.#coverage.get(id)) {
      if (doTheSame(known.machine.machine, machine.machine)) return known;
      id += "'";
    }
    const counts = new TransitionCounts(machine);
    this.#coverage.set(id, counts);
    return counts;
  }

  /** Carries on and, when an actor is found to ask for the time, begins anew with the tick as a part of the states. */
  #withClock(carryOn: () => void): void {
    try {
      carryOn();
    } catch (error) {
      if (!(error instanceof ClockNeeded)) throw error;
      this.#readsTime = error.place;
      this.#expansion = this.#expand({ ...this.#options, clock: true });
      this.#states = new NumberedStates(this.#expansion.form);
      this.#starts.clear();
      this.#stored = {};
      this.#options.store?.clear();
      this.#digest = new Digest();
      this.#findings.length = 0;
      this.#known.clear();
      [this.#state, this.#levelEnd, this.#merged, this.#inside, this.#isAhead] = [0, 0, 0, false, false];
      this.#limit = undefined;
      this.#start();
    }
  }

  /** Bytes of the states at the ends of ticks with all that finds them and the way to them, and what they would be with words of 32 bits. */
  get memory(): NumberedStates['memory'] {
    return this.#states.memory;
  }

  /** Bytes of memory that states take now, with what finds them, those inside the present tick included. */
  get bytes(): number {
    return this.#states.bytes + this.#expansion.search.bytes;
  }

  /** How far it has come. */
  get figures(): ExploreFigures {
    const { search, quiet, cut, outside, transitionCache } = this.#expansion;
    const { transitions, postponed, merged } = search.counts;
    return {
      states: this.#states.size,
      transitions,
      // States that are too deep are not gone on from.
      depth: Math.min(transitionCache.level, (this.#options.depthMax ?? Number.POSITIVE_INFINITY) - 1),
      unexplored: this.#states.size - this.#state,
      quiet,
      cut,
      outside,
      postponed,
      merged: merged + this.#merged,
      locals: transitionCache.locals.count,
      ...(this.#readsTime !== undefined && { readsTime: this.#readsTime }),
    };
  }

  /**
   * What it came to so far; final when it is over.
   *
   * Details: each finding is one that a run along its route has come to. Asked for in the middle of a tick after something was found, it is final. Errors: as `show`.
   */
  get result(): Exploration {
    const open = [...this.#openSentences()];
    const findings = this.#findings.map((finding) => {
      const kind = this.#options.kindOf?.(finding);
      const alike = kind === undefined ? 0 : this.#known.get(kind)!.size - 1;
      if (finding.unreached) return finding;
      const shown = this.show(finding);
      if (alike === 0) return shown.finding;
      const told = { ...shown.finding, alike };
      this.#shown.set(told, shown);
      return told;
    });
    const witnesses = [...this.#witnesses.values()];
    return explorationOf(this.figures, findings, open, witnesses, this.#limit, this.#expansion.watchers.idle);
  }

  /** Explores to the end, which is what was asked for or all there is. Errors: as `verifySymmetry`, where nothing was found. */
  toEnd(): Exploration {
    while (this.go(Number.MAX_SAFE_INTEGER));
    if (this.#findings.every(({ unreached }) => unreached)) this.verifySymmetry();
    return this.result;
  }

  /** Explores for about so many deliveries, and judges the infinite runs at the end; with `toNextState` not beyond the state that is being gone on from. Returns false when it is over. */
  go(deliveries: number, toNextState = false): boolean {
    let goesOn = true;
    this.#withClock(() => {
      goesOn = this.#go(deliveries, toNextState);
    });
    return goesOn;
  }

  #go(deliveries: number, toNextState: boolean): boolean {
    if (this.#goOn(deliveries, toNextState)) return true;
    if (!this.#judgedCycles && !this.#enough) this.#judgeCycles();
    this.#judgedCycles = true;
    return false;
  }

  /** The reference of the state that is being gone on from. */
  get #present(): number {
    if (this.#isAhead) return this.#reference;
    this.#isAhead = true;
    this.#reference = this.#state === 0 ? this.#states.referenceOf(0) : this.#states.after(this.#reference);
    return this.#reference;
  }

  #goOn(deliveries: number, toNextState: boolean): boolean {
    const { statesMax = statesMaxDefault, depthMax = Number.POSITIVE_INFINITY } = this.#options;
    const { search, transitionCache } = this.#expansion;
    const { counts } = search;
    const last = counts.transitions + deliveries;
    while (this.#state < this.#states.size) {
      if (this.#isOver || this.#enough) return false;
      // Only between states, so that it does not matter for how many deliveries it is asked at once.
      if (!this.#inside) {
        if (toNextState) return true;
        if (this.#states.size >= statesMax) return this.#stopAt('states');
        if (this.#states.isFull) return this.#stopAt('memory');
        if (transitionCache.level >= depthMax) return this.#stopAt('depth');
      }
      if (counts.transitions >= last) return true;
      if (!this.#inside) {
        this.#graph?.beginState();
        const length = this.#load(this.#present);
        this.#inside = this.#expansion.begin(this.#words, length);
      }
      if (this.#inside && !this.#enough) {
        if (!search.go(last - counts.transitions)) return true;
        if (search.cutAt && !this.#enough) return this.#stopAt(search.cutAt);
        this.#inside = false;
      }
      // What was left in the middle is not gone through.
      if (this.#enough) return false;
      this.#expansion.finish(() => this.#copyOf(this.#present));
      this.#state++;
      this.#isAhead = false;
      if (this.#state <= this.#levelEnd || this.#state >= this.#states.size) continue;
      transitionCache.level++;
      this.#levelEnd = this.#states.size - 1;
    }
    return false;
  }

  /** Ends it where it is, for want of something. */
  stop(limit: ExploreLimit): void {
    this.#stopAt(limit);
  }

  #stopAt(limit: ExploreLimit): false {
    this.#limit = limit;
    this.#isOver = true;
    return false;
  }

  /** The way to what was found, for `guide`. */
  routeTo({ place }: Pick<Finding, 'place'>): Route {
    if (place.run) return this.#routeOf(place.run);
    const { chain, start } = this.#chainTo(place.state);
    return routeAlong(this.#expansion, start, chain, () => place);
  }

  /**
   * What was found, as it is on a way that a run takes, and this way.
   *
   * Details: where states stand for others it may be other actors that do it. Errors: KRN013 when the exchange of actors misled; a defect when a run along the way does
   * not come to it.
   */
  show(finding: Finding): ShownFinding {
    const known = this.#shown.get(finding);
    if (known) return known;
    // What looks for the way writes down anew what the present tick has met.
    this.#isOver ||= this.#inside;
    const { place } = finding;
    const shown = this.#uncounted(() =>
      place.run ? this.#showRun(finding, place.run) : this.#showSteps(finding),
    );
    this.#shown.set(finding, shown);
    this.#shown.set(shown.finding, shown);
    return shown;
  }

  /** Looks back: what was explored already is not counted once more. */
  #uncounted<T>(look: () => T): T {
    const { search, quiet, cut, outside, exchanges } = this.#expansion;
    const [counts, exchanged] = [{ ...search.counts }, exchanges?.exchanged ?? 0];
    try {
      return look();
    } finally {
      Object.assign(search.counts, counts);
      Object.assign(this.#expansion, { quiet, cut, outside });
      if (exchanges) exchanges.exchanged = exchanged;
    }
  }

  #showRun(finding: Finding, run: NonNullable<Place['run']>): ShownFinding {
    const route = this.#routeOf(run);
    const { claim, tape } = this.#expansion.confirm(finding, route);
    return { finding: { ...finding, ...claim, tape }, route };
  }

  #showSteps({ place, ...claim }: Finding): ShownFinding {
    const { chain, start } = this.#chainTo(place.state);
    const { steps, cycleFrom, start: own } = place;
    const before: Spotted = {
      ...claim,
      steps,
      ...(cycleFrom !== undefined && { cycleFrom }),
      ...(own && { start: own }),
    };
    const { spotted, route, tape } = shownAlong(this.#expansion, start, chain, before);
    return { finding: { ...foundAt(spotted, place.state), tape }, route };
  }

  /** Makes sure that actors which were taken to be exchangeable are, for who explores by `go`. Errors: KRN013. */
  verifySymmetry(): void {
    this.#expansion.exchanges?.verify();
  }

  /** Ends of ticks for which another state stands. */
  get exchanged(): number {
    return this.#expansion.exchanges?.exchanged ?? 0;
  }

  /** The way along ticks that did what their trails say, with its circle. */
  #routeOf({ states, trails, cycleAt }: EndlessRun | NonNullable<Place['run']>): Route {
    const { trail } = this.#expansion.layout;
    const chain = states.map((one, index) => {
      const words = this.#copyOf(this.#states.referenceOf(one));
      words[trail!] = trails[index]!;
      return words;
    });
    const start = this.#starts.get(states[0]!) ?? [];
    return routeAlong(this.#expansion, start, chain, () => ({ steps: [] }), cycleAt);
  }

  #chainTo(state: number): { readonly chain: readonly Uint32Array[]; readonly start: readonly number[] } {
    const references = [this.#states.referenceOf(state)];
    for (let before = this.#states.before(references[0]!); before !== 0; before = this.#states.before(before))
      references.push(before);
    const chain = references.reverse().map((one) => this.#copyOf(one));
    return { chain, start: this.#starts.get(this.#states.numberOf(references[0]!)) ?? [] };
  }

  /** The states found so far, in the order in which they were found. */
  *states(): Generator<DecodedState, void> {
    const { transitionCache, watchers, layout } = this.#expansion;
    for (let state = 0; state < this.#states.size; state++) {
      const length = this.#load(this.#states.referenceOf(state));
      yield decode(transitionCache, watchers, layout, this.#words, length);
    }
  }

  get #enough(): boolean {
    return this.#findings.length >= (this.#options.findingsMax ?? 1);
  }

  #begin({ words, picks, spotted, witnessed }: FirstState): void {
    const added = this.#states.add(words, 0, words.length, 0);
    const state = this.#numberOf(added);
    if (added >= 0) {
      this.#starts.set(state, picks);
      this.#levelEnd = state;
    }
    // Starts that lead to one state may differ in what they show.
    for (const one of spotted) this.#find(one, state);
    for (const one of witnessed) this.#witness(one, state);
  }

  #load(reference: number): number {
    const length = this.#states.lengthOf(reference);
    if (length > this.#words.length) this.#words = new Uint32Array(2 * length);
    return this.#states.read(reference, this.#words, 0);
  }

  #copyOf(reference: number): Uint32Array {
    const length = this.#load(reference);
    return this.#words.slice(0, length);
  }

  /** The number of a state that was just added, or was not, since it was there. */
  #numberOf(added: number): number {
    return added < 0 ? this.#states.numberOf(~added) : this.#states.size - 1;
  }

  #ended(words: Uint32Array, at: number, length: number, isInside?: () => boolean): void {
    const { trail } = this.#expansion.layout;
    const done = trail === undefined ? 0 : words[at + trail]!;
    if (trail !== undefined) words[at + trail] = 0;
    const added = this.#states.add(words, at, length, this.#reference, isInside);
    if (added === 0) {
      this.#graph?.leave(done);
      this.#expansion.leave();
      return;
    }
    if (added < 0) this.#merged++;
    if (this.#graph === undefined && this.#options.onTick === undefined) return;
    const after = this.#numberOf(added);
    this.#graph?.add(after, done);
    this.#options.onTick?.(this.#state, after, this.#deliveries);
  }

  /** The deliveries of the tick that has just ended. */
  get #deliveries(): readonly TickDelivery[] {
    const { search, transitionCache } = this.#expansion;
    const { slots } = transitionCache;
    return search.path.map(({ messageId, alternative }) => ({
      from: slots.senderName(messageId),
      to: slots.receiverOf(messageId).name,
      type: slots.eventOf(messageId).type,
      ...((alternative === dropped || alternative.lost) && { lost: true }),
    }));
  }

  /** What infinite runs contradict, and what no run shows. */
  #judgeCycles(): void {
    const initial = [...this.#starts.keys()];
    const wordsOf = (state: number) => {
      this.#load(this.#states.referenceOf(state));
      return this.#words;
    };
    const { size } = this.#states;
    const runs = this.#graph?.endless(size, initial, wordsOf) ?? [];
    for (const sentence of this.#graph?.leftOpen(size, initial, wordsOf, runs) ?? [])
      this.#expansion.waiting.set(sentence, 'a fair run that shows nothing of it would leave the boundary');
    for (const { observer, pending, ...run } of runs) {
      const round = run.states.length - 1 - run.cycleAt;
      const ticks =
        round === 1 ? 'one tick with messages that comes' : `${round} ticks with messages that come`;
      const fair = observer.fair ? ', and every channel that can always step does' : '';
      const place = { state: run.states.at(-1)!, steps: [], run };
      const why = `${pending.why}, in a run that never ends: after ${run.cycleAt} it is ${ticks} again and again${fair}`;
      this.#keep({
        verdict: 'violated',
        what: pending.property ?? observer.sentence,
        actors: pending.actors,
        why,
        place,
      });
    }
    if (this.figures.unexplored > 0 || this.#isCut) return;
    for (const { sentence } of this.#unreached)
      this.#keep({
        verdict: 'violated',
        what: sentence,
        actors: [],
        why: goneThrough(this.#states.size),
        place: { state: 0, steps: [] },
        unreached: true,
      });
  }

  /** True when runs were left where they could go on, by `until` or at the boundary. */
  get #isCut(): boolean {
    return this.#expansion.cut > 0 || this.#expansion.outside > 0;
  }

  get #unreached(): readonly Observer[] {
    const { observers = [] } = this.#options;
    return observers.filter(({ sentence, reachable }) => reachable && !this.#witnesses.has(sentence));
  }

  /** What is not judged to the end by a complete exploration. */
  *#openSentences(): Generator<OpenSentence, void> {
    const { observers = [] } = this.#options;
    for (const [sentence, why] of this.#expansion.waiting) yield { sentence, why };
    if (this.#isCut || this.figures.unexplored > 0)
      for (const { sentence } of this.#unreached) yield { sentence, why: 'no run has shown it so far' };
    if (this.#graph) return;
    for (const { sentence, pending } of observers)
      if (pending) yield { sentence, why: 'runs that never end are not judged where actors are exchanged' };
  }

  #witness(witness: Spotted, state: number): void {
    if (!this.#witnesses.has(witness.what)) this.#witnesses.set(witness.what, foundAt(witness, state));
  }

  /** Keeps what was found, unless it is known already or more than was asked for. */
  #find(spotted: Spotted, state: number): void {
    this.#keep(foundAt(spotted, state));
    if (this.#enough) this.#expansion.search.stop();
  }

  #keep(finding: Finding): void {
    const key = keyOf(finding);
    const kind = this.#options.kindOf?.(finding) ?? key;
    const known = this.#known.get(kind);
    if (known) known.add(key);
    if (this.#enough || known) return;
    this.#known.set(kind, new Set([key]));
    this.#findings.push(finding);
  }
}

/** Why a sentence that something can be is violated. */
export const goneThrough = (states: number): string =>
  `no run shows it: ${states === 1 ? 'there is one state' : `all ${states} states were gone through`}`;

/** What was spotted on going on from a state. */
export const foundAt = (
  { verdict, what, actors, why, steps, cycleFrom, start }: Spotted,
  state: number,
): Finding => ({
  verdict,
  what,
  actors,
  why,
  place: { state, steps, cycleFrom, start },
});

/** What tells two things apart that were found. */
export const keyOf = ({ verdict, what, actors, why }: Omit<Finding, 'place'>): string =>
  JSON.stringify([verdict, what, actors, why]);

/** What an exploration came to that has come so far and found this. */
export function explorationOf(
  figures: ExploreFigures,
  findings: readonly Finding[],
  open: readonly OpenSentence[] = [],
  witnesses: readonly Finding[] = [],
  limit?: ExploreLimit,
  idle: readonly string[] = [],
): Exploration {
  const worst = (['error', 'livelock', 'deadlock', 'violated'] as const).find((verdict) =>
    findings.some((finding) => finding.verdict === verdict),
  );
  const verdict = worst ?? (figures.unexplored > 0 || open.length > 0 ? 'incomplete' : 'ok');
  return {
    ...figures,
    verdict,
    ...(limit && { limit }),
    findings: [...findings],
    open,
    witnesses,
    idle: figures.unexplored > 0 || worst ? [] : idle,
  };
}
