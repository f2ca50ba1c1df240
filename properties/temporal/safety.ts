import type { Found, Observation, Observer } from '../../kernel/explore/observer.ts';
import type { GlobalState } from '../../kernel/global-state.ts';
import { onlyKeys } from '../../kernel/known-keys.ts';
import { exchangedKeys, exchanging, sameKeys, seeing, watching } from './claim.ts';
import {
  actorsOf,
  answered,
  endOfTick,
  exchangedMoment,
  type Meaning,
  type Moment,
  meantBy,
  type Pattern,
  patternOf,
  wordsOf,
} from './pattern.ts';

/** When a sentence is looked at; always when nothing is said. Of patterns with keys, each key by itself. */
export interface Scope {
  /** From such a moment on, itself not included; again and again with `until`. */
  readonly after?: Pattern;
  /** Up to such a moment, itself not included. */
  readonly until?: Pattern;
}

/** What a scope remembers: the keys that are no longer as at the beginning, ascending. */
export interface ScopeMemory {
  turned: readonly string[];
}

/** No such moment or state ever comes, or none in the scope: `never('…', write, { after: acquired, until: released })`. */
export const never = (sentence: string, meaning: Meaning, scope: Scope = {}): Observer<ScopeMemory> =>
  scoped(sentence, patternOf(meaning), scope, (moment) =>
    found(moment, moment.kind === 'state' ? 'such a state came' : wordsOf(moment)),
  );

/** True when a state is as it should be; false, or what is wrong in words. */
export type StateRule = (state: GlobalState) => boolean | string;

/**
 * Every state is as it should be, or every moment of a pattern: `holds` answers true, false, or what is wrong in words.
 *
 * Details: `holds` gets the state, or the event of a message or the probe that was shown.
 */
export function always(sentence: string, holds: StateRule, scope?: Scope): Observer<ScopeMemory>;
export function always<E>(
  sentence: string,
  pattern: Pattern,
  holds: (event: E, moment: Moment) => boolean | string,
  scope?: Scope,
): Observer<ScopeMemory>;
export function always<E>(
  sentence: string,
  meaning: Pattern | StateRule,
  ...[first, second]: readonly (Scope | ((event: E, moment: Moment) => boolean | string) | undefined)[]
): Observer<ScopeMemory> {
  const ofStates = typeof meaning === 'function';
  const judge = (moment: Moment): boolean | string => {
    if (!ofStates)
      return (first as (event: E, moment: Moment) => boolean | string)(eventOf(moment) as E, moment);
    return moment.kind !== 'state' || moment.state === undefined || meaning(moment.state);
  };
  const scope = (ofStates ? first : second) as Scope | undefined;
  // What `holds` looks at is not known.
  const pattern = ofStates ? patternOf(() => true) : { ...patternOf(meaning), alike: false };
  if (!ofStates && typeof first !== 'function')
    throw new TypeError(`"${sentence}": expected a function of the events behind the pattern`);
  return scoped(sentence, pattern, scope ?? {}, (moment) => {
    const verdict = toldAnswer(judge(moment));
    if (verdict === true) return undefined;
    if (moment.kind === 'state') return found(moment, verdict || 'it does not hold in this state');
    return found(moment, verdict === false ? wordsOf(moment) : `${wordsOf(moment)}: ${verdict}`);
  });
}

/** An answer, or what is told of none: mostly a `return` was forgotten. */
const toldAnswer = (answer: boolean | string): boolean | string =>
  answered(answer) ?? 'it gives undefined, expected true, false or what is wrong in words';

/**
 * How everything stands where a run has come to rest: `atRest('all replicas agree', (state) => …)`; `holds` answers true, false, or what is wrong in words.
 *
 * Details: says nothing of runs that never come to rest; that they all do, `eventually` says. Not the same as `always` where `state.messages` is empty: in a network without order, a message that
 * changes nothing in its receiver stays under way, so that this may never be.
 */
export const atRest = (sentence: string, holds: StateRule): Observer<object> => {
  if (typeof holds !== 'function')
    throw new TypeError(`"${sentence}": expected a function of the state of the whole machine`);
  return {
    sentence,
    watches: [],
    keepsNothing: true,
    begin: () => ({}),
    see: () => undefined,
    exchange: (memory) => ({ ...memory }),
    seeRest: (_memory, state) => {
      const verdict = toldAnswer(holds(state));
      return verdict === true ? undefined : { actors: [], why: verdict || 'it does not hold at the end' };
    },
  };
};

/**
 * Some run shows such a moment or comes to such a state: a check of what should be possible.
 *
 * Details: `check` looks for a witness among all runs, and finds the sentence violated when it has gone through them and there is none. A single run proves nothing against it.
 */
export function reachable(sentence: string, meaning: Meaning): Observer<object> {
  const pattern = patternOf(meaning);
  return {
    sentence,
    ...watching(pattern),
    reachable: true,
    begin: () => ({}),
    ...exchanging<object>([pattern], (memory) => ({ ...memory })),
    ...seeing<object>([pattern], (_memory, moment) =>
      pattern.matches(moment) ? found(moment, wordsOf(moment)) : undefined,
    ),
  };
}

const eventOf = (moment: Moment): unknown =>
  moment.kind === 'message' ? moment.event : moment.kind === 'probe' ? moment.probe : undefined;

