import type { CpeProgram, MpeProgram } from '../../actors/sunway/program.ts';

/** CPEs of a row of the array. */
const side = 8;
const elementBytes = 8;

/** How many rows of the array work on blocks of how many rows and columns, and how often. */
export interface StencilSize {
  readonly rows: number;
  readonly block: number;
  readonly iterations: number;
}

const full: StencilSize = { rows: 8, block: 8, iterations: 10 };

/** Values stay below it, so that sums are exact in any order. */
const modulus = 1009;

const initial = (row: number, column: number): number => (31 * row + 17 * column) % modulus;

/** A grid with a margin of zeros, one step further: each element becomes the sum of its neighbours and twice itself. */
function advance(grid: Float64Array, rows: number, columns: number): Float64Array {
  const pitch = columns + 2;
  return grid.map((own, k) => {
    const [row, column] = [Math.floor(k / pitch), k % pitch];
    if (row === 0 || column === 0 || row > rows || column > columns) return 0;
    return (grid[k - pitch]! + grid[k + pitch]! + grid[k - 1]! + grid[k + 1]! + 2 * own) % modulus;
  });
}

/** The grid after all iterations, by a loop on one core. */
function sequentially({ rows, block, iterations }: StencilSize): Float64Array {
  const [height, width] = [rows * block, side * block];
  const pitch = width + 2;
  let grid: Float64Array = new Float64Array((height + 2) * pitch);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      grid[(row + 1) * pitch + column + 1] = initial(row, column);
  for (let k = 0; k < iterations; k++) grid = advance(grid, height, width);
  return Float64Array.from(
    { length: height * width },
    (_, k) => grid[(Math.floor(k / width) + 1) * pitch + (k % width) + 1]!,
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
function edge(block: number, direction: Direction, depth: 0 | 1): readonly number[] {
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
const relax = ({ rows, block, iterations }: StencilSize): CpeProgram =>
  function* (c, memory) {
    const width = side * block;
    const edgeBytes = block * elementBytes;
    const blockBytes = block * edgeBytes;
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
      const at = { north: c.rid > 0, south: c.rid < rows - 1, west: c.cid > 0, east: c.cid < side - 1 };
      return at[direction];
    });
    const tidOf = { north: c.tid - side, south: c.tid + side, west: c.tid - 1, east: c.tid + 1 };
    const place = memory + (c.rid * width + c.cid) * block * elementBytes;
    const gap = width * elementBytes - edgeBytes;
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
          Float64Array.from(edge(block, direction, 1), (k) => grid[k]!),
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
        edge(block, direction, 0).forEach((k, index) => {
          grid[k] = margin[index]!;
        });
      }
      yield c.compute(block * block);
      grid = new Float64Array(advance(grid, block, block));
    }
    yield c.stBlock(
      tile,
      own.map((_, k) => grid[(Math.floor(k / block) + 1) * pitch + (k % block) + 1]!),
    );
    yield c.dma_put_stride(place, tile, blockBytes, edgeBytes, gap);
  };

/** Runs a stencil over blocks, one a CPE, and compares it with a loop on one core. */
export const stencilOf = (size: StencilSize): MpeProgram =>
  function* (h) {
    const { rows, block } = size;
    const [height, width] = [rows * block, side * block];
    yield h.init();
    const memory = h.memAlloc(height * width * elementBytes, 128);
    yield h.stBlock(
      memory,
      Float64Array.from({ length: height * width }, (_, k) => initial(Math.floor(k / width), k % width)),
    );
    yield h.athread_spawn(relax(size), memory);
    yield h.athread_join();
    const found = yield* h.ldBlock(memory, 'f64', height * width);
    const expected = sequentially(size);
    yield h.tell('right', found.filter((one, k) => one === expected[k]).length);
  };
/** The same over 64 x 64 elements, a block of 8 x 8 a CPE. */
export const stencil = stencilOf(full);
