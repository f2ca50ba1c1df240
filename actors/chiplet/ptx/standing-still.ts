import type { DeviceMemory } from './device-memory.ts';
import { figuresOfCalls, figuresOfGroup } from './parted-lanes.ts';
import type { ThreadBlock } from './thread-block.ts';
import { sameNumbers } from './views.ts';
import type { Warp } from './warp.ts';

/** Everything that the future of warps depends on. */
interface Kept {
  readonly warps: readonly {
    readonly figures: readonly number[];
    readonly registers: Int32Array;
    readonly stack: Int32Array;
  }[];
  readonly near: readonly Int32Array[];
  readonly memory: Uint8Array;
}

/** What a warp is at, besides registers and stack, as numbers. */
export const figuresOf = ({
  pc,
  mask,
  meeting,
  depth,
  barrier,
  carry,
  frame,
  turns,
  looked,
  arrived,
  passed,
  resting,
  calls,
  parted,
}: Warp): readonly number[] => [
  pc,
  mask,
  meeting,
  depth,
  barrier,
  carry,
  frame,
  turns,
  arrived,
  passed,
  resting,
  ...(looked ?? []),
  ...figuresOfCalls(calls),
  parted.length,
  ...parted.flatMap(figuresOfGroup),
];

/**
 * Finds out that warps come round to a state that they were in before: then they go round for ever.
 *
 * Details: one state is kept and compared with each later one; which one is kept changes after 1, 2, 4, 8, … of them (Brent 1980), so that any period is found.
 */
export class StandingStill {
  #kept: Kept | undefined;
  #seen = 0;
  #keepAt = 1;

  /** True when the blocks and the memory are as they were. */
  goesRound(blocks: readonly ThreadBlock[], memory: DeviceMemory): boolean {
    if (this.#kept !== undefined && isAs(this.#kept, blocks, memory)) return true;
    this.#seen++;
    if (this.#seen < this.#keepAt) return false;
    this.#keepAt *= 2;
    this.#kept = {
      warps: blocks.flatMap(({ warps }) =>
        warps.map((warp) => ({
          figures: figuresOf(warp),
          registers: warp.i.slice(),
          stack: warp.stack.slice(0, 3 * warp.depth),
        })),
      ),
      near: blocks.flatMap(({ home }) => [home.shared.words.slice(), home.local.words.slice()]),
      memory: memory.bytes.slice(),
    };
    return false;
  }
}

function isAs(kept: Kept, blocks: readonly ThreadBlock[], memory: DeviceMemory): boolean {
  const warps = blocks.flatMap((block) => block.warps);
  if (warps.length !== kept.warps.length) return false;
  for (const [at, warp] of warps.entries()) {
    const before = kept.warps[at]!;
    if (!sameNumbers(figuresOf(warp), before.figures) || !sameNumbers(warp.i, before.registers)) return false;
    if (!sameNumbers(warp.stack.subarray(0, 3 * warp.depth), before.stack)) return false;
  }
  const near = blocks.flatMap(({ home }) => [home.shared.words, home.local.words]);
  return (
    near.every((words, at) => sameNumbers(words, kept.near[at]!)) && sameNumbers(memory.bytes, kept.memory)
  );
}
