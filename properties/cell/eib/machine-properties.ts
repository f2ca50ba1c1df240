import type { CellbeConfig } from '../../../machines/cell/cellbe-config.ts';
import type { MachineProperties } from '../../properties.ts';
import { watch } from '../../property.ts';
import { busKeepsItsRules, busRulesOf } from './bus-keeps-its-rules.ts';
import { busSentences } from './bus-rules.ts';

/** The properties of the Cell/B.E. machine. */
export const cellbeMachineProperties: MachineProperties = {
  machine: 'cellbe',
  sentences: busSentences,
  watch: (run, given) => watch(run, [busKeepsItsRules], busRulesOf(given.config as CellbeConfig)),
};
