import { KernelError } from '../errors.ts';
import type { InjectedFault } from '../faults.ts';
import { NetworkRules } from '../network.ts';
import type { Wiring } from '../wiring.ts';
import { type Alternative, failed } from './alternative.ts';
import { type Claim, deadlockOf, livelockOf, recentMax } from './claim.ts';
import { decode } from './decode.ts';
import { enumerateChoices } from './enumerate-choices.ts';
import { FaultBranches } from './fault-branches.ts';
import { Footprints } from './footprints.ts';
import { Independence } from './independence.ts';
import { entries, type FindingOrder, type FollowEntry } from './journal.ts';
import type { Delivered, Found, Observer } from './observer.ts';
import { type Confirmed, confirm } from './replay.ts';
import { deliveredBy, type Route, type RouteStep, stepsOf } from './route.ts';
import type { StateForm } from './state-table.ts';
import { type Layout, layoutFor, messagesAt, moveOn } from './state-words.ts';
import { StepSearch } from './step-search.ts';
import type { Symmetry } from './symmetry.ts';
import { SymmetryReduction } from './symmetry-reduction.ts';
import { type Taken, type TickListener, TickSearch } from './tick-search.ts';
import { emptyTrail } from './trails.ts';
import { type Start, TransitionCache } from './transition-cache.ts';
import { type Tell, Watchers } from './watchers.ts';

/** What is judged, and how, wherever a state is gone on from. */
export interface ExpandOptions {
  /** Sentences that are judged besides what actors report. */
  readonly observers?: readonly Observer[];
  /** Leave out orders of deliveries that make no difference; default true. Changes nothing in what is found. */
  readonly reduction?: boolean;
  /** Deliveries that one tick may have before it is a livelock; default 1,000,000, as of a run. */
  readonly deliveriesPerTickMax?: number;
  /** States at the ends of ticks, and as many inside one tick, after which the exploration stops; to the end when absent. */
  readonly statesMax?: number;
  /** What goes wrong on purpose: wherever it may strike, it strikes and does not; none when absent. Not `delay`. */
  readonly faults?: readonly InjectedFault[];
  /** Explore states that differ only in the places of these actors once; none when absent. */
  readonly symmetry?: Symmetry;
  /** Last tick that is carried out; to the end when absent. Given, the present tick is part of a state. */
  readonly until?: number;
  /** The present tick is part of a state, since actors ask for the time; found out by itself. */
  readonly clock?: boolean;
  /** Keep what each tick has met and which channels it took, so that infinite runs can be judged; only where an observer waits for something. Default false. */
  readonly cycles?: boolean;
}

/** What goes on from a state. */
export type Search = Pick<TickSearch, 'begin' | 'go' | 'stop' | 'path' | 'counts' | 'cutAt' | 'bytes'>;

/** Something that is not as it should be, seen on going on from a state. */
export interface Spotted extends Claim {
  /** The deliveries that lead to it from that state. */
  readonly steps: readonly RouteStep[];
  /** The step with which a circle begins. */
  readonly cycleFrom?: number;
  /** The answers of the start, for what it has shown itself. */
  readonly start?: readonly number[];
}

/** Whom an expansion tells what it comes upon. The words are valid during the call only. */
export interface ExpansionListener {
  /** A state at the end of the tick, inside the boundary. */
  ended(words: Uint32Array, at: number, length: number): void;
  /** In place of `ended` where there is a boundary, for who knows states again: those that are known are inside, of others `isInside` says it. */
  reached?(words: Uint32Array, at: number, length: number, isInside: () => boolean): void;
  spotted(spotted: Spotted): void;
  /** Something that a sentence says some run must show. */
  witnessed(witness: Spotted): void;
}

/** A state before the first tick. */
export interface FirstState {
  readonly words: Uint32Array;
  /** The answers to the questions of the start that lead to it. */
  readonly picks: readonly number[];
  readonly spotted: readonly Spotted[];
  readonly witnessed: readonly Spotted[];
}

