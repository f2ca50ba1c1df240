import type { CellConfig, CellPrograms } from '../../machines/cell/config.ts';
import { type CellAssembly, type CellRunResult, cellMachine } from '../../machines/cell.ts';
import type { Given } from '../../machines/machine.ts';
import type { MachineProperties } from '../properties.ts';
import { watch } from '../property.ts';
import { withSameEnd } from '../same-end.ts';
import { cellProperties } from './cell-properties.ts';
import { cellContext } from './context.ts';

/** The properties of the Cell ring machine. */
export const cellMachineProperties: MachineProperties = {
  machine: 'cell',
  sentences: cellProperties.map(({ sentence }) => sentence),
  watch: withSameEnd(cellMachine, endOf, (run, given, assembly) => {
    // The name of the machine says what was given and what was assembled.
    const context = cellContext(run, given as Given<CellConfig, CellPrograms>, assembly as CellAssembly);
    return watch(run, cellProperties, context);
  }),
};

/**
 * Times, places and counts do not depend on the order within a cycle; bytes do not where the programs are race free, as closed loops are (Cell
 * specification 8, 18.1). A program in TypeScript may decide by the bytes that it reads.
 */
function endOf(result: CellRunResult, { programs }: Given<CellConfig, CellPrograms>): unknown {
  if (!Array.isArray(programs)) return result;
  if (!programs.every((program) => Array.isArray(program))) return undefined;
  const { memHash: _, readHash: __, ...timing } = result;
  return timing;
}
