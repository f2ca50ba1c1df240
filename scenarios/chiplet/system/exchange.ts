import type { HostAnswer, HostOperation } from '../../../actors/chiplet/gpu/host-operations.ts';

/*
 * All to all: every GPU chiplet sends to every other one and receives from it; each peer has a warp of its own, so that warps may go in any order.
 */

type Program = Generator<HostOperation, void, HostAnswer>;

const warp = 32;

/** The value that one chiplet sends to another, by their places in the list of all. */
const valueFor = (from: number, to: number, lane: number): number => 10_000 * from + 100 * to + lane;

/** The message instruction's first operand (chiplet specification 4.1). */
const parameter = (own: readonly number[], peer: readonly number[], operation: 0 | 1): number =>
  own[0]! * 10_000_000 + own[1]! * 100_000 + peer[0]! * 1000 + peer[1]! * 10 + operation;

/** A GPU chiplet: so many values for each of the others. `places` are x and y of all, its own among them. */
export function* gpu(x: number, y: number, lanes: number, ...places: number[]): Program {
  const all = Array.from({ length: places.length / 2 }, (_, at) => places.slice(2 * at, 2 * at + 2));
  const own = all.findIndex(([otherX, otherY]) => otherX === x && otherY === y);
  const peers = [...all.keys()].filter((at) => at !== own);
  const threads = warp * peers.length;
  const parameters = (yield { op: 'malloc', bytes: 4 * threads }) as number;
  const values = (yield { op: 'malloc', bytes: 4 * threads }) as number;
  for (const operation of [0, 1] as const) {
    const byThread = Array.from({ length: threads }, (_, thread) => {
      const peer = peers[Math.floor(thread / warp)]!;
      const lane = thread % warp;
      // A receive names the index of the value that it wants.
      const value = operation === 0 ? valueFor(own, peer, lane) : lane;
      return { value, parameter: parameter([x, y], all[peer]!, operation) };
    });
    yield {
      op: 'copyIn',
      address: parameters,
      type: 'u32',
      values: byThread.map((one) => one.parameter),
    };
    yield { op: 'copyIn', address: values, type: 's32', values: byThread.map(({ value }) => value) };
    yield {
      op: 'launch',
      kernel: 'exchange',
      grid: [1, 1, 1],
      block: [threads, 1, 1],
      args: [parameters, values, lanes],
    };
  }
  const received = (yield {
    op: 'copyOut',
    address: values,
    type: 's32',
    count: threads,
  }) as readonly number[];
  yield { op: 'output', file: 'received', values: received.filter((_, thread) => thread % warp < lanes) };
}

/** What the chiplet at a place of the list must have received. */
export const expectedBy = (own: number, chiplets: number, lanes: number): readonly number[] =>
  [...Array(chiplets).keys()]
    .filter((peer) => peer !== own)
    .flatMap((peer) => Array.from({ length: lanes }, (_, lane) => valueFor(peer, own, lane)));
