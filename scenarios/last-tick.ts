import type { Wiring } from '../kernel/wiring.ts';
import type { Scenario } from './scenario.ts';

/**
 * The last tick of a scenario to who goes through its states; undefined where there is none.
 *
 * Why: in an asynchronous wiring what follows a step does not depend on how many there were before it, so there the `until` of a scenario is about single runs.
 */
export const lastTickOf = ({ until }: Scenario, { network }: Wiring): number | undefined =>
  network ? undefined : until;
