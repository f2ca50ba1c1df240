import { arbiterFaults } from './mutants/arbiter-faults.ts';
import { barrierFaults } from './mutants/barrier-faults.ts';
import type { CellMutant } from './mutants/mutant.ts';
import { sharedAccessFaults } from './mutants/shared-access-faults.ts';
import { transferFaults } from './mutants/transfer-faults.ts';

export type { CellMutant };

/** The fault catalogue of the Cell ring machine by id (Cell specification 21.4), in the order of the ids. */
export const cellMutants: ReadonlyMap<string, CellMutant> = new Map(
  [...arbiterFaults, ...barrierFaults, ...sharedAccessFaults, ...transferFaults]
    .sort(([a], [b]) => (a.replace('M', 'A') < b.replace('M', 'A') ? -1 : 1))
    .map(([id, fault]) => [id, { id, ...fault }]),
);
