import fc from 'fast-check';
import type { WrittenArgument, WrittenCall } from '../../../machines/sunway/operations.ts';
import { type Phase, type Stage, scratchName } from './stage.ts';

/** Main memory of core group 0 ends here, and the cross segment. */
const [memoryEnd, crossEnd] = [0x5000_0000_0000 + 2 ** 20, 0x7800_0000_0000 + 2 ** 20];
const lanesOf = (lane: number): number[] => new Array<number>(16).fill(lane);

/** Calls of one CPE that are refused, and change nothing (Sunway specification 11). */
const ofCpe: readonly ((stage: Stage, tid: number) => WrittenCall)[] = [
  ...[0, -4, 6, 262_144].map(
    (len) =>
      (stage: Stage): WrittenCall => ['dma_get', scratchName, stage.own(0), len],
  ),
  (stage) => ['dma_get', after(2), stage.own(0), 8],
  (stage) => ['dma_put', stage.own(0, 1), scratchName, 8],
  ...[0x3fff8, 0xffc, 0xff8].map(
    (ldm) =>
      (stage: Stage): WrittenCall => ['dma_get', ldm, stage.own(0), 16],
  ),
  () => ['dma_get', scratchName, after(8), 8],
  (stage) => ['dma_put', stage.own(0), stage.own(1), 8],
  ...[memoryEnd - 4, memoryEnd, crossEnd - 4, 0x4fff_ffff_fff8].map(
    (memory) => (): WrittenCall => ['dma_put', memory, scratchName, 8],
  ),
  ...[
    [16, 12, 8],
    [16, 4, -4],
    [16, 0, 4],
    [16, 32, 4],
    [16, 6, 4],
    [16, 4, 6],
  ].map(
    (sizes) =>
      (stage: Stage): WrittenCall => ['dma_put_stride', stage.own(0), scratchName, ...sizes],
  ),
  (stage) => ['dma_get_stride', scratchName, stage.own(0), 16, 12, 8],
  () => ['dma_get_stride', scratchName, memoryEnd - 32, 16, 8, 24],
  ...[2, 0xffc, memoryEnd - 8].map(
    (word) =>
      (stage: Stage): WrittenCall => ['dma_iget', scratchName, stage.own(0), 8, word],
  ),
  () => ['dma_wait_value', 0, 1],
  () => ['rma_wait_value', after(2), 0],
  ...[64, -1, 63].map((peer) => (): WrittenCall => ['rma_put', scratchName, 8, peer, scratchName, null]),
  (_stage, tid) => ['rma_get', scratchName, 8, tid, 0x3fffc, null],
  (_stage, tid) => ['rma_get', 0x800, 8, tid, scratchName, null],
  (stage, tid) => ['rma_put', scratchName, 8, tid, stage.own(0), null],
  (_stage, tid) => ['rma_put', scratchName, 6, tid, scratchName, null],
  (_stage, tid) => ['rma_iput', scratchName, after(1), 8, tid, scratchName, null],
  (_stage, tid) => ['rma_iput', scratchName, null, 8, tid, scratchName, after(3)],
  ...[0, 256, -1].map(
    (mask) => (): WrittenCall => ['rma_row_mcast', scratchName, scratchName, 8, mask, null],
  ),
  () => ['rma_col_imcast', scratchName, scratchName, 8, null, 512, null],
  () => ['rma_bcast', scratchName, 0x3fffc, 8, null],
  () => ['rma_row_bcast_coll', scratchName, scratchName, 8, 8],
  () => ['rma_col_bcast_coll', scratchName, scratchName, 8, -1],
  () => ['rma_bcast_coll', scratchName, scratchName, 8, 64],
  () => ['rma_bcast_coll', scratchName, scratchName, 8, 63],
  () => ['dma_bcast_coll', scratchName, scratchName, 8],
  (_stage, tid) => ['ssync_peer', tid],
  () => ['ssync_peer', 63],
  (_stage, tid) => ['synr', 255 - 2 ** (tid % 8)],
  () => ['sync', 256],
  (stage, tid) => [
    (stage.shape.halves === 'header' ? Math.floor(tid / 8) : tid % 8) < 4
      ? 'ssync_col_right'
      : 'ssync_col_left',
  ],
  () => ['get_ptab_addr', after(4)],
  () => ['ptab_cpy16', scratchName, 0, after(0)],
  () => ['ptab_cpy16', scratchName, 2, after(32)],
  () => ['ptab_cpy16', after(2), 2, scratchName],
  () => ['ptab_cpy', lanesOf(4096), 2, 17, scratchName],
  () => ['ptab_lookup', lanesOf(6), lanesOf(320)],
  () => ['ptab_lookup', lanesOf(0), lanesOf(0)],
  () => ['ptab_write', lanesOf(0), lanesOf(4096 * 4), lanesOf(1)],
  () => ['ptab_lookup', [0, 4], [320, 320]],
  (stage) => ['scache_evict', stage.own(0, 64), stage.own(0)],
  (stage) => ['scache_evict', scratchName, stage.own(0)],
  () => ['scache_evict', memoryEnd - 4, memoryEnd],
  ...[
    [6, 1],
    [99, 1],
    [0, 0],
    [0, 8],
    [5, 2],
    [16, 5],
  ].map(
    ([type, what]) =>
      (): WrittenCall => ['scoll_redurt', 'first', 'second', 1, type!, what!, scratchName, 1],
  ),
  () => ['scoll_redurt', 'first', { of: 'first', plus: 4, perCpe: 0 }, 2, 0, 1, scratchName, 1],
  () => ['scoll_redurt', 'first', 'second', 0, 0, 1, scratchName, 1],
  () => ['scoll_redurt', 'first', 'second', 2, 0, 1, 'first', 1],
  () => ['scoll_alltoall', 'first', { of: 'first', plus: 252, perCpe: 0 }, 4],
  () => ['scoll_alltoall', 'first', 'second', 6],
  () => ['scoll_alltoall_inplace', 'first', 4, scratchName, 0],
  () => ['scoll_alltoall_inplace', 'first', 4, { of: 'first', plus: 252, perCpe: 0 }, 1],
  (stage) => ['memcpy_sldm', stage.own(0), 2 ** 44, 8, 0x9000_1000],
  (stage) => ['memcpy_sldm', 2 ** 44, stage.own(0), 8, 7],
  () => ['sldm_get', scratchName, scratchName, 8],
  () => ['faa', after(0), 1],
  (stage) => ['faa', stage.own(0, 2), 1],
  () => ['user_lock', memoryEnd],
  (stage) => ['ld', stage.own(0, 2), 'i32'],
  () => ['ld', 0x3fffc, 'f64'],
  () => ['st', 2 ** 44 + 2 ** 24, 'i32', 1],
  () => ['ld', 2 ** 45 + 64 * 2 ** 20, 'i32'],
  () => ['ldBlock', after(0), 'i32', 0],
  () => ['sio_fwrite', '', scratchName, 8],
  () => ['sio_fwrite', 'told', 2 ** 44 - 8, 8],
  () => ['sio_fwrite', 'told', scratchName, -1],
  () => ['ssig_host', -1],
];

