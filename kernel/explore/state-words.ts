import type { NetworkRules } from '../network.ts';
import { unshared } from './alternative.ts';

/*
 * How a state of a machine is written as 32-bit words: how many local states it has; one memory an observer; the present tick, where it matters; the budget state of faults, where there is more than one; what
 * its tick has done so far, where infinite runs are judged, 0 between ticks; whether there was a tick, where steps are counted; of a network that loses so many messages, splits or crashes, the losses, the split, the number of splits, and of parties that are
 * down; the versions of what actors share, one word an object, see `Sharing`; the local states by slot, without the unborn ones at the end; the messages under way, two words each: in how many ticks it is due, and its message. Messages are in the order of due, then channel, then
 * posting, which is all that matters of their order: so a state has one spelling. In an asynchronous wiring all are due in 0 ticks; in an unordered network those of one channel are in the order of their message.
 */

/** Where things are in the words of a state. */
export interface Layout {
  /** Words before the local states. */
  readonly header: number;
  /** Place of the present tick, or of the number of steps in an asynchronous wiring; undefined where it does not matter. */
  readonly clock: number | undefined;
  /** Place of the budget state of faults, undefined where there is one only. */
  readonly budget: number | undefined;
  /** Place of what the present tick has done so far, see `Trails`; undefined where nobody asks. */
  readonly trail: number | undefined;
  /** In an asynchronous wiring whose ticks an observer counts, place of a word that is 0 before the first one and 1 after it: before that no time passes. */
  readonly begun: number | undefined;
  /** Place of the words of the network, see `networkWords`; undefined where it has none. */
  readonly network: number | undefined;
  /** Place of the first version of what actors share, `header` where they share nothing: the last words of the header. */
  readonly shared: number;
}

/** The words of a network in a state, in their order. */
export const networkWords = ['losses', 'split', 'splits', 'downs'] as const;

/** The layout for so many observers. */
export const layoutFor = (
  observers: number,
  withClock: boolean,
  withBudget: boolean,
  withTrail: boolean,
  withBegun: boolean,
  network: NetworkRules | undefined,
  shared: number,
): Layout => {
  const afterClock = 1 + observers + (withClock ? 1 : 0);
  const afterBudget = afterClock + (withBudget ? 1 : 0);
  const afterTrail = afterBudget + (withTrail ? 1 : 0);
  const withNetwork =
    network !== undefined &&
    ((network.lossesMax > 0 && Number.isFinite(network.lossesMax)) ||
      network.splitsMax > 0 ||
      network.crashes !== undefined);
  const afterBegun = afterTrail + (withBegun ? 1 : 0);
  const afterNetwork = afterBegun + (withNetwork ? networkWords.length : 0);
  return {
    header: afterNetwork + shared,
    shared: afterNetwork,
    network: withNetwork ? afterBegun : undefined,
    begun: withBegun ? afterTrail : undefined,
    clock: withClock ? 1 + observers : undefined,
    budget: withBudget ? afterClock : undefined,
    trail: withTrail ? afterBudget : undefined,
  };
};

/** The budget state of the state at `at`. */
export const budgetAt = ({ budget }: Layout, words: Uint32Array, at: number): number =>
  budget === undefined ? 0 : words[at + budget]!;

/** The version of what actors share, in the state at `at`: of the objects of a cluster (see `Sharing`), or `unshared` without one. */
export const versionAt = ({ shared }: Layout, words: Uint32Array, at: number, cluster: number): number =>
  cluster < 0 ? unshared : words[at + shared + cluster]!;

/** The local state in a slot of the state at `at`; 0 for one that is not born. */
export const localAt = ({ header }: Layout, words: Uint32Array, at: number, slot: number): number =>
  slot < words[at]! ? words[at + header + slot]! : 0;

/** Where the messages of the state at `at` begin. */
export const messagesAt = ({ header }: Layout, words: Uint32Array, at: number): number =>
  at + header + words[at]!;

/** Moves a state with messages, from the start of `words` on, to its next tick. Returns how many ticks that is. */
export function moveOn(layout: Layout, words: Uint32Array, length: number): number {
  const first = messagesAt(layout, words, 0);
  const passed = words[first]!;
  if (layout.clock !== undefined) words[layout.clock] = words[layout.clock]! + passed;
  if (passed > 0) for (let i = first; i < length; i += 2) words[i] = words[i]! - passed;
  return passed;
}
