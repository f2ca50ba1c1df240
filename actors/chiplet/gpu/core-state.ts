import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { blocksOfCluster, Cluster, placeInCluster } from '../ptx/cluster.ts';
import type { DeviceMemory } from '../ptx/device-memory.ts';
import type { Instruction } from '../ptx/instruction.ts';
import { laneMessages } from '../ptx/lane-messages.ts';
import type { Launch } from '../ptx/launch.ts';
import type { ChipletAddress } from '../ptx/message-code.ts';
import { timingIndex } from '../ptx/schedule.ts';
import { finishMessage, step, stepped } from '../ptx/step.ts';
import { ThreadBlock } from '../ptx/thread-block.ts';
import { Scratch, type Warp } from '../ptx/warp.ts';
import { CoreOutput } from './core-output.ts';
import { type CoreBlock, CoreWarp } from './core-warp.ts';
import { LoadStoreUnit } from './load-store-unit.ts';
import { ownMessages } from './own-messages.ts';
import { type CoreStatistics, noStatistics, type StallReason } from './statistics.ts';
import { cyclesByIndex, type GpuTiming } from './timing.ts';
import { unitOfClass, units, WarpSlots, waits } from './warp-slots.ts';

/**
 * A SIMT core: warps in slots, schedulers, units, first-level cache (chiplet specification 7.3).
 *
 * Details: an instruction has its effect on registers and memory when it issues; the scoreboard says from when on its results can be used.
 */
export class CoreState implements Resource {
  readonly #slots: (CoreWarp | null)[];
  readonly #blocks: CoreBlock[] = [];
  readonly #scratch = new Scratch();
  readonly #loads: LoadStoreUnit;
  readonly #places: WarpSlots;
  readonly #out = new CoreOutput();
  readonly #cycles: ReturnType<typeof cyclesByIndex>;
  /** True when warps pause behind branches or fences. */
  readonly #pauses: boolean;
  /** Cycles before these are in the statistics, by scheduler. */
  readonly #counted: Float64Array;
  readonly #reasons: StallReason[];
  #ages = 0;
  statistics: CoreStatistics = noStatistics();

  constructor(
    readonly number: number,
    readonly timing: GpuTiming,
    readonly own?: ChipletAddress,
    from?: CoreState,
  ) {
    const { schedulersPerCore, warpsPerCore, l1 } = timing;
    this.#slots = new Array<CoreWarp | null>(warpsPerCore).fill(null);
    this.#cycles = from ? from.#cycles : cyclesByIndex(timing);
    this.#pauses = timing.branchCycles > 0 || timing.fenceCycles > 0;
    this.#places = new WarpSlots(timing, from ? from.#places : undefined);
    this.#counted = from ? from.#counted.slice() : new Float64Array(schedulersPerCore);
    this.#reasons = from ? [...from.#reasons] : new Array<StallReason>(schedulersPerCore).fill('noWarp');
    this.#loads = from ? from.#loads.fork() : new LoadStoreUnit(timing, l1);
    if (!from) return;
    this.#ages = from.#ages;
    this.statistics = structuredClone(from.statistics);
    const clusters = new Map<Cluster, Cluster>();
    for (const { block, slots } of from.#blocks) {
      const memory = block.warps[0]!.memory;
      const old = block.home.cluster;
      const cluster = clusters.get(old) ?? old.fork(memory, this.#scratch);
      clusters.set(old, cluster);
      const home: CoreBlock = { block: cluster.blocks[old.blocks.indexOf(block)]!, slots };
      this.#blocks.push(home);
      for (const [at, slot] of slots.entries()) {
        const old = from.#slots[slot]!;
        this.#slots[slot] = new CoreWarp(home.block.warps[at]!, home, slot, old.age, timing.hoistsLoads, old);
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
      this.#clusterOf(launch, number),
    );
    const free = this.#slots.flatMap((one, slot) => (one === null ? [slot] : []));
    const slots = free.slice(0, block.warps.length);
    const home: CoreBlock = { block, slots };
    this.#blocks.push(home);
    for (const [at, slot] of slots.entries()) {
      const one = new CoreWarp(block.warps[at]!, home, slot, this.#ages++, this.timing.hoistsLoads);
      this.#slots[slot] = one;
      this.#places.enter(slot);
      this.#fetch(one, cycle);
    }
    this.#giveReasons(cycle);
  }

  /** The cluster that a block is of: that of a block which is here, or a new one. */
  #clusterOf(launch: Launch, number: number): Cluster {
    const size = blocksOfCluster(launch);
    const which = (block: number): number => placeInCluster(launch, block).number;
    const other =
      size === 1 ? undefined : this.#blocks.find(({ block }) => which(block.number) === which(number));
    return other?.block.home.cluster ?? new Cluster(size);
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
    if (!one || one.wait !== 'none' || one.warp.finished) return false;
    this.#fetch(one, cycle);
    return this.#places.canIssue(slot, scheduler, cycle);
  }

  /** Where a cycle puts what others have to know. */
  get output(): CoreOutput {
    return this.#out;
  }

  /** The next instruction of a slot that has a warp. */
  nextOf(slot: number): Instruction {
    return this.#slots[slot]!.next;
  }

  /** A scheduler found nothing to issue. */
  idle(scheduler: number): void {
    this.#reasons[scheduler] = this.#places.reason(scheduler);
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
    this.#places.issued(scheduler, slot);
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
        this.#places.rest(slot, waits.barrier);
        this.#tryBarrier(home, cycle);
        return;
      case stepped.arrived:
        this.#fetch(one, cycle + 1);
        this.#tryBarrier(home, cycle);
        return;
      case stepped.message:
        one.wait = 'message';
        this.#places.rest(slot, waits.message);
        out.messages.push({ slot, lanes: ownMessages(warp, instruction, this.own) });
        return;
      default:
        this.#fetch(one, cycle + 1 + penalty + (this.#pauses ? this.#pause(warp, instruction) : 0));
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
      for (const register of results) {
        one.ready[register] = done;
        if (one.ahead) one.ahead.early[register] = done;
      }
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
    const next = this.#places.nextCycle(cycle);
    if (next !== cycle + 1) this.#giveReasons(cycle);
    return next;
  }

  /** What was counted since this was asked last. */
  takeStatistics(): CoreStatistics {
    const taken = this.statistics;
    this.statistics = noStatistics();
    return taken;
  }

  fork(): CoreState {
    return new CoreState(this.number, this.timing, this.own, this);
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
      into.numbers(block.home.barriers.figures);
    }
    this.#places.hash(into);
    this.#loads.hash(into);
  }

  /** A warp goes on, in `cycle` at the earliest. */
  #fetch(one: CoreWarp, cycle: number): void {
    const earliest = one.fetch(cycle);
    this.#places.plan(one.slot, unitOfClass[one.next.classIndex]!, earliest);
  }

