import type { WarpLine } from './protocol.ts';
import type { StallReason } from './statistics.ts';
import type { GpuTiming } from './timing.ts';
import { unitCount, units } from './units.ts';

/*
 * How the schedulers of a SIMT core find the warp that issues (chiplet specification 7.3). The slots of a scheduler are those whose number gives its own as the remainder. Each
 * scheduler has an arithmetic unit of its own, and perhaps one for special functions; memory has one unit in a core.
 */

/** The request line of a warp, as it said last. */
type Line = { -readonly [F in 'slot' | 'waits' | 'unit' | 'from']: WarpLine[F] };

/** What schedulers look at. */
export interface Scheduling {
  /** The request lines of warps, in the order in which the warps came. */
  lines: Line[];
  /** By scheduler and unit: the first cycle in which it takes an instruction. */
  unitFree: number[];
  /** By scheduler: the slot that it issued from last; -1 before that. */
  last: number[];
}

export const restingSchedulers = (schedulers: number): Scheduling => ({
  lines: [],
  unitFree: new Array<number>(schedulers * unitCount).fill(0),
  last: new Array<number>(schedulers).fill(-1),
});

/** When the unit that a warp needs takes its instruction. */
const unitAt = ({ unitFree, last }: Scheduling, { slot, unit }: Line): number =>
  unitFree[(slot % last.length) * unitCount + unit]!;

const isTimed = ({ waits }: Line): boolean => waits === 'turn' || waits === 'result' || waits === 'target';

/** True for a warp that waits for its turn alone, and whose unit takes an instruction. */
export const canIssue = (c: Scheduling, line: Line, cycle: number): boolean =>
  line.waits === 'turn' && line.from <= cycle && unitAt(c, line) <= cycle;

/** The slots that a scheduler can issue from in a cycle, ascending. */
export function issuable(c: Scheduling, scheduler: number, cycle: number): readonly number[] {
  const slots: number[] = [];
  for (const line of c.lines)
    if (line.slot % c.last.length === scheduler && canIssue(c, line, cycle)) slots.push(line.slot);
  return slots.length > 1 ? slots.sort((a, b) => a - b) : slots;
}

/** The slot that a scheduler issues from: greedy then oldest, or loose round robin; -1 when there is none. */
export function chosenSlot(
  c: Scheduling,
  { scheduler: kind }: Pick<GpuTiming, 'scheduler'>,
  scheduler: number,
  cycle: number,
): number {
  const slots = issuable(c, scheduler, cycle);
  const last = c.last[scheduler]!;
  if (kind === 'lrr') return slots.find((slot) => slot > last) ?? slots[0] ?? -1;
  if (slots.includes(last)) return last;
  return c.lines.find(({ slot }) => slots.includes(slot))?.slot ?? -1;
}

/** Slots of warps whose cycle has come. */
export function dueSlots({ lines }: Scheduling, cycle: number): number[] {
  const slots: number[] = [];
  for (const line of lines)
    if (isTimed(line) && line.waits !== 'turn' && line.from <= cycle) slots.push(line.slot);
  return slots;
}

/** The first cycle after `cycle` in which a warp can issue; infinite when all of them wait for something else. */
export function nextIssue(c: Scheduling, cycle: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const line of c.lines) if (isTimed(line)) next = Math.min(next, Math.max(line.from, unitAt(c, line)));
  return Math.max(cycle + 1, next);
}

const reasonsByRank = ['memory', 'message', 'barrier'] as const;

/** Why a scheduler issues nothing: of several reasons the one that ends by itself, or else the one that ends soonest (chiplet specification 7.4). */
export function stallOf(c: Scheduling, scheduler: number): StallReason {
  let rank: number = reasonsByRank.length;
  for (const line of c.lines) {
    if (line.slot % c.last.length !== scheduler) continue;
    if (isTimed(line)) return 'scoreboard';
    const own = reasonsByRank.indexOf(line.waits as (typeof reasonsByRank)[number]);
    if (own >= 0 && own < rank) rank = own;
  }
  return reasonsByRank[rank] ?? 'noWarp';
}

/** Keeps what a warp says it waits for; a slot that is free has no line. */
export function keepLine(c: Scheduling, { slot, waits, unit, from }: WarpLine): void {
  for (const line of c.lines)
    if (line.slot === slot) {
      line.waits = waits;
      line.unit = unit;
      line.from = from;
      return;
    }
  c.lines.push({ slot, waits, unit, from });
}

/** Keeps the unit of an instruction busy until a cycle: that of its scheduler, or the one of the core. */
export function occupy(
  { unitFree }: Scheduling,
  scheduler: number,
  unit: number,
  until: number,
  { specialOfScheduler }: Pick<GpuTiming, 'specialOfScheduler'>,
): void {
  if (unit === units.none) return;
  if (unit === units.arithmetic || (unit === units.special && specialOfScheduler))
    unitFree[scheduler * unitCount + unit] = until;
  else for (let at = unit; at < unitFree.length; at += unitCount) unitFree[at] = until;
}
