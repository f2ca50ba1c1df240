import type { Hasher } from '../../../kernel/hash.ts';
import type { Resource } from '../../../kernel/resource.ts';
import type { Instruction } from '../ptx/instruction.ts';

/** Turns of a loop that the translator makes one. */
export const turnsTogether = 4;

/**
 * When the instructions of a warp could have issued if the translator had put each as early as its operands are there: loads above those that wait for others.
 *
 * Details: within a stretch of code that no barrier, call, fence or branch back divides; a store keeps loads of what may be the same below it.
 */
export class RunAhead {
  /** The cycle from which each register could be used; infinite while it waits for memory. */
  readonly early: Float64Array;
  /** When the stretch began, and the last store to shared and to other memory was made. */
  #begun = 0;
  #storedNear = 0;
  #storedFar = 0;
  /** The loop that the stretch is in of which the translator makes several turns one, and how many it has made. */
  #loop = -1;
  #turns = 0;

  constructor(registers: number, from?: RunAhead) {
    this.early = from ? from.early.slice() : new Float64Array(registers);
    if (!from) return;
    this.#begun = from.#begun;
    this.#storedNear = from.#storedNear;
    this.#storedFar = from.#storedFar;
  }

  /** Cycles by which an instruction that issues in a cycle could have issued before. */
  lead({ schedule, access }: Instruction, cycle: number): number {
    if (schedule.opens && !this.#goesOn(schedule.unrolled)) this.#begun = cycle;
    let first = this.#begun;
    const { reads } = schedule;
    for (let at = 0; at < reads.length; at++) {
      const ready = this.early[reads[at]!]!;
      if (ready > first) first = ready;
    }
    if (access !== null) {
      // A generic address may be in either memory.
      const [near, far] = [access.space !== 'global' && access.space !== 'local', access.space !== 'shared'];
      if (!schedule.readOnly && near && this.#storedNear > first) first = this.#storedNear;
      if (!schedule.readOnly && far && this.#storedFar > first) first = this.#storedFar;
      if (access.what !== 'load' || schedule.volatile) {
        const when = access.what === 'load' ? first : cycle;
        if (near) this.#storedNear = when;
        if (far) this.#storedFar = when;
        return Math.max(0, cycle - when);
      }
    }
    return first < cycle ? cycle - first : 0;
  }

  /** Whether a turn of a loop is one with the turn before. */
  #goesOn(loop: number): boolean {
    this.#turns = loop >= 0 && loop === this.#loop ? (this.#turns + 1) % turnsTogether : 0;
    this.#loop = loop;
    return this.#turns > 0;
  }

  get figures(): readonly number[] {
    return [this.#begun, this.#storedNear, this.#storedFar, this.#loop, this.#turns];
  }
}

/** A load that waits for memory: the warp that it is of, and the registers that it writes. */
interface AwaitedLoad {
  readonly slot: number;
  readonly warp: RunAhead;
  readonly results: readonly number[];
}

/** How far ahead the warps of a core could be, by slot; of none where the translator moves no loads. */
export class WarpsAhead implements Resource {
  readonly #warps: (RunAhead | undefined)[];
  readonly #loads: (AwaitedLoad | undefined)[];

  constructor(
    readonly hoists: boolean,
    from?: WarpsAhead,
  ) {
    const copies = new Map<RunAhead, RunAhead>();
    const copyOf = (one: RunAhead): RunAhead => {
      const copy = copies.get(one) ?? new RunAhead(one.early.length, one);
      copies.set(one, copy);
      return copy;
    };
    this.#warps = from ? from.#warps.map((one) => one && copyOf(one)) : [];
    this.#loads = from ? from.#loads.map((one) => one && { ...one, warp: copyOf(one.warp) }) : [];
  }

  /** A warp with so many registers comes into a slot. */
  enter(slot: number, registers: number): void {
    if (this.hoists) this.#warps[slot] = new RunAhead(registers);
  }

  /** Cycles by which the next instruction of a warp could have issued before. */
  lead(slot: number, instruction: Instruction, cycle: number): number {
    return this.#warps[slot]?.lead(instruction, cycle) ?? 0;
  }

  /** Results of an instruction could be used from a cycle on; infinite for those that the load with this number waits for. */
  issued(slot: number, { results }: Instruction, early: number, load: number): void {
    const warp = this.#warps[slot];
    if (warp === undefined) return;
    for (const register of results) warp.early[register] = early;
    if (load >= 0) this.#loads[load] = { slot, warp, results };
  }

  /** A load has all its segments: its results can be used from a cycle on. */
  complete(load: number, usable: number): void {
    const awaited = this.#loads[load];
    this.#loads[load] = undefined;
    // A warp may have ended without a look at what it loaded.
    if (awaited === undefined || this.#warps[awaited.slot] !== awaited.warp) return;
    for (const register of awaited.results) awaited.warp.early[register] = usable;
  }

  fork(): WarpsAhead {
    return new WarpsAhead(this.hoists, this);
  }

  hash(into: Hasher): void {
    for (const [slot, one] of this.#warps.entries()) {
      if (one === undefined) continue;
      into.number(slot);
      into.numbers(one.early);
      into.numbers(one.figures);
    }
    // A load of a warp that has ended changes nothing any more, whoever is in its slot now.
    for (const [load, one] of this.#loads.entries())
      if (one !== undefined && this.#warps[one.slot] === one.warp)
        into.numbers([load, one.slot, ...one.results]);
  }
}
