import type { Split } from '../../actors/tca/split.ts';
import { mpiBlockStrideUs, mpiUs } from './baselines.ts';
import { pingPong } from './gasnet-ping-pong.ts';
import { type DecompositionName, decompositions, gasnetHaloNs, haloNs, haloShapes } from './halo.ts';
import { directNs } from './measure.ts';
import { channelsNamed, type Measurements, type Predictions, twoOf32 } from './reference-cases.ts';
import { blockStride, bytesOf, contiguous, type Shape } from './transfers.ts';

/**
 * The benchmarks (TCA specification 14): `fig1` and `pingpong` by the driver alone, the others by puts of GASNet, as its runtime splits them when it
 * has tuned.
 */
export const benchNames = ['fig1', 'pingpong', 'fig5', 'fig6', 'fig7', 'whatif'] as const;

/** The name of a benchmark. */
export type BenchName = (typeof benchNames)[number];

/** One transfer of a benchmark. */
export interface BenchRow {
  /** Bytes, rows of a plane or decomposition. */
  readonly at: string;
  /** What is compared over sizes: a set of channels, a variant. */
  readonly series: string;
  readonly bytes: number;
  /** One way, or one exchange of a halo. */
  readonly ns: number;
  /** Parts of the transfer in bytes or blocks, where it was split. */
  readonly split?: Split;
  /** Nanoseconds of the prototype, where it was run. */
  readonly goldenNs?: number;
  /** Nanoseconds measured on real machines: PEACH2 itself, and MPI over InfiniBand. */
  readonly publishedNs?: number;
  readonly mpiNs?: number;
}

/** Bytes a nanosecond, which is GB/s. */
export const speedOf = ({ bytes, ns }: Pick<BenchRow, 'bytes' | 'ns'>): number => bytes / ns;

/** What is measured, and what it is shown beside. */
export interface BenchOptions {
  /** Bytes; of figure 6 rows of a plane; those of the figure when absent. */
  readonly sizes?: readonly number[];
  /** Sets of channels such as `012`; those of the figure when absent. */
  readonly channels?: readonly string[];
  readonly predictions?: Predictions;
  readonly measurements?: Measurements;
}

const powers = (least: number, most: number): readonly number[] =>
  Array.from({ length: Math.log2(most / least) + 1 }, (_, index) => least * 2 ** index);
const allSets = ['0', '01', '012', '0123'];
const inNs = (us: number | undefined): number | undefined => (us === undefined ? undefined : 1000 * us);

/** Leaves out what is not known. */
const known = <K extends string>(values: Readonly<Record<K, number | undefined>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    Record<K, number>
  >;

/** The rows of a benchmark, one after the other. */
export const benchRows: Readonly<Record<BenchName, (options: BenchOptions) => Iterable<BenchRow>>> = {
  *fig1({ sizes = powers(64, 4 * 2 ** 20), channels = ['0', '1', '2', '3'], predictions }) {
    for (const channel of channels.map(Number))
      for (const bytes of sizes) {
        const speed = predictions?.fig1_GBs[bytes]?.[channel];
        const goldenNs = speed === undefined ? undefined : bytes / speed;
        const ns = directNs(contiguous(bytes), channel, 'cpu');
        yield { at: `${bytes} B`, series: `CH${channel}`, bytes, ns, ...known({ goldenNs }) };
      }
  },
  *pingpong({ sizes = powers(8, 512 * 1024), channels = ['0'], predictions, measurements }) {
    for (const channel of channels.map(Number))
      for (const bytes of sizes) {
        const ns = directNs(contiguous(bytes), channel);
        const first = channel === 0;
        const goldenNs = first ? inNs(predictions?.direct_ch0_us[bytes]) : undefined;
        const publishedNs = first ? inNs(measurements?.peach2_direct_ch0_pingpong_us[bytes]) : undefined;
        const mpiNs = inNs(measurements?.mpi_gdr_pingpong_us[bytes]);
        yield {
          at: `${bytes} B`,
          series: `CH${channel}`,
          bytes,
          ns,
          ...known({ goldenNs, publishedNs, mpiNs }),
        };
      }
  },
  *fig5({ sizes = [8, 128, ...powers(2048, 256 * 1024)], channels = allSets, predictions }) {
    for (const set of channels)
      for (const bytes of sizes) {
        const golden = putOf(predictions?.fig5[bytes], set);
        yield putRow(`${bytes} B`, `CH${set}`, contiguous(bytes), set, golden, inNs(mpiUs(bytes)));
      }
  },
  *fig6({ sizes = [16, 32, 64, 128, 256], channels = ['0', '0123'], predictions }) {
    for (const set of channels)
      for (const N of sizes) {
        const golden = predictions?.fig6[N];
        const bytes = 8 * N * N;
        const block = putOf(golden?.block, set);
        yield putRow(`N=${N}`, `block CH${set}`, contiguous(bytes), set, block, inNs(mpiUs(bytes)));
        const strided = putOf(golden?.blockstride, set);
        const mpiNs = inNs(mpiBlockStrideUs(bytes));
        yield putRow(`N=${N}`, `block-stride CH${set}`, blockStride(N), set, strided, mpiNs);
      }
  },
  *fig7({ channels = ['0', '0123'], predictions }) {
    for (const at of Object.keys(decompositions) as DecompositionName[])
      for (const set of channels)
        for (const stop of ['charged', 'ideal', 'counter'] as const) {
          const golden = predictions?.fig7_halo_per_iteration[at];
          const key =
            stop === 'counter' || (set !== '0' && set !== '0123') ? undefined : (`ch${set}` as const);
          const goldenNs = key && golden?.[`${key}${stop === 'ideal' ? '_idealstop' : ''}_ns`];
          const bytes = haloShapes(at).reduce((sum, shape) => sum + bytesOf(shape), 0);
          // The prototype charges a fixed time for each start, which no runtime does.
          const ns =
            stop === 'charged'
              ? haloNs(at, channelsNamed(set), stop)
              : gasnetHaloNs(at, channelsNamed(set), stop);
          yield { at, series: `CH${set}, stop ${stop}`, bytes, ns, ...known({ goldenNs }) };
        }
  },
  *whatif({ sizes = powers(4096, 64 * 1024), predictions }) {
    const variants = [
      { series: 'CH0', set: '0', key: 'ch0', settings: {} },
      { series: 'CH0123', set: '0123', key: 'four', settings: {} },
      { series: 'two of 32 tags', set: '01', key: 'two32', settings: twoOf32 },
    ] as const;
    for (const { series, set, key, settings } of variants)
      for (const bytes of sizes) {
        const goldenNs = predictions?.whatif_32_32[bytes]?.[key];
        const { ns, split } = pingPong(contiguous(bytes), channelsNamed(set), settings);
        yield { at: `${bytes} B`, series, bytes, ns, split, ...known({ goldenNs }) };
      }
  },
};

type GoldenSets = Predictions['fig5'][string] | undefined;

/** What the prototype has for a set of channels; undefined for sets that it was not run with. */
const putOf = (sets: GoldenSets, set: string): number | undefined => {
  const found = allSets.includes(set) ? sets?.[`ch${set}` as 'ch0'] : undefined;
  return found?.tuned_ns;
};

function putRow(
  at: string,
  series: string,
  shape: Shape,
  set: string,
  goldenNs: number | undefined,
  mpiNs: number | undefined,
): BenchRow {
  const { ns, split } = pingPong(shape, channelsNamed(set));
  return { at, series, bytes: bytesOf(shape), ns, split, ...known({ goldenNs, mpiNs }) };
}