/** Goes on from states of a machine, one at a time: finds those at the ends of their next ticks, and what is wrong on the way. */
export class Expansion {
  readonly transitionCache: TransitionCache;
  readonly watchers: Watchers;
  readonly layout: Layout;
  readonly search: Search;
  /** How messages travel, in an asynchronous wiring. */
  readonly #network: NetworkRules | undefined;
  /** Whose boundary states have to be inside of; undefined without one. */
  readonly #bounding: Wiring | undefined;
  /** Whether a state is inside the boundary, by its actors, or that it depends on the messages, too. */
  readonly #insideByActors: (boolean | typeof readsMessages)[] = [];
  /** Picks the states that stand for others, where actors can be exchanged. */
  readonly exchanges: SymmetryReduction | undefined;
  /** States gone on from in which nothing will happen any more. */
  quiet = 0;
  /** States gone on from beyond which `until` did not let go. */
  cut = 0;
  /** Ends of ticks outside the boundary, from which nobody goes on. */
  outside = 0;
  /** Of the state that is gone on from: ends of its next ticks so far, those of them outside the boundary, and whether it may rest. */
  #ends = 0;
  #left = 0;
  #rests = false;
  /** Sentences that still waited for something where they were left, beyond `until` or outside the boundary, and where that was. */
  readonly waiting = new Map<string, string>();
  /** What was delivered, and how what was found is told, where the search stands. */
  readonly #step = (): readonly Delivered[] => this.delivered;
  /** The state that was reached last, where there is a boundary, and whether it is inside. */
  #reached: { readonly words: Uint32Array; readonly at: number; readonly length: number } = {
    words: new Uint32Array(0),
    at: 0,
    length: 0,
  };
  readonly #isReachedInside = (): boolean => {
    const { words, at, length } = this.#reached;
    return this.#isInside(this.#bounding!, words, at, length);
  };
  readonly #tellOfPath: Tell = (found, observer) => this.#tell(found, observer, this.search.path);
  readonly #make: () => Wiring;
  readonly #wirings: Wiring[];
  readonly #options: ExpandOptions;
  #listener: ExpansionListener;

  /** `make` wires the machine, anew at each call: a wiring serves for one of the ways in which its actors can start. */
  constructor(make: () => Wiring, options: ExpandOptions, listener: ExpansionListener) {
    const { observers = [], until } = options;
    this.#make = make;
    this.#options = options;
    this.#listener = listener;
    this.#wirings = [make()];
    const [wiring] = this.#wirings as [Wiring];
    const faults = new FaultBranches(options.faults ?? [], wiring.speakers);
    if (options.symmetry && wiring.shared.length > 0)
      throw new KernelError(
        'KRN013',
        wiring.shared[0]!.name,
        'found an object that actors share, in which it is not known who is who',
      );
    this.#network = wiring.network && new NetworkRules(wiring.network, wiring.placements);
    this.#bounding = wiring.boundary && wiring;
    const footprints = new Footprints(observers);
    this.transitionCache = new TransitionCache(
      wiring,
      observers.length > 0 ? footprints : undefined,
      faults,
      this.#network,
    );
    const withClock = until !== undefined || (!this.#network && (options.clock ?? false));
    if (withClock && !this.#network) this.transitionCache.now = 0;
    const withTrail = (options.cycles ?? false) && observers.some(({ pending }) => pending);
    this.layout = layoutFor(
      observers.length,
      withClock,
      faults.states > 1,
      withTrail,
      this.#network !== undefined && observers.some(({ advance }) => advance),
      this.#network,
      wiring.shared.length,
    );
    this.watchers = new Watchers(observers, footprints, this.transitionCache, this.layout, (pattern) =>
      wiring.hasActorNamed(pattern),
    );
    this.watchers.onUnjudged = (sentence, why) => this.#leaveOpen(sentence, why);
    this.exchanges =
      options.symmetry &&
      new SymmetryReduction(
        options.symmetry,
        this.transitionCache,
        this.watchers,
        this.layout,
        this.#network,
        this.#bounding && ((...state) => this.#isInside(wiring, ...state)),
      );
    this.search = this.searchFor(
      {
        delivered: (words, at, messageId, alternative) => this.#delivered(words, at, messageId, alternative),
        ended: (words, at, length) => this.#ended(words, at, length),
        endless: (cycleFrom) => this.#endless(cycleFrom),
        rested: (words, length) => this.#judgeQuiet(words, length),
      },
      options.statesMax,
    );
  }

  /** Makes the order of what is found out that of an exploration with others, or a recorded one. */
  agreeBy(order: FindingOrder): void {
    const { transitionCache, watchers, exchanges } = this;
    transitionCache.journal = order;
    if (exchanges)
      exchanges.agree = (kind, one, two, three) => order.agree(kind, transitionCache.level, one, two, three);
    watchers.agreeBy(order, transitionCache);
  }

  /** Finds out what another exploration found out, in its turn. */
  readonly follow: FollowEntry = (kind, level, one, two, three, four, state) => {
    if (kind === entries.handling) this.transitionCache.follow(one, two, three, four, level);
    else if (kind >= entries.exchangeLocal && kind <= entries.exchangeMemory)
      this.exchanges?.follow(kind, one, two, three);
    else this.watchers.follow(kind, one, two, three, state);
  };

  /** How the states are kept: in an asynchronous wiring everything is due at once. */
  get form(): StateForm {
    return this.#network ? { header: this.layout.header } : {};
  }

  /** True for an asynchronous wiring. */
  get asynchronous(): boolean {
    return this.#network !== undefined;
  }

  /** True where it matters in which order the messages of a channel were posted. */
  get keepsOrder(): boolean {
    return this.#network?.ordered ?? true;
  }

  /** A search like the one that goes on from states, for somebody else; `statesMax`: states inside one tick after which it stops. */
  searchFor(listener: TickListener, statesMax = Number.POSITIVE_INFINITY): Search {
    if (this.#network) return new StepSearch(this.transitionCache, this.layout, this.#network, listener);
    const { reduction = true, deliveriesPerTickMax: deliveriesMax = 1_000_000 } = this.#options;
    const independence = reduction
      ? new Independence(this.transitionCache, this.layout, this.watchers)
      : undefined;
    const limits = { deliveriesMax, statesMax };
    return new TickSearch(this.transitionCache, this.layout, independence, limits, listener);
  }

  /** The states before the first tick, of which some may be equal; of those that differ in the places of actors only, one that stands for them. Errors: what the start of an actor throws. */
  *starts(): Generator<FirstState, void> {
    const ways = enumerateChoices((ask) =>
      this.transitionCache.start(this.#wirings.pop() ?? this.#make(), ask),
    );
    const states: Uint32Array[] = [];
    for (const { result, picks } of ways) {
      const first = this.#first(result, picks);
      states.push(first.words);
      // Those that are left out are exchanges of one that is not, as `verifyFirst` makes sure.
      if (this.exchanges?.stands(first.words) ?? true) yield first;
    }
    this.exchanges?.verifyFirst(states);
  }

  #first({ locals, posts, versions, reports, probes, struck }: Start, picks: readonly number[]): FirstState {
    const clock = this.layout.clock === undefined ? [] : [0];
    const budget = this.layout.budget === undefined ? [] : [struck];
    const begun = this.layout.begun === undefined ? [] : [0];
    const network = this.layout.network === undefined ? [] : [0, 0, 0, 0];
    const memories = this.watchers.begin();
    const trail = this.layout.trail === undefined ? [] : [emptyTrail];
    const header = [
      locals.length,
      ...memories,
      ...clock,
      ...budget,
      ...trail,
      ...begun,
      ...network,
      ...versions,
    ];
    const words = Uint32Array.from([...header, ...locals, ...posts]);
    const spotted: Spotted[] = reports.map(({ actor, report }) => ({
      verdict: 'violated',
      what: report.property,
      actors: [actor],
      why: report.why,
      steps: [],
      start: picks,
    }));
    const witnessed: Spotted[] = [];
    const tell: Tell = (found, observer) =>
      (observer.reachable ? witnessed : spotted).push({
        ...violation(found, observer.sentence, []),
        start: picks,
      });
    for (const { actor, probe } of probes) this.watchers.showAtStart(words, 0, actor, probe, tell);
    this.watchers.lookAtState(words, 0, words.length, () => [], tell);
    if (this.layout.trail !== undefined) words[this.layout.trail] = 0;
    return { words, picks, spotted, witnessed };
  }

  /**
   * Takes up a state, from the start of `words` on, at the beginning of its next tick; the words are changed. Returns false when it has none, or
   * none that is to be carried out; else `go` goes through it.
   */
  begin(words: Uint32Array, length: number): boolean {
    [this.#ends, this.#left, this.#rests] = [0, 0, false];
    if (this.#network) {
      if (this.#isBeyond(words)) return false;
      if (this.layout.trail !== undefined) words[this.layout.trail] = emptyTrail;
      this.search.begin(words, 0, length);
      return true;
    }
    if (messagesAt(this.layout, words, 0) === length) {
      this.#judgeQuiet(words, length);
      return false;
    }
    const passed = moveOn(this.layout, words, length);
    if (this.layout.clock !== undefined) this.transitionCache.now = words[this.layout.clock]!;
    if (this.#isBeyond(words, passed)) return false;
    if (this.layout.trail !== undefined) words[this.layout.trail] = emptyTrail;
    if (passed > 0)
      this.watchers.advance(words, 0, passed, (found, observer) => this.#tell(found, observer, []));
    this.search.begin(words, 0, length);
    return true;
  }

  get until(): number {
    return this.#options.until ?? Number.POSITIVE_INFINITY;
  }

  /** True for a state whose next tick, or step, is not to be carried out. `passed`: how many ticks lie between; deadlines pass in those that are carried out. */
  #isBeyond(words: Uint32Array, passed = 0): boolean {
    const { clock } = this.layout;
    if (clock === undefined || words[clock]! <= this.until) return false;
    this.cut++;
    if (passed > 0)
      this.watchers.advance(words, 0, passed - (words[clock]! - (this.until + 1)), (found, observer) =>
        this.#tell(found, observer, []),
      );
    this.#waitIn(words, 0, 'it still waits at the last tick of the scenario');
    return true;
  }

  /** What was delivered on the way to where the search stands, by names. */
  get delivered(): readonly Delivered[] {
    return deliveredBy(this.transitionCache, this.search.path);
  }

  #steps(path: readonly Taken[]): readonly RouteStep[] {
    return stepsOf(this, path);
  }

  #tell(found: Found, { sentence, reachable }: Observer, path: readonly Taken[]): void {
    const spotted = violation(found, sentence, this.#steps(path));
    if (reachable) this.#listener.witnessed(spotted);
    else this.#listener.spotted(spotted);
  }

  #delivered(words: Uint32Array, at: number, messageId: number, alternative: Alternative): void {
    if (this.watchers.count > 0) this.watchers.deliver(words, at, messageId, alternative, this.#tellOfPath);
    const { reports, failure } = alternative;
    if (reports.length === 0 && failure === undefined) return;
    const actors = [this.transitionCache.slots.receiverOf(messageId).name];
    const steps = this.#steps(this.search.path);
    for (const { property, why } of reports)
      this.#listener.spotted({ verdict: 'violated', what: property, actors, why, steps });
    if (failure)
      this.#listener.spotted({ verdict: 'error', what: failure.code, actors, why: failure.message, steps });
  }

  #ended(words: Uint32Array, at: number, length: number): void {
    this.#ends++;
    this.watchers.endOfTick(words, at, length, this.#step, this.#tellOfPath);
    if (this.#bounding) {
      this.#reached = { words, at, length };
      // How many are exchanged is counted of those inside.
      if (this.#listener.reached && !this.exchanges) {
        this.#listener.reached(words, at, length, this.#isReachedInside);
        return;
      }
      if (!this.#isReachedInside()) {
        this.leave();
        return;
      }
    }
    if (this.exchanges) this.#listener.ended(this.exchanges.canonical(words, at, length), 0, length);
    else this.#listener.ended(words, at, length);
  }

  /** The end of a tick that was reached last is outside the boundary. */
  leave(): void {
    this.outside++;
    this.#left++;
  }

  /** The present state has been gone on from. Where all that follows it is outside the boundary, what it still waits for is not judged. `load` gives its words, which may be changed. */
  finish(load: () => Uint32Array): void {
    if (this.#left > 0 && this.#left === this.#ends && !this.#rests)
      this.#waitIn(load(), 0, 'it still waits where runs leave the boundary');
  }

  #waitIn(words: Uint32Array, at: number, why: string): void {
    for (const { sentence } of this.watchers.waitingAt(words, at)) this.#leaveOpen(sentence, why);
    this.watchers.quiet(words, at, (_found, { sentence }) => this.#leaveOpen(sentence, why));
  }

  #leaveOpen(sentence: string, why: string): void {
    if (!this.waiting.has(sentence)) this.waiting.set(sentence, why);
  }

  /** True for a state inside the boundary. As long as it does not read the messages it is asked once for all states with the same actors; to keep what it says of each other one would take more than the states themselves. */
  #isInside(wiring: Wiring, words: Uint32Array, at: number, length: number): boolean {
    const looked = this.watchers.lookedAgain(words, at, length);
    const known = this.#insideByActors[looked.actors];
    if (known === readsMessages) return wiring.isInside(looked.state);
    if (known !== undefined) return known;
    const isInside = wiring.isInside(looked.overheard);
    this.#insideByActors[looked.actors] = looked.isRead ? readsMessages : isInside;
    return isInside;
  }

  /** What is found first on going on from a state, of those with this verdict; one with this sentence, where there is one. */
  spotFrom(state: Uint32Array, { verdict, what }: Claim): Spotted | undefined {
    const listener = this.#listener;
    let [first, same]: (Spotted | undefined)[] = [];
    this.#listener = {
      ended: () => {},
      witnessed: () => {},
      spotted: (spotted) => {
        if (spotted.verdict !== verdict) return;
        first ??= spotted;
        if (spotted.what !== what) return;
        same ??= spotted;
        this.search.stop();
      },
    };
    const words = state.slice();
    if (this.begin(words, words.length) && !same) while (!this.search.go(Number.MAX_SAFE_INTEGER));
    this.#listener = listener;
    return same ?? first;
  }

  /** Makes sure that a run along a route comes to what was found. Errors: a defect when it does not. */
  confirm(claim: Claim, route: Route): Confirmed {
    return confirm(this.#make, this.#options, claim, route);
  }

  #endless(cycleFrom: number | undefined): void {
    const { path } = this.search;
    const { slots } = this.transitionCache;
    const steps = this.#steps(path);
    const round = cycleFrom === undefined ? recentMax : this.#steps(path.slice(cycleFrom)).length;
    // Those that failed on the way are no part of it.
    const circle = path.filter(({ alternative }) => alternative.next !== failed).slice(-round);
    this.#listener.spotted({
      ...livelockOf(
        circle.map(({ messageId }) => ({
          type: slots.eventOf(messageId).type,
          to: slots.receiverOf(messageId).name,
        })),
      ),
      steps,
      ...(cycleFrom !== undefined && { cycleFrom: steps.length - round }),
    });
  }

  #judgeQuiet(words: Uint32Array, length: number): void {
    this.quiet++;
    this.#rests = true;
    const { actors } = decode(this.transitionCache, this.watchers, this.layout, words, length);
    const waiting = actors.filter(({ waits }) => waits);
    if (waiting.length > 0)
      this.#listener.spotted({
        ...deadlockOf(waiting.map(({ name, state }) => ({ actor: name, state }))),
        steps: [],
      });
    const tell: Tell = (found, observer) => this.#tell(found, observer, []);
    // A party may still crash: what follows that has not come to rest here.
    const resting = this.#network ? words.slice(0, length) : words;
    this.watchers.lookAtRest(resting, 0, length, tell);
    this.watchers.quiet(resting, 0, tell);
  }
}

/** Whether a state is inside the boundary depends on the messages under way. */
const readsMessages = 'reads messages';

const violation = (
  { actors, why, property }: Found,
  sentence: string,
  steps: readonly RouteStep[],
): Spotted => ({ verdict: 'violated', what: property ?? sentence, actors, why, steps });
