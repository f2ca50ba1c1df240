import { type Address, type LockstepEvent, WORLD } from '../message.ts';
import { type NetworkDrop, networkSteps } from '../network.ts';
import { dropped, failed } from './alternative.ts';
import type { Search } from './expansion.ts';
import type { Delivered } from './observer.ts';
import { type Layout, messagesAt, moveOn } from './state-words.ts';
import type { SymmetryReduction } from './symmetry-reduction.ts';
import type { Taken, TickListener } from './tick-search.ts';
import { emptyTrail } from './trails.ts';
import type { TransitionCache } from './transition-cache.ts';
import type { Watchers } from './watchers.ts';

/** One delivery of a route: the channel whose head is delivered, and the answers that its receiver gets. */
export interface RouteStep {
  readonly from: Address;
  readonly to: Address;
  readonly picks: readonly number[];
  /** The event, in an asynchronous wiring, where several of a channel may be next. */
  readonly event?: LockstepEvent;
  /** True for a timer. */
  readonly timer?: boolean;
}

/** A way through a run, from its start to something that was found. `guide` makes a run take it. */
export interface Route {
  /** Answers to the questions that actors ask while they start. */
  readonly start: readonly number[];
  readonly steps: readonly RouteStep[];
  /** The tick in which it ends. */
  readonly tick: number;
  /** The step to which it returns after the last one, for ever; undefined when it just ends. */
  readonly cycleFrom: number | undefined;
  /** For a circle of whole ticks: the tick at the end of which it begins, -1 before the first; the state then is that at the end of the route. */
  readonly cycleFromTick?: number;
}

/** The last tick of a route: the deliveries from the state that it follows. */
export interface LastSteps {
  readonly steps: readonly RouteStep[];
  /** The step of these with which a circle begins. */
  readonly cycleFrom?: number | undefined;
  /** The answers of the start, for what it has shown itself: others may lead to the same state. */
  readonly start?: readonly number[] | undefined;
}

/** What routes are found with: a search like the one that found the states. */
export interface Searched {
  readonly transitionCache: TransitionCache;
  readonly layout: Layout;
  readonly watchers: Watchers;
  searchFor(listener: TickListener): Search;
  /** True for an asynchronous wiring. */
  readonly asynchronous: boolean;
  /** The last tick that is carried out. */
  readonly until: number;
  /** What picks the states that stand for others, where the states of a chain do so. */
  readonly exchanges: SymmetryReduction | undefined;
}

/**
 * The route along a chain of states, the first of which is one before the first tick, and on to something that was found.
 *
 * Details: states remember only the state before them, what happened in between is searched for again, knowing what was known then: so the route is
 * the same whoever explored what, and when. Where states stand for others, it goes through those that they stand for. `lastFrom` gives the last tick, from the state to
 * which the chain leads. `cycleAt` is the place in the chain of a state which comes back as its last one. A state of the chain that has a trail is come to by a tick that did just that.
 */
export function routeAlong(
  searched: Searched,
  start: readonly number[],
  chain: readonly Uint32Array[],
  lastFrom: (state: Uint32Array) => LastSteps,
  cycleAt?: number,
): Route {
  const { transitionCache } = searched;
  const { level } = transitionCache;
  const steps: RouteStep[] = [];
  let tick = 0;
  // A step of an asynchronous wiring is a tick, the first one tick 0: the tick counted is that of the step that comes next.
  const lead = searched.asynchronous ? 1 : 0;
  let here = chain[0]!;
  let [cycleStep, cycleTick] = [0, -1];
  chain.forEach((_, index) => {
    transitionCache.level = index;
    if (index === cycleAt) [cycleStep, cycleTick] = [steps.length, index === 0 ? -1 : tick - lead];
    if (cycleAt !== undefined && index === chain.length - 1) return;
    const { passed, path, end } = oneTick(searched, here, chain[index + 1]);
    tick += passed;
    steps.push(...stepsOf(searched, path));
    here = end;
  });
  const { steps: last, cycleFrom, start: own } = lastFrom(here);
  transitionCache.level = level;
  if (cycleAt !== undefined)
    return { start, steps, tick: tick - lead, cycleFrom: cycleStep, cycleFromTick: cycleTick };
  return {
    start: own ?? start,
    steps: [...steps, ...last],
    tick,
    cycleFrom: cycleFrom === undefined ? undefined : steps.length + cycleFrom,
  };
}

