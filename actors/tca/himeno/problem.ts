import { invariant } from '../../../kernel/errors.ts';
import { type Block, createBlock, gatherBlock } from './block.ts';
import { type Checksums, checksumsOf } from './checksums.ts';
import { type Decomposition, rankCount } from './decomposition.ts';
import { exchange } from './exchange.ts';
import type { ExchangeOrder } from './faces.ts';
import type { Variant } from './initial-values.ts';
import { type Residual, sweep } from './sweep.ts';

/** What a run leaves: the checksums of the whole p, and the residual of the last iteration. */
export interface HimenoResult extends Checksums {
  /**
   * Present when there is one single block: the sum depends on the order, which several blocks do not keep.
   */
  readonly gosaF32Seq?: number;
  /** Summed block by block: right to 1e-12 of itself (TCA specification 13). */
  readonly gosaF64: number;
}

/** A Himeno problem that is solved without a machine: blocks whose faces are copied directly. */
export class Problem {
  readonly #decomposition: Decomposition;
  readonly #order: ExchangeOrder;
  readonly #blocks: readonly Block[];
  #residual: Residual = { gosaF32Seq: 0, gosaF64: 0 };
  #iterations = 0;

  constructor(decomposition: Decomposition, variant: Variant, order: ExchangeOrder) {
    this.#decomposition = decomposition;
    this.#order = order;
    this.#blocks = Array.from({ length: rankCount(decomposition) }, (_, rank) =>
      createBlock(decomposition, rank, variant),
    );
  }

  /** Iterations carried out so far. */
  get iterations(): number {
    return this.#iterations;
  }

  /** The p of the whole grid. */
  get p(): Float32Array {
    const { imax, jmax, kmax } = this.#decomposition.size;
    const whole = new Float32Array(imax * jmax * kmax);
    for (const block of this.#blocks) gatherBlock(block, whole);
    return whole;
  }

  /** What the iterations so far have given; residuals are 0 before the first one. */
  get result(): HimenoResult {
    const { gosaF32Seq, gosaF64 } = this.#residual;
    return {
      ...(this.#blocks.length === 1 && { gosaF32Seq }),
      gosaF64,
      ...checksumsOf(this.p, this.#decomposition.size),
    };
  }

  /** Carries on until `iterations` are done in all. */
  iterateTo(iterations: number): void {
    invariant(
      iterations >= this.#iterations,
      `${this.#iterations} iterations are done already, not ${iterations}`,
    );
    for (; this.#iterations < iterations; this.#iterations++) {
      const residuals = this.#blocks.map(sweep);
      exchange(this.#blocks, this.#order);
      this.#residual = {
        gosaF32Seq: residuals[0]!.gosaF32Seq,
        gosaF64: residuals.reduce((sum, { gosaF64 }) => sum + gosaF64, 0),
      };
    }
  }
}

/** Solves a decomposed problem with direct copies; gives the checksums of the gathered p. */
export function runDecomposed(
  decomposition: Decomposition,
  variant: Variant,
  order: ExchangeOrder,
  iterations: number,
): HimenoResult {
  const problem = new Problem(decomposition, variant, order);
  problem.iterateTo(iterations);
  return problem.result;
}
