import type { Register } from './resolved.ts';
import { laneWords, type ValueType } from './value-type.ts';

/** The registers of a kernel and the words that they take in a warp: 32 for a register, 64 for one of 64 bits, one for 32 predicates. */
export class RegisterFile {
  readonly #registers: Register[] = [];
  #words = 0;
  /** The next free predicate in words that were taken for predicates. */
  #predicates = 0;

  get registers(): readonly Register[] {
    return this.#registers;
  }

  get words(): number {
    return this.#words;
  }

  /** A new register of the program. */
  readonly make = (name: string, type: ValueType): Register => this.place(name, type, false);

  /** A new register; `special` for one that the hardware fills. */
  place(name: string, type: ValueType, special: boolean): Register {
    let slot: number;
    if (type === 'pred') {
      if (this.#predicates % 32 === 0) {
        this.#predicates = this.#words;
        this.#words += 32;
      }
      slot = this.#predicates++;
    } else {
      slot = this.#words;
      this.#words += laneWords(type);
    }
    const register = { name, type, number: this.#registers.length, slot, special };
    this.#registers.push(register);
    return register;
  }
}
