import type { Verdict } from '../outcome.ts';
import type { Wiring } from '../wiring.ts';
import { type DecodedState, decode } from './decode.ts';
import { everyWay } from './every-way.ts';
import { Independence } from './independence.ts';
import type { Found, Observer } from './observer.ts';
import { type Alternative, Repertoire, type Start } from './repertoire.ts';
import { type Place, type Route, Routes } from './route.ts';
import { StateSet } from './state-set.ts';
import { type Layout, layoutFor, messagesAt, moveOn } from './state-words.ts';
import { type Taken, type TickListener, TickSearch } from './tick-search.ts';
import { Watchers } from './watchers.ts';
import { WordList } from './word-list.ts';

/** What an exploration looks for, and how far it goes. */
export interface ExploreOptions {
  /** Sentences that are judged besides what actors report. */
  readonly observers?: readonly Observer[];
  /** Leave out orders of deliveries that make no difference; default true. Changes nothing in what is found. */
  readonly reduction?: boolean;
  /** States after which the exploration stops; default 10,000,000. */
  readonly statesMax?: number;
  /** Different things found after which it stops; default 1. */
  readonly findingsMax?: number;
  /** Deliveries that one tick may have before it is a livelock; default 1,000,000, as of a run. */
  readonly deliveriesPerTickMax?: number;
  /** Last tick that is carried out; to the end when absent. Given, the present tick is part of a state. */
  readonly until?: number;
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
  /** States in which nothing is under way any more. */
  readonly quiet: number;
  /** States beyond which `until` did not let go. */
  readonly cut: number;
  /** Deliveries that were not tried first in a state, since another one commutes with all that can happen before it. */
  readonly postponed: number;
  /** Deliveries that led to a state already known. */
  readonly merged: number;
  /** Local states of all actors. */
  readonly locals: number;
}

/** What an exploration came to. */
export interface Exploration extends ExploreFigures {
  /** The worst of what was found; `ok` when nothing was and nothing is left, else `incomplete`. */
  readonly verdict: Verdict | 'incomplete';
  readonly findings: readonly Finding[];
}

