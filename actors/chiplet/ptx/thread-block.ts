import { BarrierBoard } from './barrier-board.ts';
import { Cluster, placeInCluster } from './cluster.ts';
import type { DeviceMemory } from './device-memory.ts';
import type { Launch } from './launch.ts';
import { Views } from './views.ts';
import { type BlockPlace, localStride, type Scratch, Warp } from './warp.ts';

/** A block of threads: its warps, and the memory that they share. */
export class ThreadBlock {
  readonly home: BlockPlace;
  readonly warps: Warp[];
  /** Barriers that have opened in it. */
  barriers: number;

  constructor(
    readonly launch: Launch,
    readonly number: number,
    readonly core: { readonly number: number; readonly count: number },
    memory: DeviceMemory,
    scratch: Scratch,
    cluster: Cluster = new Cluster(1),
    from?: ThreadBlock,
  ) {
    const { kernel, grid, block, cluster: shape, dynamicSharedBytes, parameters } = launch;
    const threads = block[0] * block[1] * block[2];
    const warps = Math.ceil(threads / 32);
    this.barriers = from?.barriers ?? 0;
    this.home = {
      kernel,
      place: {
        grid,
        block,
        cluster: shape,
        blockNumber: number,
        workspace: kernel.workspace,
        sharedBytes: kernel.sharedBytes - kernel.reservedSharedBytes + dynamicSharedBytes,
        reservedSharedBytes: kernel.reservedSharedBytes,
        dynamicSharedBytes,
        core: core.number,
        cores: core.count,
      },
      threads,
      shared: from ? from.home.shared.fork() : new Views(kernel.sharedBytes + dynamicSharedBytes),
      local: from ? from.home.local.fork() : new Views(warps * 32 * localStride(kernel)),
      parameters,
      barriers: new BarrierBoard(from?.home.barriers),
      cluster,
    };
    this.warps = Array.from({ length: warps }, (_, warp) =>
      from ? from.warps[warp]!.fork(this.home, scratch) : new Warp(this.home, warp, memory, scratch),
    );
    cluster.blocks[placeInCluster(launch, number).rank] = this;
  }

  get finished(): boolean {
    return this.warps.every(({ finished }) => finished);
  }

  /** Opens a barrier that all have come to whom it is for: so many threads, or every warp that has not finished. False when there is none. */
  openBarrier(): boolean {
    const { barriers } = this.home;
    const opening = barriers.open.find((one) => this.#isComplete(one));
    if (opening === undefined) return false;
    for (const warp of this.warps)
      if (warp.barrier === opening) warp.goOn((what) => barriers.result(opening, what));
    barriers.clear(opening);
    this.barriers++;
    return true;
  }

  #isComplete(barrier: number): boolean {
    const { threads, arrived } = this.home.barriers.at(barrier);
    let [waiting, finished] = [0, 0];
    for (const warp of this.warps) {
      if (warp.barrier === barrier) waiting++;
      else if (warp.finished) finished++;
    }
    if (threads > 0) return 32 * waiting + arrived >= threads;
    return waiting > 0 && waiting + finished === this.warps.length;
  }

  fork(memory: DeviceMemory, scratch: Scratch, cluster: Cluster): ThreadBlock {
    return new ThreadBlock(this.launch, this.number, this.core, memory, scratch, cluster, this);
  }
}
