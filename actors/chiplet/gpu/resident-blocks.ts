import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import { blocksOfCluster, Cluster, clusterBarrier, placeInCluster } from '../ptx/cluster.ts';
import type { KernelCounts } from '../ptx/counts.ts';
import type { DeviceMemory } from '../ptx/device-memory.ts';
import type { Instruction } from '../ptx/instruction.ts';
import type { Launch } from '../ptx/launch.ts';
import { figuresOf } from '../ptx/standing-still.ts';
import { step, stepped } from '../ptx/step.ts';
import { ThreadBlock } from '../ptx/thread-block.ts';
import { Scratch, type Warp } from '../ptx/warp.ts';

/** A block in a core. */
export interface ResidentBlock {
  readonly block: ThreadBlock;
  /** Slots of its warps. */
  readonly slots: readonly number[];
}

/** A warp in a slot. */
interface ResidentWarp {
  readonly warp: Warp;
  readonly home: ResidentBlock;
  /** Order in which warps came to the core. */
  readonly age: number;
}

/** The blocks in a core and what their warps compute, without any time: instructions have their effects when they are carried out. */
export class ResidentBlocks implements Resource {
  readonly #warps: (ResidentWarp | null)[];
  readonly #blocks: ResidentBlock[] = [];
  readonly #scratch = new Scratch();
  /** By slot: 1 for a warp that waits at a barrier. */
  readonly #atBarrier: Uint8Array;
  #ages = 0;

  constructor(
    readonly core: number,
    readonly slotCount: number,
    from?: ResidentBlocks,
  ) {
    this.#warps = new Array<ResidentWarp | null>(slotCount).fill(null);
    this.#atBarrier = from ? from.#atBarrier.slice() : new Uint8Array(slotCount);
    const clusters = new Map<Cluster, Cluster>();
    for (const { block, slots } of from ? from.#blocks : []) {
      const old = block.home.cluster;
      const cluster = clusters.get(old) ?? old.fork(block.warps[0]!.memory, this.#scratch);
      clusters.set(old, cluster);
      this.#ages = from!.ageOf(slots[0]!);
      this.#place({ block: cluster.blocks[old.blocks.indexOf(block)]!, slots });
    }
    if (from) this.#ages = from.#ages;
  }

  /** True when no block is in it. */
  get empty(): boolean {
    return this.#blocks.length === 0;
  }

  get blocks(): readonly ResidentBlock[] {
    return this.#blocks;
  }

  /** Takes a block into the first free slots. */
  take(launch: Launch, number: number, cores: number, memory: DeviceMemory): ResidentBlock {
    const cluster = this.#clusterOf(launch, number);
    const core = { number: this.core, count: cores };
    const block = new ThreadBlock(launch, number, core, memory, this.#scratch, cluster);
    const free = this.#warps.flatMap((one, slot) => (one === null ? [slot] : []));
    return this.#place({ block, slots: free.slice(0, block.warps.length) });
  }

  /** A block has ended: its slots are free. */
  leave(home: ResidentBlock): void {
    for (const slot of home.slots) this.#warps[slot] = null;
    this.#blocks.splice(this.#blocks.indexOf(home), 1);
  }

  warpOf(slot: number): Warp {
    return this.#warps[slot]!.warp;
  }

  /** Tells warps apart that were in one slot. */
  ageOf(slot: number): number {
    return this.#warps[slot]!.age;
  }

  /** The block that a warp is of. */
  homeOf(slot: number): ResidentBlock {
    return this.#warps[slot]!.home;
  }

  /** The next instruction of a warp that has not finished. */
  nextOf(slot: number): Instruction {
    const { warp } = this.#warps[slot]!;
    return warp.home.kernel.code[warp.pc]!;
  }

  /** Carries out the next instruction of a warp; gives what it came to, as `step` does. Errors: `MemoryFault`, `KernelTrap`. */
  carryOut(slot: number, cycle: number, memory: DeviceMemory, counts: KernelCounts): number {
    const { warp } = this.#warps[slot]!;
    warp.memory = memory;
    warp.clock = cycle;
    const effect = step(warp, warp.home.kernel.code, counts);
    if (effect === stepped.barrier) this.#atBarrier[slot] = 1;
    return effect;
  }

  /** Opens a barrier of a block that all have come to whom it is for. Gives the slots of those that go on; undefined when there is none. */
  openBarrier({ block, slots }: ResidentBlock): readonly number[] | undefined {
    return block.openBarrier() ? this.#letGo(slots) : undefined;
  }

  /** The same with the barrier of its cluster. */
  openClusterBarrier({ block }: ResidentBlock): readonly number[] | undefined {
    const { cluster } = block.home;
    return cluster.openBarrier() ? this.#letGo(this.#slotsOf(cluster)) : undefined;
  }

  /** Warps of a block that wait at a barrier, and those that have not come there. */
  gathering({ block, slots }: ResidentBlock): {
    readonly waiting: readonly number[];
    readonly missing: readonly number[];
  } {
    const waiting = slots.filter((slot) => this.#atBarrier[slot] === 1);
    if (waiting.length === 0) return { waiting, missing: [] };
    const all = waiting.some((slot) => this.warpOf(slot).barrier === clusterBarrier)
      ? this.#slotsOf(block.home.cluster)
      : slots;
    return {
      waiting,
      missing: all.filter((slot) => this.#atBarrier[slot] === 0 && !this.warpOf(slot).finished),
    };
  }

  fork(): ResidentBlocks {
    return new ResidentBlocks(this.core, this.slotCount, this);
  }

  hash(into: Hasher): void {
    for (const [slot, one] of this.#warps.entries()) {
      into.word(one === null ? 0 : 1);
      if (one === null) continue;
      const { warp } = one;
      into.numbers(warp.i);
      into.numbers(warp.stack, 0, 3 * warp.depth);
      into.numbers(figuresOf(warp));
      into.word(2 * this.#atBarrier[slot]! + (warp.finished ? 1 : 0));
    }
    for (const { block } of this.#blocks) {
      into.number(block.number);
      into.numbers(block.home.shared.words);
      into.numbers(block.home.local.words);
      into.numbers(block.home.barriers.figures);
    }
  }

  #place(home: ResidentBlock): ResidentBlock {
    this.#blocks.push(home);
    for (const [at, slot] of home.slots.entries())
      this.#warps[slot] = { warp: home.block.warps[at]!, home, age: this.#ages++ };
    return home;
  }

  /** The cluster that a block is of: that of a block which is here, or a new one. */
  #clusterOf(launch: Launch, number: number): Cluster {
    const size = blocksOfCluster(launch);
    const which = (block: number): number => placeInCluster(launch, block).number;
    const other =
      size === 1 ? undefined : this.#blocks.find(({ block }) => which(block.number) === which(number));
    return other?.block.home.cluster ?? new Cluster(size);
  }

  #slotsOf(cluster: Cluster): readonly number[] {
    return this.#blocks.flatMap(({ block, slots }) => (block.home.cluster === cluster ? slots : []));
  }

  /** Of these slots, those whose barrier has opened. */
  #letGo(slots: readonly number[]): readonly number[] {
    const gone = slots.filter((slot) => this.#atBarrier[slot] === 1 && this.warpOf(slot).barrier < 0);
    for (const slot of gone) this.#atBarrier[slot] = 0;
    return gone;
  }
}
