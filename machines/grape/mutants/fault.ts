import type { Mutant } from '../../mutant.ts';
import type { GrapeParts } from '../assembly.ts';

/** One planted fault of the chip: what is wrong with it, and the parts with the fault. */
export interface GrapeFault extends Mutant<GrapeParts> {
  readonly id: `G-${number}`;
}
