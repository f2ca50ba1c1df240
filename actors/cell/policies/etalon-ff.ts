import { fifoPolicy } from './fifo.ts';
import type { Policy, PolicySpec } from './policy.ts';

/** First fit: oldest first, direction 0 first, requests that cannot start are skipped (Cell specification 17.2). */
export const etalonFf = (spec: PolicySpec): Policy =>
  fifoPolicy(spec, { name: 'etalon-ff', first: 'direction 0', blocked: 'is skipped' });
