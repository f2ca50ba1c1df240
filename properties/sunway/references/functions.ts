import type { Reference } from '../../with-reference.ts';
import { hostFailureFault, hostFault, slaveFailureFault, slaveFault } from '../checklist/case-faults.ts';

/** Functions that are looked at beside each scenario, of those that have cases; all functions of hosts together beside one scenario of so many. */
const [functionsEach, failuresEach, hostsEvery] = [2, 3, 16];

/** The schedules of a scenario share what is found. */
const known = new WeakMap<object, string | 'none'>();

function faultOf(which: number): string | undefined {
  const found = slaveFault(functionsEach * which, functionsEach);
  if (found !== undefined) return found;
  for (let k = 0; k < failuresEach; k++) {
    const why = slaveFailureFault(failuresEach * which + k);
    if (why !== undefined) return why;
  }
  return hostFailureFault(which) ?? (which % hostsEvery === 0 ? hostFault() : undefined);
}

/** Beside a scenario, some of the functions of the node are tried by their cases: what they give, how long they take, how they fail. */
export const functions: Reference = (_run, { config, programs }) => {
  const key = config as object;
  return () => {
    let found = known.get(key);
    if (found === undefined) {
      const text = JSON.stringify([config, programs]);
      let which = 7;
      for (let at = 0; at < text.length; at++) which = (which * 31 + text.charCodeAt(at)) % 65_521;
      found = faultOf(which) ?? 'none';
      known.set(key, found);
    }
    return found === 'none' ? undefined : found;
  };
};