/** How many ticks after a state its next tick is, and the deliveries of it that lead to the state `wanted`; none when there is none. */
function oneTick(
  searched: Searched,
  state: Uint32Array,
  wanted: Uint32Array | undefined,
): { readonly passed: number; readonly path: readonly Taken[]; readonly end: Uint32Array } {
  const { layout, watchers, exchanges } = searched;
  const words = state.slice();
  if (wanted === undefined && searched.asynchronous) return { passed: 0, path: [], end: state };
  if (!searched.asynchronous && messagesAt(layout, words, 0) === words.length)
    return { passed: 0, path: [], end: state };
  const passed = searched.asynchronous ? 1 : moveOn(layout, words, words.length);
  if (layout.clock !== undefined && !searched.asynchronous)
    searched.transitionCache.now = words[layout.clock]!;
  // What is found of a last tick that has passed is found when it is over.
  const { clock } = layout;
  const beyond = clock === undefined ? 0 : Math.max(0, words[clock]! - (searched.until + 1));
  if (wanted === undefined) return { passed: passed - beyond, path: [], end: state };
  if (layout.trail !== undefined) words[layout.trail] = emptyTrail;
  if (passed > 0 && !searched.asynchronous) watchers.advance(words, 0, passed, () => {});
  let path: readonly Taken[] = [];
  let end = state;
  const search = searched.searchFor({
    delivered: (reached, at, messageId, alternative) =>
      watchers.deliver(reached, at, messageId, alternative, () => {}),
    ended: (reached, at, count) => {
      watchers.endOfTick(
        reached,
        at,
        count,
        () => deliveredBy(searched.transitionCache, search.path),
        () => {},
      );
      if (count !== wanted.length) return;
      if (layout.trail !== undefined) {
        if (wanted[layout.trail] !== 0 && wanted[layout.trail] !== reached[at + layout.trail]) return;
        reached[at + layout.trail] = wanted[layout.trail]!;
      }
      const standing = exchanges?.canonical(reached, at, count) ?? reached.subarray(at, at + count);
      if (!wanted.every((word, index) => word === standing[index])) return;
      end = reached.slice(at, at + count);
      path = search.path;
      search.stop();
    },
    endless: () => {},
  });
  search.begin(words, 0, words.length);
  while (!search.go(Number.MAX_SAFE_INTEGER));
  return { passed, path, end };
}

const ofNetwork: readonly string[] = Object.values(networkSteps);

/** What the actors of a path were delivered, by names, as a run along it tells it: steps of the network are none. */
export const deliveredBy = ({ slots }: TransitionCache, path: readonly Taken[]): readonly Delivered[] =>
  path
    .filter(({ alternative }) => alternative !== dropped && !alternative.lost)
    .map(
      ({ messageId }): Delivered => ({
        kind: 'message',
        from: slots.senderName(messageId),
        to: slots.receiverOf(messageId).name,
        event: slots.eventOf(messageId),
      }),
    )
    .filter(({ from, event }) => from !== 'world' || !ofNetwork.includes(event.type));

/**
 * The steps of a path. Steps that failed on the way are left out, all but the last: in a run they would end it, and nobody who comes
 * later has anything to do with them.
 */
export function stepsOf(
  { transitionCache: { slots }, asynchronous }: Pick<Searched, 'transitionCache' | 'asynchronous'>,
  path: readonly Taken[],
): readonly RouteStep[] {
  const stepOf = ({ messageId, alternative }: Taken): RouteStep => {
    const { from, to } = slots.channelOf(messageId);
    const event = slots.eventOf(messageId);
    if (alternative === dropped) {
      const drop: NetworkDrop = { type: networkSteps.drop, from, event };
      return { from: WORLD, to, picks: [], event: drop };
    }
    const { picks } = alternative;
    return {
      from,
      to,
      picks,
      ...(asynchronous && { event }),
      ...(slots.timer[messageId] && { timer: true }),
    };
  };
  return path
    .filter(
      ({ alternative: { next, failure } }, index) =>
        next !== failed || (failure !== undefined && index === path.length - 1),
    )
    .map(stepOf);
}
