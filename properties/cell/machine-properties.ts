import type { Observer } from '../../kernel/explore/observer.ts';
import type { CellConfig, CellPrograms } from '../../machines/cell/config.ts';
import { type CellRunResult, cellMachine } from '../../machines/cell.ts';
import type { Given } from '../../machines/machine.ts';
import { limitsAsDeclared, programLimitsAsDeclared } from '../declared-limits.ts';
import { judgedBy } from '../judged-by.ts';
import type { MachineProperties } from '../properties.ts';
import { inputsAreRefused } from '../refused-inputs.ts';
import { withSameEnd } from '../same-end.ts';
import { withSameRun } from '../same-run.ts';
import { withReference } from '../with-reference.ts';
import { cellProperties } from './cell-properties.ts';
import { factsOf } from './context.ts';
import { cellLimits } from './limits.ts';
import { cellProgramLimits } from './program-limits.ts';
import { programsAreRead } from './programs-are-read.ts';
import { programsRaiseNoException } from './programs-raise-no-exception.ts';
import { cellInputs, saturatingInputs } from './wrong-inputs.ts';

const judged = judgedBy(cellMachine, (given) => observersOf(given as Given<CellConfig, CellPrograms>));

/** The properties of the Cell ring machine; that programs raise no exception is one where its configuration says so. */
export const cellMachineProperties: MachineProperties = {
  ...judged,
  wholeRuns: true,
  watch: withReference(withSameRun(cellMachine, withSameEnd(cellMachine, endOf, judged.watch)), [
    limitsAsDeclared(cellMachine, {}, cellLimits),
    programLimitsAsDeclared(cellMachine, cellProgramLimits),
    inputsAreRefused(cellMachine, cellInputs),
    inputsAreRefused(cellMachine, saturatingInputs),
    programsAreRead,
  ]),
};

function observersOf(given: Given<CellConfig, CellPrograms>): readonly Observer[] {
  const facts = factsOf(given);
  const observers = cellProperties.map((property) => property.of(facts));
  return given.config.programErrors === 'finding' ? [...observers, programsRaiseNoException] : observers;
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
