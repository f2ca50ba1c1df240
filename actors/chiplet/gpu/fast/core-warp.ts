import type { Hasher } from '../../../../kernel/hash.ts';
import type { Instruction } from '../../ptx/instruction.ts';
import type { Warp } from '../../ptx/warp.ts';
import type { ResidentBlock } from '../resident-blocks.ts';
import { RunAhead } from '../run-ahead.ts';

/** What keeps a warp from issuing besides its registers. */
export type WarpWait = 'none' | 'barrier' | 'message';

/** A warp in a slot of a core: when its registers can be used and when it can issue (chiplet specification 7.3). */
export class CoreWarp {
  /** The cycle from which each register can be used; infinite while it waits for memory. */
  readonly ready: Float64Array;
  wait: WarpWait = 'none';
  /** The first cycle in which it could issue if its registers were ready. */
  floor = 0;
  /** The next instruction. */
  next: Instruction;
  /** Where the translator moves loads up: when they could have issued. */
  readonly ahead: RunAhead | null;

  constructor(
    readonly warp: Warp,
    readonly home: ResidentBlock,
    readonly slot: number,
    /** Order in which warps came to the core. */
    readonly age: number,
    hoists: boolean,
    from?: CoreWarp,
  ) {
    const { code, registerCount } = warp.home.kernel;
    this.ready = from ? from.ready.slice() : new Float64Array(registerCount);
    this.next = code[warp.pc]!;
    this.ahead = hoists ? new RunAhead(registerCount, from?.ahead ?? undefined) : null;
    if (from) {
      this.floor = from.floor;
      this.wait = from.wait;
      this.next = from.next;
    }
  }

  /** Looks up the next instruction, which cannot issue before `cycle`; gives the first cycle in which it can, as far as the warp is concerned. */
  fetch(cycle: number): number {
    const { code } = this.warp.home.kernel;
    this.next = code[this.warp.pc]!;
    this.floor = cycle;
    let earliest = cycle;
    const { registers } = this.next;
    for (let at = 0; at < registers.length; at++) {
      const ready = this.ready[registers[at]!]!;
      if (ready > earliest) earliest = ready;
    }
    return earliest;
  }

  hash(into: Hasher): void {
    into.number(this.floor);
    into.string(this.wait);
    into.numbers(this.ready);
    if (!this.ahead) return;
    into.numbers(this.ahead.early);
    into.numbers(this.ahead.figures);
  }
}
