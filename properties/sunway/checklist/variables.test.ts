import { expect, test } from 'vitest';
import type { MpeProgram } from '../../../actors/sunway/program.ts';
import { trial } from '../trial.ts';

/** What the variables of a CPE are by its tid and core group (specification 1, 6.1). */
function expected(tid: number, cgn: number): readonly number[] {
  const [row, column] = [Math.floor(tid / 8), tid % 8];
  const cluster = 4 * Math.floor(row / 2) + Math.floor(column / 2);
  return [tid, row, column, 8, 8, cgn, 4 * cluster + 2 * (row % 2) + (column % 2), cluster];
}

test('tell each CPE of each core group who it is', () => {
  const host: MpeProgram = function* (h) {
    yield h.init();
    const out = h.memAlloc(64 * 32);
    yield h.athread_spawn(function* (c, at) {
      const own = c.ldmStatic('own', 32);
      yield c.stBlock(
        own,
        Int32Array.of(c.tid, c.rid, c.cid, c.row_size, c.col_size, c.cgn, c.spc_tid, c.spcn),
      );
      yield c.dma_put(at + 32 * c.tid, own, 32);
    }, out);
    yield h.athread_join();
    yield h.tell('said', (yield* h.ldBlock(out, 'i32', 512)).join(' '));
  };

  const { result } = trial(host, { cgs: 2, fidelity: 'functional' });

  for (const cgn of [0, 1])
    expect(result.told[cgn]!['said']).toBe(
      Array.from({ length: 64 }, (_, tid) => expected(tid, cgn))
        .flat()
        .join(' '),
    );
});
