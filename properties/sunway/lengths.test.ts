import { expect, test } from 'vitest';
import type { CpeApi, CpeOperation } from '../../actors/sunway/cpe-api.ts';
import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';
import { trial } from './trial.ts';

const blockBytes = 128;
const blocksMax = 40;

/** A transfer between a buffer in LDM and main memory or another LDM. */
type Transfer = (
  c: CpeApi,
  at: { readonly buffer: number; readonly memory: number },
  bytes: number,
) => CpeOperation;

/** The blocking forms, of one CPE alone. */
const transfers: Readonly<Record<string, Transfer>> = {
  'a get': (c, { buffer, memory }, bytes) => c.dma_get(buffer, memory, bytes),
  'a put': (c, { buffer, memory }, bytes) => c.dma_put(memory, buffer, bytes),
  'an RMA put': (c, { buffer }, bytes) => c.rma_put(buffer, bytes, 1, buffer, null),
  'an RMA get': (c, { buffer }, bytes) => c.rma_get(buffer, bytes, 1, buffer, null),
};

/** Cycles that a transfer of one block, of two and so on takes. */
function cyclesOf(call: Transfer): readonly number[] {
  const cycles: number[] = [];
  const program: CpeProgram = function* (c, memory) {
    const buffer = c.ldmStatic('buffer', blocksMax * blockBytes, blockBytes);
    if (c.tid !== 0) return;
    for (let blocks = 1; blocks <= blocksMax; blocks++) {
      const before = yield* c.stime_cycle();
      yield call(c, { buffer, memory }, blocks * blockBytes);
      cycles.push((yield* c.stime_cycle()) - before);
      // So that nothing of it is left when the next one begins.
      yield c.dma_all_barrier();
      yield c.compute(20_000);
    }
  };
  const host: MpeProgram = function* (h) {
    yield h.init();
    const memory = h.memAlloc(blocksMax * blockBytes, blockBytes);
    yield h.athread_spawn(program, memory);
    yield h.athread_join();
  };
  trial(host, { cpesPerCg: 2, memoryMiB: 1, race: { policy: 'off' } });
  return cycles;
}

test.each(Object.keys(transfers))('transfers of whole blocks take longer the longer they are: %s', (name) => {
  const cycles = cyclesOf(transfers[name]!);

  expect(cycles).toHaveLength(blocksMax);
  expect(cycles).toEqual(cycles.toSorted((a, b) => a - b));
  expect(cycles.at(-1)).toBeGreaterThan(cycles[0]!);
});
