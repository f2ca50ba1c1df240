import { fixed } from '../../../kernel/resource.ts';
import { asks } from '../operation.ts';
import type { CpeProgram, SignalHandler } from '../program.ts';
import { accessCalls } from './access-calls.ts';

/** The host side of the runtime (specification 5). Programs of CPEs are given as functions. */
export const hostCalls = {
  init: () => asks({ op: 'init' }),

  athread_create: (id: number, program: CpeProgram, arg: number) =>
    asks({ op: 'athread_create', id, program: fixed(program), arg }),
  athread_wait: (id: number) => asks({ op: 'athread_wait', id }),
  athread_end: (id: number) => asks({ op: 'athread_end', id }),
  athread_spawn: (program: CpeProgram, arg = 0) =>
    asks({ op: 'athread_spawn', program: fixed(program), arg, flush: true }),
  athread_spawn_noflush: (program: CpeProgram, arg = 0) =>
    asks({ op: 'athread_spawn_noflush', program: fixed(program), arg, flush: false }),
  athread_join: () => asks({ op: 'athread_join' }),
  athread_halt: () => asks({ op: 'athread_halt' }),
  athread_get_max_threads: () => asks({ op: 'athread_get_max_threads' }),

  sync_node: () => asks({ op: 'sync_node' }),
  sync_master_spe: (tid: number) => asks({ op: 'sync_master_spe', tid }),
  sync_master_array: () => asks({ op: 'sync_master_array' }),

  mutex_lock_node: () => asks({ op: 'mutex_lock_node', key: 'node' }),
  mutex_trylock_node: () => asks({ op: 'mutex_trylock_node', key: 'node' }),
  mutex_unlock_node: () => asks({ op: 'mutex_unlock_node', key: 'node' }),
  mutex_lock: (lock: number) => asks({ op: 'mutex_lock', key: lock }),
  mutex_trylock: (lock: number) => asks({ op: 'mutex_trylock', key: lock }),
  mutex_unlock: (lock: number) => asks({ op: 'mutex_unlock', key: lock }),

  time_cycle: () => asks({ op: 'time_cycle' }),
  sig_user_init: (handler: SignalHandler) => asks({ op: 'sig_user_init', handler: fixed(handler) }),
  task_fetch: (mid_file_name: string, task_num: number, block_size: number) =>
    asks({ op: 'task_fetch', mid_file_name, task_num, block_size }),
  task_quit: () => asks({ op: 'task_quit' }),

  /** Tells a result of the program, for the report of the run; takes no time that anybody could see but one cycle. */
  tell: (name: string, value: number | string) => asks({ op: 'tell', name, value }),
  /** Works for so many MPE cycles. */
  compute: (cycles: number) => asks({ op: 'compute', cycles }),
  ...accessCalls,
} as const;
