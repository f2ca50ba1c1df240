import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import type { DeviceMemory } from '../ptx/device-memory.ts';
import { type InstructionClass, instructionClasses } from '../ptx/instruction.ts';
import { type LaneMessage, laneMessages } from '../ptx/lane-messages.ts';
import type { Launch } from '../ptx/launch.ts';
import { finishMessage, step, stepped } from '../ptx/step.ts';
import { ThreadBlock } from '../ptx/thread-block.ts';
import { Scratch } from '../ptx/warp.ts';
import { type CoreBlock, CoreWarp } from './core-warp.ts';
import { LoadStoreUnit, type MemoryRequest } from './load-store-unit.ts';
import { type CoreStatistics, noStatistics, type StallReason } from './statistics.ts';
import type { GpuTiming } from './timing.ts';

/** What a core wants others to know after a cycle. */
export interface CoreOutput {
  readonly reads: MemoryRequest[];
  readonly writes: { readonly segment: number; readonly cycle: number }[];
  /** Message instructions, by the slot of their warp. */
  readonly messages: { readonly slot: number; readonly lanes: readonly LaneMessage[] }[];
  /** Blocks that ended. */
  readonly ended: number[];
}

/** Units that instructions need: none, arithmetic of the scheduler, special functions, memory. */
const units = 4;
const [noUnit, arithmeticUnit, specialUnit, memoryUnit] = [0, 1, 2, 3] as const;

const unitsOfClasses: Readonly<Partial<Record<InstructionClass, number>>> = {
  control: noUnit,
  special: specialUnit,
  constant: memoryUnit,
  shared: memoryUnit,
  global: memoryUnit,
  atomic: memoryUnit,
  message: memoryUnit,
};
const unitOfClass = instructionClasses.map((one) => unitsOfClasses[one] ?? arithmeticUnit);

/**
 * A SIMT core: warps in slots, schedulers, units, first-level cache (chiplet specification 7.3).
 *
 * Details: an instruction has its effect on registers and memory when it issues; the scoreboard says from when on its results can be used. Each
 * scheduler has an arithmetic unit of its own; special functions and memory have one unit in a core. The warps of a scheduler are those whose
 * slot gives its number as the remainder.
 */
export class CoreState implements Resource {
  readonly #slots: (CoreWarp | null)[];
  readonly #blocks: CoreBlock[] = [];
  readonly #scratch = new Scratch();
  readonly #loads: LoadStoreUnit;
  /** By slot: the first cycle in which the warp can issue, as far as its registers are concerned; infinite while it waits, and without a warp. */
  readonly #earliest: Float64Array;
  /** By slot: the unit that its next instruction needs. */
  readonly #unit: Uint8Array;
  /** By slot: the order in which warps came. */
  readonly #age: Float64Array;
  /** By scheduler and unit: the first cycle in which it takes an instruction. */
  readonly #free: Float64Array;
  readonly #out: CoreOutput = { reads: [], writes: [], messages: [], ended: [] };
  /** Slot that each scheduler issued from last. */
  readonly #last: Int32Array;
  /** Cycles before these are in the statistics, by scheduler. */
  readonly #counted: Float64Array;
  readonly #reasons: StallReason[];
  #ages = 0;
  statistics: CoreStatistics = noStatistics();

