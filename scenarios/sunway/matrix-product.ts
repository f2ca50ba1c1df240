import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const side = 8;
const elementBytes = 8;
/** Products that a CPE adds up in a cycle: a vector. */
const lanes = 8;

const left = (row: number, column: number): number => ((7 * row + 3 * column) % 11) - 5;
const right = (row: number, column: number): number => ((5 * row + 2 * column) % 13) - 6;

/** Adds the product of two tiles of `tile` x `tile` elements to a third. */
function addProduct(sum: Float64Array, a: Float64Array, b: Float64Array, tile: number): void {
  for (let row = 0; row < tile; row++)
    for (let k = 0; k < tile; k++) {
      const factor = a[row * tile + k]!;
      const [to, from] = [row * tile, k * tile];
      for (let column = 0; column < tile; column++) sum[to + column]! += factor * b[from + column]!;
    }
}

/**
 * Each CPE has a tile of both factors and of the product. In eight steps one CPE of each row broadcasts its tile of the left factor along the row, one
 * of each column its tile of the right factor along the column; everybody multiplies what has come.
 */
const multiply = (order: number): CpeProgram =>
  function* (c, memory) {
    const tile = order / side;
    const tileBytes = tile * tile * elementBytes;
    const own = { a: c.ldmStatic('own a', tileBytes, 64), b: c.ldmStatic('own b', tileBytes, 64) };
    const come = { a: c.ldmStatic('a', tileBytes, 64), b: c.ldmStatic('b', tileBytes, 64) };
    const product = c.ldmStatic('product', tileBytes, 64);
    const rowBytes = tile * elementBytes;
    const gap = order * elementBytes - rowBytes;
    const place = (matrix: number): number =>
      memory + (matrix * order * order + (c.rid * order + c.cid) * tile) * elementBytes;
    yield c.dma_get_stride(own.a, place(0), tileBytes, rowBytes, gap);
    yield c.dma_get_stride(own.b, place(1), tileBytes, rowBytes, gap);
    const sum = new Float64Array(tile * tile);
    for (let step = 0; step < side; step++) {
      yield c.rma_row_bcast_coll(come.a, own.a, tileBytes, step);
      yield c.rma_col_bcast_coll(come.b, own.b, tileBytes, step);
      const a = yield* c.ldBlock(come.a, 'f64', tile * tile);
      const b = yield* c.ldBlock(come.b, 'f64', tile * tile);
      addProduct(sum, a, b, tile);
      yield c.compute(Math.ceil(tile ** 3 / lanes));
    }
    yield c.stBlock(product, sum);
    yield c.dma_put_stride(place(2), product, tileBytes, rowBytes, gap);
  };

/** Multiplies two square matrices of `order` rows of doubles, and compares the product with that of a loop on one core. */
const product = (order: number): MpeProgram =>
  function* (h) {
    yield h.init();
    const matrixBytes = order * order * elementBytes;
    const memory = h.memAlloc(3 * matrixBytes, 128);
    const filled = (element: (row: number, column: number) => number) =>
      Float64Array.from({ length: order * order }, (_, k) => element(Math.floor(k / order), k % order));
    const [a, b] = [filled(left), filled(right)];
    yield h.stBlock(memory, a);
    yield h.stBlock(memory + matrixBytes, b);
    const begun = yield h.time_cycle();
    yield h.athread_spawn(multiply(order), memory);
    yield h.athread_join();
    const ended = yield h.time_cycle();
    const found = yield* h.ldBlock(memory + 2 * matrixBytes, 'f64', order * order);
    const expected = new Float64Array(order * order);
    addProduct(expected, a, b, order);
    yield h.tell('right', found.filter((one, k) => one === expected[k]).length);
    yield h.tell('MPE cycles from start to join', ended - begun);
  };

/** 64 x 64 doubles: 8 x 8 a CPE. */
export const smallProduct = product(64);
/** 512 x 512 doubles: 64 x 64 a CPE. */
export const largeProduct = product(512);
