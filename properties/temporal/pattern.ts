import type { Sight } from '../../kernel/explore/observer.ts';
import { patternTest } from '../../kernel/faults-pattern.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import type { LockstepEvent, Probe } from '../../kernel/message.ts';
import { eventWords } from '../explore/message-words.ts';

/** A sight, and in which tick, where that is known: the exhaustive checker knows no absolute time. */
export type TimedSight = Sight & { readonly tick?: number };

/** The state of the machine, before the first tick or at the end of one. What is remembered of it is only that it was. */
export interface StateMoment {
  readonly kind: 'state';
  readonly state?: GlobalState;
  readonly tick?: number;
}

/** What a sentence looks at: sights, states, and the ends of ticks. */
export type Moment = TimedSight | StateMoment | { readonly kind: 'endOfTick' };

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
interface Meant<E, S extends Sight> {
  /** What must hold. */
  readonly where?: (event: E, sight: S) => boolean;
  /** What it is about: a request and its answer are about the same. Plain data. */
  readonly key?: (event: E, sight: S) => unknown;
  /** Whom it is about, where one has or holds something: the sender of a message, its receiver, or plain data. */
  readonly who?: 'from' | 'to' | ((event: E, sight: S) => unknown);
}

/** A message as it was delivered. */
export type MessageSight = Extract<TimedSight, { kind: 'message' }>;
/** A probe as it was shown. */
export type ProbeSight = Extract<TimedSight, { kind: 'probe' }>;

/**
 * Messages of a type, or of one of several: `message('ring.grant', { to: 'Cell.Spu[*].Dma' })`.
 *
 * Details: names are patterns, as those of faults in scenarios: `*` stands for any text without a dot, `**` for any text.
 */
export function message<E extends LockstepEvent = LockstepEvent>(
  type: E['type'] | readonly E['type'][],
  meant: Meant<E, MessageSight> & { readonly from?: string; readonly to?: string } = {},
): Pattern {
  const [from, to] = [patternTest(meant.from), patternTest(meant.to)];
  return pattern<E, MessageSight>(type, 'message', meant, {
    event: (sight) => sight.event as E,
    names: (sight) => from(sight.from) && to(sight.to),
    who: (sight) => sight.to,
  });
}

/** Probes of a type, or of one of several: `shown('START', { actor: 'Eib.*' })`. Details: as of `message`. */
export function shown<P extends Probe = Probe>(
  type: P['type'] | readonly P['type'][],
  meant: Meant<P, ProbeSight> & { readonly actor?: string } = {},
): Pattern {
  const actor = patternTest(meant.actor);
  return pattern<P, ProbeSight>(type, 'probe', meant, {
    event: (sight) => sight.probe as P,
    names: (sight) => actor(sight.actor),
    who: (sight) => sight.actor,
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

function pattern<E extends LockstepEvent | Probe, S extends TimedSight>(
  type: string | readonly string[],
  kind: Sight['kind'],
  { where, key, who }: Meant<E, S>,
  of: {
    readonly event: (sight: S) => E;
    readonly names: (sight: S) => boolean;
    readonly who: (sight: S) => string;
  },
): Pattern {
  const types = typeof type === 'string' ? [type] : type;
  // What `matches` lets through is a sight of this kind.
  const sightOf = (moment: Moment) => moment as S;
  return {
    types,
    keyed: key !== undefined,
    matches: (moment) => {
      if (moment.kind !== kind) return false;
      const sight = sightOf(moment);
      const event = of.event(sight);
      return types.includes(event.type) && of.names(sight) && (where?.(event, sight) ?? true);
    },
    whoIsActor: typeof who !== 'function',
    key: (moment) => (key ? text(key(of.event(sightOf(moment)), sightOf(moment))) : ''),
    who: (moment) => {
      const sight = sightOf(moment);
      if (typeof who === 'function') return text(who(of.event(sight), sight));
      return who === undefined || sight.kind !== 'message' ? of.who(sight) : sight[who];
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
