import { z } from 'zod';
import {
  type TrafficConfig,
  type TrafficPrograms,
  trafficConfig,
  trafficPrograms,
} from './chiplet/config.ts';
import {
  type CoordinatorConfig,
  type CoordinatorGiven,
  coordinatorConfig,
  coordinatorMachine,
} from './chiplet/coordinator.ts';
import type { InterchipletResult } from './chiplet/interchiplet.ts';
import { type InterchipletPrograms, interchipletPrograms } from './chiplet/interchiplet-config.ts';
import { type NetworkAssembly, type NetworkGiven, networkMachine } from './chiplet/network-machine.ts';
import type { NetworkResult } from './chiplet/result.ts';
import { type SystemAssembly, type SystemGiven, type SystemResult, systemMachine } from './chiplet/system.ts';
import {
  type SystemConfig,
  type SystemPrograms,
  systemConfig,
  systemPrograms,
} from './chiplet/system-config.ts';
import type { Assembly, Given, Machine } from './machine.ts';

/*
 * Chiplets and the network between them: one machine, whose scenarios are of three kinds. With `chiplets` in its configuration a scenario is a system
 * of CPU and GPU chiplets that exchange messages (chiplet specification 12); with `coordinator` it is a set of processes that a coordinator runs in
 * rounds (9); with neither it is the network by itself, under traffic (5).
 */

/** What a scenario of the machine is about. */
export type ChipletKindName = 'network' | 'system' | 'coordinator';

/** Configuration of a scenario: traffic through a network, a system of chiplets, or processes under a coordinator. */
export type ChipletConfig = TrafficConfig | SystemConfig | CoordinatorConfig;
/** Programs of a scenario, of the kind of its configuration. */
export type ChipletPrograms = TrafficPrograms | SystemPrograms | InterchipletPrograms;
/** What a run came to, by the kind of its configuration. */
export type ChipletResult = NetworkResult | SystemResult | InterchipletResult;

const kinds = {
  network: networkMachine as unknown as Machine,
  system: systemMachine as unknown as Machine,
  coordinator: coordinatorMachine as unknown as Machine,
} as const satisfies Readonly<Record<ChipletKindName, Machine>>;

/** The kind of a configuration. */
export const kindOf = (config: ChipletConfig): ChipletKindName =>
  'chiplets' in config ? 'system' : 'coordinator' in config ? 'coordinator' : 'network';

/** The kind that programs are written for. */
const kindOfPrograms = (programs: ChipletPrograms): ChipletKindName =>
  Array.isArray(programs) ? 'coordinator' : 'hosts' in programs ? 'system' : 'network';

/** The kind of a result. */
const kindOfResult = (result: ChipletResult): ChipletKindName =>
  'chiplets' in result ? 'system' : 'converged' in result ? 'coordinator' : 'network';

/** For each kind, what its programs are and the key of a configuration that makes a scenario one of it. */
const wordsOf = {
  network: { programs: 'traffic', key: 'network alone' },
  system: { programs: 'programs of chiplets', key: 'chiplets' },
  coordinator: { programs: 'processes', key: 'coordinator' },
} as const satisfies Readonly<Record<ChipletKindName, object>>;

/** Chiplets joined by a network; an assembly is that of its kind. */
export interface ChipletMachine
  extends Omit<Machine<ChipletConfig, ChipletPrograms, ChipletResult>, 'assemble'> {
  assemble(given: NetworkGiven): NetworkAssembly;
  assemble(given: SystemGiven): SystemAssembly;
  assemble(given: CoordinatorGiven): Assembly<InterchipletResult>;
}

const kindOfGiven = ({ config }: Given<ChipletConfig, ChipletPrograms>): Machine => kinds[kindOf(config)];

const schemas = { network: trafficConfig, system: systemConfig, coordinator: coordinatorConfig } as const;

/** Configurations of all kinds. */
const anyConfig = z.union([trafficConfig, systemConfig, coordinatorConfig]);
// The key that makes a scenario one of its kind decides by what it is read. A union alone would take one for a network with a strange key that has any other
// mistake: a strange key is the one mistake after which a schema goes on.
anyConfig._zod.parse = (payload, context) => {
  const { value } = payload;
  const isKeyed = typeof value === 'object' && value !== null;
  return schemas[isKeyed ? kindOf(value as ChipletConfig) : 'network']._zod.run(payload, context);
};
anyConfig._zod.run = anyConfig._zod.parse;

/** Chiplets and the network between them: one machine of three kinds, which the configuration chooses. */
export const chipletMachine: ChipletMachine = {
  name: 'chiplet',
  config: anyConfig,
  programs: z.union([trafficPrograms, systemPrograms, interchipletPrograms]),
  mutants: new Map(Object.values(kinds).flatMap(({ mutants }) => [...mutants])),
  check: (config, programs) => {
    const [kind, other] = [kindOf(config), kindOfPrograms(programs)];
    if (kind === other) return kinds[kind].check?.(config, programs) ?? [];
    return [
      {
        path: ['programs'],
        found: `${wordsOf[other].programs} in a scenario whose configuration has ${wordsOf[kind].key}`,
        expected: `${wordsOf[kind].programs}, or ${wordsOf[other].key} in the configuration`,
      },
    ];
  },
  // The configuration says which overload of the interface it is.
  assemble: ((given: Given<ChipletConfig, ChipletPrograms>) =>
    kindOfGiven(given).assemble(given)) as ChipletMachine['assemble'],
  figures: (result, outcome) => kinds[kindOfResult(result)].figures(result, outcome),
  logHeader: (given) => kindOfGiven(given).logHeader!(given),
  picture: (given, records) => kindOfGiven(given).picture!(given, records),
  sketch: (given, records, width) => kindOfGiven(given).sketch!(given, records, width),
};
