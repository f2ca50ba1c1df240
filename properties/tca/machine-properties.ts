import type { Given, Machine } from '../../machines/machine.ts';
import type { TcaConfig, TcaPrograms } from '../../machines/tca/config.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { judgedBy } from '../judged-by.ts';
import { tcaProperties } from './tca-properties.ts';

/** The properties of the nodes with PEACH2 chips. */
export const tcaMachineProperties = judgedBy(tcaMachine as unknown as Machine, (given) =>
  tcaProperties(given as Given<TcaConfig, TcaPrograms>),
);
