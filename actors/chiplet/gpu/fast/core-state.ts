import type { Hasher } from '../../../../kernel/hash.ts';
import type { Resource } from '../../../../kernel/resource.ts';
import type { DeviceMemory } from '../../ptx/device-memory.ts';
import type { Instruction } from '../../ptx/instruction.ts';
import type { Launch } from '../../ptx/launch.ts';
import type { ChipletAddress } from '../../ptx/message-code.ts';
import { stepped } from '../../ptx/step.ts';
import { CoreAccount } from '../core-account.ts';
import { type CoreOutput, noOutput } from '../core-output.ts';
import { LoadStoreUnit } from '../load-store-unit.ts';
import { keepValues } from '../message-values.ts';
import { ownMessages } from '../own-messages.ts';
import { type ResidentBlock, ResidentBlocks } from '../resident-blocks.ts';
import {
  barrierCyclesOf,
  type CyclesByIndex,
  cyclesByIndex,
  type GpuTiming,
  pauseBehind,
} from '../timing.ts';
import { units } from '../units.ts';
import { CoreWarp } from './core-warp.ts';
import { PendingLoads } from './pending-loads.ts';
import { WarpSlots, waits } from './warp-slots.ts';

/**
 * A SIMT core: warps in slots, schedulers, units, first-level cache (chiplet specification 7.3).
 *
 * Details: an instruction has its effect on registers and memory when it issues; the scoreboard says from when on its results can be used.
 */
export class CoreState implements Resource {
  readonly #slots: (CoreWarp | null)[];
  readonly #blocks: ResidentBlocks;
  readonly #units: LoadStoreUnit;
  readonly #loads: PendingLoads;
  readonly #places: WarpSlots;
  readonly account: CoreAccount;
  /** Where a cycle puts what others have to know. */
  readonly output: CoreOutput = noOutput();
  readonly #cycles: CyclesByIndex;
  /** True when warps pause behind branches or fences. */
  readonly #pauses: boolean;
  readonly #reasonOf: (scheduler: number) => ReturnType<WarpSlots['reason']>;

