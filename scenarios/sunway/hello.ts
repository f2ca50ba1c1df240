import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

/** Stores the number of the CPE at its place in main memory. */
const store: CpeProgram = function* (c, out) {
  const own = c.ldmStatic('own', 4);
  yield c.st(own, 'i32', c.tid);
  yield c.ssync_array();
  yield c.dma_put(out + 4 * c.tid, own, 4);
};

/** Has every CPE tell its number, and adds them up. */
export const hello: MpeProgram = function* (h) {
  yield h.init();
  const out = h.memAlloc(4 * 64);
  yield h.athread_spawn(store, out);
  yield h.athread_join();
  const told = yield* h.ldBlock(out, 'i32', 64);
  yield h.tell(
    'sum',
    told.reduce((sum, one) => sum + one, 0),
  );
};
