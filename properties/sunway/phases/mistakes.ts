import fc from 'fast-check';
import type { WrittenArgument, WrittenCall } from '../../../machines/sunway/operations.ts';
import { type Phase, type Stage, scratchName } from './stage.ts';

/** Calls of one CPE that are refused, and change nothing (Sunway specification 11). */
const ofCpe: readonly ((stage: Stage, tid: number) => WrittenCall)[] = [
  ...[0, -4, 6, 262_144].map(
    (len) =>
      (stage: Stage): WrittenCall => ['dma_get', scratchName, stage.own(0), len],
  ),
  (stage) => ['dma_get', after(2), stage.own(0), 8],
  (stage) => ['dma_put', stage.own(0, 1), scratchName, 8],
  (stage) => ['dma_get', 0x3fff8, stage.own(0), 16],
  () => ['dma_get', scratchName, after(8), 8],
  (stage) => ['dma_get_stride', scratchName, stage.own(0), 16, 12, 8],
  (stage) => ['dma_put_stride', stage.own(0), scratchName, 16, 4, -4],
  () => ['rma_put', scratchName, 8, 64, scratchName, null],
  () => ['rma_get', scratchName, 8, -1, scratchName, null],
  () => ['rma_row_mcast', scratchName, scratchName, 8, 0, null],
  (_stage, tid) => ['ssync_peer', tid],
  () => ['get_ptab_addr', after(4)],
  (stage) => ['scache_evict', stage.own(0, 64), stage.own(0)],
];

/** Calls of every host that are refused. */
const ofHost: readonly ((stage: Stage) => WrittenCall)[] = [
  () => ['sync_master_spe', 64],
  () => ['athread_wait', 64],
];

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
