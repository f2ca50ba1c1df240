import { type CpeGroup, groupIndex } from './group.ts';

/** The locks of the slave side that the runtime has names for (Sunway specification 6.3). */
export type LockGroup = Exclude<CpeGroup, 'col_left' | 'col_right'> | 'node';

/** Two names of one lock. */
const sameLock: Partial<Record<LockGroup, LockGroup>> = { row: '8spe', '4spc': '16spe', '8spc': '32spe' };

/**
 * The one name of the lock that a CPE means: `8spe:3`, `array:0`, `node`.
 *
 * Details: the key is the same for all members of the group and differs from every other lock of the array; `node` is one for the node.
 */
export function lockKey(group: LockGroup, tid: number): string {
  const canonical = sameLock[group] ?? group;
  return canonical === 'node' ? 'node' : `${canonical}:${groupIndex(canonical, tid)}`;
}
