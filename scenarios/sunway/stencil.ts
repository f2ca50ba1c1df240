import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

const side = 8;
/** Rows and columns of the block of a CPE. */
const block = 8;
const order = side * block;
const elementBytes = 8;
const edgeBytes = block * elementBytes;
const blockBytes = block * edgeBytes;
const iterations = 10;
/** Values stay below it, so that sums are exact in any order. */
const modulus = 1009;

const initial = (row: number, column: number): number => (31 * row + 17 * column) % modulus;

/** A grid with a margin of zeros, one step further: each element becomes the sum of its neighbours and twice itself. */
function advance(grid: Float64Array, rows: number): Float64Array {
  const pitch = rows + 2;
  return grid.map((own, k) => {
    const [row, column] = [Math.floor(k / pitch), k % pitch];
    if (row === 0 || column === 0 || row > rows || column > rows) return 0;
    return (grid[k - pitch]! + grid[k + pitch]! + grid[k - 1]! + grid[k + 1]! + 2 * own) % modulus;
  });
}

/** The grid after all iterations, by a loop on one core. */
function sequentially(): Float64Array {
  const pitch = order + 2;
  let grid = new Float64Array(pitch * pitch);
  for (let row = 0; row < order; row++)
    for (let column = 0; column < order; column++)
      grid[(row + 1) * pitch + column + 1] = initial(row, column);
  for (let k = 0; k < iterations; k++) grid = new Float64Array(advance(grid, order));
  return Float64Array.from(
    { length: order * order },
    (_, k) => grid[(Math.floor(k / order) + 1) * pitch + (k % order) + 1]!,
  );
}

const directions = ['north', 'south', 'west', 'east'] as const;
type Direction = (typeof directions)[number];
const opposite: Readonly<Record<Direction, Direction>> = {
  north: 'south',
  south: 'north',
  west: 'east',
  east: 'west',
};

/** The elements of an edge, of a grid with a margin or of the margin itself when `depth` is 0. */
function edge(direction: Direction, depth: 0 | 1): readonly number[] {
  const pitch = block + 2;
  const far = block + 1 - depth;
  const element: Readonly<Record<Direction, (along: number) => number>> = {
    north: (along) => depth * pitch + along,
    south: (along) => far * pitch + along,
    west: (along) => along * pitch + depth,
    east: (along) => along * pitch + far,
  };
  return Array.from({ length: block }, (_, k) => element[direction](k + 1));
}

/** Keeps a block in LDM; in each iteration edges go to the neighbours by RMA, each into its own margin. */
const relax: CpeProgram = function* (c, memory) {
  const tile = c.ldmStatic('tile', blockBytes, 64);
  const edges = new Map(
    directions.map((direction) => [
      direction,
      {
        sent: c.ldmStatic(`${direction} edge`, edgeBytes, 64),
        margin: c.ldmStatic(`${direction} margin`, edgeBytes, 64),
      },
    ]),
  );
  const [sent, come] = [c.rply(), c.rply()];
  yield c.rplySet(sent, 0);
  yield c.rplySet(come, 0);
  const neighbours = directions.filter((direction) => {
    const at = { north: c.rid > 0, south: c.rid < side - 1, west: c.cid > 0, east: c.cid < side - 1 };
    return at[direction];
  });
  const tidOf = { north: c.tid - side, south: c.tid + side, west: c.tid - 1, east: c.tid + 1 };
  const place = memory + (c.rid * order + c.cid) * block * elementBytes;
  const gap = order * elementBytes - edgeBytes;
  yield c.dma_get_stride(tile, place, blockBytes, edgeBytes, gap);
  const pitch = block + 2;
  let grid = new Float64Array(pitch * pitch);
  const own = yield* c.ldBlock(tile, 'f64', block * block);
  own.forEach((value, k) => {
    grid[(Math.floor(k / block) + 1) * pitch + (k % block) + 1] = value;
  });
  for (let iteration = 1; iteration <= iterations; iteration++) {
    for (const direction of neighbours)
      yield c.stBlock(
        edges.get(direction)!.sent,
        Float64Array.from(edge(direction, 1), (k) => grid[k]!),
      );
    // Everybody has read the margins of the iteration before.
    yield c.ssync_array();
    for (const direction of neighbours)
      yield c.rma_iput(
        edges.get(direction)!.sent,
        sent,
        edgeBytes,
        tidOf[direction],
        edges.get(opposite[direction])!.margin,
        come,
      );
    yield c.rma_wait_value(sent, iteration * neighbours.length);
    yield c.rma_wait_value(come, iteration * neighbours.length);
    for (const direction of neighbours) {
      const margin = yield* c.ldBlock(edges.get(direction)!.margin, 'f64', block);
      edge(direction, 0).forEach((k, index) => {
        grid[k] = margin[index]!;
      });
    }
    yield c.compute(block * block);
    grid = new Float64Array(advance(grid, block));
  }
  yield c.stBlock(
    tile,
    own.map((_, k) => grid[(Math.floor(k / block) + 1) * pitch + (k % block) + 1]!),
  );
  yield c.dma_put_stride(place, tile, blockBytes, edgeBytes, gap);
};

/** Runs a stencil over 64 x 64 elements, a block of 8 x 8 a CPE, and compares it with a loop on one core. */
export const stencil: MpeProgram = function* (h) {
  yield h.init();
  const memory = h.memAlloc(order * order * elementBytes, 128);
  yield h.stBlock(
    memory,
    Float64Array.from({ length: order * order }, (_, k) => initial(Math.floor(k / order), k % order)),
  );
  yield h.athread_spawn(relax, memory);
  yield h.athread_join();
  const found = yield* h.ldBlock(memory, 'f64', order * order);
  const expected = sequentially();
  yield h.tell('right', found.filter((one, k) => one === expected[k]).length);
};