/** How many of the last deliveries a tick with too many of them is judged by. */
const recentMax = 256;

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
  readonly #options: ExploreOptions;
  readonly #repertoire: Repertoire;
  readonly #watchers: Watchers;
  readonly #layout: Layout;
  readonly #search: TickSearch;
  readonly #states = new StateSet();
  /** By state: the number of the state at the end of the tick before, plus 1; 0 before the first tick. */
  readonly #before = new WordList();
  /** Answers to the questions of the start, by state before the first tick. */
  readonly #starts = new Map<number, readonly number[]>();
  readonly #findings: Finding[] = [];
  readonly #known = new Set<string>();
  #words = new Uint32Array(1 << 10);
  /** The state that is being gone on from; those before it are done. */
  #state = 0;
  /** True while the tick after that state is not gone through. */
  #inside = false;
  #depth = 0;
  /** The last state that is as many ticks from the start as the present one. */
  #levelEnd = 0;
  #merged = 0;
  #quiet = 0;
  #cut = 0;

  /** `make` wires the machine, anew at each call: a wiring serves for one of the ways in which its actors can start. */
  constructor(make: () => Wiring, options: ExploreOptions = {}) {
    const { observers = [], until } = options;
    this.#options = options;
    const wirings = [make()];
    this.#repertoire = new Repertoire(wirings[0]!, observers.length > 0);
    this.#watchers = new Watchers(observers, this.#repertoire);
    this.#layout = layoutFor(observers.length, until !== undefined);
    this.#search = this.#searchFor({
      delivered: (words, at, mail, alternative) => this.#delivered(words, at, mail, alternative),
      ended: (words, at, length) => this.#ended(words, at, length),
      endless: (cycleFrom) => this.#endless(cycleFrom),
    });
    for (const { result, picks } of everyWay((ask) => this.#repertoire.start(wirings.pop() ?? make(), ask)))
      this.#begin(result, picks);
  }

  /** How far it has come. */
  get figures(): ExploreFigures {
    const { transitions, postponed, merged } = this.#search.counts;
    return {
      states: this.#states.size,
      transitions,
      depth: this.#depth,
      unexplored: this.#states.size - this.#state,
      quiet: this.#quiet,
      cut: this.#cut,
      postponed,
      merged: merged + this.#merged,
      locals: this.#repertoire.localCount,
    };
  }

  /** What it came to so far; final when it is over. */
  get result(): Exploration {
    const { figures } = this;
    const worst = (['error', 'livelock', 'deadlock', 'violated'] as const).find((verdict) =>
      this.#findings.some((finding) => finding.verdict === verdict),
    );
    return {
      ...figures,
      verdict: worst ?? (figures.unexplored > 0 ? 'incomplete' : 'ok'),
      findings: [...this.#findings],
    };
  }

  /** Explores to the end, which is what was asked for or all there is. */
  toEnd(): Exploration {
    while (this.go(Number.MAX_SAFE_INTEGER));
    return this.result;
  }

  /** Explores for about so many deliveries. Returns false when it is over. */
  go(deliveries: number): boolean {
    const { statesMax = 10_000_000 } = this.#options;
    const { counts } = this.#search;
    const last = counts.transitions + deliveries;
    while (this.#state < this.#states.size) {
      if (this.#enough || this.#states.size >= statesMax) return false;
      if (counts.transitions >= last) return true;
      if (!this.#inside) this.#inside = this.#open();
      if (this.#inside) {
        if (!this.#search.go(last - counts.transitions)) return true;
        this.#inside = false;
      }
      // What was left in the middle is not gone through.
      if (this.#enough) return false;
      this.#state++;
      if (this.#state <= this.#levelEnd || this.#state >= this.#states.size) continue;
      this.#depth++;
      this.#levelEnd = this.#states.size - 1;
    }
    return false;
  }

  /** The way to what was found, for `guide`. */
  routeTo({ place }: Finding): Route {
    const routes = new Routes({
      repertoire: this.#repertoire,
      layout: this.#layout,
      watchers: this.#watchers,
      states: this.#states,
      before: (state) => (this.#before.at(state) === 0 ? undefined : this.#before.at(state) - 1),
      start: (state) => this.#starts.get(state) ?? [],
      search: (listener) => this.#searchFor(listener),
    });
    return routes.to(place);
  }

  /** The states found so far, in the order in which they were found. */
  *states(): Generator<DecodedState, void> {
    for (let state = 0; state < this.#states.size; state++) {
      const length = this.#load(state);
      yield decode(this.#repertoire, this.#watchers, this.#layout, this.#words, length);
    }
  }

  get #enough(): boolean {
    return this.#findings.length >= (this.#options.findingsMax ?? 1);
  }

  #searchFor(listener: TickListener): TickSearch {
    const { reduction = true, deliveriesPerTickMax = 1_000_000 } = this.#options;
    const independence = reduction
      ? new Independence(this.#repertoire, this.#layout, this.#watchers)
      : undefined;
    return new TickSearch(this.#repertoire, this.#layout, independence, deliveriesPerTickMax, listener);
  }

  #begin({ locals, posts, reports, probes }: Start, picks: readonly number[]): void {
    const clock = this.#layout.clock === undefined ? [] : [0];
    const words = Uint32Array.from([locals.length, ...this.#watchers.begin(), ...clock, ...locals, ...posts]);
    const found: [Found, string][] = [];
    for (const { actor, probe } of probes)
      this.#watchers.show(words, 0, actor, probe, (one, sentence) => found.push([one, sentence]));
    const added = this.#states.add(words, 0, words.length);
    if (added < 0) return;
    this.#before.push(0);
    this.#starts.set(added, picks);
    this.#levelEnd = added;
    const place = { state: added, path: [] };
    for (const { actor, report } of reports)
      this.#find('violated', report.property, [actor], report.why, place);
    for (const [one, sentence] of found) this.#findOf(one, sentence, place);
  }

  #load(state: number): number {
    const length = this.#states.lengthOf(state);
    if (length > this.#words.length) this.#words = new Uint32Array(2 * length);
    return this.#states.read(state, this.#words, 0);
  }

  /** Takes up the present state at the beginning of its next tick. Returns false when it has none. */
  #open(): boolean {
    const length = this.#load(this.#state);
    const words = this.#words;
    const place = { state: this.#state, path: [] };
    if (messagesAt(this.#layout, words, 0) === length) {
      this.#judgeQuiet(place);
      return false;
    }
    const passed = moveOn(this.#layout, words, length);
    const { clock } = this.#layout;
    if (clock !== undefined && words[clock]! > (this.#options.until ?? 0)) {
      this.#cut++;
      return false;
    }
    if (passed > 0)
      this.#watchers.advance(words, 0, passed, (found, sentence) => this.#findOf(found, sentence, place));
    this.#search.begin(words, 0, length);
    return !this.#enough;
  }

  get #here(): Place {
    return { state: this.#state, path: this.#search.path };
  }

  #delivered(words: Uint32Array, at: number, mail: number, alternative: Alternative): void {
    if (this.#watchers.count > 0)
      this.#watchers.deliver(words, at, mail, alternative, (found, sentence) =>
        this.#findOf(found, sentence, this.#here),
      );
    const { reports, failure } = alternative;
    if (reports.length === 0 && failure === undefined) return;
    const actors = [this.#repertoire.nameOf(this.#repertoire.slotTo[mail]!)];
    for (const { property, why } of reports) this.#find('violated', property, actors, why, this.#here);
    if (failure) this.#find('error', failure.code, actors, failure.message, this.#here);
  }

  #ended(words: Uint32Array, at: number, length: number): void {
    this.#watchers.endOfTick(words, at, (found, sentence) => this.#findOf(found, sentence, this.#here));
    if (this.#states.add(words, at, length) < 0) this.#merged++;
    else this.#before.push(this.#state + 1);
  }

  #endless(cycleFrom: number | undefined): void {
    const { path } = this.#search;
    const circle = path.slice(cycleFrom ?? -recentMax);
    const nameOf = ({ mail }: Taken) => this.#repertoire.nameOf(this.#repertoire.slotTo[mail]!);
    const types = circle.map(({ mail }) => this.#repertoire.eventOf(mail).type);
    const what = `${[...new Set(types)].sort().join(', ')} without end in one tick`;
    const actors = [...new Set(circle.map(nameOf))].sort();
    this.#find('livelock', what, actors, what, { state: this.#state, path, cycleFrom });
  }

  #judgeQuiet(place: Place): void {
    this.#quiet++;
    const { actors } = decode(
      this.#repertoire,
      this.#watchers,
      this.#layout,
      this.#words,
      this.#load(place.state),
    );
    const waiting = actors.filter(({ waits }) => waits).map(({ name, state }) => `${name} in ${state}`);
    const names = actors.filter(({ waits }) => waits).map(({ name }) => name);
    if (waiting.length > 0)
      this.#find('deadlock', waiting.join(', '), names, 'nothing is under way, and they wait', place);
    this.#watchers.quiet(this.#words, 0, (found, sentence) => this.#findOf(found, sentence, place));
  }

  #findOf({ actors, why, property }: Found, sentence: string, place: Place): void {
    this.#find('violated', property ?? sentence, actors, why, place);
  }

  /** Keeps what was found, unless it is known already or more than was asked for. */
  #find(
    verdict: Finding['verdict'],
    what: string,
    actors: readonly string[],
    why: string,
    place: Place,
  ): void {
    const key = JSON.stringify([verdict, what, actors, why]);
    if (this.#enough || this.#known.has(key)) return;
    this.#known.add(key);
    this.#findings.push({ verdict, what, actors, why, place });
    if (this.#enough) this.#search.stop();
  }
}
