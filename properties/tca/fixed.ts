import * as map from '../../actors/tca/address-map.ts';
import * as layout from '../../actors/tca/gasnet/layout.ts';
import { channels, subTicks } from '../../actors/tca/parameters.ts';

/** Addresses and sizes that the specification fixes (TCA specification 2, 3, 6). */
export const tcaFixed = { subTicks, channels, map, layout };
