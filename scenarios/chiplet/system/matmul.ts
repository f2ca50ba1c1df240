import type { HostAnswer, HostOperation } from '../../../actors/chiplet/gpu/host-operations.ts';
import type { Dimensions } from '../../../actors/chiplet/ptx/launch.ts';
import type { ChipletAddress } from '../../../actors/chiplet/ptx/message-code.ts';

/*
 * Products of matrices over chiplets: the CPU hands rows to each GPU, takes back what they came to, and puts it together.
 */

type Program = Generator<HostOperation, void, HostAnswer>;

/** The CPU chiplet, and the GPU chiplets in the order of their rows. */
const cpuAt: ChipletAddress = [0, 0];
const gpusAt: readonly ChipletAddress[] = [
  [0, 1],
  [1, 0],
  [1, 1],
  [0, 2],
];

/** Elements of the two factors, 0 to 50, made by a rule. */
const left = (row: number, k: number): number => (7 * row + 13 * k + ((row * k) % 11)) % 51;
const right = (k: number, column: number): number => (11 * k + 5 * column + ((k * column) % 7)) % 51;

const matrix = (rows: number, columns: number, element: (row: number, column: number) => number): number[] =>
  Array.from({ length: rows * columns }, (_, at) => element(Math.floor(at / columns), at % columns));

/** The product that the CPU must find, computed without chiplets. */
export function productOf(rows: number, inner: number, columns: number): readonly number[] {
  return matrix(rows, columns, (row, column) => {
    let sum = 0;
    for (let k = 0; k < inner; k++) sum += left(row, k) * right(k, column);
    return sum;
  });
}

/** Rows of the left factor that a GPU has: as even as can be. */
const sliceOf = (rows: number, gpu: number): readonly [first: number, count: number] => {
  const first = Math.floor((rows * gpu) / gpusAt.length);
  return [first, Math.floor((rows * (gpu + 1)) / gpusAt.length) - first];
};

/** The CPU chiplet: rows x inner times inner x columns, a part of the rows for each GPU. */
export function* cpu(_x: number, _y: number, rows: number, inner: number, columns: number): Program {
  yield { op: 'access', elements: rows * inner + inner * columns };
  const factor = matrix(inner, columns, right);
  for (const [gpu, to] of gpusAt.entries()) {
    const [first, count] = sliceOf(rows, gpu);
    yield { op: 'send', to, values: matrix(count, inner, (row, k) => left(first + row, k)) };
  }
  for (const to of gpusAt) yield { op: 'send', to, values: factor };
  const product: number[] = [];
  for (const [gpu, from] of gpusAt.entries()) {
    const [, count] = sliceOf(rows, gpu);
    const part = (yield { op: 'receive', from, count: count * columns }) as readonly number[];
    for (const value of part) product.push(value);
  }
  yield { op: 'output', file: 'product', values: product };
}

const one: Dimensions = [1, 1, 1];

/** A GPU chiplet: reads its rows and the other factor, multiplies, passes its part of the product on. */
export function* gpu(x: number, y: number, rows: number, inner: number, columns: number): Program {
  const own = gpusAt.findIndex(([atX, atY]) => atX === x && atY === y);
  const [, count] = sliceOf(rows, own);
  const a = (yield { op: 'malloc', bytes: 4 * count * inner }) as number;
  const b = (yield { op: 'malloc', bytes: 4 * inner * columns }) as number;
  const c = (yield { op: 'malloc', bytes: 4 * count * columns }) as number;
  const exchange = (kernel: string, address: number, values: number): HostOperation => ({
    op: 'launch',
    kernel,
    grid: one,
    block: one,
    args: [...cpuAt, x, y, address, values],
  });
  yield exchange('readMessage', a, count * inner);
  yield exchange('readMessage', b, inner * columns);
  yield {
    op: 'launch',
    kernel: 'multiply',
    grid: [Math.ceil(columns / 16), Math.ceil(count / 16), 1],
    block: [16, 16, 1],
    args: [a, b, c, count, inner, columns],
  };
  yield exchange('passMessage', c, count * columns);
  for (const address of [a, b, c]) yield { op: 'free', address };
}
