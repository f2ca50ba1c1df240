import { type BoundedWait, boundedWait } from './bounded-wait.ts';
import { etalonFf } from './etalon-ff.ts';
import { etalonHol } from './etalon-hol.ts';
import { fifoBoth } from './fifo-both.ts';
import type { Policy, PolicySpec } from './policy.ts';
import { sjfDetour } from './sjf-detour.ts';
import { sjfPlan } from './sjf-plan.ts';

/** All policies by name (Cell specification 17.2 to 17.4). */
export const policyNames = ['etalon-hol', 'etalon-ff', 'fifo-both', 'sjf-detour', 'sjf-plan'] as const;

/** The name of a policy of the catalogue. */
export type PolicyName = (typeof policyNames)[number];

/** What a policy is made for, and its options. */
export interface PolicyOptions extends PolicySpec {
  /** Wraps the policy in `boundedWait`; null and absent mean not (Cell specification 17.5). */
  readonly boundedWait?: BoundedWait | null;
  /** Seed of the policies that draw random numbers, an integer; 1 when absent. */
  readonly seed?: number;
}

const factories: Readonly<Record<PolicyName, (spec: PolicySpec, seed: number) => Policy>> = {
  'etalon-hol': etalonHol,
  'etalon-ff': etalonFf,
  'fifo-both': fifoBoth,
  'sjf-detour': sjfDetour,
  'sjf-plan': sjfPlan,
};

/** Says whether the catalogue has a policy of this name. */
export function isPolicyName(name: string): name is PolicyName {
  return (policyNames as readonly string[]).includes(name);
}

/** Makes the policy of one arbiter (Cell specification 17); RangeError for an unknown name or options out of range. */
export function createPolicy(name: string, options: PolicyOptions): Policy {
  if (!isPolicyName(name)) {
    throw new RangeError(`unknown arbitration policy "${name}"; known policies: ${policyNames.join(', ')}`);
  }
  const policy = factories[name](options, options.seed ?? 1);
  return options.boundedWait ? boundedWait(options, policy, options.boundedWait) : policy;
}