  constructor(
    readonly number: number,
    readonly timing: GpuTiming,
    from?: CoreState,
  ) {
    const { schedulersPerCore, warpsPerCore, l1 } = timing;
    this.#slots = new Array<CoreWarp | null>(warpsPerCore).fill(null);
    this.#earliest = from
      ? from.#earliest.slice()
      : new Float64Array(warpsPerCore).fill(Number.POSITIVE_INFINITY);
    this.#unit = from ? from.#unit.slice() : new Uint8Array(warpsPerCore);
    this.#age = from ? from.#age.slice() : new Float64Array(warpsPerCore);
    this.#free = from ? from.#free.slice() : new Float64Array(schedulersPerCore * units);
    this.#last = from ? from.#last.slice() : new Int32Array(schedulersPerCore).fill(-1);
    this.#counted = from ? from.#counted.slice() : new Float64Array(schedulersPerCore);
    this.#reasons = from ? [...from.#reasons] : new Array<StallReason>(schedulersPerCore).fill('noWarp');
    this.#loads = from ? from.#loads.fork() : new LoadStoreUnit(timing, l1);
    if (!from) return;
    this.#ages = from.#ages;
    this.statistics = structuredClone(from.statistics);
    for (const { block, slots } of from.#blocks) {
      const memory = block.warps[0]!.memory;
      const home: CoreBlock = { block: block.fork(memory, this.#scratch), slots };
      this.#blocks.push(home);
      for (const [at, slot] of slots.entries()) {
        const old = from.#slots[slot]!;
        this.#slots[slot] = new CoreWarp(home.block.warps[at]!, home, slot, old.age, old);
      }
    }
  }

  /** True when no block is in it. */
  get empty(): boolean {
    return this.#blocks.length === 0;
  }

  /** Takes a block, whose warps can issue from `cycle` on. */
  assign(launch: Launch, number: number, cores: number, memory: DeviceMemory, cycle: number): void {
    if (this.empty) this.#counted.fill(cycle);
    const block = new ThreadBlock(
      launch,
      number,
      { number: this.number, count: cores },
      memory,
      this.#scratch,
    );
    const free = this.#slots.flatMap((one, slot) => (one === null ? [slot] : []));
    const slots = free.slice(0, block.warps.length);
    const home: CoreBlock = { block, slots };
    this.#blocks.push(home);
    for (const [at, slot] of slots.entries()) {
      const one = new CoreWarp(block.warps[at]!, home, slot, this.#ages++);
      this.#slots[slot] = one;
      this.#age[slot] = one.age;
      this.#fetch(one, cycle);
    }
    this.#giveReasons(cycle);
  }

  /** Warps that a scheduler can issue from in a cycle, in the order of their slots; the mode `any` picks among them. */
  issuable(scheduler: number, cycle: number): readonly number[] {
    const found: number[] = [];
    const { schedulersPerCore, warpsPerCore } = this.timing;
    for (let slot = scheduler; slot < warpsPerCore; slot += schedulersPerCore)
      if (this.#canIssue(slot, scheduler, cycle)) found.push(slot);
    return found;
  }

  /** The slot that a scheduler issues from by its written rule; -1 when there is none. */
  chosen(scheduler: number, cycle: number): number {
    const { scheduler: kind, schedulersPerCore, warpsPerCore } = this.timing;
    const last = this.#last[scheduler]!;
    if (kind === 'lrr') {
      const rounds = Math.ceil(warpsPerCore / schedulersPerCore);
      const begin = last < 0 ? 0 : (last - scheduler) / schedulersPerCore + 1;
      for (let turn = 0; turn < rounds; turn++) {
        const slot = scheduler + ((begin + turn) % rounds) * schedulersPerCore;
        if (slot < warpsPerCore && this.#canIssue(slot, scheduler, cycle)) return slot;
      }
      return -1;
    }
    if (last >= 0 && this.#canIssue(last, scheduler, cycle)) return last;
    let oldest = -1;
    let age = Number.POSITIVE_INFINITY;
    for (let slot = scheduler; slot < warpsPerCore; slot += schedulersPerCore)
      if (this.#age[slot]! < age && this.#canIssue(slot, scheduler, cycle)) {
        age = this.#age[slot]!;
        oldest = slot;
      }
    return oldest;
  }

  /** Where a cycle puts what others have to know; empty after `emptied`. */
  get output(): CoreOutput {
    return this.#out;
  }

  /** Forgets what others have been told. */
  emptied(): void {
    const { reads, writes, messages, ended } = this.#out;
    if (reads.length > 0) reads.length = 0;
    if (writes.length > 0) writes.length = 0;
    if (messages.length > 0) messages.length = 0;
    if (ended.length > 0) ended.length = 0;
  }

  /** A scheduler found nothing to issue. */
  idle(scheduler: number): void {
    this.#reasons[scheduler] = this.#reason(scheduler);
  }

  /** Counts the cycles in which a scheduler did not issue, up to this one. */
  beginCycle(scheduler: number, cycle: number): void {
    const idle = cycle - this.#counted[scheduler]!;
    if (idle > 0) this.statistics.stalls[this.#reasons[scheduler]!] += idle;
    this.#counted[scheduler] = Math.max(cycle, this.#counted[scheduler]!);
  }

  /** Issues the next instruction of a slot. Errors: `MemoryFault`, `MessageFault`. */
  issue(slot: number, scheduler: number, cycle: number, memory: DeviceMemory): void {
    const out = this.#out;
    const one = this.#slots[slot]!;
    const { warp, next: instruction, home } = one;
    const { counts } = this.statistics;
    this.#last[scheduler] = slot;
    this.#counted[scheduler] = cycle + 1;
    warp.memory = memory;
    warp.clock = cycle;
    const parted = counts.divergentBranches;
    const effect = step(warp, warp.home.kernel.code, counts);
    if (warp.active !== 0) this.#occupy(one, scheduler, cycle, out);
    const penalty = counts.divergentBranches > parted ? this.timing.divergencePenalty : 0;
    switch (effect) {
      case stepped.finished:
        this.#finish(one, cycle, out);
        return;
      case stepped.barrier:
        one.wait = 'barrier';
        this.#earliest[slot] = Number.POSITIVE_INFINITY;
        this.#tryBarrier(home, cycle);
        return;
      case stepped.message:
        one.wait = 'message';
        this.#earliest[slot] = Number.POSITIVE_INFINITY;
        out.messages.push({ slot, lanes: laneMessages(warp, instruction) });
        return;
      default:
        this.#fetch(one, cycle + 1 + penalty);
    }
  }

  /** The values of a message instruction are there; its warp goes on in `cycle`. */
  answerMessage(slot: number, values: readonly number[], cycle: number): void {
    const out = this.#out;
    const one = this.#slots[slot]!;
    const { warp, next } = one;
    const { result } = next.message!;
    const lanes = laneMessages(warp, next);
    for (const [at, { lane, operation }] of lanes.entries()) {
      warp.i[result + lane] = values[at]!;
      if (operation === 'send') this.statistics.counts.messagesSent++;
      else this.statistics.counts.messagesReceived++;
    }
    one.wait = 'none';
    finishMessage(warp);
    if (warp.finished) this.#finish(one, cycle - 1, out);
    else this.#fetch(one, cycle);
    this.#giveReasons(cycle);
  }

  /** A segment came; what waited for it can go on in `cycle`. */
  answerMemory(request: number, cycle: number): void {
    for (const { slot, age, results, done } of this.#loads.answered(request, cycle)) {
      const one = this.#slots[slot];
      // A warp may have ended without a look at what it loaded.
      if (one?.age !== age) continue;
      for (const register of results) one.ready[register] = done;
      if (one.wait === 'none' && !one.warp.finished) this.#fetch(one, one.floor);
    }
    this.#giveReasons(cycle);
  }

  /** Opens the barrier of a block when all that take part have come; a fault may know another rule. */
  opensBarrier(block: ThreadBlock): boolean {
    return block.openBarrier();
  }

  /** The first cycle after `cycle` in which something can issue; infinite when everything waits. */
  nextCycle(cycle: number): number {
    const { schedulersPerCore, warpsPerCore } = this.timing;
    let next = Number.POSITIVE_INFINITY;
    for (let slot = 0; slot < warpsPerCore; slot++) {
      const earliest = this.#earliest[slot]!;
      if (earliest >= next) continue;
      const free = this.#free[(slot % schedulersPerCore) * units + this.#unit[slot]!]!;
      const at = earliest > free ? earliest : free;
      if (at <= cycle + 1) return cycle + 1;
      if (at < next) next = at;
    }
    this.#giveReasons(cycle);
    return next;
  }

  /** What was counted since this was asked last. */
  takeStatistics(): CoreStatistics {
    const taken = this.statistics;
    this.statistics = noStatistics();
    return taken;
  }

  fork(): CoreState {
    return new CoreState(this.number, this.timing, this);
  }

  hash(into: Hasher): void {
    for (const one of this.#slots) {
      into.word(one === null ? 0 : 1);
      one?.hash(into);
    }
    for (const { block } of this.#blocks) {
      into.number(block.number);
      into.numbers(block.home.shared.words);
      into.numbers(block.home.local.words);
    }
    into.numbers(this.#earliest);
    into.numbers(this.#free);
    into.numbers(this.#last);
    this.#loads.hash(into);
  }

  #canIssue(slot: number, scheduler: number, cycle: number): boolean {
    return this.#earliest[slot]! <= cycle && this.#free[scheduler * units + this.#unit[slot]!]! <= cycle;
  }

  /** A warp goes on, in `cycle` at the earliest. */
  #fetch(one: CoreWarp, cycle: number): void {
    this.#earliest[one.slot] = one.fetch(cycle);
    this.#unit[one.slot] = unitOfClass[one.next.classIndex]!;
  }

  /** Keeps the unit of an instruction busy, and its results from being used too early. */
  #occupy(one: CoreWarp, scheduler: number, cycle: number, out: CoreOutput): void {
    const { next: instruction, ready } = one;
    const { latency, interval } = this.timing.classes[instruction.class];
    let from = cycle + latency;
    switch (unitOfClass[instruction.classIndex]) {
      case arithmeticUnit:
        this.#free[scheduler * units + arithmeticUnit] = cycle + interval;
        break;
      case specialUnit:
        this.#occupyAll(specialUnit, cycle + interval);
        break;
      case memoryUnit:
        from = this.#loads.access(one, instruction, cycle, out, this.statistics);
        this.#occupyAll(memoryUnit, this.#loads.free);
        break;
      default:
    }
    const { results } = instruction;
    for (let at = 0; at < results.length; at++) ready[results[at]!] = from;
  }

  /** A unit that all schedulers use is busy until a cycle. */
  #occupyAll(unit: number, until: number): void {
    for (let at = unit; at < this.#free.length; at += units) this.#free[at] = until;
  }

  /** A warp has ended: with the last one its block ends, and those that wait at a barrier may be all that are left. */
  #finish(one: CoreWarp, cycle: number, out: CoreOutput): void {
    const { home } = one;
    this.#earliest[one.slot] = Number.POSITIVE_INFINITY;
    if (!home.block.finished) {
      this.#tryBarrier(home, cycle);
      return;
    }
    for (const slot of home.slots) {
      this.#slots[slot] = null;
      this.#earliest[slot] = Number.POSITIVE_INFINITY;
    }
    this.#blocks.splice(this.#blocks.indexOf(home), 1);
    out.ended.push(home.block.number);
  }

  #tryBarrier({ block, slots }: CoreBlock, cycle: number): void {
    if (!this.opensBarrier(block)) return;
    this.statistics.counts.barriersCompleted++;
    for (const slot of slots) {
      const one = this.#slots[slot]!;
      if (one.wait !== 'barrier') continue;
      one.wait = 'none';
      this.#fetch(one, cycle + 1);
    }
  }

  /** Says of each scheduler why it does not issue, from `cycle` on for as long as nothing changes. */
  #giveReasons(cycle: number): void {
    const { schedulersPerCore } = this.timing;
    for (let scheduler = 0; scheduler < schedulersPerCore; scheduler++) this.beginCycle(scheduler, cycle);
    for (let scheduler = 0; scheduler < schedulersPerCore; scheduler++)
      this.#reasons[scheduler] = this.#reason(scheduler);
  }

  #reason(scheduler: number): StallReason {
    const { schedulersPerCore, warpsPerCore } = this.timing;
    let found: StallReason = 'noWarp';
    for (let slot = scheduler; slot < warpsPerCore; slot += schedulersPerCore) {
      const one = this.#slots[slot]!;
      if (one === null || one.warp.finished) continue;
      if (this.#earliest[slot] !== Number.POSITIVE_INFINITY) return 'scoreboard';
      const reason = one.wait === 'none' ? 'memory' : one.wait;
      if (ranks[reason] > ranks[found]) found = reason;
    }
    return found;
  }
}

/** Of several reasons the one that ends by itself is told, or else the one that ends soonest. */
const ranks: Readonly<Record<StallReason, number>> = {
  noWarp: 0,
  barrier: 1,
  message: 2,
  memory: 3,
  scoreboard: 4,
};
