import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../actors/tca/address-map.ts';
import { chainError, chainMax, type Descriptor, readsOf } from '../../actors/tca/descriptor.ts';
import type { NodeAnswer, NodeOperation } from '../../actors/tca/node-program.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { trial } from './trial.ts';
import { configOf, copy, givenOf, notify, pattern, words } from './workloads.ts';

const strided = (changes: Partial<Descriptor>): Descriptor => ({
  ...copy(0, 0, 16),
  count: 2,
  srcStride: 32,
  dstStride: 32,
  ...changes,
});

describe('a chain', () => {
  test.each<[string, Descriptor, string | undefined]>([
    ['a multiple of four bytes between addresses of one class', copy(20, 4100, 12), undefined],
    ['two bytes', copy(0, 0, 2), 'EALIGN'],
    ['six bytes', copy(0, 0, 6), 'EALIGN'],
    ['addresses that differ in their low four bits', copy(0, 4, 16), 'EALIGN'],
    ['addresses that differ by a multiple of 16', copy(4, 52, 16), undefined],
    ['strides of one class', strided({ srcStride: 36, dstStride: 52 }), undefined],
    ['strides of two classes', strided({ srcStride: 36, dstStride: 48 }), 'EALIGN'],
    ['strides of two classes and one block', strided({ count: 1, srcStride: 36, dstStride: 48 }), undefined],
    ['a negative stride of the same class', strided({ srcStride: -16, dstStride: 32 }), undefined],
    ['a word of the chip anywhere', words(3, new Uint8Array(8)), undefined],
    ['an empty block', copy(0, 0, 0), 'ECHAIN'],
    ['no block', strided({ count: 0 }), 'ECHAIN'],
  ])('of %s is judged as %#', (_, descriptor, expected) => {
    expect(chainError([descriptor])).toBe(expected);
    expect(chainError([copy(0, 0, 4), descriptor])).toBe(expected);
  });

  test('has from 1 to 1024 descriptors', () => {
    const of = (length: number) => chainError(Array.from({ length }, () => copy(0, 0, 4)));

    expect([0, 1, chainMax, chainMax + 1].map(of)).toEqual(['ECHAIN', undefined, undefined, 'ECHAIN']);
    expect(chainMax).toBe(1024);
  });

  test('that is wrong is answered with its code, and starts nothing', () => {
    const answers: NodeAnswer[] = [];
    const programs = [
      function* (): Generator<NodeOperation, void, NodeAnswer> {
        for (const chain of [[copy(0, 4, 16)], [], [copy(0, 0, 4)], [copy(0, 0, 4)]])
          answers.push(yield { op: 'start', channel: 0, chain });
      },
      function* () {},
    ];

    const { raised, result } = trial(givenOf(configOf(), programs));

    expect(raised).toEqual([]);
    expect(answers).toEqual(['EALIGN', 'ECHAIN', 0, 'EBUSY']);
    expect(result.nodes[0]!.chains[0]).toBe(1);
  });
});

describe('a descriptor', () => {
  test('is read in pieces that end at multiples of 128 bytes of the source', () => {
    const cut = readsOf(copy(100, 4196, 300), 128).map(({ src, bytes }) => [src, bytes]);

    expect(cut).toEqual([
      [100, 28],
      [128, 128],
      [256, 128],
      [384, 16],
    ]);
  });

  test('is covered by its reads, none of which crosses a boundary of its largest size', () => {
    const descriptor = fc.record({
      src: fc.nat(500),
      dst: fc.nat(500),
      size: fc.integer({ min: 1, max: 900 }),
      count: fc.integer({ min: 1, max: 3 }),
      srcStride: fc.nat(1000),
      dstStride: fc.nat(1000),
    });
    const law = fc.property(descriptor, fc.constantFrom(64, 128, 256), (one, largest) => {
      const bytes = readsOf(one, largest).flatMap((read) => {
        expect(Math.floor(read.src / largest)).toBe(Math.floor((read.src + read.bytes - 1) / largest));
        return Array.from({ length: read.bytes }, (_, k) => [read.src + k, read.dst + k]);
      });
      const wanted = Array.from({ length: one.count * one.size }, (_, k) => {
        const [block, byte] = [Math.floor(k / one.size), k % one.size];
        return [one.src + block * one.srcStride + byte, one.dst + block * one.dstStride + byte];
      });
      expect(bytes).toEqual(wanted);
    });

    fc.assert(law, { numRuns: effort({ short: 40, long: 200 }), seed: 15 });
  });

  test('of several blocks moves what a loop of copies moves', () => {
    const shape = fc.record({
      words: fc.integer({ min: 1, max: 50 }),
      count: fc.integer({ min: 1, max: 4 }),
      start: fc.nat(3),
      srcGap: fc.nat(3),
      dstGap: fc.nat(3),
      srcBackwards: fc.boolean(),
      dstBackwards: fc.boolean(),
    });
    const law = fc.property(shape, (given) => {
      const { words: size4, count, start, srcGap, dstGap, srcBackwards, dstBackwards } = given;
      // Strides keep the class of the addresses: whole 16 bytes beside a size that both have, or forwards and backwards alike.
      const size = srcBackwards === dstBackwards ? 4 * size4 : 16 * Math.ceil(size4 / 4);
      const [srcStep, dstStep] = [size + 16 * srcGap, size + 16 * dstGap];
      const [srcStride, dstStride] = [srcBackwards ? -srcStep : srcStep, dstBackwards ? -dstStep : dstStep];
      /** Bytes below the first block, up to whole 16. */
      const below = (stride: number): number => 16 * Math.ceil(Math.max(0, -stride * (count - 1)) / 16);
      const src = addressOf(0, 'gpu', 4 * start + below(srcStride));
      const dst = addressOf(1, 'cpu', 4096 + 4 * start + below(dstStride));
      const whole = [{ src, dst, size, count, srcStride, dstStride }];
      const loop = Array.from({ length: count }, (_, k) =>
        copy(src + k * srcStride, dst + k * dstStride, size),
      );

      const [first, other] = [whole, loop].map((chain) => moved(chain));

      expect(first!.size).toBe(count * size);
      expect(other).toEqual(first);
    });

    fc.assert(law, { numRuns: effort({ short: 12, long: 40 }), seed: 15 });
  });
});

