import type { Message } from './message.ts';

/**
 * Which messages a fault may befall: those of channels and of a type; what is absent stands for all.
 *
 * Details: `from` and `to` are patterns of actor names, `type` is one of event types. In a pattern `*` stands for any characters but a dot and
 * `**` for any characters; the rest stands for itself, so `Cell.Spu[*].Dma` is every DMA module. What an actor sends to itself is no message
 * on a channel and never befallen; what comes from the outside is so only where `from` says `world`.
 */
export interface FaultPlace {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly type?: string | undefined;
}

/**
 * How often a fault strikes.
 *
 * Details: with a `probability` below 1 each chance is a pick, of a count in which the picks from 1 on strike with that probability (rounded
 * to millionths) when picks are uniform; 1 strikes always and asks for nothing, so that it can be relied on in every run. Without a
 * probability each chance is a pick of 2. In every case pick 0 means no fault, so that a run without picks is the sound one. `budget` is how
 * many times it may strike: 1 when neither is given, without limit when only `probability` is.
 */
export interface FaultOdds {
  readonly probability?: number | undefined;
  readonly budget?: number | undefined;
}

/** A message is never delivered. */
export type DropFault = { readonly kind: 'drop' } & FaultPlace & FaultOdds;
/** A message is delivered, and right behind it in the channel an equal one. */
export type DuplicateFault = { readonly kind: 'duplicate' } & FaultPlace & FaultOdds;
/** A message is due some ticks later, at least 1, and the channel waits for it: what is posted on it meanwhile stays behind it. */
export type DelayFault = { readonly kind: 'delay'; readonly ticks: number } & FaultPlace & FaultOdds;
/** A message is due some ticks later, at least 1, and what is posted on its channel meanwhile overtakes it. */
export type ReorderFault = { readonly kind: 'reorder'; readonly ticks: number } & FaultPlace & FaultOdds;
/** One bit of one field is another one: of the named field, or of any that holds numbers or truth values. */
export type CorruptFault = { readonly kind: 'corrupt'; readonly field?: string | undefined } & FaultPlace &
  FaultOdds;
/**
 * An actor stops in front of a message: that one, those that come later and its own delayed ones are lost. With `restart` it begins anew, in
 * its first state, that many ticks later, at least 1.
 *
 * Gotchas: what it begins with is the input of its placement, which must hold nothing that changes; a machine says which of its actors are so.
 */
export type CrashFault = {
  readonly kind: 'crash';
  readonly actor: string;
  readonly restart?: number | undefined;
} & FaultOdds;

/** A fault that a run injects where its picks say so (design, section 5). */
export type InjectedFault =
  | DropFault
  | DuplicateFault
  | DelayFault
  | ReorderFault
  | CorruptFault
  | CrashFault;

/** A fault that struck, or what came of one. */
export interface Injection {
  readonly tick: number;
  /** Which of the run's faults, from 0; undefined for what the network of an asynchronous wiring did. */
  readonly fault: number | undefined;
  /** `lost`: a message that came to a crashed actor. `restart`: a crashed actor begins anew. `split`, `heal`: a network parts in two, and is whole again. */
  readonly kind: InjectedFault['kind'] | 'lost' | 'restart' | 'split' | 'heal';
  /** Name of the sender. */
  readonly from: string;
  /** Name of the receiver. */
  readonly to: string;
  /** The message as it was posted. */
  readonly message: Message;
  /** What happened, in words: `field "tag" is 5 instead of 4`. */
  readonly what: string;
}

/** How often a fault could have struck and did. */
export interface FaultTally {
  readonly chances: number;
  readonly struck: number;
}

/** Event type of the message by which a crashed actor begins anew. */
export const restartType = 'lockstep.restart';

/** What a run's future depends on besides actors and messages, when it has faults; plain data. */
export interface FaultState {
  readonly tallies: readonly FaultTally[];
  /** Channels that wait for a delayed message, and the tick in which it is due. */
  readonly heldUp: readonly { readonly from: number; readonly to: number; readonly until: number }[];
  /** Crashed actors, and the fault that did it. */
  readonly down: readonly { readonly address: number; readonly fault: number }[];
  /** Actors that began anew, and the number of the first message posted since. */
  readonly anew: readonly { readonly address: number; readonly since: number }[];
}

/** The count of which one picks whether a fault strikes, and how many picks from 1 on do. */
export function oddsOf({ probability }: FaultOdds): { readonly count: number; readonly strikes: number } {
  if (probability === undefined) return { count: 2, strikes: 1 };
  const millionths = Math.max(1, Math.round(probability * 1_000_000));
  const shared = greatestCommonDivisor(millionths, 1_000_000);
  return { count: 1_000_000 / shared, strikes: millionths / shared };
}

/** How many times a fault may strike. */
export const budgetOf = ({ probability, budget }: FaultOdds): number =>
  budget ?? (probability === undefined ? 1 : Number.POSITIVE_INFINITY);

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);