  constructor(
    readonly number: number,
    readonly timing: GpuTiming,
    readonly own?: ChipletAddress,
    from?: CoreState,
  ) {
    const { schedulersPerCore, warpsPerCore, l1 } = timing;
    this.#slots = new Array<CoreWarp | null>(warpsPerCore).fill(null);
    this.#cycles = from ? from.#cycles : cyclesByIndex(timing);
    this.#pauses = timing.branchCycles > 0 || Object.values(timing.fenceCycles).some((cycles) => cycles > 0);
    this.#places = new WarpSlots(timing, from ? from.#places : undefined);
    this.#reasonOf = (scheduler) => this.#places.reason(scheduler);
    this.account = from ? from.account.fork() : new CoreAccount(schedulersPerCore);
    this.#units = from ? from.#units.fork() : new LoadStoreUnit(timing, l1);
    this.#loads = new PendingLoads(from ? from.#loads : undefined);
    this.#blocks = from ? from.#blocks.fork() : new ResidentBlocks(number, warpsPerCore);
    if (!from) return;
    for (const home of this.#blocks.blocks)
      for (const [at, slot] of home.slots.entries()) {
        const old = from.#slots[slot]!;
        this.#slots[slot] = new CoreWarp(home.block.warps[at]!, home, slot, old.age, timing.hoistsLoads, old);
      }
  }

  /** True when no block is in it. */
  get empty(): boolean {
    return this.#blocks.empty;
  }

  get blocks(): readonly ResidentBlock[] {
    return this.#blocks.blocks;
  }

  /** Takes a block, whose warps can issue from `cycle` on. */
  assign(launch: Launch, number: number, cores: number, memory: DeviceMemory, cycle: number): void {
    if (this.empty) this.account.begin(cycle);
    const home = this.#blocks.take(launch, number, cores, memory);
    for (const [at, slot] of home.slots.entries()) {
      const one = new CoreWarp(
        home.block.warps[at]!,
        home,
        slot,
        this.#blocks.ageOf(slot),
        this.timing.hoistsLoads,
      );
      this.#slots[slot] = one;
      this.#places.enter(slot);
      this.#fetch(one, cycle);
    }
    this.account.settle(cycle, this.#reasonOf);
  }

  /** Warps that a scheduler can issue from in a cycle, in the order of their slots; the mode `any` picks among them. */
  issuable(scheduler: number, cycle: number): readonly number[] {
    return this.#places.issuable(scheduler, cycle);
  }

  /** The slot that a scheduler issues from by its written rule; -1 when there is none. */
  chosen(scheduler: number, cycle: number): number {
    return this.#places.chosen(scheduler, cycle);
  }

  /** Lets a slot that has issued in a cycle go on in the same one; true when its next instruction can issue in it, too: its registers are ready, its unit is free. */
  issuesAgain(slot: number, scheduler: number, cycle: number): boolean {
    const one = this.#slots[slot];
    if (one?.wait !== 'none' || one.warp.finished) return false;
    this.#fetch(one, cycle);
    return this.#places.canIssue(slot, scheduler, cycle);
  }

  /** The next instruction of a slot that has a warp. */
  nextOf(slot: number): Instruction {
    return this.#slots[slot]!.next;
  }

  /** A scheduler found nothing to issue. */
  idle(scheduler: number): void {
    this.account.stall(scheduler, this.#places.reason(scheduler));
  }

  /** Issues the next instruction of a slot; false for one that takes no turn of its scheduler. Errors: `MemoryFault`, `MessageFault`. */
  issue(slot: number, scheduler: number, cycle: number, memory: DeviceMemory): boolean {
    const one = this.#slots[slot]!;
    const { warp, next: instruction, home } = one;
    const { counts } = this.account.statistics;
    this.#places.issued(scheduler, slot);
    const isOwn = this.#cycles.latency[instruction.timing] !== 0;
    if (isOwn) this.account.issue(scheduler, cycle);
    const parted = counts.divergentBranches;
    const effect = this.#blocks.carryOut(slot, cycle, memory, counts);
    if (warp.active !== 0) this.#occupy(one, scheduler, cycle);
    if (!isOwn && effect === stepped.on) {
      this.#fetch(one, cycle);
      return false;
    }
    const penalty = counts.divergentBranches > parted ? this.timing.divergencePenalty : 0;
    switch (effect) {
      case stepped.finished:
        this.#finish(one, cycle);
        break;
      case stepped.barrier:
        one.wait = 'barrier';
        this.#places.rest(slot, waits.barrier);
        this.#tryBarrier(home, cycle);
        break;
      case stepped.arrived:
        this.#fetch(one, cycle + 1);
        this.#tryBarrier(home, cycle);
        break;
      case stepped.message:
        one.wait = 'message';
        this.#places.rest(slot, waits.message);
        this.output.messages.push({ slot, lanes: ownMessages(warp, instruction, this.own) });
        break;
      default:
        this.#fetch(
          one,
          cycle + 1 + penalty + (this.#pauses ? pauseBehind(warp, instruction, this.timing) : 0),
        );
    }
    return true;
  }

  /** The values of a message instruction are there; its warp goes on in `cycle`. */
  answerMessage(slot: number, values: readonly number[], cycle: number): void {
    const one = this.#slots[slot]!;
    keepValues(one.warp, one.next, values, this.account.statistics);
    one.wait = 'none';
    if (one.warp.finished) this.#finish(one, cycle - 1);
    else this.#fetch(one, cycle);
    this.account.settle(cycle, this.#reasonOf);
  }

  /** A segment came; what waited for it can go on in `cycle`. */
  answerMemory(request: number, cycle: number): void {
    const loads = this.#units.answered(request)?.loads ?? [];
    for (const { slot, age, results, done } of this.#loads.came(loads, cycle)) {
      const one = this.#slots[slot];
      // A warp may have ended without a look at what it loaded.
      if (one?.age !== age) continue;
      for (const register of results) {
        one.ready[register] = done;
        if (one.ahead) one.ahead.early[register] = done;
      }
      if (one.wait === 'none' && !one.warp.finished) this.#fetch(one, one.floor);
    }
    this.account.settle(cycle, this.#reasonOf);
  }

  /** The first cycle after `cycle` in which something can issue; infinite when everything waits. */
  nextCycle(cycle: number): number {
    const next = this.#places.nextCycle(cycle);
    if (next !== cycle + 1) this.account.settle(cycle, this.#reasonOf);
    return next;
  }

  fork(): CoreState {
    return new CoreState(this.number, this.timing, this.own, this);
  }

  hash(into: Hasher): void {
    for (const one of this.#slots) {
      into.word(one === null ? 0 : 1);
      one?.hash(into);
    }
    this.#blocks.hash(into);
    this.#places.hash(into);
    this.#units.hash(into);
    this.#loads.hash(into);
  }

  /** A warp goes on, in `cycle` at the earliest. */
  #fetch(one: CoreWarp, cycle: number): void {
    const earliest = one.fetch(cycle);
    this.#places.plan(one.slot, this.#cycles.unit[one.next.timing]!, earliest);
  }

  /** Keeps the unit of an instruction busy, and its results from being used too early. */
  #occupy(one: CoreWarp, scheduler: number, cycle: number): void {
    const { next: instruction, ready } = one;
    const { latency, interval, unit } = this.#cycles;
    const lead = one.ahead === null ? 0 : one.ahead.lead(instruction, cycle);
    const index = instruction.timing;
    let from = cycle + latency[index]!;
    const early = from - lead;
    if (lead > 0 && from > cycle) from = Math.max(cycle + 1, early);
    switch (unit[index]) {
      case units.arithmetic:
        this.#places.occupyOwn(units.arithmetic, scheduler, cycle + interval[index]!);
        break;
      case units.special:
        if (this.timing.specialOfScheduler)
          this.#places.occupyOwn(units.special, scheduler, cycle + interval[index]!);
        else this.#places.occupy(units.special, cycle + interval[index]!);
        break;
      case units.memory:
        from = this.#access(one, cycle, lead);
        break;
      default:
    }
    const { results } = instruction;
    for (let at = 0; at < results.length; at++) ready[results[at]!] = from;
    if (one.ahead === null) return;
    const first = instruction.access === null ? early : from;
    for (let at = 0; at < results.length; at++) one.ahead.early[results[at]!] = first;
  }

  #access(one: CoreWarp, cycle: number, lead: number): number {
    const { next, warp } = one;
    const { statistics } = this.account;
    const from = this.#units.access(warp, this.#loads.next, next, cycle, lead, this.output, statistics);
    this.#places.occupy(units.memory, this.#units.free);
    if (this.#units.missing.length > 0) this.#loads.open(one, next.results, this.#units);
    return from;
  }

  /** A warp has ended: with the last one its block ends, and those that wait at a barrier may be all that are left. */
  #finish(one: CoreWarp, cycle: number): void {
    const { home } = one;
    this.#places.rest(one.slot, waits.noWarp);
    if (!home.block.finished) {
      this.#tryBarrier(home, cycle);
      return;
    }
    for (const slot of home.slots) {
      this.#slots[slot] = null;
      this.#places.leave(slot);
    }
    this.#blocks.leave(home);
    this.output.ended.push(home.block.number);
  }

  #tryBarrier(home: ResidentBlock, cycle: number): void {
    this.#letGo(this.#blocks.openBarrier(home), cycle);
    this.#letGo(this.#blocks.openClusterBarrier(home), cycle);
  }

  /** Warps whose barrier has opened go on; none has where there are no slots. */
  #letGo(slots: readonly number[] | undefined, cycle: number): void {
    if (slots === undefined) return;
    this.account.statistics.counts.barriersCompleted++;
    for (const slot of slots) {
      const one = this.#slots[slot]!;
      one.wait = 'none';
      this.#fetch(one, cycle + barrierCyclesOf(this.timing, one.home.slots.length));
    }
  }
}
