import type { Observation } from '../../kernel/explore/observer.ts';
import { patternTest } from '../../kernel/faults-pattern.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { LockstepEvent, Probe } from '../../kernel/message.ts';
import { eventWords } from '../explore/message-words.ts';

/** A observation, and in which tick, where that is known: the exhaustive checker knows no absolute time. */
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
  /** True when that is the name of an actor for certain. */
  readonly whoIsActor: boolean;
}

/** Which messages or probes are meant besides their type. What is absent is not looked at. */
interface Meant<E, S extends Observation> {
  /** What must hold. */
  readonly where?: (event: E, observation: S) => boolean;
  /** What it is about: a request and its answer are about the same. Plain data. */
  readonly key?: (event: E, observation: S) => unknown;
  /** Whom it is about, where one has or holds something: the sender of a message, its receiver, or plain data. */
  readonly who?: 'from' | 'to' | ((event: E, observation: S) => unknown);
}

/** A message as it was delivered. */
export type MessageObservation = Extract<TimedObservation, { kind: 'message' }>;
/** A probe as it was shown. */
export type ProbeObservation = Extract<TimedObservation, { kind: 'probe' }>;

/** Which messages are meant besides their type. `from` and `to` are patterns of names. */
export type MessageMeant<E> = Meant<E, MessageObservation> & { readonly from?: string; readonly to?: string };
/** Which probes are meant besides their type. `actor` is a pattern of names. */
export type ShownMeant<P> = Meant<P, ProbeObservation> & { readonly actor?: string };

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
  return pattern<E, MessageObservation>(type, 'message', meant, {
    event: (observation) => observation.event as E,
    names: (observation) => from(observation.from) && to(observation.to),
    who: (observation) => observation.to,
  });
}

/** Probes of a type, or of one of several: `shown('START', { actor: 'Eib.*' })`. Details: as of `message`. */
export function shown<P extends Probe = Probe>(
  type: P['type'] | readonly P['type'][],
  meant: ShownMeant<P> = {},
): Pattern {
  const actor = patternTest(meant.actor);
  return pattern<P, ProbeObservation>(type, 'probe', meant, {
    event: (observation) => observation.probe as P,
    names: (observation) => actor(observation.actor),
    who: (observation) => observation.actor,
  });
}

/** The end of a tick, of whatever key. */
export const endOfTick: Pattern = {
  types: [],
  keyed: false,
  matches: ({ kind }) => kind === 'endOfTick',
  key: () => '',
  who: () => '',
  whoIsActor: true,
};

/** The states in which something holds, as a pattern; a pattern is one already. */
export const patternOf = (meaning: Meaning): Pattern =>
  typeof meaning === 'object'
    ? meaning
    : {
        types: [],
        ofStates: true,
        keyed: false,
        matches: (moment) => moment.kind === 'state' && moment.state !== undefined && meaning(moment.state),
        key: () => '',
        who: () => '',
        whoIsActor: true,
      };

function pattern<E extends LockstepEvent | Probe, S extends TimedObservation>(
  type: string | readonly string[],
  kind: Observation['kind'],
  { where, key, who }: Meant<E, S>,
  of: {
    readonly event: (observation: S) => E;
    readonly names: (observation: S) => boolean;
    readonly who: (observation: S) => string;
  },
): Pattern {
  const types = typeof type === 'string' ? [type] : type;
  // What `matches` lets through is a observation of this kind.
  const observationOf = (moment: Moment) => moment as S;
  return {
    types,
    keyed: key !== undefined,
    matches: (moment) => {
      if (moment.kind !== kind) return false;
      const observation = observationOf(moment);
      const event = of.event(observation);
      return types.includes(event.type) && of.names(observation) && (where?.(event, observation) ?? true);
    },
    whoIsActor: typeof who !== 'function',
    key: (moment) => (key ? text(key(of.event(observationOf(moment)), observationOf(moment))) : ''),
    who: (moment) => {
      const observation = observationOf(moment);
      if (typeof who === 'function') return text(who(of.event(observation), observation));
      return who === undefined || observation.kind !== 'message' ? of.who(observation) : observation[who];
    },
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

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

/** What a pattern means, in words: its types. */
export const meantBy = ({ types, ofStates }: Pattern): string =>
  ofStates ? 'state in which it holds' : types.length === 0 ? 'end of the tick' : types.join(' or ');

/** What of a moment is remembered: of a state only when it was. */
export const remembered = (moment: Moment): Moment =>
  moment.kind === 'state'
    ? { kind: 'state', ...(moment.tick !== undefined && { tick: moment.tick }) }
    : moment;
