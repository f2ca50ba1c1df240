import type { HostCase, SlaveCase } from '../function-case.ts';
import { barrierCases } from './barrier-cases.ts';
import { collectiveCases } from './collective-cases.ts';
import { dmaCases, orderingCases } from './dma-cases.ts';
import { hostLockCases } from './host-lock-cases.ts';
import { hostServiceCases } from './host-service-cases.ts';
import { identityCases } from './identity-cases.ts';
import { ldmCases } from './ldm-cases.ts';
import { lockCases } from './lock-cases.ts';
import { meetingCases } from './meeting-cases.ts';
import { otherCases, rmaCases } from './rma-cases.ts';
import { serviceCases } from './service-cases.ts';
import { sharedCases } from './shared-cases.ts';
import { tableCases } from './table-cases.ts';
import { closingCases, threadCases } from './thread-cases.ts';
import { wordCases } from './word-cases.ts';

/** Everything that one array of CPEs plays. */
export const slaveCases: readonly SlaveCase[] = [
  ...identityCases,
  ...barrierCases,
  ...lockCases,
  ...ldmCases,
  ...dmaCases,
  ...orderingCases,
  ...rmaCases,
  ...otherCases,
  ...sharedCases,
  ...serviceCases,
  ...tableCases,
  ...collectiveCases,
  ...wordCases,
];

/** Everything that hosts play: the first ones begin the runtime, the last ones close it. */
export const hostCases: readonly HostCase[] = [
  ...threadCases,
  ...meetingCases,
  ...hostLockCases,
  ...hostServiceCases,
  ...closingCases,
];
