import { fifoPolicy } from './fifo.ts';
import type { Policy, PolicySpec } from './policy.ts';

/** Oldest first, short direction first, then the other; requests that cannot start are skipped (Cell specification 17.2). */
export const fifoBoth = (spec: PolicySpec): Policy =>
  fifoPolicy(spec, { name: 'fifo-both', first: 'short direction', blocked: 'is skipped' });
