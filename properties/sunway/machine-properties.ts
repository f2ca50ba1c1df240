import type { Given } from '../../machines/machine.ts';
import type { SunwayConfig, SunwayPrograms } from '../../machines/sunway/config.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { judgedBy } from '../judged-by.ts';
import type { MachineProperties } from '../properties.ts';
import { withReference } from '../with-reference.ts';
import { engines } from './references/engines.ts';
import { followedBy } from './references/follower.ts';
import { sunwayProperties } from './sunway-properties.ts';

const judged = judgedBy(sunwayMachine, (given) =>
  sunwayProperties.map((one) => one.of(given as Given<SunwayConfig, SunwayPrograms>)),
);

/** The properties of the Sunway node; its runs are compared with plain references of its parts. */
export const sunwayMachineProperties: MachineProperties = {
  ...judged,
  watch: withReference(judged.watch, [followedBy([engines])]),
};
