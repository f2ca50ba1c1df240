import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const [rows, rowBytes] = [8, 64];

/**
 * Sums rows of a table in four ways that cost time: rows that begin at offset 4, one get a row, each waited for before the next, results put in
 * pieces of 4 bytes and passed on by RMA one at a time.
 */
const sumRows: CpeProgram = function* (c, table) {
  const row = c.ldmStatic('row', rowBytes, 64);
  const sums = c.ldmStatic('sums', 4 * rows, 64);
  const [passed, sent, come] = [c.ldmStatic('passed', 4 * rows, 64), c.rply(), c.rply()];
  const own = table + 4 + c.tid * rows * rowBytes;
  const results = table + 4 + 64 * rows * rowBytes + c.tid * 4 * rows;
  for (let at = 0; at < rows; at++) {
    yield c.dma_get(row, own + at * rowBytes, rowBytes);
    const values = yield* c.ldBlock(row, 'i32', rowBytes / 4);
    yield c.st(
      sums + 4 * at,
      'i32',
      values.reduce((sum, one) => sum + one, 0),
    );
    yield c.dma_put(results + 4 * at, sums + 4 * at, 4);
    yield c.rma_iput(sums + 4 * at, sent, 4, c.tid ^ 1, passed + 4 * at, come);
    yield c.rma_wait_value(sent, at + 1);
  }
  yield c.rma_wait_value(come, rows);
};

/** What advice is for: a program that is right and slow (specification 14). */
export const slowTransfers: MpeProgram = function* (h) {
  yield h.init();
  const table = h.memAlloc(4 + 64 * rows * (rowBytes + 4), 128);
  yield h.stBlock(
    table + 4,
    Int32Array.from({ length: 64 * rows * (rowBytes / 4) }, (_, word) => word % 7),
  );
  yield h.athread_spawn(sumRows, table);
  yield h.athread_join();
  const sums = yield* h.ldBlock(table + 4 + 64 * rows * rowBytes, 'i32', 16 * rows);
  yield h.tell(
    'sum',
    sums.reduce((sum, one) => sum + one, 0),
  );
};
