import type { Observation } from '../../kernel/explore/observer.ts';
import { patternTest } from '../../kernel/faults-pattern.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { LockstepEvent, Probe } from '../../kernel/message.ts';
import { valueText } from '../../kernel/value-text.ts';
import { eventWords } from '../explore/message-words.ts';

/** An observation, and in which tick, where that is known: the exhaustive checker knows no absolute time. */
export type TimedObservation = Observation & { readonly tick?: number };

/** The state of the machine, before the first tick or at the end of one. What is remembered of it is only that it was. */
export interface StateMoment {
  readonly kind: 'state';
  readonly state?: GlobalState;
  readonly tick?: number;
}

/** What a sentence looks at: observations, states, and the ends of ticks. */
export type Moment = TimedObservation | StateMoment | { readonly kind: 'endOfTick' };

/** A question about the state of the machine. */
export type StatePredicate = (state: GlobalState) => boolean;

/** What a sentence is about: messages, probes, ends of ticks, or states in which something holds. */
export type Meaning = Pattern | StatePredicate;

/** Which moments are meant. */
export interface Pattern {
  /** Types of the messages or probes; none for states and ends of ticks. */
  readonly types: readonly string[];
  /** Patterns of names of actors that are given; none when absent. */
  readonly names?: readonly string[];
  /** What else is asked of them, in words: ` from A to B`; nothing when absent. */
  readonly besides?: string;
  /** True when its moments are states. */
  readonly ofStates?: true;
  /** True when its moments have keys. */
  readonly keyed: boolean;
  /** True when this is one of them. */
  matches(moment: Moment): boolean;
  /** What a moment is about, as text; the same for all when it was not said. Those of one key belong together. */
  key(moment: Moment): string;
  /** Whom it is about: the actor that shows a probe and the receiver of a message when it was not said. */
  who(moment: Moment): string;
  /** True when it means all actors alike, and names them in keys and `who` only: then they may be exchanged. */
  readonly alike: boolean;
}

/** The fields of an event, those of each where it is one of several. */
type FieldOf<E> = E extends unknown ? Exclude<keyof E & string, 'type'> : never;

/** What of an observation is meant: the name of an actor, a field, or what a function makes of it. `N`: the names of actors that it has. */
type Part<E, S, N extends string> = N | FieldOf<E> | ((event: E, observation: S) => unknown);

/** Which messages or probes are meant besides their type. What is absent is not looked at. */
interface Meant<E, S extends Observation, N extends string> {
  /** What must hold. */
  readonly where?: (event: E, observation: S) => boolean;
  /** What it is about: a request and its answer are about the same. A field, plain data, or the name of an actor. */
  readonly key?: Part<E, S, N>;
  /** Whom it is about, where one has or holds something: the name of an actor, a field, or plain data. */
  readonly who?: Part<E, S, N>;
}

/** A message as it was delivered. */
export type MessageObservation = Extract<TimedObservation, { kind: 'message' }>;
/** A probe as it was shown. */
export type ProbeObservation = Extract<TimedObservation, { kind: 'probe' }>;

/** Which messages are meant besides their type. `from` and `to` are patterns of names. */
export type MessageMeant<E> = Meant<E, MessageObservation, 'from' | 'to'> & {
  readonly from?: string;
  readonly to?: string;
};
/** Which probes are meant besides their type. `actor` is a pattern of names. */
export type ShownMeant<P> = Meant<P, ProbeObservation, 'actor'> & { readonly actor?: string };

/**
 * Messages of a type, or of one of several: `message('ring.grant', { to: 'Cell.Spu[*].Dma' })`.
 *
 * Details: names are patterns, as those of faults in scenarios: `*` stands for any text without a dot, `**` for any text.
 */
export function message<E extends LockstepEvent = LockstepEvent>(
  type: E['type'] | readonly E['type'][],
  meant: MessageMeant<E> = {},
): Pattern {
  const [from, to] = [patternTest(meant.from), patternTest(meant.to)];
  return pattern<E, MessageObservation, 'from' | 'to'>(type, 'message', meant, {
    event: (observation) => observation.event as E,
    names: ['to', 'from'],
    patterns: { from: meant.from, to: meant.to },
    matches: (observation) => from(observation.from) && to(observation.to),
    actor: (observation, which) => observation[which],
  });
}

/** Probes of a type, or of one of several: `shown('START', { actor: 'Eib.*' })`. Details: as of `message`. */
export function shown<P extends Probe = Probe>(
  type: P['type'] | readonly P['type'][],
  meant: ShownMeant<P> = {},
): Pattern {
  const actor = patternTest(meant.actor);
  return pattern<P, ProbeObservation, 'actor'>(type, 'probe', meant, {
    event: (observation) => observation.probe as P,
    names: ['actor'],
    patterns: { actor: meant.actor },
    matches: (observation) => actor(observation.actor),
    actor: (observation) => observation.actor,
  });
}

/** What a question was answered. Errors: `TypeError` for a promise, which would count as true. */
export function answered<T>(answer: T): T {
  if (typeof (answer as { readonly then?: unknown } | undefined)?.then === 'function')
    throw new TypeError('found a promise as the answer, expected true or false: take async away');
  return answer;
}

/** The end of a tick, of whatever key. */
export const endOfTick: Pattern = {
  types: [],
  keyed: false,
  matches: ({ kind }) => kind === 'endOfTick',
  key: () => '',
  who: () => '',
  alike: true,
};

/** Errors: `TypeError` always. */
export function refuseMeaning(meaning: unknown, or = ''): never {
  const found = meaning === undefined ? 'nothing' : typeof meaning;
  throw new TypeError(`found ${found}, expected a pattern such as message('lock.ask')${or}`);
}

