import type { Address, Report } from '../../../kernel/message.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import { arraySide, columnOf, rowOf, tidAt } from '../array/identity.ts';
import type { JitterInput } from '../jitter.ts';
import type { BarrierKind } from '../messages.ts';

/** A hardware barrier: its kind, its line (or the smaller tid), and which of the line it joins (or the larger tid). */
export interface BarrierLine {
  readonly kind: BarrierKind;
  readonly index: number;
  readonly mask: number;
}

/** The barrier wires of one array, and whom they join. */
export interface SyncNetInput extends JitterInput {
  /** The CPEs by tid. */
  readonly cpes: readonly Address[];
  /** Cycles from the last arrival to the release, without distance; and for each step between clusters (specification 9.4). */
  readonly base: number;
  readonly hop: number;
}

/** The CPEs that a hardware barrier joins, offline ones included (specification 6.2). */
export function barrierMembers(kind: BarrierKind, index: number, mask: number): readonly number[] {
  if (kind === 'pair') return [index, mask];
  const members: number[] = [];
  for (let bit = 0; bit < arraySide; bit++)
    if ((mask >> bit) & 1) members.push(kind === 'row' ? tidAt(index, bit) : tidAt(bit, index));
  return members;
}

/**
 * Cycles from the last arrival to the release (specification 9.4).
 *
 * Details: of two points, the sums of their coordinates or the differences lie as far apart as their way is long, so that the extremes of both tell
 * the longest way without looking at every pair.
 */
export function barrierLatency(
  members: readonly number[],
  { base, hop }: Pick<SyncNetInput, 'base' | 'hop'>,
): number {
  let [leastSum, mostSum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [leastDifference, mostDifference] = [leastSum, mostSum];
  for (const tid of members) {
    const [x, y] = [columnOf(tid) >> 1, rowOf(tid) >> 1];
    leastSum = Math.min(leastSum, x + y);
    mostSum = Math.max(mostSum, x + y);
    leastDifference = Math.min(leastDifference, x - y);
    mostDifference = Math.max(mostDifference, x - y);
  }
  const farthest = members.length === 0 ? 0 : Math.max(mostSum - leastSum, mostDifference - leastDifference);
  return base + hop * farthest;
}

/** Keys by kind, and by line and mask as one number: one text for each is found faster than a new one. */
const keys: Readonly<Record<BarrierKind, Map<number, string>>> = {
  row: new Map(),
  column: new Map(),
  pair: new Map(),
};

/** What tells a barrier from others. */
export function keyOf({ kind, index, mask }: BarrierLine): string {
  const number = index * 256 + mask;
  let key = keys[kind].get(number);
  if (key === undefined) {
    key = `${kind} ${index} ${mask}`;
    keys[kind].set(number, key);
  }
  return key;
}

/** Whom the wires know. */
interface Wires {
  readonly spec: Fixed<Pick<SyncNetInput, 'cpes'>>;
  /** CPEs that take part in nothing any more. */
  readonly offline: readonly number[];
}

/** Members that can still come. */
export function membersOf({ spec, offline }: Wires, { kind, index, mask }: BarrierLine): readonly number[] {
  const members = barrierMembers(kind, index, mask);
  const { length } = spec.value.cpes;
  const isPresent = (tid: number): boolean => tid < length && !offline.includes(tid);
  return members.every(isPresent) ? members : members.filter(isPresent);
}

const hexadecimal = (mask: number): string => `0x${mask.toString(16).toUpperCase().padStart(2, '0')}`;

/** What is wrong when two CPEs of one line wait for each other at different barriers: they can never meet (specification 6.2, E20). */
export const mismatch = (met: number, other: BarrierLine, tid: number, mask: number): Report => ({
  property: 'CPEs of one line that wait for each other name the same mask',
  why: `MaskMismatch: CPE ${met} waits in ${other.kind} ${other.index} with mask ${hexadecimal(other.mask)}, CPE ${tid} with mask ${hexadecimal(mask)}`,
});

/** What is wrong when a CPE arrives where it does not belong. */
export const noMember = (tid: number, { kind, index, mask }: BarrierLine): Report => ({
  property: 'a CPE arrives only at barriers that it is a member of',
  why: `E_MASK: CPE ${tid} arrives at ${kind} ${index} with mask ${hexadecimal(mask)}`,
});
