import type { Machine } from '../../../machines/machine.ts';
import { Trials } from '../trial.ts';

/** Trials of a toy machine that is wired without a configuration. */
export const toyTrials = (machine: Machine<unknown>): Trials =>
  new Trials(
    {
      file: `${machine.name}.yaml`,
      text: '',
      name: machine.name,
      machine: machine.name,
      config: {},
      programs: [],
      faults: [],
      schedule: { kind: 'fifo', seed: 0 },
    },
    machine as unknown as Machine,
    undefined,
  );
