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
    from?: ThreadBlock,
  ) {
    const { kernel, grid, block, dynamicSharedBytes, parameters } = launch;
    const threads = block[0] * block[1] * block[2];
    const warps = Math.ceil(threads / 32);
    this.barriers = from?.barriers ?? 0;
    this.home = {
      kernel,
      place: { grid, block, blockNumber: number, core: core.number, cores: core.count },
      threads,
      shared: from ? from.home.shared.fork() : new Views(kernel.sharedBytes + dynamicSharedBytes),
      local: from ? from.home.local.fork() : new Views(warps * 32 * localStride(kernel)),
      parameters,
    };
    this.warps = Array.from({ length: warps }, (_, warp) =>
      from ? from.warps[warp]!.fork(this.home, scratch) : new Warp(this.home, warp, memory, scratch),
    );
  }

  get finished(): boolean {
    return this.warps.every(({ finished }) => finished);
  }

  /** Opens the barrier that every warp which has not finished waits at; false when they do not all wait at one. */
  openBarrier(): boolean {
    let at = -1;
    for (const { finished, barrier } of this.warps) {
      if (finished) continue;
      if (barrier < 0 || (at >= 0 && barrier !== at)) return false;
      at = barrier;
    }
    if (at < 0) return false;
    for (const warp of this.warps) warp.barrier = -1;
    this.barriers++;
    return true;
  }

  fork(memory: DeviceMemory, scratch: Scratch): ThreadBlock {
    return new ThreadBlock(this.launch, this.number, this.core, memory, scratch, this);
  }
}
