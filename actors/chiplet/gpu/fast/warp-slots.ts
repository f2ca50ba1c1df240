import type { Hasher } from '../../../../kernel/hash.ts';
import type { StallReason } from '../statistics.ts';
import type { GpuTiming } from '../timing.ts';
import { unitCount } from '../units.ts';

/** What a slot does when it does not issue, by rank: of several the one that ends by itself is told, or else the one that ends soonest. */
export const waits = { noWarp: 0, barrier: 1, message: 2, registers: 3 } as const;
const waitReasons: readonly StallReason[] = ['noWarp', 'barrier', 'message', 'memory'];

/**
 * The slots of a core and the schedulers that issue from them (chiplet specification 7.3): when each warp can issue, and from which one a scheduler does.
 *
 * Details: the slots of a scheduler are those whose number gives its own as the remainder. Each scheduler has an arithmetic unit of its own,
 * and perhaps one for special functions; memory has one unit in a core.
 */
export class WarpSlots {
  /** By slot: the first cycle in which the warp can issue, as far as its registers are concerned; infinite while it waits, and without a warp. */
  readonly #earliest: Float64Array;
  /** By slot: the unit that its next instruction needs, and what the warp waits for. */
  readonly #unit: Uint8Array;
  readonly #wait: Uint8Array;
  /** By scheduler: its slots that have a warp, in the order in which the warps came. */
  readonly #byAge: number[][];
  /** By scheduler and unit: the first cycle in which it takes an instruction. */
  readonly #free: Float64Array;
  /** Slot that each scheduler issued from last. */
  readonly #last: Int32Array;

  constructor(
    readonly timing: Pick<GpuTiming, 'schedulersPerCore' | 'warpsPerCore' | 'scheduler'>,
    from?: WarpSlots,
  ) {
    const { schedulersPerCore, warpsPerCore } = timing;
    this.#earliest = from
      ? from.#earliest.slice()
      : new Float64Array(warpsPerCore).fill(Number.POSITIVE_INFINITY);
    this.#unit = from ? from.#unit.slice() : new Uint8Array(warpsPerCore);
    this.#wait = from ? from.#wait.slice() : new Uint8Array(warpsPerCore);
    this.#byAge = Array.from({ length: schedulersPerCore }, (_, at) => (from ? [...from.#byAge[at]!] : []));
    this.#free = from ? from.#free.slice() : new Float64Array(schedulersPerCore * unitCount);
    this.#last = from ? from.#last.slice() : new Int32Array(schedulersPerCore).fill(-1);
  }

  /** A warp comes into a slot. */
  enter(slot: number): void {
    this.#byAge[slot % this.timing.schedulersPerCore]!.push(slot);
    this.#wait[slot] = waits.registers;
  }

  /** A slot has no warp any more. */
  leave(slot: number): void {
    const list = this.#byAge[slot % this.timing.schedulersPerCore]!;
    list.splice(list.indexOf(slot), 1);
    this.rest(slot, waits.noWarp);
  }

  /** A warp waits for something that comes from outside. */
  rest(slot: number, wait: number): void {
    this.#wait[slot] = wait;
    this.#earliest[slot] = Number.POSITIVE_INFINITY;
  }

  /** A warp can issue its next instruction, which needs a unit, from a cycle on; infinite while a register waits for memory. */
  plan(slot: number, unit: number, cycle: number): void {
    this.#wait[slot] = waits.registers;
    this.#unit[slot] = unit;
    this.#earliest[slot] = cycle;
  }

  /** A scheduler has issued from a slot. */
  issued(scheduler: number, slot: number): void {
    this.#last[scheduler] = slot;
  }

  /** A unit of a scheduler is busy until a cycle. */
  occupyOwn(unit: number, scheduler: number, until: number): void {
    this.#free[scheduler * unitCount + unit] = until;
  }

  /** A unit that all schedulers use is busy until a cycle. */
  occupy(unit: number, until: number): void {
    for (let at = unit; at < this.#free.length; at += unitCount) this.#free[at] = until;
  }

  /** Warps that a scheduler can issue from in a cycle, in the order of their slots; the mode `any` picks among them. */
  issuable(scheduler: number, cycle: number): readonly number[] {
    const found: number[] = [];
    const { schedulersPerCore, warpsPerCore } = this.timing;
    for (let slot = scheduler; slot < warpsPerCore; slot += schedulersPerCore)
      if (this.canIssue(slot, scheduler, cycle)) found.push(slot);
    return found;
  }

  /** The slot that a scheduler issues from by its written rule; -1 when there is none. */
  chosen(scheduler: number, cycle: number): number {
    const last = this.#last[scheduler]!;
    if (this.timing.scheduler === 'lrr') return this.#nextRound(scheduler, last, cycle);
    if (last >= 0 && this.canIssue(last, scheduler, cycle)) return last;
    const list = this.#byAge[scheduler]!;
    for (let at = 0; at < list.length; at++) {
      const slot = list[at]!;
      if (this.canIssue(slot, scheduler, cycle)) return slot;
    }
    return -1;
  }

  /** Loose round robin: the first slot behind the one that issued last. */
  #nextRound(scheduler: number, last: number, cycle: number): number {
    const { schedulersPerCore, warpsPerCore } = this.timing;
    const rounds = Math.ceil(warpsPerCore / schedulersPerCore);
    const begin = last < 0 ? 0 : (last - scheduler) / schedulersPerCore + 1;
    for (let turn = 0; turn < rounds; turn++) {
      const slot = scheduler + ((begin + turn) % rounds) * schedulersPerCore;
      if (slot < warpsPerCore && this.canIssue(slot, scheduler, cycle)) return slot;
    }
    return -1;
  }

  /** The first cycle after `cycle` in which something can issue; infinite when everything waits. */
  nextCycle(cycle: number): number {
    let next = Number.POSITIVE_INFINITY;
    const lists = this.#byAge;
    for (let scheduler = 0; scheduler < lists.length; scheduler++) {
      const list = lists[scheduler]!;
      for (let at = 0; at < list.length; at++) {
        const slot = list[at]!;
        const earliest = this.#earliest[slot]!;
        if (earliest >= next) continue;
        const free = this.#free[scheduler * unitCount + this.#unit[slot]!]!;
        const first = earliest > free ? earliest : free;
        if (first <= cycle + 1) return cycle + 1;
        if (first < next) next = first;
      }
    }
    return next;
  }

  /** Why a scheduler does not issue. */
  reason(scheduler: number): StallReason {
    const list = this.#byAge[scheduler]!;
    let most = 0;
    for (let at = 0; at < list.length; at++) {
      const slot = list[at]!;
      if (this.#earliest[slot] !== Number.POSITIVE_INFINITY) return 'scoreboard';
      const wait = this.#wait[slot]!;
      if (wait > most) most = wait;
    }
    return waitReasons[most]!;
  }

  hash(into: Hasher): void {
    into.numbers(this.#earliest);
    into.numbers(this.#free);
    into.numbers(this.#last);
    for (const list of this.#byAge) into.numbers(list);
  }

  /** True when a scheduler can issue from a slot in a cycle. */
  canIssue(slot: number, scheduler: number, cycle: number): boolean {
    return this.#earliest[slot]! <= cycle && this.#free[scheduler * unitCount + this.#unit[slot]!]! <= cycle;
  }
}
