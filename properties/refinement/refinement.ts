import type { Delivered, Found, Observer } from '../../kernel/explore/observer.ts';
import type { ReadShown } from '../../kernel/explore/step-graph.ts';
import { transcriptOf } from '../../kernel/explore/transcript.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { onlyKeys } from '../../kernel/known-keys.ts';
import { valueText } from '../../kernel/value-text.ts';
import { wordsOf } from '../temporal/pattern.ts';
import { differing, shortText } from './differing.ts';
import { Following, type Held } from './following.ts';
import { nearestOf } from './nearest.ts';
import { shownEvent } from './shown-event.ts';
import { type Specification, SpecificationError, sourceOf, specificationStatesMax } from './specification.ts';
import type { Node, StepSource } from './step-source.ts';

/** What of the states of a machine its specification knows. */
export interface StateMap {
  /** What a state of the machine is to the specification. */
  readonly state: (state: GlobalState) => unknown;
  /** What of a state of the specification that is compared with; the state itself when absent. Needed where the specification is wired: its states are `GlobalState`s. */
  readonly of?: (state: never) => unknown;
}

/** What of that which a machine shows its specification shows, too. */
export interface EventMap {
  /** Reads a message or probe, of the machine as of a wired specification; undefined for what is hidden. */
  readonly event: ReadShown;
  /** Types of the messages and probes of the machine that `event` looks at; all when absent. Name them in a clocked machine: those that are looked at are explored in every order. */
  readonly watches?: readonly string[];
}

/** What a refinement is made from. */
export interface RefinementOptions {
  readonly specification: Specification;
  /** The probes with all their fields, `{ at, event, …fields }`, when absent. */
  readonly map?: StateMap | EventMap;
  /** States of the specification after which it is given up. Default 1,000,000. */
  readonly statesMax?: number;
}

/** The states in which the specification may be by now: part of the state of what is explored. */
export interface RefinementMemory {
  stage: 'begins' | 'follows' | 'refused';
  /** In an order of their own. */
  held: readonly Held[];
}

/**
 * A property: every step of a machine is a step of its specification, or none (refinement up to stuttering; Abadi and Lamport, "The existence of refinement mappings", 1991).
 *
 * Details: compared are the states, as `map.state` sees them at the end of each tick and before the first one (in an asynchronous wiring: after each step), or what is shown, as `map.event` reads it. All states
 * in which the specification may be are followed, so a specification may have choices, hidden steps, and states of which only a part is compared (`of`): what the machine does must be what the specification does in
 * some run. A change of what is compared is one step of the specification, before and after which it may take any steps that change nothing of it.
 *
 * Gotchas: says nothing about what must happen: a machine that does nothing refines every specification with its initial state. Errors: `SpecificationError`, when used, for a map that throws or a specification
 * that is none or has too many states.
 */
export function refinement(sentence: string, options: RefinementOptions): Observer<RefinementMemory> {
  onlyKeys('options of a refinement', options, ['specification', 'map', 'statesMax']);
  const { specification, map = { event: shownEvent }, statesMax = specificationStatesMax } = options;
  onlyKeys('map of a refinement', map, 'state' in map ? ['state', 'of'] : ['event', 'watches']);
  return 'state' in map
    ? ofStates(sentence, specification, map, statesMax)
    : ofEvents(sentence, specification, map, statesMax);
}

const beginning = (): RefinementMemory => ({ stage: 'begins', held: [] });