function scoped(
  sentence: string,
  pattern: Pattern,
  { after, until, ...others }: Scope,
  judge: (moment: Moment) => Found | undefined,
): Observer<ScopeMemory> {
  onlyKeys('scope', others, ['after', 'until']);
  const patterns = [pattern, after, until].filter((one) => one !== undefined);
  sameKeys(sentence, patterns);
  const see = (memory: ScopeMemory, moment: Moment): Found | undefined => {
    if (until?.matches(moment)) close(memory, moment);
    const isIn = (key: string) => memory.turned.includes(key) === (after !== undefined);
    const verdict = pattern.matches(moment) && isIn(pattern.key(moment)) ? judge(moment) : undefined;
    if (after?.matches(moment)) memory.turned = withKey(memory.turned, after.key(moment));
    return verdict;
  };
  const close = (memory: ScopeMemory, moment: Moment) => {
    if (!after) memory.turned = withKey(memory.turned, until!.key(moment));
    else if (moment.kind === 'endOfTick') memory.turned = [];
    else memory.turned = memory.turned.filter((key) => key !== until!.key(moment));
  };
  return {
    sentence,
    ...watching(...patterns),
    begin: () => ({ turned: [] }),
    ...exchanging<ScopeMemory>(patterns, ({ turned }, nameOf) => ({ turned: exchangedKeys(turned, nameOf) })),
    ...seeing<ScopeMemory>(patterns, see),
    ...(after && {
      opens: (observation: Observation, judged: Observation) =>
        after.matches(observation) &&
        pattern.matches(judged) &&
        after.key(observation) === pattern.key(judged),
    }),
    ...(patterns.includes(endOfTick) && {
      endOfTick: (memory: ScopeMemory) => see(memory, { kind: 'endOfTick' }),
    }),
  };
}

/** Keys with one more, each once, ascending: memories that hold the same are equal. */
const withKey = (keys: readonly string[], key: string): readonly string[] =>
  keys.includes(key) ? keys : [...keys, key].sort();

/** Nothing of `second` comes before something of `first` with the same key has come. */
export function before(
  sentence: string,
  first: Pattern,
  second: Pattern,
): Observer<{ seen: readonly string[] }> {
  sameKeys(sentence, [first, second]);
  return {
    sentence,
    ...watching(first, second),
    begin: () => ({ seen: [] }),
    ...exchanging<{ seen: readonly string[] }>([first, second], ({ seen }, nameOf) => ({
      seen: exchangedKeys(seen, nameOf),
    })),
    see: (memory, observation) => {
      if (first.matches(observation)) memory.seen = withKey(memory.seen, first.key(observation));
      if (!second.matches(observation) || memory.seen.includes(second.key(observation))) return undefined;
      return found(observation, `${wordsOf(observation)} came before any ${meantBy(first)}`);
    },
  };
}

export interface Holding {
  readonly key: string;
  readonly who: string;
  readonly since: Moment;
}

/**
 * At most one holds something at a time: `who` of `enter` holds what its key says until it comes with `leave`.
 *
 * Details: a message is about its receiver and a probe about the actor that shows it when the patterns do not say who; so for a `leave` that the holder sends, say
 * `who: 'from'`. Who enters again without having left still is one. Who holds, and what, can be exchanged (`check --symmetry`) when both are names of actors.
 */
export function atMostOne(
  sentence: string,
  enter: Pattern,
  leave: Pattern,
): Observer<{ holders: readonly Holding[] }> {
  sameKeys(sentence, [enter, leave]);
  return {
    sentence,
    ...watching(enter, leave),
    begin: () => ({ holders: [] }),
    ...exchanging([enter, leave], exchangedHolders),
    see: (memory, observation) => {
      if (leave.matches(observation))
        memory.holders = freed(memory.holders, leave.key(observation), leave.who(observation));
      if (!enter.matches(observation)) return undefined;
      const [key, who] = [enter.key(observation), enter.who(observation)];
      const others = freed(memory.holders, key, who);
      const known = memory.holders.find((one) => !others.includes(one));
      memory.holders = [...others, known ?? { key, who, since: observation }].sort(byName);
      const other = known ? undefined : others.find((one) => one.key === key);
      if (!other) return undefined;
      const actors = [...new Set([...actorsOf(observation), ...actorsOf(other.since)])];
      return { actors, why: `${wordsOf(observation)}, while ${wordsOf(other.since)} had not ended` };
    },
  };
}

const exchangedHolders = (
  { holders }: { holders: readonly Holding[] },
  nameOf: (name: string) => string,
): { holders: readonly Holding[] } => ({
  holders: holders
    .map(({ key, who, since }) => ({
      key: nameOf(key),
      who: nameOf(who),
      since: exchangedMoment(since, nameOf),
    }))
    .sort(byName),
});

const freed = (holders: readonly Holding[], key: string, who: string): readonly Holding[] =>
  holders.filter((one) => one.key !== key || one.who !== who);

const byName = (one: Holding, other: Holding): number =>
  one.key === other.key ? (one.who < other.who ? -1 : 1) : one.key < other.key ? -1 : 1;

const found = (moment: Moment, why: string): Found => ({ actors: actorsOf(moment), why });
