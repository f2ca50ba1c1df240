import { asks } from '../operation.ts';

const evict = (start: number, end: number) => asks({ op: 'scache_evict', start, end });
const flush = () => asks({ op: 'scache_flush_all' });
const cacheSize = () => asks({ op: 'scache_get_size' });

/** Identity, signals, file output, time and data cache (specification 6.1, 6.8, 6.9). */
export const serviceCalls = {
  smng_get_tid: () => asks({ op: 'smng_get_tid' }),
  smng_get_rid: () => asks({ op: 'smng_get_rid' }),
  smng_get_spc_tid: () => asks({ op: 'smng_get_spc_tid' }),
  smng_get_cid: () => asks({ op: 'smng_get_cid' }),
  smng_get_cgn: () => asks({ op: 'smng_get_cgn' }),
  smng_get_spcn: () => asks({ op: 'smng_get_spcn' }),
  /** Tells a result of the program, for the report of the run: no call of the runtime. It takes a cycle. */
  tell: (name: string, value: number | string) => asks({ op: 'tell', name, value }),
  ssig_host: (content: number) => asks({ op: 'ssig_host', content }),
  sio_fwrite: (filename: string, src: number, size: number) =>
    asks({ op: 'sio_fwrite', filename, src, size }),
  stime_cycle: () => asks({ op: 'stime_cycle' }),
  scache_get_size: cacheSize,
  get_slave_cache_size: cacheSize,
  scache_evict: evict,
  evict_slave_cache_cont: evict,
  scache_flush_all: flush,
  flush_slave_cache: flush,
} as const;
