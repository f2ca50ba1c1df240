import type { Given } from '../../machines/machine.ts';
import type { SunwayConfig, SunwayPrograms } from '../../machines/sunway/config.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { judgedBy } from '../judged-by.ts';
import { sunwayProperties } from './sunway-properties.ts';

/** The properties of the Sunway node. */
export const sunwayMachineProperties = judgedBy(sunwayMachine, (given) =>
  sunwayProperties.map((one) => one.of(given as Given<SunwayConfig, SunwayPrograms>)),
);
