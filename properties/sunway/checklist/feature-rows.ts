/** A row of the feature checklist (specification 10): what a user calls, by the name that the context of a program gives it. */
export interface FeatureRow {
  /** Number of the row: `SW-001`. */
  readonly id: string;
  readonly side: 'host' | 'slave' | 'machine';
  /** The function as the context names it, or what else the row is about. */
  readonly name: string;
  /** Other names of the same function. */
  readonly aliases: readonly string[];
  /** Section of the specification. */
  readonly section: string;
}

type Entry = string | readonly [name: string, ...aliases: string[]];

/** Functions in the order of their rows, by side and section. */
const functions: readonly (readonly [side: 'host' | 'slave', section: string, entries: readonly Entry[]])[] =
  [
    ['host', '5.1', ['init']],
    [
      'host',
      '5.2',
      [
        'athread_create',
        'athread_wait',
        'athread_end',
        'athread_spawn',
        'athread_spawn_noflush',
        'athread_join',
        'athread_halt',
        'athread_get_max_threads',
      ],
    ],
    ['host', '5.3', ['sync_node', 'sync_master_spe', 'sync_master_array']],
    [
      'host',
      '5.4',
      [
        'mutex_lock_node',
        'mutex_trylock_node',
        'mutex_unlock_node',
        'mutex_lock',
        'mutex_trylock',
        'mutex_unlock',
      ],
    ],
    ['host', '5.5', ['time_cycle']],
    ['host', '5.6', ['sig_user_init']],
    ['host', '5.7', ['task_fetch', 'task_quit']],
    ['slave', '6.1', ['tid', 'rid', 'spc_tid', 'cid', 'cgn', 'spcn'].map((name) => `smng_get_${name}`)],
    [
      'slave',
      '6.2',
      [
        'peer',
        '2spe',
        '1spc',
        '8spe',
        'row',
        'col',
        'col_left',
        'col_right',
        '2spc',
        '16spe',
        '4spc',
        '32spe',
        '8spc',
        'array',
        'sldm',
        'master_spe',
        'master_array',
        'node',
      ].map((group) => `ssync_${group}`),
    ],
    [
      'slave',
      '6.3',
      [
        '2spe',
        '1spc',
        '8spe',
        'row',
        'col',
        '2spc',
        '16spe',
        '4spc',
        '32spe',
        '8spc',
        'array',
        'node',
      ].flatMap((group) => [`smutex_lock_${group}`, `smutex_unlock_${group}`]),
    ],
    [
      'slave',
      '6.4',
      [
        'get_free_addr',
        ['pldm_get_free_size', 'get_allocatable_size'],
        ['pldm_malloc', 'ldm_malloc'],
        ['pldm_free', 'ldm_free'],
        ['pldm_malloc_max', 'ldm_malloc_max'],
        ['pldm_free_all', 'ldm_free_all'],
      ],
    ],
    [
      'slave',
      '6.5',
      [
        ...['dma_get', 'dma_iget'].flatMap((name) => [name, `${name}_stride`]),
        'dma_wait_value',
        ...['dma_put', 'dma_iput'].flatMap((name) => [name, `${name}_stride`]),
        ...['dma', 'dma_row', 'dma_col'].flatMap((name) => [
          `${name}_ibcast`,
          `${name}_ibcast_stride`,
          `${name}_bcast_coll`,
          `${name}_bcast_stride_coll`,
        ]),
      ],
    ],
    ['slave', '6.6', ['memcpy_sldm']],
    ['slave', '7.2', ['dma_barrier', 'dma_all_barrier']],
    [
      'slave',
      '6.7',
      [
        ...['get', 'iget', 'wait_value', 'put', 'iput', 'bcast', 'ibcast', 'bcast_coll'].map(
          (n) => `rma_${n}`,
        ),
        ...['row', 'col'].flatMap((line) =>
          ['bcast', 'ibcast', 'bcast_coll', 'mcast', 'imcast'].map((name) => `rma_${line}_${name}`),
        ),
      ],
    ],
    ['slave', '6.6', ['sldm_get']],
    ['slave', '7.2', ['rma_barrier', 'rma_all_barrier']],
    ['slave', '6.8', ['ssig_host', 'sio_fwrite', 'stime_cycle']],
    [
      'slave',
      '6.9',
      [
        ['scache_get_size', 'get_slave_cache_size'],
        ['scache_evict', 'evict_slave_cache_cont'],
        ['scache_flush_all', 'flush_slave_cache'],
      ],
    ],
    ['slave', '6.10', ['get_ptab_addr', 'ptab_cpy', 'ptab_cpy16', 'ptab_lookup', 'ptab_write']],
    ['slave', '6.11', ['scoll_alltoall', 'scoll_alltoall_inplace', ['scoll_redurt', 'scoll_reduce']]],
  ];

/** Rows that are no functions of the manual, with a word that their tests use. */
const others: readonly (readonly ['slave' | 'machine', string, readonly string[], string])[] = [
  ['slave', 'spc_tid', ['tid', 'rid', 'cid', 'row_size', 'col_size', 'cgn', 'spcn'], '6.1'],
  ['machine', 'readMidFile', ['midFileText'], '5.7'],
  ['machine', 'bsignal', [], '5.7'],
  ['slave', 'stFlag', ['ldFlag'], '7.3'],
  ['slave', 'user_lock', ['user_unlock'], '6.3'],
  [
    'slave',
    'rma_bcast_other',
    [
      'rma_ibcast_other',
      ...['row', 'col'].flatMap((line) =>
        ['bcast', 'ibcast', 'mcast', 'imcast'].map((name) => `rma_${line}_${name}_other`),
      ),
    ],
    '4.2',
  ],
  ['machine', 'watchRaces', [], '7.3'],
  ['machine', 'restore', [], '12'],
  ['machine', 'maxJitter', [], '2.2'],
];

/** SW-001 to SW-144. */
export const featureRows: readonly FeatureRow[] = [
  ...functions.flatMap(([side, section, entries]) =>
    entries.map((entry) => {
      const [name, ...aliases] = typeof entry === 'string' ? [entry] : entry;
      return { side, name: name!, aliases, section };
    }),
  ),
  ...others.map(([side, name, aliases, section]) => ({ side, name, aliases, section })),
].map((row, index) => ({ ...row, id: `SW-${String(index + 1).padStart(3, '0')}` }));