function ofStates(
  sentence: string,
  specification: Specification,
  { state: stateMap, of }: StateMap,
  statesMax: number,
): Observer<RefinementMemory> {
  if (typeof specification === 'function' && !of)
    throw new SpecificationError(
      'found a map of states to a specification that is wired, without what of its states is compared',
      'write { state: (state) => …, of: (state) => … }: both functions of a GlobalState',
    );
  const view = guarded('of', (of ?? ((state: unknown) => state)) as (state: unknown) => unknown);
  const mapped = guarded('state', stateMap);
  const views = new Views(
    sourceOf(specification, () => undefined, statesMax),
    view,
    statesMax,
  );
  return {
    sentence,
    watches: [],
    begin: beginning,
    see: () => undefined,
    tellsSteps: true,
    seeState(memory, state, _met, step = () => []): Found | undefined {
      if (memory.stage === 'refused') return undefined;
      const now = mapped(state);
      const begins = memory.stage === 'begins';
      const before = begins ? undefined : views.of(memory.held[0]!.node);
      if (before?.key === transcriptOf(now)) return undefined;
      const nodes = begins
        ? views.beginningAs(now)
        : views.after(
            memory.held.map(({ node }) => node),
            now,
          );
      if (nodes.length > 0) {
        memory.stage = 'follows';
        memory.held = nodes.map((node) => ({ node, rest: [] }));
        return undefined;
      }
      const deliveries = step();
      const actors = [...new Set(deliveries.map(({ to }) => to))];
      const why = begins
        ? `it begins as ${shortText(now)}, and the specification as ${several(views.first.map(shortText))}`
        : views.refusal(
            stepWords(deliveries),
            before!.value,
            now,
            memory.held.map(({ node }) => node),
          );
      memory.stage = 'refused';
      memory.held = [];
      return { actors, why };
    },
  };
}

/** A specification by what of its states is compared. */
class Views {
  readonly #source: StepSource;
  readonly #view: (state: unknown) => unknown;
  readonly #statesMax: number;
  readonly #known = new Map<Node, { readonly value: unknown; readonly key: string }>();

  constructor(source: StepSource, view: (state: unknown) => unknown, statesMax: number) {
    this.#source = source;
    this.#view = view;
    this.#statesMax = statesMax;
  }

  /** What is compared of a state. */
  of(node: Node): { readonly value: unknown; readonly key: string } {
    let known = this.#known.get(node);
    if (!known) {
      const value = this.#view(this.#source.stateOf(node));
      known = { value, key: transcriptOf(value) };
      this.#known.set(node, known);
    }
    return known;
  }

  /** The states in which it can begin, as they are compared, each once. */
  get first(): readonly unknown[] {
    const all = this.#source.starts.map(({ to }) => this.of(to));
    return [...new Map(all.map(({ key, value }) => [key, value])).values()];
  }

  /** Where it can be that begins so. */
  beginningAs(value: unknown): readonly Node[] {
    const key = transcriptOf(value);
    return this.#closed(this.#source.starts.map(({ to }) => to).filter((node) => this.of(node).key === key));
  }

