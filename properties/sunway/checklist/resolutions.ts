import { type NamedTest, named } from './named-test.ts';

/** A contradiction, an unreadable spot or a worked example of the manual (specification 6, 15), and what holds it fast. */
export interface Resolution {
  readonly id: string;
  readonly what: string;
  /** Rows of the checklist of which the cases show it. */
  readonly rows?: readonly string[];
  readonly tests?: readonly NamedTest[];
  /** Why nothing can be tested. */
  readonly because?: string;
}

const options = 'properties/sunway/options.test.ts';
const killed = 'properties/sunway/task-pool-killed.test.ts';
const pool = 'actors/sunway/tasks/task-pool-state.test.ts';
const identity = 'actors/sunway/array/identity.test.ts';
const sync = 'actors/sunway/sync/sync.test.ts';
const tables = 'actors/sunway/table/parallel-table.test.ts';

/** Section 15. */
export const resolutions: readonly Resolution[] = [
  {
    id: 'C1',
    what: 'left and right columns: whole columns by the manual, half columns by the header',
    rows: ['SW-035', 'SW-036'],
    tests: named(
      options,
      'are whole columns of the left and right half by the manual',
      'are the upper and lower half of any column by the header',
    ),
  },
  { id: 'C2', what: 'the issuer of a multicast receives iff it is in the set', rows: ['SW-112', 'SW-141'] },
  {
    id: 'C3',
    what: 'row and column broadcasts are RMA, of the row and of the column',
    rows: ['SW-109', 'SW-114'],
  },
  { id: 'C4', what: 'the barrier of the array is a call', rows: ['SW-042'] },
  { id: 'C5', what: 'rma_barrier orders RMA', rows: ['SW-120'] },
  { id: 'C6', what: 'the largest allocation has a name of its own', rows: ['SW-075'] },
  {
    id: 'C7',
    what: 'the loop of the example fills lanes i to i + 3',
    tests: named(
      tables,
      'has four tables repeated over its lanes as in example (a), and as in (b) with half the lanes filled',
    ),
  },
  {
    id: 'C8',
    what: 'the place of l_rply differs between the forms: mixing them up is an error of compilation',
    tests: named(
      'properties/sunway/reply-roles.test.ts',
      'a word for one side in the place of the other side is an error of compilation',
      'the order of the array form in the row form, and the other way round, is an error of compilation',
    ),
  },
  { id: 'C9', what: 'scoll_alltoall_inplace returns an int', rows: ['SW-134'] },
  {
    id: 'C10',
    what: 'reply words have 32 bits; athread_rply_t has 8 bytes of which the low word counts',
    tests: named(
      'properties/sunway/program-model.test.ts',
      'a word of the older type takes 8 bytes and counts in the lower four',
    ),
  },
  {
    id: 'C11',
    what: 'a put that only a barrier follows is accepted, or told under the strict policy',
    tests: named(
      'machines/sunway/monitors/race-monitor.test.ts',
      'is accepted after an array synchronisation, and told under the strict policy',
    ),
  },
  {
    id: 'C12',
    what: 'sets by tid and by spc_tid are the same',
    tests: named(sync, 'makes the groups of the cluster order and of the hardware order the same sets'),
  },
  { id: 'C13', what: 'peak performance', because: 'nothing of the model depends on it' },
  {
    id: 'C14',
    what: 'a grid of 8x8 CPEs on a mesh of 4x4 routers',
    tests: named(identity, 'put a cluster where its row and column of routers are'),
  },
  { id: 'U1', what: 'code 2: finished but not waited for or joined', rows: ['SW-002', 'SW-005'] },
  { id: 'U2', what: 'no CPE can be used after halt', rows: ['SW-008'] },
  {
    id: 'U3',
    what: 'sync_master_array is for threads started as a group',
    rows: ['SW-012'],
    tests: named(
      'properties/sunway/host-calls.test.ts',
      'of the array need threads that were started as a group',
    ),
  },
  { id: 'U4', what: 'task_fetch is for all hosts', rows: ['SW-021'] },
  {
    id: 'U5',
    what: 'the mid file has a byte a block',
    rows: ['SW-021'],
    tests: named(pool, 'hands out the tasks of the worked scenario, and notes its blocks'),
  },
  {
    id: 'U6',
    what: 'task_quit marks all complete, or leaves the rest open where that is chosen',
    rows: ['SW-022'],
    tests: [
      ...named(killed, 'that quits is complete in its mid file, on every host, and in the next run'),
      ...named(pool, 'leaves the rest open at a quit where that is chosen'),
    ],
  },
  {
    id: 'U7',
    what: 'signal 34 drains, 35 stops at once',
    tests: named(
      killed,
      'that gets signal 34 lets its tasks end, records them and hands out nothing more',
      'that gets signal 35 ends at once: what is in progress is not recorded and is done again',
    ),
  },
  {
    id: 'U8',
    what: 'all members call sldm_get, each with its own arguments',
    rows: ['SW-119'],
    tests: named(
      'properties/sunway/collectives.test.ts',
      'gives every member the ranges that it asks for, over parts of several owners',
    ),
  },
  {
    id: 'U9',
    what: 'files are appended to, each piece whole',
    rows: ['SW-123'],
    tests: named(
      'properties/sunway/host-services.test.ts',
      'of several CPEs is appended in the order of arrival, each piece whole, behind what was there',
    ),
  },
  {
    id: 'U10',
    what: 'caches of 0, 32 or 128 KiB by configuration',
    tests: named(options, 'with %j has %i bytes of cache and %i to allocate'),
  },
  {
    id: 'U11',
    what: 'a mid file is raw bytes 0 and 1',
    tests: named(
      pool,
      'refuses bad arguments, a second caller that says otherwise, and a mid file that does not fit',
    ),
  },
];

/** Worked examples of sections 1, 4 and 6. */
export const workedExamples: readonly Resolution[] = [
  {
    id: '1',
    what: 'the table of clusters, and the transform between the two numbers both ways for all 64',
    tests: named(
      identity,
      'give the clusters of the table, members in order of the cluster numbers',
      'transform between hardware order and cluster order without loss',
    ),
  },
  {
    id: '4.1',
    what: 'the window of a 6 x 8 matrix',
    tests: named('actors/sunway/transfer/strided.test.ts', 'fetches the window of the worked example'),
  },
  {
    id: '4.2',
    what: 'the sets of broadcasts and multicasts',
    rows: ['SW-086', 'SW-090', 'SW-094', 'SW-106', 'SW-109', 'SW-112', 'SW-114', 'SW-117', 'SW-141'],
  },
  {
    id: '6.2',
    what: 'groups and expansions of barriers',
    rows: ['SW-029', 'SW-031', 'SW-037', 'SW-040'],
    tests: named(sync, 'are the sets of the manual', 'are the expansions of the table'),
  },
  {
    id: '6.10 (a), (b)',
    what: 'four tables over 16 lanes, and pairs of lanes',
    tests: named(
      tables,
      'has four tables repeated over its lanes as in example (a), and as in (b) with half the lanes filled',
    ),
  },
  {
    id: '6.10 (c)',
    what: 'the lookup of 16 entries',
    rows: ['SW-131'],
    tests: named(tables, 'answers the lookup of example (c)'),
  },
];
