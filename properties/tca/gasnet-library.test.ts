import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Combine } from '../../actors/tca/gasnet/collectives.ts';
import type { Gasnet, GasnetProgram } from '../../actors/tca/gasnet/gasnet.ts';
import type { Extent } from '../../actors/tca/gasnet/scattered-moves.ts';
import type { Task } from '../../actors/tca/gasnet/task.ts';
import type { TcaMessage } from '../../actors/tca/protocol.ts';
import { RandomChoices } from '../../kernel/choices.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { gasnetConfigOf, gasnetTrial, patternBytes } from './gasnet-runs.ts';

const size = 24;

/** Runs a program on so many nodes; what each tells, and what was raised. */
function told<T>(
  nodes: number,
  program: (gasnet: Gasnet, tell: (what: T) => void) => Task<void>,
  seed?: number,
) {
  const config = gasnetConfigOf({ slots: 2, slotBytes: 576 }, { topology: 'ring', nodes });
  const said: T[][] = Array.from({ length: nodes }, () => []);
  const options = seed === undefined ? {} : { choices: new RandomChoices(seed) };
  const { raised, run } = gasnetTrial(
    config,
    function* (gasnet) {
      yield* gasnet.init();
      yield* gasnet.attach();
      yield* program(gasnet, (what) => said[gasnet.rank]!.push(what));
      yield* gasnet.barrier();
    },
    options,
  );
  return { raised, said, failure: run.outcome.failure?.message };
}

const own = (rank: number) => patternBytes(rank, size);
const ranks = (nodes: number) => Array.from({ length: nodes }, (_, rank) => rank);
const list = (bytes: Uint8Array) => [...bytes];

/** `a` before `b` before `c`: not the same in another order, so the order of ranks shows. */
const ordered = (upTo: number) => ranks(upTo + 1).map(own);

test.each([2, 3, 4, 5, 8])(
  'every collective does what its definition says, on %d nodes',
  (nodes) => {
    for (const flag of ['none', 'my', 'all'] as const) {
      const { raised, said, failure } = told<number[]>(
        nodes,
        function* (gasnet, tell) {
          const src = gasnet.segment(gasnet.rank, 'cpu').base;
          const dst = gasnet.segment(gasnet.rank, 'gpu').base;
          const flags = { in: flag, out: flag };
          const { collectives } = gasnet;
          const root = nodes - 1;
          yield* gasnet.write(src, own(gasnet.rank));
          const shares = Uint8Array.from(
            ranks(nodes).flatMap((to) => list(patternBytes(10 * gasnet.rank + to, size))),
          );
          yield* gasnet.write(src + 4096, shares);
          yield* gasnet.compute(700 * gasnet.rank);
          yield* collectives.broadcast(root, dst, src, size, flags);
          tell(list(yield* gasnet.read(dst, size)));
          yield* collectives.gather(root, dst + 1024, src, size, flags);
          tell(list(yield* gasnet.read(dst + 1024, size * nodes)));
          yield* collectives.scatter(root, dst + 2048, src + 4096, size, flags);
          tell(list(yield* gasnet.read(dst + 2048, size)));
          yield* collectives.gatherAll(dst + 3072, src, size, flags);
          tell(list(yield* gasnet.read(dst + 3072, size * nodes)));
          yield* collectives.exchange(dst + 4096, src + 4096, size, flags);
          tell(list(yield* gasnet.read(dst + 4096, size * nodes)));
          yield* collectives.reduce(root, dst + 5120, src, size, concatenating, flags);
          tell(list(yield* gasnet.read(dst + 5120, size)));
          yield* collectives.scan(dst + 6144, src, size, concatenating, flags);
          tell(list(yield* gasnet.read(dst + 6144, size)));
        },
        flag === 'none' ? 3 : undefined,
      );

      expect(failure).toBeUndefined();
      expect(raised).toEqual([]);
      const all = ranks(nodes).flatMap((rank) => list(own(rank)));
      const nothing = (count: number) => new Array<number>(count).fill(0);
      for (const rank of ranks(nodes)) {
        const atRoot = rank === nodes - 1;
        expect(said[rank]).toEqual([
          list(own(nodes - 1)),
          atRoot ? all : nothing(size * nodes),
          list(patternBytes(10 * (nodes - 1) + rank, size)),
          all,
          ranks(nodes).flatMap((from) => list(patternBytes(10 * from + rank, size))),
          atRoot ? list(folded(nodes - 1)) : nothing(size),
          list(folded(rank)),
        ]);
      }
    }
  },
  30_000,
);

