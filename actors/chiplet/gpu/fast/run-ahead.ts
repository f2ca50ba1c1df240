import type { Instruction } from '../../ptx/instruction.ts';

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

  constructor(registers: number, from?: RunAhead) {
    this.early = from ? from.early.slice() : new Float64Array(registers);
    if (!from) return;
    this.#begun = from.#begun;
    this.#storedNear = from.#storedNear;
    this.#storedFar = from.#storedFar;
  }

  /** Cycles by which an instruction that issues in a cycle could have issued before. */
  lead({ schedule, access }: Instruction, cycle: number): number {
    if (schedule.opens) this.#begun = cycle;
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
        if (near) this.#storedNear = cycle;
        if (far) this.#storedFar = cycle;
        return 0;
      }
    }
    return first < cycle ? cycle - first : 0;
  }

  get figures(): readonly number[] {
    return [this.#begun, this.#storedNear, this.#storedFar];
  }
}
