import type { HostAnswer, HostOperation } from '../../../actors/chiplet/gpu/host-operations.ts';

/*
 * A ring of chiplets split by function (chiplet specification 3.1.1 of the manual, 11): a CPU feeds blocks of values into a pipeline of GPU chiplets, each
 * of which does its part and hands the block on; the last one hands it back.
 */

type Program = Generator<HostOperation, void, HostAnswer>;

const blockOf = (round: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => 10 * round + at);

/** The CPU chiplet: feeds all blocks, then takes them back. */
export function* cpu(
  _x: number,
  _y: number,
  rounds: number,
  count: number,
  firstX: number,
  firstY: number,
  lastX: number,
  lastY: number,
): Program {
  for (let round = 0; round < rounds; round++) {
    yield { op: 'compute', instructions: 4 * count };
    yield { op: 'send', to: [firstX, firstY], values: blockOf(round, count) };
  }
  const all: number[] = [];
  for (let round = 0; round < rounds; round++)
    all.push(...((yield { op: 'receive', from: [lastX, lastY], count }) as readonly number[]));
  yield { op: 'output', file: 'blocks', values: all };
}

/** A GPU chiplet: its stage adds the amount. */
export function* gpu(
  x: number,
  y: number,
  rounds: number,
  count: number,
  amount: number,
  beforeX: number,
  beforeY: number,
  afterX: number,
  afterY: number,
): Program {
  const data = (yield { op: 'malloc', bytes: 4 * count }) as number;
  const launch = (kernel: string, args: readonly number[], threads = 1): HostOperation => ({
    op: 'launch',
    kernel,
    grid: [1, 1, 1],
    block: [threads, 1, 1],
    args,
  });
  for (let round = 0; round < rounds; round++) {
    yield launch('readMessage', [beforeX, beforeY, x, y, data, count]);
    yield launch('stage', [data, count, amount], count);
    yield launch('passMessage', [afterX, afterY, x, y, data, count]);
  }
}

/** What the CPU must get back from stages that add these amounts. */
export const pipedThrough = (rounds: number, count: number, amounts: readonly number[]): readonly number[] =>
  [...Array(rounds).keys()].flatMap((round) =>
    blockOf(round, count).map((value) => amounts.reduce((sum, amount) => 3 * sum + amount, value)),
  );