/** The states in which something holds, as a pattern; a pattern is one already. Errors: `TypeError` for what is neither. */
export function patternOf(meaning: Meaning): Pattern {
  if (typeof (meaning as Partial<Pattern> | undefined)?.matches === 'function') return meaning as Pattern;
  if (typeof meaning !== 'function') refuseMeaning(meaning, ', or a function of a state');
  return {
    types: [],
    ofStates: true,
    keyed: false,
    matches: (moment) =>
      moment.kind === 'state' && moment.state !== undefined && answered(meaning(moment.state)),
    key: () => '',
    who: () => '',
    // What the predicate looks at is not known.
    alike: false,
  };
}

function pattern<E extends LockstepEvent | Probe, S extends TimedObservation, N extends string>(
  type: string | readonly string[],
  kind: Observation['kind'],
  meant: Meant<E, S, N>,
  of: {
    readonly event: (observation: S) => E;
    /** What of it is the name of an actor; the first one is whom it is about when nothing is said. */
    readonly names: readonly [N, ...N[]];
    /** Patterns of names that were given. */
    readonly patterns: Readonly<Record<N, string | undefined>>;
    readonly matches: (observation: S) => boolean;
    readonly actor: (observation: S, which: N) => string;
  },
): Pattern {
  const { where, key, who = of.names[0] } = meant;
  const unknown = Object.keys(meant).find((one) => !['where', 'key', 'who', ...of.names].includes(one));
  if (unknown !== undefined)
    throw new TypeError(`found "${unknown}", expected where, key, who, or ${of.names.join(' or ')}`);
  const types = typeof type === 'string' ? [type] : type;
  const isName = (part: Part<E, S, N>): part is N => of.names.includes(part as N);
  // What `matches` lets through is an observation of this kind.
  const textOf = (moment: Moment, part: Part<E, S, N>) => {
    const observation = moment as S;
    if (isName(part)) return of.actor(observation, part);
    const event = of.event(observation);
    if (typeof part === 'function') return text(part(event, observation));
    if (!(part in event))
      throw new TypeError(`found no field "${part}" in ${event.type}, expected ${fieldsOf(event, of.names)}`);
    return text(event[part as keyof E]);
  };
  return {
    types,
    names: of.names.flatMap((name) => of.patterns[name] ?? []),
    besides: `${of.names
      .toReversed()
      .flatMap((name) =>
        of.patterns[name] === undefined ? [] : [` ${asPreposition(name)} ${of.patterns[name]}`],
      )
      .join('')}${where === undefined ? '' : ' that meets its condition'}`,
    keyed: key !== undefined,
    matches: (moment) => {
      if (moment.kind !== kind) return false;
      const observation = moment as S;
      const event = of.event(observation);
      return (
        types.includes(event.type) && of.matches(observation) && answered(where?.(event, observation) ?? true)
      );
    },
    alike:
      where === undefined &&
      (key === undefined || isName(key)) &&
      isName(who) &&
      !of.names.some((name) => /\[\d+\]/.test(of.patterns[name] ?? '')),
    key: (moment) => (key === undefined ? '' : textOf(moment, key)),
    who: (moment) => textOf(moment, who),
  };
}

/** What a key may be, in words. */
const fieldsOf = (event: LockstepEvent | Probe, names: readonly string[]) =>
  [...names, ...Object.keys(event).filter((field) => field !== 'type')].join(', ');

/** Nothing is the empty key. */
const text = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : valueText(value);

/** Names of the actors of a moment. */
export function actorsOf(moment: Moment): readonly string[] {
  if (moment.kind === 'endOfTick' || moment.kind === 'state') return [];
  if (moment.kind === 'probe') return [moment.actor];
  return moment.from === 'world' ? [moment.to] : [moment.from, moment.to];
}

/** A moment in words: its type, its fields, whom it concerns, and when: `ring.grant tag=7 from Ring to Dma at tick 12`. */
export function wordsOf(moment: Moment): string {
  if (moment.kind === 'endOfTick') return 'the end of the tick';
  const when = moment.tick === undefined ? '' : ` at tick ${moment.tick}`;
  if (moment.kind === 'state') return `a state${when}`;
  if (moment.kind === 'probe') return `${eventWords(moment.probe)} of ${moment.actor}${when}`;
  return `${eventWords(moment.event)} from ${moment.from} to ${moment.to}${when}`;
}

const asPreposition = (name: string): string => (name === 'actor' ? 'of' : name);

/** What a pattern means, in words: `ring.grant or ring.refusal to Dma`; `it`: what holds in its states. */
export function meantBy({ types, besides = '', ofStates }: Pattern, it = 'it'): string {
  if (ofStates) return `state in which ${it} holds`;
  return types.length === 0 ? 'end of the tick' : `${types.join(' or ')}${besides}`;
}

/** A moment after two actors have changed places, as it is told: its fields stay, no verdict depends on them. */
export function exchangedMoment(moment: Moment, nameOf: (name: string) => string): Moment {
  if (moment.kind === 'endOfTick' || moment.kind === 'state') return moment;
  if (moment.kind === 'probe') return { ...moment, actor: nameOf(moment.actor) };
  return { ...moment, from: nameOf(moment.from), to: nameOf(moment.to) };
}

/** What of a moment is remembered: of a state only when it was. */
export const remembered = (moment: Moment): Moment =>
  moment.kind === 'state'
    ? { kind: 'state', ...(moment.tick !== undefined && { tick: moment.tick }) }
    : moment;
