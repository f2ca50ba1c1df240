import { urgentWait } from './policies/bounded-wait.ts';
import { createPolicy, type PolicyName, type PolicyOptions } from './policies/policies.ts';
import type { Grant, PendingRequest, Policy, PolicyState } from './policies/policy.ts';
import type { Hold, RingChoice, RingState } from './ring-state.ts';
import { RingBoard } from './rings.ts';

/** A policy as the states of the arbiter and of its requests ask for it (Cell specification 17.2 to 17.4). */
export interface ArbitrationRule {
  /** In which order a round offers segments: the oldest first, the smallest with ageing first, or those that a plan starts now. */
  readonly order: 'oldest' | 'smallest' | 'planned';
  /** Which way a request looks at first; of two equally short ways both are. */
  readonly first: 'direction 0' | 'short way';
  readonly ring: RingChoice;
  /** When it may take the other way: whenever it is free, or when the waiting saved outweighs what it takes from the others. */
  readonly otherWay: 'when free' | 'when it pays';
  /** True when a request that cannot start ends the round. */
  readonly headBlocks: boolean;
  /** A round is needed only after an arrival or an end; or after a round with grants, too (Cell specification 17.1). */
  readonly roundAfter: 'change' | 'change or grants';
}

const oldestFirst: ArbitrationRule = {
  order: 'oldest',
  first: 'direction 0',
  ring: 'lowest',
  otherWay: 'when free',
  headBlocks: false,
  roundAfter: 'change',
};

/** The rules of all policies. */
export const arbitrationRules: Readonly<Record<PolicyName, ArbitrationRule>> = {
  'etalon-hol': { ...oldestFirst, headBlocks: true },
  'etalon-ff': oldestFirst,
  'fifo-both': { ...oldestFirst, first: 'short way' },
  'sjf-detour': {
    order: 'smallest',
    first: 'short way',
    ring: 'tightest',
    otherWay: 'when it pays',
    headBlocks: false,
    roundAfter: 'change or grants',
  },
  'sjf-plan': { ...oldestFirst, order: 'planned' },
};

/** Cycles of waiting that outweigh one byte of size (Cell specification 17.3, step 1). */
const waitPerByte = 50;

/** Requests by 50·size − wait, ties by their place in the list: all waits grow together, so the issue cycle stands for the wait (17.3, step 1). */
export const smallestFirst = (pending: readonly PendingRequest[]): readonly PendingRequest[] =>
  [...pending].sort((a, b) => waitPerByte * (a.size - b.size) + a.issue - b.issue);

/** The last issue cycle of urgent requests, given the one of the decision before (Cell specification 17.5). */
export function urgentThrough(
  { N, K, boundedWait }: PolicyOptions,
  pending: readonly PendingRequest[],
  start: number,
  before: number,
): number {
  if (!boundedWait) return -1;
  const limit = urgentWait(N, K, pending, boundedWait.factor);
  return Math.max(before, start - 1 - Math.min(limit, boundedWait.cap ?? Number.POSITIVE_INFINITY));
}

/** What a plan starts in cycle `start`: searching for it is a function, carrying it out is not (Cell specification 17.4). `state` is changed. */
export function planned(
  policy: Policy,
  { N, K }: PolicyOptions,
  rings: RingState,
  pending: readonly PendingRequest[],
  start: number,
  hold: Hold | null,
  state: PolicyState,
): readonly Grant[] {
  const board = new RingBoard(N, K);
  board.advance(start);
  for (const [row, cycles] of rings.entries())
    for (const [node, free] of cycles.entries())
      if (free > start) board.reserve(row < K ? 0 : 1, row % K, node, 1, free);
  if (hold) board.hold(hold.row < K ? 0 : 1, hold.row % K, hold.nodes[0]!, hold.nodes.length, hold.from);
  return policy.decide({ t: start, pending, board, N, K }, state);
}

/** The policy that plans, without the option of bounded waiting, which the arbiter carries out itself. */
export const plannerOf = (options: PolicyOptions): Policy =>
  createPolicy('sjf-plan', { ...options, boundedWait: null });