/** What a chain of node 0 leaves in the CPU memory of node 1. */
function moved(chain: readonly Descriptor[]): ReadonlyMap<number, number> {
  const config = configOf();
  const fill = Array.from({ length: 8 }, (_, k) => words(addressOf(0, 'gpu', 128 * k), pattern(k, 128)));
  const sender = function* (): Generator<NodeOperation, void, NodeAnswer> {
    yield { op: 'start', channel: 0, chain: fill };
    yield { op: 'stopped', channels: [0] };
    yield { op: 'start', channel: 0, chain };
  };
  const { raised, written } = trial(givenOf(config, [sender, function* () {}]));
  expect(raised).toEqual([]);
  return new Map([...written].filter(([address]) => address >= addressOf(1, 'cpu', 0)));
}

/** Microseconds from the doorbell to the program of node 1 that sees the flag behind so many bytes from GPU to GPU. */
function transferTime(
  bytes: number,
  channel = 0,
  tagsPerChannel: readonly number[] = [32, 16, 8, 8],
): number {
  const config = configOf({ parameters: { tagsPerChannel } });
  let time = 0;
  const chain = [copy(addressOf(0, 'gpu', 0), addressOf(1, 'gpu', 0), bytes), notify(config, 0, 1)];
  const programs = [
    function* (): Generator<NodeOperation, void, NodeAnswer> {
      yield { op: 'start', channel, chain };
    },
    function* (): Generator<NodeOperation, void, NodeAnswer> {
      time = (yield { op: 'wait', flags: [{ source: 0, slot: 0 }] }) as number;
    },
  ];
  expect(trial(givenOf(config, programs)).raised).toEqual([]);
  return time / 1000;
}

describe('a transfer of one channel from GPU to GPU', () => {
  /** The closed form of the specification, section 18, in microseconds. */
  const closedForm = (bytes: number): number => {
    const windows = Math.floor(bytes / 4096);
    const flag =
      bytes < 4096 ? 2.004 + 0.012 * (bytes / 128 - 1) : 2.004 + 1.467 * windows + (bytes % 4096) / 3460;
    return Math.max(flag, 1.42 + Math.max(bytes / 3370, (bytes - 3072) / 2640));
  };

  test.each([1, 2, 3, 8, 16, 24, 31, 32, 33, 48, 63, 64, 80, 96, 127, 128, 200, 256, 384, 511, 512])(
    'of %i times 128 bytes takes what the closed form says, within 1.2 %%',
    (units) => {
      const bytes = 128 * units;

      expect(Math.abs(transferTime(bytes) / closedForm(bytes) - 1)).toBeLessThan(0.012);
    },
  );

  test.each([0, 1, 2, 3])('on channel %i is never faster than its tags in a round trip', (channel) => {
    const bytes = 32_768;
    const tags = [32, 16, 8, 8][channel]!;
    const roundTrip = 1.467;
    const bandwidth = bytes / transferTime(bytes, channel);
    const most = (tags * 128) / roundTrip;

    expect(bandwidth).toBeLessThan(most);
    expect(bandwidth).toBeGreaterThan(0.84 * most);
  });

  test.each(effort({ short: [5, 17, 64], long: [1, 5, 16, 17, 32, 50, 64, 100] }))(
    'of %i times 128 bytes is not slowed by more tags',
    (units) => {
      const times = [1, 2, 4, 8, 15, 16, 17, 24, 32, 48, 64].map((tags) =>
        transferTime(128 * units, 0, [tags, 0, 0, 0]),
      );

      expect(times).toEqual([...times].sort((a, b) => b - a));
    },
  );
});
