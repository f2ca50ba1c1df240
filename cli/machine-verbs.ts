import type { CommandEntry } from './command.ts';

/** The verbs that machines add under their names (design, section 7). A new machine with verbs is one entry here. */
export const machineVerbs: readonly CommandEntry[] = [
  {
    name: 'cell',
    summary: 'workloads, arbitration instances and event logs of the Cell ring machine',
    load: async () => (await import('./cell/cell.ts')).declareCell,
  },
  {
    name: 'chiplet',
    summary:
      'systems of chiplets: popnet by its command line, latency over load, PTX kernels, the coordinator',
    load: async () => (await import('./chiplet/chiplet.ts')).declareChiplet,
  },
  {
    name: 'grape',
    summary: 'VSM assembler and programs of the GRAPE machine',
    load: async () => (await import('./grape/grape.ts')).declareGrape,
  },
  {
    name: 'sunway',
    summary: 'measurements and files of the Sunway machine',
    load: async () => (await import('./sunway/sunway.ts')).declareSunway,
  },
  {
    name: 'tca',
    summary: 'measurements of the TCA machine: the figures of the paper, beside what others measured',
    load: async () => (await import('./tca/tca.ts')).declareTca,
  },
];
