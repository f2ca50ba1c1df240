import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const side = 8;
const elementBytes = 8;
/** Products that a CPE adds up in a cycle: a vector. */
const lanes = 8;

const left = (row: number, column: number): number => ((7 * row + 3 * column) % 11) - 5;
const right = (row: number, column: number): number => ((5 * row + 2 * column) % 13) - 6;

/** How many rows of the array work, a divisor of 8, and the rows and columns of the tile of a CPE. */
export interface ProductSize {
  readonly rows: number;
  readonly tile: number;
}

/** Adds the product of a matrix with `inner` columns and one with `columns` to a third, row by row. */
function addProduct(
  sum: Float64Array,
  a: Float64Array,
  b: Float64Array,
  { inner, columns }: { readonly inner: number; readonly columns: number },
): void {
  for (let row = 0; row < sum.length / columns; row++)
    for (let k = 0; k < inner; k++) {
      const factor = a[row * inner + k]!;
      const [to, from] = [row * columns, k * columns];
      for (let column = 0; column < columns; column++) sum[to + column]! += factor * b[from + column]!;
    }
}

/** Where the left factor, the right one and the product begin; all have rows of `order` elements, the right one as many of them. */
const placesOf = ({ rows, tile }: ProductSize, memory: number) => {
  const order = side * tile;
  const leftBytes = rows * tile * order * elementBytes;
  const rightBytes = order * order * elementBytes;
  return {
    a: memory,
    b: memory + leftBytes,
    product: memory + leftBytes + rightBytes,
    leftBytes,
    rightBytes,
  };
};

/**
 * Each CPE has a tile of the left factor and of the product, and every so many rows of tiles one of the right factor. In eight steps one CPE of each row
 * broadcasts its tile of the left factor along the row, one of each column a tile of the right factor along the column; everybody multiplies
 * what has come.
 */
const multiply = (size: ProductSize): CpeProgram =>
  function* (c, memory) {
    const { rows, tile } = size;
    const order = side * tile;
    const tileBytes = tile * tile * elementBytes;
    const ownRows = side / rows;
    const own = {
      a: c.ldmStatic('own a', tileBytes, 64),
      b: Array.from({ length: ownRows }, (_, k) => c.ldmStatic(`own b ${k}`, tileBytes, 64)),
    };
    const come = { a: c.ldmStatic('a', tileBytes, 64), b: c.ldmStatic('b', tileBytes, 64) };
    const product = c.ldmStatic('product', tileBytes, 64);
    const rowBytes = tile * elementBytes;
    const gap = order * elementBytes - rowBytes;
    const places = placesOf(size, memory);
    const at = (matrix: number, tileRow: number): number =>
      matrix + (tileRow * order + c.cid) * tile * elementBytes;
    yield c.dma_get_stride(own.a, at(places.a, c.rid), tileBytes, rowBytes, gap);
    for (const [k, buffer] of own.b.entries())
      yield c.dma_get_stride(buffer, at(places.b, k * rows + c.rid), tileBytes, rowBytes, gap);
    const sum = new Float64Array(tile * tile);
    for (let step = 0; step < side; step++) {
      yield c.rma_row_bcast_coll(come.a, own.a, tileBytes, step);
      yield c.rma_col_bcast_coll(come.b, own.b[Math.floor(step / rows)]!, tileBytes, step % rows);
      const a = yield* c.ldBlock(come.a, 'f64', tile * tile);
      const b = yield* c.ldBlock(come.b, 'f64', tile * tile);
      addProduct(sum, a, b, { inner: tile, columns: tile });
      yield c.compute(Math.ceil(tile ** 3 / lanes));
    }
    yield c.stBlock(product, sum);
    yield c.dma_put_stride(at(places.product, c.rid), product, tileBytes, rowBytes, gap);
  };

/** Multiplies two matrices of doubles, the right one square, and compares the product with that of a loop on one core. */
const product = (size: ProductSize): MpeProgram =>
  function* (h) {
    const [height, order] = [size.rows * size.tile, side * size.tile];
    yield h.init();
    const { leftBytes, rightBytes } = placesOf(size, 0);
    const memory = h.memAlloc(2 * leftBytes + rightBytes, 128);
    const places = placesOf(size, memory);
    const filled = (rows: number, element: (row: number, column: number) => number) =>
      Float64Array.from({ length: rows * order }, (_, k) => element(Math.floor(k / order), k % order));
    const [a, b] = [filled(height, left), filled(order, right)];
    yield h.stBlock(places.a, a);
    yield h.stBlock(places.b, b);
    const begun = yield h.time_cycle();
    yield h.athread_spawn(multiply(size), memory);
    yield h.athread_join();
    const ended = yield h.time_cycle();
    const found = yield* h.ldBlock(places.product, 'f64', height * order);
    const expected = new Float64Array(height * order);
    addProduct(expected, a, b, { inner: order, columns: order });
    yield h.tell('right', found.filter((one, k) => one === expected[k]).length);
    yield h.tell('MPE cycles from start to join', ended - begun);
  };

/** 2 rows of the array and 16 x 16 doubles on the right: 2 x 2 a CPE. */
export const smallestProduct = product({ rows: 2, tile: 2 });
/** 64 x 64 doubles: 8 x 8 a CPE. */
export const smallProduct = product({ rows: side, tile: 8 });
/** 512 x 512 doubles: 64 x 64 a CPE. */
export const largeProduct = product({ rows: side, tile: 64 });
