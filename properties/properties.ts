import type { Observer } from '../kernel/explore/observer.ts';
import type { Run } from '../kernel/run.ts';
import type { CellbeConfig } from '../machines/cell/cellbe-config.ts';
import type { CellConfig, CellPrograms } from '../machines/cell/config.ts';
import type { CellAssembly } from '../machines/cell.ts';
import { assembledSource } from '../machines/grape/assembled.ts';
import type { GrapeConfig, GrapePrograms } from '../machines/grape/config.ts';
import type { Assembly, Given } from '../machines/machine.ts';
import type { SunwayConfig, SunwayPrograms } from '../machines/sunway/config.ts';
import type { TcaConfig, TcaPrograms } from '../machines/tca/config.ts';
import { cellProperties } from './cell/cell-properties.ts';
import { cellContext } from './cell/context.ts';
import { busKeepsItsRules, busRulesOf } from './cell/eib/bus-keeps-its-rules.ts';
import { busSentences } from './cell/eib/bus-rules.ts';
import { chipletMachineProperties } from './chiplet/machine-properties.ts';
import { grapeProperties } from './grape/grape-properties.ts';
import { type Watch, watch } from './property.ts';
import { protocolProperties } from './protocols/protocol-properties.ts';
import { sunwayProperties } from './sunway/sunway-properties.ts';
import { tcaProperties } from './tca/tca-properties.ts';

/** The properties of one machine, ready to watch any of its runs. */
export interface MachineProperties {
  /** Name of the machine. */
  readonly machine: string;
  readonly sentences: readonly string[];
  /** Lets them watch a run that has not begun. */
  watch(run: Run, given: Given, assembly: Assembly): Watch;
  /** Those that the exhaustive checker can judge, in the form it needs; their sentences are among `sentences`. */
  observers?(given: Given, assembly: Assembly): readonly Observer[];
}

const cell: MachineProperties = {
  machine: 'cell',
  sentences: cellProperties.map(({ sentence }) => sentence),
  watch: (run, given, assembly) => {
    // The name of the machine says what was given and what was assembled.
    const context = cellContext(run, given as Given<CellConfig, CellPrograms>, assembly as CellAssembly);
    return watch(run, cellProperties, context);
  },
};

const cellbe: MachineProperties = {
  machine: 'cellbe',
  sentences: busSentences,
  watch: (run, given) => watch(run, [busKeepsItsRules], busRulesOf(given.config as CellbeConfig)),
};

const grape: MachineProperties = {
  machine: 'grape',
  sentences: grapeProperties.map(({ sentence }) => sentence),
  watch: (run, given) => {
    const { config, programs } = given as Given<GrapeConfig, GrapePrograms>;
    return watch(run, grapeProperties, { config, program: assembledSource(config, programs).program });
  },
};

const tca: MachineProperties = {
  machine: 'tca',
  sentences: tcaProperties.map(({ sentence }) => sentence),
  watch: (run, given) => {
    const { config } = given as Given<TcaConfig, TcaPrograms>;
    return watch(run, tcaProperties, { config });
  },
};

const sunway: MachineProperties = {
  machine: 'sunway',
  sentences: sunwayProperties.map(({ sentence }) => sentence),
  watch: (run, given) => {
    const { config } = given as Given<SunwayConfig, SunwayPrograms>;
    return watch(run, sunwayProperties, { config });
  },
};

/** The properties of all machines. A machine with properties is one entry here. */
const families: readonly MachineProperties[] = [
  cell,
  cellbe,
  chipletMachineProperties,
  grape,
  sunway,
  tca,
  ...protocolProperties,
];

/** The properties of a machine by its name; undefined for a machine that has none. */
export const propertiesOf = (machine: string): MachineProperties | undefined =>
  families.find((one) => one.machine === machine);
