import type { Given } from '../../machines/machine.ts';
import type { SunwayConfig, SunwayPrograms } from '../../machines/sunway/config.ts';
import { sunwayMachine } from '../../machines/sunway.ts';
import { limitsAsDeclared, programLimitsAsDeclared } from '../declared-limits.ts';
import { judgedBy } from '../judged-by.ts';
import type { MachineProperties } from '../properties.ts';
import { inputsAreRefused } from '../refused-inputs.ts';
import { withSameRun } from '../same-run.ts';
import { withReference } from '../with-reference.ts';
import { sunwayFixed } from './fixed.ts';
import { sunwayLimits } from './limits.ts';
import { sunwayProgramLimits } from './program-limits.ts';
import { caches } from './references/caches.ts';
import { calls } from './references/calls.ts';
import { controllers } from './references/controllers.ts';
import { engines } from './references/engines.ts';
import { followedBy } from './references/follower.ts';
import { functions } from './references/functions.ts';
import { hosts } from './references/hosts.ts';
import { meetings } from './references/meetings.ts';
import { races } from './references/races.ts';
import { services } from './references/services.ts';
import { totals } from './references/totals.ts';
import { twins } from './references/twins.ts';
import { sunwayProperties } from './sunway-properties.ts';
import { sunwayInputs } from './wrong-inputs.ts';

const judged = judgedBy(sunwayMachine, (given) =>
  sunwayProperties.map((one) => one.of(given as Given<SunwayConfig, SunwayPrograms>)),
);

/** The properties of the Sunway node; its runs are compared with plain references of its parts. */
export const sunwayMachineProperties: MachineProperties = {
  ...judged,
  wholeRuns: true,
  watch: withReference(
    withSameRun(sunwayMachine, judged.watch, { oneIn: 3, endOf: ({ fingerprint }) => fingerprint }),
    [
      limitsAsDeclared(sunwayMachine, sunwayFixed, sunwayLimits),
      programLimitsAsDeclared(sunwayMachine, sunwayProgramLimits),
      inputsAreRefused(sunwayMachine, sunwayInputs),
      functions,
      twins(),
      followedBy([...[engines, controllers, caches, meetings], ...[calls, hosts, services, totals, races]]),
    ],
  ),
};
