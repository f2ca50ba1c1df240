import type { CellConfig, CellPrograms } from '../../machines/cell/config.ts';
import { type CellAssembly, type CellRunResult, cellMachine } from '../../machines/cell.ts';
import type { Given } from '../../machines/machine.ts';
import type { MachineProperties } from '../properties.ts';
import { watch } from '../property.ts';
import { withSameEnd } from '../same-end.ts';
import { cellProperties } from './cell-properties.ts';
import { type CellProperty, cellContext } from './context.ts';
import { programsRaiseNoException } from './programs-raise-no-exception.ts';

const exceptionFree: CellProperty = programsRaiseNoException;

/** The properties of the Cell ring machine; that programs raise no exception is one where its configuration says so. */
export const cellMachineProperties: MachineProperties = {
  sentences: sentencesOf([...cellProperties, exceptionFree]),
  sentencesOf: (given) => sentencesOf(watching(given as Given<CellConfig>)),
  watch: withSameEnd(cellMachine, endOf, (run, given, assembly) => {
    // The name of the machine says what was given and what was assembled.
    const cell = given as Given<CellConfig, CellPrograms>;
    const context = cellContext(run, cell, assembly as CellAssembly);
    return watch(run, watching(cell), context);
  }),
  observers: (given) => (isFinding(given as Given<CellConfig>) ? [programsRaiseNoException] : []),
};

const watching = (given: Given<CellConfig, unknown>): readonly CellProperty[] =>
  isFinding(given) ? [...cellProperties, exceptionFree] : cellProperties;

const isFinding = ({ config }: Given<CellConfig, unknown>): boolean => config.programErrors === 'finding';

function sentencesOf(properties: readonly CellProperty[]): readonly string[] {
  return properties.map(({ sentence }) => sentence);
}

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
