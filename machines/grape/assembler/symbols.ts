import type { Word } from '../../../actors/grape/arithmetic/word.ts';
import type { Constant, Region, Variable } from '../../../actors/grape/program.ts';

/** Sizes that the assembler knows, in short words (GRAPE specification 1). */
export interface MemorySizes {
  readonly lmShort: number;
  readonly grfShort: number;
  readonly bmShort: number;
}

/** The sizes of the chip. */
export const chipSizes: MemorySizes = { lmShort: 512, grfShort: 64, bmShort: 2048 };

/** Short words of a variable. */
export const sizeOf = ({ long, vector }: Pick<Variable, 'long' | 'vector'>): number =>
  (long ? 2 : 1) * (vector ? 4 : 1);

/** A constant whose place is not known before the last variable is. */
export interface PooledConstant {
  readonly index: number;
  readonly long: boolean;
  readonly word: Word;
  /** Only its lower half is brought in: the known bug of the form `il`. */
  readonly lowerOnly: boolean;
}

/** All names of a program, and where its variables and constants lie (GRAPE specification 3.3, 2.11). */
export class Symbols {
  readonly variables = new Map<string, Variable>();
  readonly aliases = new Map<string, string>();
  readonly regions = new Map<string, Region>();
  readonly #free = { lm: 0, bm: 0 };
  readonly #constants: PooledConstant[] = [];
  readonly #sizes: MemorySizes;

  readonly #ilUpperBug: boolean;

  /** With `ilUpperBug`, constants of the form `il` lose their upper halves (GRAPE specification 0.1, C15). */
  constructor(sizes: MemorySizes, ilUpperBug = false) {
    this.#sizes = sizes;
    this.#ilUpperBug = ilUpperBug;
  }

  /** True when a variable, an alias or a region has the name. */
  has(name: string): boolean {
    return this.variables.has(name) || this.aliases.has(name) || this.regions.has(name);
  }

  /** The first free address of a memory for a word of this width: long words begin at even addresses. */
  nextFree(space: 'lm' | 'bm', long: boolean): number {
    const free = this.#free[space];
    return long ? free + (free & 1) : free;
  }

  /** True when a variable at this address ends within its memory. */
  holds(space: 'lm' | 'bm', addr: number, size: number): boolean {
    return addr + size <= (space === 'lm' ? this.#sizes.lmShort : this.#sizes.bmShort);
  }

  /** Enters a variable. One that was placed by hand leaves the free address where it is. */
  declare(variable: Variable): void {
    this.variables.set(variable.name, variable);
    if (!variable.placed) this.#free[variable.space] = variable.addr + sizeOf(variable);
  }

  /** The constant of this width and word: one location for all equal ones. */
  constant(long: boolean, word: Word, isLongInteger = false): PooledConstant {
    const lowerOnly = this.#ilUpperBug && isLongInteger;
    const known = this.#constants.find(
      (one) => one.long === long && one.word === word && one.lowerOnly === lowerOnly,
    );
    if (known) return known;
    const made = { index: this.#constants.length, long, word, lowerOnly };
    this.#constants.push(made);
    return made;
  }

  /** Places the constants behind the last variable of local memory. The last of them may lie beyond its end. */
  placeConstants(): readonly Constant[] {
    return this.#constants.map(({ index, long, word, lowerOnly }) => {
      const addr = this.nextFree('lm', long);
      this.#free.lm = addr + (long ? 2 : 1);
      return { name: `const${index}`, addr, long, word, ...(lowerOnly && { lowerOnly }) };
    });
  }

  /** Short words in use: up to the first that was never given to a variable or constant. */
  get used(): { readonly lm: number; readonly bm: number } {
    return { ...this.#free };
  }
}
