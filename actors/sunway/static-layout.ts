import { reservedBytes } from './address/space.ts';

/** Where a static variable lies in its LDM. */
export interface StaticVariable {
  readonly offset: number;
  readonly bytes: number;
}

/**
 * The static variables of a program, laid out one behind the other from the first byte that programs may use (specification 2.3).
 *
 * Details: every CPE that declares the same variables in the same order has them at the same offsets, on which broadcasts and RMA rely.
 */
export class StaticLayout {
  #end = reservedBytes;
  readonly #variables: StaticVariable[] = [];

  /** One past the last byte that was laid out. */
  get end(): number {
    return this.#end;
  }

  /** The variables, in the order in which they were laid out. */
  get variables(): readonly StaticVariable[] {
    return this.#variables;
  }

  /** Lays out a variable: `bytes` of them at a multiple of `align`, a power of two. The offset is the answer. */
  place(bytes: number, align: number): number {
    const offset = Math.ceil(this.#end / align) * align;
    this.#end = offset + bytes;
    this.#variables.push({ offset, bytes });
    return offset;
  }
}
