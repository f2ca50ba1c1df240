import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { dataTypeCodes } from '../../actors/sunway/reduction/data-type.ts';
import { operationCodes } from '../../actors/sunway/reduction/operation.ts';

const groups = 6;
const cpes = 64;
/** Integers of a CPE. */
const share = 32;
const shareBytes = 4 * share;
const length = groups * cpes * share;

/** Where the sums of the groups lie, behind the integers: each in a block of its own. */
const sumsOf = (shared: number): number => shared + 4 * length;
const sumPitch = 128;

/** Sums the integers of a group in the array, meets the other groups, and adds their sums. */
const sumUp = (out: number): CpeProgram =>
  function* (c, shared) {
    const own = c.ldmStatic('own', shareBytes, 64);
    const part = c.ldmStatic('part', 4);
    const total = c.ldmStatic('total', 4);
    const scratch = c.ldmStatic('scratch', 4);
    yield c.dma_get(own, shared + (c.cgn * cpes + c.tid) * shareBytes, shareBytes);
    const values = yield* c.ldBlock(own, 'i32', share);
    yield c.st(
      part,
      'i32',
      values.reduce((sum, one) => sum + one, 0),
    );
    yield c.scoll_redurt(part, total, 1, dataTypeCodes.CRTS_int, operationCodes.add, scratch, 1);
    if (c.tid === 0) yield c.dma_put(sumsOf(shared) + c.cgn * sumPitch, total, 4);
    yield c.ssync_node();
    let all = 0;
    for (let group = 0; group < groups; group++) {
      yield c.dma_get(part, sumsOf(shared) + group * sumPitch, 4);
      all += yield* c.ld(part, 'i32');
    }
    yield c.st(total, 'i32', all);
    yield c.dma_put(out + 4 * c.tid, total, 4);
  };

/** Integers in the cross segment are summed by all 384 CPEs of a node; each of them learns the sum. */
export const sixGroups: MpeProgram = function* (h) {
  yield h.init();
  const shared = h.crossAlloc(4 * length + groups * sumPitch, 128);
  const out = h.memAlloc(4 * cpes);
  if (h.cgn === 0)
    yield h.stBlock(
      shared,
      Int32Array.from({ length }, (_, k) => k),
    );
  yield h.sync_node();
  yield h.athread_spawn(sumUp(out), shared);
  yield h.athread_join();
  const sums = yield* h.ldBlock(out, 'i32', cpes);
  const expected = (length * (length - 1)) / 2;
  yield h.tell('CPEs with the sum of all groups', sums.filter((one) => one === expected).length);
  yield h.tell('sum', sums[0]!);
};
