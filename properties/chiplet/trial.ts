import type { RunOptions } from '../../kernel/run.ts';
import { trafficConfig, trafficPrograms } from '../../machines/chiplet/config.ts';
import type { NetworkGiven } from '../../machines/chiplet/network-machine.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import type { NetworkResult } from '../../machines/chiplet/result.ts';
import { type WatchedTrial, watchedTrial } from '../watched-trial.ts';
import { networkMachineProperties } from './machine-properties.ts';

/** A run of a network. */
export type ChipletGiven = NetworkGiven;

/** A run written with what differs from a small mesh under light load. */
export const givenOf = (
  network: object,
  programs: object,
  mutants: readonly string[] = [],
): ChipletGiven => ({
  name: 'test',
  config: trafficConfig.parse({ network: { A: 4, V: 2, B: 4, O: 2, F: 2, T: 4000, ...network } }),
  programs: trafficPrograms.parse(programs),
  mutants,
  scheduled: false,
});

/** Traffic that makes packets meet. */
export const busy = { pattern: 'uniform', rate: 0.06, cycles: 400, packets: 150, flits: [1, 3, 6] } as const;

/** Runs a network to its end with all its properties watching. */
export const trial = (given: ChipletGiven, options: RunOptions = {}): WatchedTrial<NetworkResult> =>
  watchedTrial(
    networkMachine.assemble(given),
    (run, assembly) => networkMachineProperties.watch(run, given, assembly),
    options,
  );