/** Calls of every host that are refused. */
const ofHost: readonly ((stage: Stage) => WrittenCall)[] = [
  () => ['sync_master_spe', 64],
  () => ['athread_wait', 64],
  () => ['athread_create', 64],
  () => ['athread_create', 0],
  () => ['athread_end', 0],
  () => ['athread_end', 63],
  () => ['athread_spawn'],
  ({ shape }) => (shape.oneByOne ? ['athread_join'] : ['athread_wait', 0]),
  ({ shape }) => (shape.oneByOne ? ['sync_master_array'] : ['athread_wait', 1]),
  () => ['mutex_lock', memoryEnd - 4],
  () => ['mutex_trylock', memoryEnd - 6],
  () => ['mutex_unlock', 0x1000],
  () => ['ld', memoryEnd, 'i32'],
  () => ['ld', scratchAddress, 'i32'],
];
const scratchAddress = 0x2000;

const after = (plus: number): WrittenArgument => ({ of: scratchName, plus, perCpe: 0 });

/** Calls that are refused: their codes are returned, and all goes on as if they had not been. */
export const mistakes: fc.Arbitrary<Phase> = fc
  .record({
    by: fc.nat(15),
    calls: fc.array(fc.constantFrom(...ofCpe), { minLength: 1, maxLength: 4 }),
    hostCalls: fc.array(fc.constantFrom(...ofHost), { maxLength: 2 }),
  })
  .map(({ by, calls, hostCalls }) => (stage) => {
    const tid = by % stage.shape.cpes;
    stage.returnsErrors = true;
    stage.add(...stage.only((one) => one === tid, ...calls.map((call) => call(stage, tid))));
    stage.host(...hostCalls.map((call) => call(stage)));
  });