/** Associative, and different in another order: the later one where it is odd, else the earlier one. */
const concatenating: Combine = (left, right) =>
  left.map((byte, k) => (right[k]! % 2 === 1 ? right[k]! : byte));
const folded = (upTo: number): Uint8Array =>
  ordered(upTo).reduce((left, right) => concatenating(left, right));

test.each([2, 4, 8])('the sum of floats and doubles in GPU memory comes to all of %d nodes', (nodes) => {
  const { raised, said, failure } = told<number[]>(nodes, function* (gasnet, tell) {
    const at = gasnet.segment(gasnet.rank, 'gpu').base;
    yield* gasnet.write(at, new Uint8Array(Float32Array.of(gasnet.rank + 0.5, 2).buffer));
    const begun = yield* gasnet.now();
    yield* gasnet.collectives.allreduceSum(at, 2, 'float');
    tell([(yield* gasnet.now()) - begun]);
    tell([...new Float32Array((yield* gasnet.read(at, 8)).buffer)]);
    yield* gasnet.write(at + 64, new Uint8Array(Float64Array.of(1, 2, 3, 4, 5, 6, 7, gasnet.rank).buffer));
    yield* gasnet.collectives.allreduceSum(at + 64, 8, 'double');
    tell([...new Float64Array((yield* gasnet.read(at + 64, 64)).buffer)]);
  });

  const ranksSum = (nodes * (nodes - 1)) / 2;
  expect(failure).toBeUndefined();
  expect(raised).toEqual([]);
  for (const [time, floats, doubles] of said) {
    expect(floats).toEqual([ranksSum + nodes / 2, 2 * nodes]);
    expect(doubles).toEqual([1, 2, 3, 4, 5, 6, 7].map((one) => one * nodes).concat(ranksSum));
    // Two copies through the chip of about 2 us, and 0.9 us and some software a step.
    expect(time![0]).toBeGreaterThan(4000);
    expect(time![0]).toBeLessThan(6000 + 2000 * Math.log2(nodes));
  }
});

/** Extents that do not overlap, in the order of addresses. */
const extents = fc.array(fc.record({ gap: fc.nat(40), bytes: fc.integer({ min: 0, max: 150 }) }), {
  minLength: 1,
  maxLength: 8,
});
const place = (base: number, drawn: readonly { gap: number; bytes: number }[]): Extent[] => {
  let address = base;
  return drawn.map(({ gap, bytes }) => {
    address += gap;
    const one = { address, bytes };
    address += bytes;
    return one;
  });
};

/** Pieces for as many bytes as the sources have. */
function cutLike(total: number, drawn: readonly { gap: number; bytes: number }[]) {
  const cut: { gap: number; bytes: number }[] = [];
  let left = total;
  for (const { gap, bytes } of drawn) {
    cut.push({ gap, bytes: Math.min(left, bytes) });
    left -= Math.min(left, bytes);
  }
  return [...cut, { gap: 3, bytes: left }];
}

