import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pingPong } from './gasnet-ping-pong.ts';
import { type DecompositionName, gasnetHaloNs as haloNs } from './halo.ts';
import { channelsNamed, predictionsSchema, twoOf32 } from './reference-cases.ts';
import { blockStride, contiguous } from './transfers.ts';

const file = new URL('../../properties/tca/golden/reference-predictions.json', import.meta.url);
const golden = predictionsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

const known = new Map<string, number>();
/** Nanoseconds of one exchange, which two tests ask for. */
function gasnetHaloNs(...asked: Parameters<typeof haloNs>): number {
  const key = JSON.stringify(asked);
  const ns = known.get(key) ?? haloNs(...asked);
  known.set(key, ns);
  return ns;
}

const share = (found: number, expected: number): number => Math.abs(found / expected - 1);

describe('puts of the runtime, to and fro', () => {
  test.each(['8', '2048', '4096', '8192', '32768'])(
    'take the time of the reference on one channel, and on four with the split that they tuned: %s bytes',
    (bytes) => {
      for (const set of ['ch0', 'ch0123'] as const) {
        const { ns } = pingPong(contiguous(Number(bytes)), channelsNamed(set));
        expect(share(ns, golden.fig5[bytes]![set].tuned_ns)).toBeLessThan(0.002);
      }
    },
  );

  test.each([
    ['8192', 'ch01'],
    ['8192', 'ch012'],
    ['16384', 'ch01'],
    ['32768', 'ch012'],
  ] as const)(
    'are within 3 percent of the reference where it tunes to another split: %s bytes, %s',
    (bytes, set) => {
      const { ns } = pingPong(contiguous(Number(bytes)), channelsNamed(set));

      expect(share(ns, golden.fig5[bytes]![set].tuned_ns)).toBeLessThan(0.03);
    },
  );

  test('take it to the nanosecond where the split is that of the reference', () => {
    const { ns, split } = pingPong(contiguous(4096), [0, 1, 2, 3]);

    expect({ ns, split }).toEqual({
      ns: golden.fig5['4096']!.ch0123.tuned_ns,
      split: golden.fig5['4096']!.ch0123.tuned_split,
    });
  });

  test('take the time of the reference for planes of a cube, and with 32 tags each on two channels', () => {
    expect(pingPong(blockStride(16), [0, 1, 2, 3]).ns).toBe(golden.fig6['16']!.blockstride.ch0123.tuned_ns);
    expect(pingPong(contiguous(8192), [0, 1], twoOf32).ns).toBe(golden.whatif_32_32['8192']!.two32);
  });
});

describe('a halo exchange of the runtime', () => {
  test.each(['2x1x1', '2x2x1'] as DecompositionName[])(
    'takes the time of the reference when stops cost nothing: %s',
    (name) => {
      const expected = golden.fig7_halo_per_iteration[name]!;

      expect(share(gasnetHaloNs(name, [0], 'ideal'), expected.ch0_idealstop_ns)).toBeLessThan(0.02);
      expect(share(gasnetHaloNs(name, [0, 1, 2, 3], 'ideal'), expected.ch0123_idealstop_ns)).toBeLessThan(
        0.02,
      );
    },
  );

  test('loses with counters what four channels would save on two neighbours (TCA specification 1.25)', () => {
    const [one, four] = [
      gasnetHaloNs('2x2x1', [0], 'counter'),
      gasnetHaloNs('2x2x1', [0, 1, 2, 3], 'counter'),
    ];
    const [oneIdeal, fourIdeal] = [
      gasnetHaloNs('2x2x1', [0], 'ideal'),
      gasnetHaloNs('2x2x1', [0, 1, 2, 3], 'ideal'),
    ];

    expect(1 - fourIdeal / oneIdeal).toBeGreaterThan(0.16);
    expect(1 - four / one).toBeLessThan(0.03);
  });
});