  #usual({ classIndex, schedule }: Instruction): number {
    return timingIndex(classIndex, null, schedule.predicate);
  }

  /** Cycles that a warp pauses behind an instruction: a branch that it takes, a fence. */
  #pause({ pc }: Warp, { kind, next, schedule }: Instruction): number {
    if (schedule.fence) return this.timing.fenceCycles;
    return kind === 'branch' && pc !== next ? this.timing.branchCycles : 0;
  }

  /** Keeps the unit of an instruction busy, and its results from being used too early. */
  #occupy(one: CoreWarp, scheduler: number, cycle: number, out: CoreOutput): void {
    const { next: instruction, ready } = one;
    const { latency, interval } = this.#cycles;
    const lead = one.ahead === null ? 0 : one.ahead.lead(instruction, cycle);
    // A sequence without cycles of its own is as its class.
    const index = latency[instruction.timing] === 0 ? this.#usual(instruction) : instruction.timing;
    let from = cycle + latency[index]!;
    switch (unitOfClass[instruction.classIndex]) {
      case units.arithmetic:
        this.#places.occupyArithmetic(scheduler, cycle + interval[index]!);
        break;
      case units.special:
        this.#places.occupy(units.special, cycle + interval[index]!);
        break;
      case units.memory:
        from = this.#loads.access(one, instruction, cycle, lead, out, this.statistics);
        this.#places.occupy(units.memory, this.#loads.free);
        break;
      default:
    }
    const { results } = instruction;
    for (let at = 0; at < results.length; at++) ready[results[at]!] = from;
    if (one.ahead === null) return;
    const early = instruction.access === null ? from - lead : from;
    for (let at = 0; at < results.length; at++) one.ahead.early[results[at]!] = early;
  }

  /** A warp has ended: with the last one its block ends, and those that wait at a barrier may be all that are left. */
  #finish(one: CoreWarp, cycle: number, out: CoreOutput): void {
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
    this.#blocks.splice(this.#blocks.indexOf(home), 1);
    out.ended.push(home.block.number);
  }

  #tryBarrier({ block, slots }: CoreBlock, cycle: number): void {
    if (this.opensBarrier(block)) this.#letGo(slots, cycle);
    const { cluster } = block.home;
    if (!cluster.openBarrier()) return;
    this.#letGo(
      this.#blocks.flatMap((one) => (one.block.home.cluster === cluster ? one.slots : [])),
      cycle,
    );
  }

  /** Warps whose barrier has opened go on. */
  #letGo(slots: readonly number[], cycle: number): void {
    this.statistics.counts.barriersCompleted++;
    for (const slot of slots) {
      const one = this.#slots[slot]!;
      if (one.wait !== 'barrier' || one.warp.barrier >= 0) continue;
      one.wait = 'none';
      this.#fetch(one, cycle + this.timing.barrierCycles);
    }
  }

  /** Says of each scheduler why it does not issue, from `cycle` on for as long as nothing changes. */
  #giveReasons(cycle: number): void {
    const { schedulersPerCore } = this.timing;
    for (let scheduler = 0; scheduler < schedulersPerCore; scheduler++) this.beginCycle(scheduler, cycle);
    for (let scheduler = 0; scheduler < schedulersPerCore; scheduler++)
      this.#reasons[scheduler] = this.#places.reason(scheduler);
  }
}
