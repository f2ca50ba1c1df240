import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../actors/tca/address-map.ts';
import type { HostMemoryContext } from '../../actors/tca/host-memory.ts';
import { bandwidthPicture } from './bandwidth-picture.ts';
import { benchRows } from './bench.ts';
import { claimRows, claimsSchema } from './claim-cases.ts';
import { haloNs } from './halo.ts';
import { configFor, putRound, reported } from './measure.ts';
import {
  measurementRows,
  measurementsSchema,
  predictionRows,
  predictionsSchema,
  weightRows,
  weightsSchema,
} from './reference-cases.ts';
import {
  blockStride,
  contiguous,
  incastPrograms,
  putChains,
  putPrograms,
  type Shape,
  spanOf,
} from './transfers.ts';

const golden = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../properties/tca/golden/${file}.json`, import.meta.url), 'utf8'));
const predictions = predictionsSchema.parse(golden('reference-predictions'));
const only = <V>(table: Readonly<Record<string, V>>, ...keys: readonly string[]): Record<string, V> =>
  Object.fromEntries(Object.entries(table).filter(([key]) => keys.includes(key)));
const failed = (rows: Iterable<{ readonly passed: boolean; readonly id: string }>) =>
  [...rows].filter(({ passed }) => !passed).map(({ id }) => id);

describe('the chains of a put', () => {
  test('have the parts in address order, the packet on the first channel, a notification on each', () => {
    const config = configFor(4096);
    const move = { shape: contiguous(1024), src: addressOf(0, 'gpu', 0), dst: addressOf(1, 'gpu', 0) };

    const chains = putChains(config, 0, 1, move, [0, 640, 0, 384]);

    expect(chains.map(({ channel }) => channel)).toEqual([1, 3]);
    expect(chains.map(({ chain }) => chain.map(({ size }) => size))).toEqual([
      [640, 64, 8],
      [384, 8],
    ]);
    expect(chains[1]?.chain[0]).toMatchObject({ src: move.src + 640, dst: move.dst + 640 });
  });

  test.each([
    ['contiguous', contiguous(2052), [1028, 512, 256, 256]],
    ['block-stride', blockStride(16), [8, 4, 2, 2]],
  ] as const)(
    'move every byte of a %s transfer and no other, however it is split',
    (_, shape: Shape, split) => {
      const config = configFor(spanOf(shape) + 64);
      const move = { shape, src: addressOf(0, 'gpu', 0), dst: addressOf(1, 'gpu', 0) };
      let read: (offset: number) => number = () => -1;

      reported(config, (report) => putPrograms(config, move, split, report), {
        observe: (run) => {
          const memory = (node: number) =>
            (run.part(`Node[${node}].GpuMemory`).context as unknown as HostMemoryContext).bytes;
          for (let at = 0; at < spanOf(shape) + 64; at++) memory(0).write(at, 1 + (at % 251));
          read = (offset) => memory(1).read(offset);
        },
      });

      const isInside = (at: number): boolean =>
        shape.count === 1 ? at < shape.size : at < spanOf(shape) && at % shape.srcStride < shape.size;
      const wrong = Array.from({ length: spanOf(shape) + 64 }, (_unused, at) => at).filter(
        (at) => read(at) !== (isInside(at) ? 1 + (at % 251) : 0),
      );
      expect(wrong).toEqual([]);
    },
  );
});

describe('transfers', () => {
  test('end when the last of their flags is seen', () => {
    const one = putRound(contiguous(4096), [4096, 0, 0, 0]);
    const late = putRound(contiguous(4096), [128, 0, 0, 3968]);

    expect(late.totalNs).toBeGreaterThan(one.totalNs);
    expect(late.channelNs[3]).toBeGreaterThan(late.channelNs[0]!);
  });

  test('of two nodes to one share what its GPU takes', () => {
    const bytes = 64 * 1024;
    const config = configFor(2 * bytes, { topology: 'ring', nodes: 3 });

    const ns = reported(config, (report) => incastPrograms(config, contiguous(bytes), report)).get(2)!;

    expect((2 * bytes) / ns).toBeLessThan(2.64);
    expect(ns).toBeGreaterThan(1.8 * putRound(contiguous(bytes), [bytes, 0, 0, 0]).totalNs);
  });

  test('of a halo cost a detected stop less than a charged one, and more than an ideal one', () => {
    const [charged, counter, ideal] = (['charged', 'counter', 'ideal'] as const).map((stop) =>
      haloNs('2x2x1', [0], stop),
    ) as [number, number, number];

    expect(charged - ideal).toBe(1500);
    expect(counter).toBeGreaterThan(ideal);
    expect(counter).toBeLessThan(charged);
  });
});

describe('the predictions of the prototype', () => {
  test('are met in a sample of every figure', () => {
    const sample = {
      ...predictions,
      fig1_GBs: only(predictions.fig1_GBs, '1024', '16384'),
      direct_ch0_us: only(predictions.direct_ch0_us, '8', '2048', '32768'),
      direct_ch0_blockstride_us: only(predictions.direct_ch0_blockstride_us, '2', '32'),
      fig5: only(predictions.fig5, '8', '4096', '8192'),
      fig6: only(predictions.fig6, '16', '32'),
      fig7_halo_per_iteration: only(predictions.fig7_halo_per_iteration, '2x1x1', '1x4x1', '2x2x1'),
      whatif_32_32: only(predictions.whatif_32_32, '4096', '8192'),
    };

    const rows = [...predictionRows(sample)];

    expect(failed(rows)).toEqual([]);
    expect(rows).toHaveLength(2 * 4 + 3 + 2 + (3 + 2 * 2) * (4 * 6 + 1) + 3 * 6 + 2 * 3);
  });

  test('fail in exactly the numbers that are changed', () => {
    const sample = {
      ...predictions,
      fig1_GBs: { '1024': [0.49, 0.49, 0.296, 0.32] },
      direct_ch0_us: { '8': 2.07 },
      direct_ch0_blockstride_us: {},
      fig5: {},
      fig6: {},
      fig7_halo_per_iteration: {},
      whatif_32_32: {},
    };

    expect(failed(predictionRows(sample))).toEqual(['fig1 1024 B CH3', 'direct 8 B']);
  });
});

describe('the trace of the tuning', () => {
  test('is met round by round, also where it oscillates', () => {
    const { traces, ...rest } = weightsSchema.parse(golden('weights-trace'));

    const rows = [...weightRows({ ...rest, traces: only(traces, '8192', '16384') })];

    expect(failed(rows)).toEqual([]);
    expect(rows).toHaveLength(2 * 6 * 6);
  });
});

describe('claims and measurements', () => {
  test('hold within their tolerances, and what cannot be measured is skipped by name', () => {
    const { claims, origin } = claimsSchema.parse(golden('paper-claims'));
    const ids = [
      'tags',
      'fig5-8k',
      'fig6-n16-bs',
      'fig6-tca-vs-ib',
      'fig7-2node',
      'halo-bytes',
      'iters',
      'axes',
    ];
    const sample = claims.filter(({ id }) => [...ids, 'gasnet-latency'].includes(id));

    const rows = [...claimRows({ origin, claims: sample })];

    expect(failed(rows)).toEqual([]);
    expect(rows.filter(({ skipped }) => skipped !== undefined).map(({ id }) => id)).toEqual([
      'iters',
      'axes',
    ]);
    expect(rows).toHaveLength(10);
  });

  test('fail when they are out of reach', () => {
    const { claims, origin } = claimsSchema.parse(golden('paper-claims'));
    const latency = claims.find(({ id }) => id === 'gasnet-latency')!;
    const measurements = measurementsSchema.parse(golden('public-measurements'));
    const changed = measurementsSchema.parse({
      ...measurements,
      peach2_direct_ch0_pingpong_us: { '8': 2.2 },
      peach2_direct_ch0_blockstride_us: { note: '', '2': [2.4, 2.5] },
    });

    expect(failed(claimRows({ origin, claims: [{ ...latency, value: 0.3 }] }))).toEqual(['gasnet-latency']);
    expect(failed(measurementRows(changed))).toEqual(['PEACH2 8 B', 'PEACH2 block-stride N=2']);
  });
});

test('a picture has one line a series, a cross where the prototype was run, and a legend of all', () => {
  const rows = [...benchRows.fig5({ sizes: [2048, 6144], channels: ['0', '0123'], predictions })];

  const picture = bandwidthPicture('A & B', rows);

  expect(picture.match(/<polyline/g)).toHaveLength(2);
  // A cross a row that the prototype was run for, and one a series in the legend.
  const run = rows.filter(({ goldenNs }) => goldenNs !== undefined);
  expect(run).toHaveLength(2);
  expect(picture.match(/<path/g)).toHaveLength(run.length + new Set(run.map(({ series }) => series)).size);
  for (const { series } of rows) expect(picture).toContain(`>${series}</text>`);
  expect(picture).toContain('A &amp; B');
});
