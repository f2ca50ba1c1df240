import type { BarrierGroup, LockGroup } from '../groups.ts';
import { asks } from '../operation.ts';

const barrier = <const Group extends BarrierGroup>(group: Group) =>
  asks({ op: `ssync_${group}` as const, barrier: group });
const lock = <const Group extends LockGroup>(group: Group) =>
  asks({ op: `smutex_lock_${group}` as const, lock: group });
const unlock = <const Group extends LockGroup>(group: Group) =>
  asks({ op: `smutex_unlock_${group}` as const, unlock: group });

/** Barriers and locks (specification 6.2, 6.3). */
export const syncCalls = {
  ssync_peer: (tid: number) => asks({ op: 'ssync_peer', tid }),
  ssync_2spe: () => barrier('2spe'),
  ssync_1spc: () => barrier('1spc'),
  ssync_8spe: () => barrier('8spe'),
  ssync_row: () => barrier('row'),
  ssync_col: () => barrier('col'),
  ssync_col_left: () => barrier('col_left'),
  ssync_col_right: () => barrier('col_right'),
  ssync_2spc: () => barrier('2spc'),
  ssync_16spe: () => barrier('16spe'),
  ssync_4spc: () => barrier('4spc'),
  ssync_32spe: () => barrier('32spe'),
  ssync_8spc: () => barrier('8spc'),
  ssync_array: () => barrier('array'),
  ssync_sldm: () => asks({ op: 'ssync_sldm' }),
  ssync_master_spe: () => asks({ op: 'ssync_master_spe' }),
  ssync_master_array: () => asks({ op: 'ssync_master_array' }),
  ssync_node: () => asks({ op: 'ssync_node' }),

  /** Barrier of the CPEs of my row whose column bit is set: a hardware primitive. */
  synr: (columns: number) => asks({ op: 'synr', mask: columns }),
  /** Barrier of the CPEs of my column whose row bit is set: a hardware primitive. */
  sync: (rows: number) => asks({ op: 'sync', mask: rows }),
  /** Barrier of two CPEs: a hardware primitive. */
  synp: (tid: number) => asks({ op: 'synp', tid }),

  smutex_lock_2spe: () => lock('2spe'),
  smutex_unlock_2spe: () => unlock('2spe'),
  smutex_lock_1spc: () => lock('1spc'),
  smutex_unlock_1spc: () => unlock('1spc'),
  smutex_lock_8spe: () => lock('8spe'),
  smutex_unlock_8spe: () => unlock('8spe'),
  smutex_lock_row: () => lock('row'),
  smutex_unlock_row: () => unlock('row'),
  smutex_lock_col: () => lock('col'),
  smutex_unlock_col: () => unlock('col'),
  smutex_lock_2spc: () => lock('2spc'),
  smutex_unlock_2spc: () => unlock('2spc'),
  smutex_lock_16spe: () => lock('16spe'),
  smutex_unlock_16spe: () => unlock('16spe'),
  smutex_lock_4spc: () => lock('4spc'),
  smutex_unlock_4spc: () => unlock('4spc'),
  smutex_lock_32spe: () => lock('32spe'),
  smutex_unlock_32spe: () => unlock('32spe'),
  smutex_lock_8spc: () => lock('8spc'),
  smutex_unlock_8spc: () => unlock('8spc'),
  smutex_lock_array: () => lock('array'),
  smutex_unlock_array: () => unlock('array'),
  smutex_lock_node: () => lock('node'),
  smutex_unlock_node: () => unlock('node'),

  /** Takes a lock on a word of main memory by fetch-and-add until the old value is 0; an extension (specification 6.3). */
  user_lock: (address: number) => asks({ op: 'user_lock', address }),
  /** Gives it back: stores 0 behind a memory fence. */
  user_unlock: (address: number) => asks({ op: 'user_unlock', address }),
} as const;
