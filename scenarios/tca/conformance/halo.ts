import type { Handler } from '../../../actors/tca/gasnet/handler.ts';
import type { ConformanceCase } from './case.ts';
import { agree, sameBytes } from './judge.ts';
import { enter, leave } from './party.ts';

/** Points of a node's block by axis, with a layer of ghosts on each side; four bytes a point. */
const [width, height, depth] = [18, 6, 5] as const;
const pointBytes = 4;
const rowBytes = width * pointBytes;
const planeBytes = rowBytes * height;
const steps = 2;

const offsetOf = (x: number, y: number, z: number): number => z * planeBytes + y * rowBytes + x * pointBytes;
/** What a point holds: anybody can work it out. */
const pointValue = (rank: number, step: number, x: number, y: number, z: number): number =>
  1 + rank * 2 ** 20 + step * 2 ** 18 + z * 2 ** 12 + y * 2 ** 6 + x;

/** A face: what its owner sends, and where its neighbour has its ghosts. */
interface Face {
  readonly axis: 'x' | 'y' | 'z';
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
  readonly size: number;
  readonly count: number;
  readonly stride: number;
  /** Planes in which the same is sent. */
  readonly planes: number;
  /** To the neighbour before, or behind. */
  readonly by: -1 | 1;
}

const inner = [width - 2, height - 2, depth - 2] as const;
const z = { axis: 'z', size: rowBytes * inner[1], count: 1, stride: 0, planes: 1 } as const;
const y = { axis: 'y', size: pointBytes * inner[0], count: inner[2], stride: planeBytes, planes: 1 } as const;
const x = { axis: 'x', size: pointBytes, count: inner[1], stride: rowBytes, planes: inner[2] } as const;
/** Each face without the ghosts that others may write meanwhile. */
const faces: readonly Face[] = [
  { ...z, from: [0, 1, 1], to: [0, 1, depth - 1], by: -1 },
  { ...z, from: [0, 1, depth - 2], to: [0, 1, 0], by: 1 },
  { ...y, from: [1, 1, 1], to: [1, height - 1, 1], by: -1 },
  { ...y, from: [1, height - 2, 1], to: [1, 0, 1], by: 1 },
  { ...x, from: [1, 1, 1], to: [width - 1, 1, 1], by: -1 },
  { ...x, from: [width - 2, 1, 1], to: [0, 1, 1], by: 1 },
];

/** C22: a block of three dimensions whose faces go to the neighbours round a ring, by puts with a signal, or by long messages. */
export const ghosts: ConformanceCase = {
  id: 'C22',
  title: 'three-dimensional ghost exchange: contiguous and strided faces, puts and long messages, signals',
  mirrors: 'testnbr',
  mandatory: true,
  program: ({ seed }) =>
    function* (gasnet) {
      const signals = new Map<string, number>();
      const count = (step: number, axis: number, side: number) => {
        const key = `${step} ${axis} ${side}`;
        signals.set(key, (signals.get(key) ?? 0) + 1);
      };
      const signal: Handler = (_gasnet, _token, { args: [step, axis, side] }) => count(step!, axis!, side!);
      const party = yield* enter(gasnet, seed, [signal]);
      // Both blocks, of odd and even steps, in GPU memory; a neighbour may be one step ahead.
      const blockBytes = planeBytes * depth;
      for (let step = 0; step < steps; step++) {
        const block = (step % 2) * blockBytes;
        yield* gasnet.write(party.own('gpu', block), blockOf(party.rank, step));
        // Ghosts may come as soon as all have made their blocks.
        agree('the blocks are made', yield* gasnet.barrier(step + 1), 'OK');
        for (const axis of [0, 1, 2]) {
          for (const side of [0, 1]) {
            const { from, to, size, count: rows, stride, planes, by } = faces[2 * axis + side]!;
            const target = party.further(by);
            const src = party.own('gpu', block + offsetOf(...from));
            const dst = party.at(target, 'gpu', block + offsetOf(...to));
            const args = [step, axis, side];
            if (rows === 1 && (seed + step + side) % 2 === 0) {
              const options = { args, src, bytes: size, dst };
              agree('a face', yield* gasnet.request(target, 'long', gasnet.indexOf(signal), options), 'OK');
              continue;
            }
            const shape = { size, count: rows, srcStride: stride, dstStride: stride };
            for (let plane = 0; plane < planes; plane++) {
              const by = plane * planeBytes;
              agree('a face', yield* gasnet.putBlocks(dst + by, src + by, shape), 'OK');
            }
            agree('a signal', yield* gasnet.request(target, 'short', gasnet.indexOf(signal), { args }), 'OK');
          }
          yield* gasnet.waitUntil(() => [0, 1].every((side) => signals.get(`${step} ${axis} ${side}`) === 1));
        }
        sameBytes(
          `rank ${party.rank}: the block with its ghosts, step ${step}`,
          yield* gasnet.read(party.own('gpu', block), blockBytes),
          exchanged(party.rank, party.nodes, step),
        );
      }
      yield* leave(party);
      agree(
        'signals',
        [...signals.values()].every((number) => number === 1),
        true,
      );
    },
};

function blockOf(rank: number, step: number): Uint8Array {
  const bytes = new Uint8Array(planeBytes * depth);
  const view = new DataView(bytes.buffer);
  for (let z = 1; z < depth - 1; z++)
    for (let y = 1; y < height - 1; y++)
      for (let x = 1; x < width - 1; x++)
        view.setUint32(offsetOf(x, y, z), pointValue(rank, step, x, y, z), true);
  return bytes;
}

/** The block of a rank after all three exchanges, done by single copies between the blocks of all ranks. */
function exchanged(rank: number, nodes: number, step: number): Uint8Array {
  const blocks = Array.from({ length: nodes }, (_, one) => blockOf(one, step));
  for (const axis of ['z', 'y', 'x']) {
    const before = blocks.map((block) => block.slice());
    for (const { axis: own, from, to, size, count, stride, planes, by } of faces)
      if (own === axis)
        for (const [source, block] of before.entries())
          for (let plane = 0; plane < planes; plane++)
            for (let row = 0; row < count; row++) {
              const along = plane * planeBytes + row * stride;
              const at = offsetOf(...from) + along;
              const target = blocks[(source + by + nodes) % nodes]!;
              target.set(block.subarray(at, at + size), offsetOf(...to) + along);
            }
  }
  return blocks[rank]!;
}
