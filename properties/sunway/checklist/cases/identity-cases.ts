import { spcOf, spcTidOf } from '../../../../actors/sunway/array/identity.ts';
import type { CpeApi, CpeOperation } from '../../../../actors/sunway/cpe-api.ts';
import type { SlaveCase } from '../function-case.ts';

const question = (
  name: string,
  means: string,
  call: (c: CpeApi) => CpeOperation,
  gives: (tid: number) => number,
): SlaveCase => ({
  name,
  by: 'each',
  means,
  *play(c) {
    return [yield call(c)];
  },
  gives: (tid) => [gives(tid)],
  takes: { formula: 'a register: 1 cycle', cycles: 1 },
  fails: { never: 'a thread always has its number; outside a thread there is no context to ask (E12)' },
});

/** Who a CPE is (specification 6.1). */
export const identityCases: readonly SlaveCase[] = [
  question(
    'smng_get_tid',
    'tells the tid',
    (c) => c.smng_get_tid(),
    (tid) => tid,
  ),
  question(
    'smng_get_rid',
    'tells the row',
    (c) => c.smng_get_rid(),
    (tid) => Math.floor(tid / 8),
  ),
  question('smng_get_spc_tid', 'tells the cluster-ordered number', (c) => c.smng_get_spc_tid(), spcTidOf),
  question(
    'smng_get_cid',
    'tells the column',
    (c) => c.smng_get_cid(),
    (tid) => tid % 8,
  ),
  question(
    'smng_get_cgn',
    'tells the core group',
    (c) => c.smng_get_cgn(),
    () => 0,
  ),
  question('smng_get_spcn', 'tells the cluster', (c) => c.smng_get_spcn(), spcOf),
];
