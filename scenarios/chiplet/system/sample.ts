import type { HostAnswer, HostOperation } from '../../../actors/chiplet/gpu/host-operations.ts';
import type { Dimensions } from '../../../actors/chiplet/ptx/launch.ts';
import type { ChipletAddress } from '../../../actors/chiplet/ptx/message-code.ts';

/*
 * The sample of the manual (chiplet specification 11): a CPU sends two matrices to three GPU chiplets, each of which multiplies their top left corners and
 * sends 10 x 10 values back; the CPU adds them up. `scale` is the side of the matrices, 100 in the manual and at least 10: a smaller one is a smaller
 * sample. The manual's CPU sends only the first matrix, three times; with receives by index the GPUs then read it as both factors.
 */

type Program = Generator<HostOperation, void, HostAnswer>;

const cpuAt: ChipletAddress = [0, 0];
const gpusAt: readonly ChipletAddress[] = [
  [0, 1],
  [1, 0],
  [1, 1],
];

/** Side of the block of threads, and of the product that each GPU computes. */
const corner = 10;

/** Elements of the two factors, 0 to 50, made by a rule. */
const left = (row: number, column: number): number => (7 * row + 13 * column + ((row * column) % 11)) % 51;
const right = (row: number, column: number): number => (11 * row + 5 * column + ((row * column) % 7)) % 51;

const matrix = (side: number, element: (row: number, column: number) => number): number[] =>
  Array.from({ length: side * side }, (_, at) => element(Math.floor(at / side), at % side));

/** The CPU chiplet. `both`: 1 sends both matrices to each GPU, 0 only the first one. */
export function* cpu(_x: number, _y: number, scale: number, both: number): Program {
  const a = matrix(scale, left);
  const b = matrix(scale, right);
  yield { op: 'access', elements: 2 * scale * scale };
  for (const to of gpusAt) yield { op: 'send', to, values: a };
  if (both === 1) for (const to of gpusAt) yield { op: 'send', to, values: b };
  let sum: readonly number[] = Array.from({ length: corner * corner }, () => 0);
  for (const from of gpusAt) {
    const part = (yield { op: 'receive', from, count: corner * corner }) as readonly number[];
    sum = sum.map((one, at) => one + part[at]!);
    yield { op: 'access', elements: corner * corner };
  }
  yield { op: 'output', file: 'C1', values: sum };
}

const one: Dimensions = [1, 1, 1];

/** A GPU chiplet. */
export function* gpu(x: number, y: number, scale: number): Program {
  const bytes = 4 * scale * scale;
  const a = (yield { op: 'malloc', bytes }) as number;
  const b = (yield { op: 'malloc', bytes }) as number;
  const c = (yield { op: 'malloc', bytes: 4 * corner * corner }) as number;
  const exchange = (kernel: string, address: number, values: number): HostOperation => ({
    op: 'launch',
    kernel,
    grid: one,
    block: one,
    args: [...cpuAt, x, y, address, values],
  });
  yield exchange('readMessage', a, scale * scale);
  yield exchange('readMessage', b, scale * scale);
  yield {
    op: 'launch',
    kernel: 'matrix_mul_gpu',
    grid: one,
    block: [corner, corner, 1],
    args: [a, b, c, scale],
  };
  yield exchange('passMessage', c, corner * corner);
  for (const address of [a, b, c]) yield { op: 'free', address };
}

/** What the CPU must find: three times the corner of the product, computed without chiplets. */
export function expectedSum(scale: number, both: boolean): readonly number[] {
  const factor = both ? right : left;
  return Array.from({ length: corner * corner }, (_, at) => {
    const [row, column] = [Math.floor(at / corner), at % corner];
    let sum = 0;
    for (let k = 0; k < scale; k++) sum += left(row, k) * factor(k, column);
    return 3 * sum;
  });
}
