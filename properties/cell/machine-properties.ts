import type { CellConfig, CellPrograms } from '../../machines/cell/config.ts';
import type { CellAssembly } from '../../machines/cell.ts';
import type { Given } from '../../machines/machine.ts';
import type { MachineProperties } from '../properties.ts';
import { watch } from '../property.ts';
import { cellProperties } from './cell-properties.ts';
import { cellContext } from './context.ts';

/** The properties of the Cell ring machine. */
export const cellMachineProperties: MachineProperties = {
  machine: 'cell',
  sentences: cellProperties.map(({ sentence }) => sentence),
  watch: (run, given, assembly) => {
    // The name of the machine says what was given and what was assembled.
    const context = cellContext(run, given as Given<CellConfig, CellPrograms>, assembly as CellAssembly);
    return watch(run, cellProperties, context);
  },
};
