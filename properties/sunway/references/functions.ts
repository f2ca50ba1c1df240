import { besideScenario } from '../../beside-scenario.ts';
import { hostFailureFault, hostFault, slaveFailureFault, slaveFault } from '../checklist/case-faults.ts';

/** Functions that are looked at beside each scenario, of those that have cases; all functions of hosts together beside one scenario of so many. */
const [functionsEach, failuresEach, hostsEvery] = [2, 3, 16];

/** Beside a scenario, some of the functions of the node are tried by their cases: what they give, how long they take, how they fail. */
export const functions = besideScenario((number) => {
  const found = slaveFault(functionsEach * number, functionsEach);
  if (found !== undefined) return found;
  for (let k = 0; k < failuresEach; k++) {
    const why = slaveFailureFault(failuresEach * number + k);
    if (why !== undefined) return why;
  }
  return hostFailureFault(number) ?? (number % hostsEvery === 0 ? hostFault() : undefined);
});
