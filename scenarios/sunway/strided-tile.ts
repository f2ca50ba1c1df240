import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const rows = 6;
const columns = 8;
const wordBytes = 4;

/** Gets rows 1 to 3, columns 2 to 5 of a matrix, turns the tile over and puts it into a matrix of zeros at the same places. */
const tile: CpeProgram = function* (c, matrices) {
  if (c.tid !== 0) return;
  const [first, second] = [matrices, matrices + rows * columns * wordBytes];
  const got = c.ldmStatic('got', 48);
  const turned = c.ldmStatic('turned', 48);
  const corner = (1 * columns + 2) * wordBytes;
  const gap = (columns - 4) * wordBytes;
  yield c.dma_get_stride(got, first + corner, 48, 16, gap);
  const values = yield* c.ldBlock(got, 'i32', 12);
  yield c.stBlock(
    turned,
    values.map((_, k) => values[4 * (k % 3) + Math.floor(k / 3)]!),
  );
  yield c.dma_put_stride(second + corner, turned, 48, 16, gap);
  yield c.dma_put(second + rows * columns * wordBytes, got, 48);
};

/** A tile of a matrix goes through LDM with gaps between its rows (specification 4.1; 13, S4). */
export const stridedTile: MpeProgram = function* (h) {
  yield h.init();
  const words = rows * columns;
  const matrices = h.memAlloc(2 * words * wordBytes + 48);
  yield h.stBlock(
    matrices,
    Int32Array.from({ length: words }, (_, k) => 100 * Math.floor(k / columns) + (k % columns)),
  );
  yield h.athread_spawn(tile, matrices);
  yield h.athread_join();
  const second = yield* h.ldBlock(matrices + words * wordBytes, 'i32', words);
  const got = yield* h.ldBlock(matrices + 2 * words * wordBytes, 'i32', 12);
  const inside = (k: number) => {
    const [row, column] = [Math.floor(k / columns), k % columns];
    return row >= 1 && row <= 3 && column >= 2 && column <= 5;
  };
  yield h.tell('tile', got.join(' '));
  yield h.tell('turned', [...second].filter((_, k) => inside(k)).join(' '));
  yield h.tell('changed outside', [...second].filter((one, k) => !inside(k) && one !== 0).length);
};