test('lists of bytes come as they would one by one, and nothing beside them', () => {
  const law = fc.property(extents, extents, fc.boolean(), fc.nat(60), (from, to, puts, seed) => {
    const total = from.reduce((sum, { bytes }) => sum + bytes, 0);
    const { raised, said, failure } = told<boolean>(2, function* (gasnet, tell) {
      const mine = gasnet.segment(gasnet.rank, 'cpu').base;
      const theirs = gasnet.segment(1 - gasnet.rank, 'gpu').base;
      const here = puts ? mine : theirs;
      const there = puts ? theirs : mine + 16_384;
      if (puts) yield* gasnet.write(mine, patternBytes(seed, 4000));
      else yield* gasnet.write(gasnet.segment(gasnet.rank, 'gpu').base, patternBytes(seed, 4000));
      yield* gasnet.barrier();
      const sources = place(here, from);
      const targets = place(there, cutLike(total, to));
      if (puts) yield* gasnet.putVector(targets, sources);
      else yield* gasnet.getVector(targets, sources);
      yield* gasnet.barrier();
      const data = patternBytes(seed, 4000);
      const bytes = sources.flatMap(({ address, bytes: count }) =>
        list(data.slice(address - here, address - here + count)),
      );
      const expected = new Uint8Array(4000);
      let at = 0;
      for (const { address, bytes: count } of targets) {
        expected.set(bytes.slice(at, at + count), address - there);
        at += count;
      }
      const seen = puts ? gasnet.segment(gasnet.rank, 'gpu').base : there;
      const found = yield* gasnet.read(seen, 4000);
      tell(found.every((byte, k) => byte === expected[k]));
    });

    expect(failure).toBeUndefined();
    expect(raised).toEqual([]);
    expect(said).toEqual([[true], [true]]);
  });

  fc.assert(law, { numRuns: effort({ short: 5, long: 25 }), seed: 5 });
}, 30_000);

test.each<[string, readonly number[], readonly number[], readonly number[], boolean]>([
  ['one level of wide rows', [128, 5], [256], [512], true],
  ['two levels of wide rows', [64, 3, 2], [128, 1024], [256, 2048], true],
  ['two levels with distances that are multiples of each other', [64, 2, 4], [64, 128], [128, 512], true],
  ['three levels of wide rows', [64, 2, 2, 2], [128, 1024, 4096], [256, 1024, 4096], false],
  ['one level of narrow rows', [8, 5], [64], [32], false],
  ['rows that cannot be aligned', [128, 5], [136], [256], false],
])('%s: the engine or packets, and the same bytes', (_, count, sourceStrides, targetStrides, engine) => {
  const total = count.reduce((product, one) => product * one, 1);
  const config = gasnetConfigOf({ channels: [0] });
  const said: boolean[] = [];
  const chains: number[] = [];
  const program: GasnetProgram = function* (gasnet) {
    yield* gasnet.init();
    yield* gasnet.attach();
    const src = gasnet.segment(gasnet.rank, 'gpu').base;
    const dst = gasnet.segment(1 - gasnet.rank, 'gpu').base + 16_384;
    yield* gasnet.write(src, patternBytes(gasnet.rank, 8192));
    yield* gasnet.barrier();
    if (gasnet.rank === 0)
      yield* gasnet.putStrided(
        { address: dst, strides: targetStrides },
        { address: src, strides: sourceStrides },
        count,
      );
    yield* gasnet.barrier();
    if (gasnet.rank === 0) return;
    const data = patternBytes(0, 8192);
    let good = 0;
    const levels = [count[1]!, count[2] ?? 1, count[3] ?? 1] as const;
    for (let third = 0; third < levels[2]; third++)
      for (let second = 0; second < levels[1]; second++)
        for (let first = 0; first < levels[0]; first++) {
          const at = ([one, two = 0, three = 0]: readonly number[]) =>
            first * one! + second * two + third * three;
          const [from, to] = [at(sourceStrides), at(targetStrides)];
          const found = yield* gasnet.read(gasnet.segment(1, 'gpu').base + 16_384 + to, count[0]!);
          good += found.filter((byte, k) => byte === data[from + k]).length;
        }
    said.push(good === total);
  };

  const { raised } = gasnetTrial(config, program, {}, [], (run) =>
    run.messages$.subscribe(({ message: { event } }) => {
      if (event.type !== 'dmac.doorbell') return;
      const blocks = (event as TcaMessage<'dmac.doorbell'>).chain.filter((one) => one.count > 1).length;
      if (blocks > 0) chains.push(blocks);
    }),
  );

  expect(raised).toEqual([]);
  expect(said).toEqual([true]);
  // Planes are descriptors of one chain (TCA specification 12.5).
  expect(chains).toEqual(engine ? [count[2] ?? 1] : []);
});
