import type { Command } from 'commander';
import { addCommands, type CommandEntry, type Session } from '../command.ts';

const verbs: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'a system of CPU and GPU chiplets, with the files that the original leaves in its run directory',
    load: async () => (await import('./system-run.ts')).declareSystemRun,
  },
  {
    name: 'combine',
    summary: 'the network on the traces of a run directory; total cycles and power of its files',
    load: async () => (await import('./system-combine.ts')).declareCombine,
  },
  {
    name: 'schedules',
    summary: 'systems of chiplets under many schedules: each must give the values of the first one',
    load: async () => (await import('./schedules.ts')).declareSchedules,
  },
  {
    name: 'popnet',
    summary: 'the inter-chiplet network by itself, with the command line and the report of popnet',
    load: async () => (await import('./popnet.ts')).declarePopnet,
  },
  {
    name: 'curve',
    summary: 'latency and accepted load of the network over the offered load',
    load: async () => (await import('./curve.ts')).declareCurve,
  },
  {
    name: 'ptx',
    summary: 'run PTX kernels on the data of cases: buffers, messages, counts, cycles, power',
    load: async () => (await import('./ptx.ts')).declarePtx,
  },
  {
    name: 'calibrate',
    summary: 'predicted beside measured cycles of launches on a GPU',
    load: async () => (await import('./calibrate.ts')).declareCalibrate,
  },
  {
    name: 'interchiplet',
    summary: 'run the processes of a benchmark file under the coordinator, in rounds with the network',
    load: async () => (await import('./interchiplet.ts')).declareInterchiplet,
  },
  {
    name: 'process',
    summary: 'be one process of a chiplet: speak to a coordinator on standard input and output',
    load: async () => (await import('./interchiplet-process.ts')).declareProcess,
  },
];

/** `lockstep chiplet VERB`: systems of chiplets, and the network between them. */
export const declareChiplet = (command: Command, session: Session): Promise<void> =>
  addCommands(command, verbs, session.words[1], session);