  /** Where it can be that was in one of these states and now is seen so. */
  after(nodes: readonly Node[], value: unknown): readonly Node[] {
    const key = transcriptOf(value);
    const next = nodes.flatMap((node) => this.#source.stepsFrom(node)).map(({ to }) => to);
    return this.#closed(next.filter((node) => this.of(node).key === key));
  }

  /** Why no step leads from one value to another, and which do lead somewhere. */
  refusal(step: string, before: unknown, now: unknown, nodes: readonly Node[]): string {
    const ways = new Map<string, { readonly value: unknown; readonly words: string }>();
    for (const node of nodes)
      for (const { to, words } of this.#source.stepsFrom(node)) {
        const { value, key } = this.of(to);
        if (key === this.of(node).key || ways.has(`${key} ${words}`)) continue;
        ways.set(`${key} ${words}`, { value, words });
      }
    const nearest = [...ways.values()]
      .map((way) => ({ ...way, far: differing(way.value, now).length }))
      .sort((one, other) => one.far - other.far);
    const could = nearest.map(({ words, value }) => `${words} (${changes(before, value)})`);
    return `${step} takes what is compared from ${shortText(before)} to ${shortText(now)} (${changes(before, now)}), which is no step of the specification: there it could ${several(['stay as it is', ...could])}`;
  }

  /** With all states to which steps lead that change nothing of what is compared. */
  #closed(nodes: readonly Node[]): readonly Node[] {
    const all = new Set(nodes);
    for (const node of all)
      for (const { to } of this.#source.stepsFrom(node)) {
        if (this.of(to).key === this.of(node).key) all.add(to);
        if (all.size > this.#statesMax) throw manyHeld(this.#statesMax);
      }
    return [...all].sort((one, other) => (one < other ? -1 : 1));
  }
}

function ofEvents(
  sentence: string,
  specification: Specification,
  { event, watches }: EventMap,
  statesMax: number,
): Observer<RefinementMemory> {
  const read = guarded('event', event);
  const following = new Following(sourceOf(specification, read, statesMax), 'steps', statesMax);
  const known = (held: readonly Held[] | undefined) => {
    if (!held) throw manyHeld(statesMax);
    return held;
  };
  let isIdle = true;
  return {
    sentence,
    ...(watches && { watches }),
    begin: beginning,
    isIdle: () => isIdle,
    see(memory, observation): Found | undefined {
      const what = memory.stage === 'refused' ? undefined : read(observation);
      if (what === undefined) return undefined;
      isIdle = false;
      const before = memory.stage === 'begins' ? known(following.begin()) : memory.held;
      const after = known(following.after(before, what));
      memory.stage = after.length > 0 ? 'follows' : 'refused';
      memory.held = after;
      if (after.length > 0) return undefined;
      const possible = following.possible(before);
      const nearest = nearestOf(
        what,
        possible.map((one) => one.what),
      );
      const could =
        possible.length === 0
          ? 'nothing more'
          : several(possible.map((one) => `${shortText(one.what)} (${one.words})`));
      const near = nearest ? `; the nearest differs in ${nearest.words}` : '';
      const [actor, who] =
        observation.kind === 'probe'
          ? [observation.actor, observation.actor]
          : [observation.to, wordsOf(observation)];
      return {
        actors: [actor],
        why: `${who} shows ${shortText(what)}, which the specification cannot show there: it could show ${could}${near}`,
      };
    },
  };
}

/** Messages of a step that are named. */
const messagesMax = 4;

function stepWords(deliveries: readonly Delivered[]): string {
  if (deliveries.length === 0) return 'a step of the network';
  const last = deliveries.slice(-messagesMax).map(wordsOf);
  const more = deliveries.length - last.length;
  return `${more > 0 ? `a tick of ${deliveries.length} messages, at last ` : ''}${last.join(', then ')}`;
}

const changes = (before: unknown, after: unknown): string =>
  differing(before, after)
    .map(
      ({ path, one, other }) => `${path === '' ? '' : `${path}: `}${valueText(one)} to ${valueText(other)}`,
    )
    .join(', ') || 'nothing changes';

/** Ways that are named. */
const namedMax = 6;

const several = (words: readonly string[]): string =>
  words.length > namedMax
    ? `${words.slice(0, namedMax).join('; or ')}; or ${words.length - namedMax} more`
    : words.join('; or ');

const manyHeld = (statesMax: number): SpecificationError =>
  new SpecificationError(
    `found that the specification may be in more than ${statesMax} states at once (statesMax), expected at most so many`,
    'let it take fewer hidden steps, or compare more of it',
  );

/** Errors: `SpecificationError` for a promise: what it will be is not known when it is compared. */
function settled<R>(name: string, value: R): R {
  if (typeof (value as { then?: unknown } | null | undefined)?.then !== 'function') return value;
  throw new SpecificationError(
    `the function "${name}" of the map gave a promise, expected a value`,
    'take async away: a map says what a state is, at once',
  );
}

/** A function of the user whose errors say that it is his. */
function guarded<A, R>(name: string, work: (given: A) => R): (given: A) => R {
  return (given) => {
    try {
      return settled(name, work(given));
    } catch (error) {
      if (error instanceof SpecificationError) throw error;
      throw new SpecificationError(
        `the function "${name}" of the map threw: ${error instanceof Error ? error.message : String(error)}`,
        'mend it: it is asked about every state or moment of the machine, and of a wired specification',
        { cause: error },
      );
    }
  };
}
