import { arraySide, columnOf, rowOf, tidAt } from '../array/identity.ts';
import { returnCode } from '../return-code.ts';
import { type CpeGroup, groupMembers } from './group.ts';
import { allMeet } from './meeting.ts';

/** A barrier that the synchronisation network has (Sunway specification 6.2, hardware primitives). */
export type SyncPrimitive =
  /** Of the CPEs of the caller's row whose column bit is set. */
  | { readonly kind: 'synr'; readonly mask: number }
  /** Of the CPEs of the caller's column whose row bit is set. */
  | { readonly kind: 'sync'; readonly mask: number }
  /** Of the caller and another CPE. */
  | { readonly kind: 'synp'; readonly tid: number };

/** What one CPE does, in order, for a group barrier; or the code that it gets. */
export type BarrierSteps =
  | { readonly code: typeof returnCode.SUCCESS; readonly steps: readonly SyncPrimitive[] }
  | { readonly code: typeof returnCode.E_STATE | typeof returnCode.E_MASK; readonly steps: readonly [] };

/** Whose half of the columns `col_left` and `col_right` are barriers of (Sunway specification 15, C1). */
export type ColumnHalves = 'manual' | 'header';

/** What a barrier of a group has to know about a run. */
export interface BarrierFacts {
  /** True for a CPE that takes part; offline ones do not. */
  readonly available: (tid: number) => boolean;
  readonly columnHalves: ColumnHalves;
}

const wholeLine = 0xff;
const lowHalf = 0x0f;
const highHalf = 0xf0;

/**
 * What a CPE does for the barrier of its group (Sunway specification 6.2).
 *
 * Details: with members offline the two steps of a group may not bring together all the others. Then the first step is repeated, and where
 * that is not enough the lowest member meets each of the others twice.
 */
export function barrierSteps(group: CpeGroup, tid: number, facts: BarrierFacts): BarrierSteps {
  const refusal = refusalOf(group, tid, facts.columnHalves);
  if (refusal !== undefined) return { code: refusal, steps: [] };
  const phases = phasesOf(group, facts.columnHalves);
  const members = groupMembers(group, tid);
  if (phases.length === 1 || members.every(facts.available))
    return { code: returnCode.SUCCESS, steps: stepsOf(phases, tid, facts) };
  const present = members.filter(facts.available);
  for (const tried of [phases, [...phases, phases[0]!]])
    if (
      allMeet(
        present,
        tried.map((phase) => (one: number) => partners(phase(one), one, facts)),
      )
    )
      return { code: returnCode.SUCCESS, steps: stepsOf(tried, tid, facts) };
  return { code: returnCode.SUCCESS, steps: roundOfPairs(present, tid) };
}

/** The other CPEs that a primitive of a CPE waits for, itself included. */
export function partners(
  primitive: SyncPrimitive,
  tid: number,
  { available }: Pick<BarrierFacts, 'available'>,
): readonly number[] {
  return membersOfPrimitive(primitive, tid).filter((one) => one === tid || available(one));
}

/** The members of a primitive barrier as its caller names it, available or not. */
export function membersOfPrimitive(primitive: SyncPrimitive, tid: number): readonly number[] {
  const bits = Array.from({ length: arraySide }, (_, bit) => bit);
  switch (primitive.kind) {
    case 'synr':
      return bits.filter((bit) => (primitive.mask >> bit) & 1).map((column) => tidAt(rowOf(tid), column));
    case 'sync':
      return bits.filter((bit) => (primitive.mask >> bit) & 1).map((row) => tidAt(row, columnOf(tid)));
    case 'synp':
      return [tid, primitive.tid].sort((a, b) => a - b);
  }
}

type Phase = (tid: number) => SyncPrimitive;

const row =
  (mask: number): Phase =>
  () => ({ kind: 'synr', mask });
const column =
  (mask: number): Phase =>
  () => ({ kind: 'sync', mask });
const pair =
  (difference: number): Phase =>
  (tid) => ({ kind: 'synp', tid: tid ^ difference });

/** One primitive for each step, as a function of the CPE. */
function phasesOf(group: CpeGroup, halves: ColumnHalves): readonly Phase[] {
  switch (group) {
    case '2spe':
      return [pair(1)];
    case '1spc':
      return [pair(1), pair(8)];
    case '8spe':
    case 'row':
      return [row(wholeLine)];
    case 'col':
      return [column(wholeLine)];
    case 'col_left':
      return [column(halves === 'header' ? lowHalf : wholeLine)];
    case 'col_right':
      return [column(halves === 'header' ? highHalf : wholeLine)];
    case '2spc':
      return [(tid) => ({ kind: 'synr', mask: columnOf(tid) < 4 ? lowHalf : highHalf }), pair(8)];
    case '16spe':
    case '4spc':
      return [row(wholeLine), pair(8)];
    case '32spe':
    case '8spc':
      return [(tid) => ({ kind: 'sync', mask: rowOf(tid) < 4 ? lowHalf : highHalf }), row(wholeLine)];
    case 'array':
      return [row(wholeLine), column(wholeLine)];
  }
}

/** The manual lets only CPEs of some columns call the half-column barriers, the header those of some rows. */
function refusalOf(group: CpeGroup, tid: number, halves: ColumnHalves): 4 | 16 | undefined {
  if (group !== 'col_left' && group !== 'col_right') return undefined;
  const low = (halves === 'header' ? rowOf(tid) : columnOf(tid)) < 4;
  if (low === (group === 'col_left')) return undefined;
  return halves === 'header' ? returnCode.E_MASK : returnCode.E_STATE;
}

/** The primitives of a CPE; a pair whose other side is offline is left out. */
function stepsOf(phases: readonly Phase[], tid: number, { available }: BarrierFacts): SyncPrimitive[] {
  return phases.map((phase) => phase(tid)).filter((step) => step.kind !== 'synp' || available(step.tid));
}

/** The lowest CPE meets all others, so that it knows of them, and meets them again, so that they know. */
function roundOfPairs(present: readonly number[], tid: number): SyncPrimitive[] {
  const [leader, ...others] = present;
  if (leader === undefined) return [];
  const meetings = tid === leader ? others : [leader];
  return [...meetings, ...meetings].map((other) => ({ kind: 'synp', tid: other }));
}
