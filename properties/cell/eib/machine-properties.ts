import type { CellbeConfig } from '../../../machines/cell/cellbe-config.ts';
import { cellbeMachine } from '../../../machines/cell/cellbe-machine.ts';
import { judgedBy } from '../../judged-by.ts';
import type { MachineProperties } from '../../properties.ts';
import { withSameEnd } from '../../same-end.ts';
import { withSameRun } from '../../same-run.ts';
import { programsRaiseNoException } from '../programs-raise-no-exception.ts';
import { busKeepsItsRules, busRulesOf } from './bus-keeps-its-rules.ts';

const judged = judgedBy(cellbeMachine, ({ config }) => [
  ...busKeepsItsRules(busRulesOf(config as CellbeConfig)),
  programsRaiseNoException,
]);

/** The properties of the Cell/B.E. machine. */
export const cellbeMachineProperties: MachineProperties = {
  ...judged,
  watch: withSameRun(
    cellbeMachine,
    withSameEnd(
      cellbeMachine,
      // Times and places do not hang on the order within a cycle; bytes do where two packets meet on one.
      ({ memHash: _, ...timing }) => timing,
      judged.watch,
    ),
  ),
};
