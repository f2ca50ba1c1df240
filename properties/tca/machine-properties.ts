import type { Given, Machine } from '../../machines/machine.ts';
import type { TcaConfig, TcaPrograms } from '../../machines/tca/config.ts';
import { tcaMachine } from '../../machines/tca.ts';
import { limitsAsDeclared, programLimitsAsDeclared } from '../declared-limits.ts';
import { judgedBy } from '../judged-by.ts';
import { inputsAreRefused } from '../refused-inputs.ts';
import { withSameRun } from '../same-run.ts';
import { withReference } from '../with-reference.ts';
import { checksumsArePlainOnes } from './checksums-are-plain-ones.ts';
import { conformanceHolds } from './conformance-holds.ts';
import { tcaFixed } from './fixed.ts';
import { tcaLimits } from './limits.ts';
import { runsAsPlainParts } from './plain/runs-as-plain-parts.ts';
import { tcaProgramLimits } from './program-limits.ts';
import { tcaProperties } from './tca-properties.ts';
import { tcaInputs } from './wrong-inputs.ts';

const judged = judgedBy(tcaMachine as unknown as Machine, (given) =>
  tcaProperties(given as Given<TcaConfig, TcaPrograms>),
);

/** The properties of the nodes with PEACH2 chips; runs are compared part by part with plain ones. */
export const tcaMachineProperties: typeof judged = {
  ...judged,
  wholeRuns: true,
  watch: withReference(withSameRun(tcaMachine, judged.watch, { oneIn: 3 }), [
    limitsAsDeclared(tcaMachine, tcaFixed, tcaLimits),
    programLimitsAsDeclared(tcaMachine, tcaProgramLimits),
    inputsAreRefused(tcaMachine, tcaInputs),
    checksumsArePlainOnes,
    conformanceHolds,
    runsAsPlainParts,
  ]),
};
