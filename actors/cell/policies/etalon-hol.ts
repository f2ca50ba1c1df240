import { fifoPolicy } from './fifo.ts';
import type { Policy, PolicySpec } from './policy.ts';

/** Head of line: oldest first, direction 0 first, and the first request that cannot start ends the round (Cell specification 17.2). */
export const etalonHol = (spec: PolicySpec): Policy =>
  fifoPolicy(spec, { name: 'etalon-hol', first: 'direction 0', blocked: 'ends the round' });
