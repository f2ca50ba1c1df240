import type { InjectedFault } from '../kernel/faults.ts';
import type { Given } from '../machines/machine.ts';
import type { Fault, MutantFault, Scenario } from './scenario.ts';

/** What the machine of a scenario is built from; `scheduled` says whether something other than first-come order will deliver the messages, `fast` that nobody looks inside its parts. */
export function givenOf<Config, Programs>(
  { name, config, programs, faults, network }: Scenario<Config, Programs>,
  scheduled: boolean,
  fast = false,
): Given<Config, Programs> {
  return {
    name,
    config,
    programs,
    mutants: faults.filter(isMutant).map(({ mutant }) => mutant),
    faults: faults.filter((fault) => !isMutant(fault)) as readonly InjectedFault[],
    scheduled,
    ...(fast && { fast }),
    ...(network && { network }),
  };
}

const isMutant = (fault: Fault): fault is MutantFault => 'mutant' in fault;
