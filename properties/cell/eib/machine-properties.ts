import type { CellbeConfig } from '../../../machines/cell/cellbe-config.ts';
import { cellbeMachine } from '../../../machines/cell/cellbe-machine.ts';
import type { MachineProperties } from '../../properties.ts';
import { watch } from '../../property.ts';
import { withSameEnd } from '../../same-end.ts';
import { programsRaiseNoException } from '../programs-raise-no-exception.ts';
import { busKeepsItsRules, busRulesOf } from './bus-keeps-its-rules.ts';
import { busSentences } from './bus-rules.ts';

/** The properties of the Cell/B.E. machine. */
export const cellbeMachineProperties: MachineProperties = {
  sentences: [...busSentences, programsRaiseNoException.sentence],
  watch: withSameEnd(
    cellbeMachine,
    // Times and places do not hang on the order within a cycle; bytes do where two packets meet on one.
    ({ memHash: _, ...timing }) => timing,
    (run, given) =>
      watch(run, [busKeepsItsRules, programsRaiseNoException], busRulesOf(given.config as CellbeConfig)),
  ),
  observers: () => [programsRaiseNoException],
};
