import { z } from 'zod';
import type { Given } from '../machine.ts';
import { type InterchipletResult, interchipletMachine } from './interchiplet.ts';
import {
  type InterchipletPrograms,
  interchipletConfig,
  interchipletPrograms,
} from './interchiplet-config.ts';
import { coordinatorHeader, coordinatorPicture, coordinatorSketch } from './interchiplet-log.ts';
import type { ChipletKind } from './kind.ts';

/** Schema of the configuration of processes under a coordinator. */
export const coordinatorConfig = z.strictObject({
  coordinator: interchipletConfig.describe('how the coordinator repeats the processes with the network'),
});

/** Configuration of processes under a coordinator. */
export type CoordinatorConfig = z.output<typeof coordinatorConfig>;

/** A run of processes under a coordinator. */
export type CoordinatorGiven = Given<CoordinatorConfig, InterchipletPrograms>;

const inner = (given: CoordinatorGiven) => ({ ...given, config: given.config.coordinator });

/** The coordinator as a kind of scenario: its configuration under a key of its own. */
export const coordinatorMachine: ChipletKind<CoordinatorConfig, InterchipletPrograms, InterchipletResult> = {
  config: coordinatorConfig,
  programs: interchipletPrograms,
  mutants: interchipletMachine.mutants,
  check: ({ coordinator }, programs) =>
    (interchipletMachine.check?.(coordinator, programs) ?? []).map(({ path, ...finding }) => ({
      ...finding,
      path: path[0] === 'config' ? ['config', 'coordinator', ...path.slice(1)] : path,
    })),
  assemble: (given) => interchipletMachine.assemble(inner(given)),
  figures: interchipletMachine.figures,
  logHeader: ({ name, programs }) => coordinatorHeader(name, programs),
  picture: ({ name, programs }, records) => coordinatorPicture(name, programs, records),
  sketch: ({ name, programs }, records, width) => coordinatorSketch(name, programs, records, width),
};
