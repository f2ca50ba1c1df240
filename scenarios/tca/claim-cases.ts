import { z } from 'zod';
import type { Row } from '../reference-row.ts';
import { mpiBlockStrideUs, mpiUs } from './baselines.ts';
import {
  calculationAndConvergenceNs,
  type DecompositionName,
  decompositions,
  haloNs,
  haloShapes,
} from './halo.ts';
import { configFor, directNs, tunedPut } from './measure.ts';
import { twoOf32 } from './reference-cases.ts';
import { blockStride, bytesOf, contiguous, type Shape } from './transfers.ts';

const claimSchema = z.strictObject({
  id: z.string(),
  seed_section: z.string(),
  quantity: z.string(),
  value: z.unknown(),
  unit: z.string(),
  relTol: z.number().optional(),
  absTol: z.number().optional(),
  rule: z.string().optional(),
  measure: z.string().optional(),
});

/** Claims of the paper, each with how near to it the model must come (TCA specification 21, A1). */
export const claimsSchema = z.strictObject({ origin: z.string(), claims: z.array(claimSchema).min(1) });

type Claim = Readonly<z.output<typeof claimSchema>>;

/** What is held against a claim: a number for its tolerance, or whether its rule holds with what was found. */
type Held = { readonly parts: readonly { readonly name: string; readonly found: number }[] } | Judged;

interface Judged {
  readonly holds: boolean;
  readonly found: unknown;
}

const all = [0, 1, 2, 3];
const KiB = 1024;
const powers = (least: number, most: number): readonly number[] =>
  Array.from({ length: Math.log2(most / least) + 1 }, (_, index) => least * 2 ** index);

const putNs = (shape: Shape, channels: readonly number[]): number => tunedPut(shape, channels).tuned.totalNs;
const ratio4 = (shape: Shape): number => putNs(shape, [0]) / putNs(shape, all);
const peak = (channel: number): number => 2 ** 20 / directNs(contiguous(2 ** 20), channel, 'cpu');
const one = (found: number): Held => ({ parts: [{ name: '', found }] });
const plane = (N: number): Shape => contiguous(8 * N * N);
const near = (value: number, other: number, tolerance: number): boolean =>
  Math.abs(value - other) <= tolerance * Math.abs(other);
const reductionOf = (name: DecompositionName, stop: 'charged' | 'ideal'): number =>
  1 - haloNs(name, all, stop) / haloNs(name, [0], stop);
const reductions = (...names: readonly DecompositionName[]): Held => ({
  parts: names.map((name) => ({ name, found: reductionOf(name, 'charged') })),
});

/** How each claim is measured, by its id. */
const measured: Readonly<Record<string, () => Held>> = {
  'fig1-ch0': () => one(peak(0)),
  'fig1-ch1': () => one(peak(1)),
  'fig1-ch2': () => one(peak(2)),
  'fig1-ch3': () => one(peak(3)),
  order: () => {
    const found = all.map(peak);
    const [ch0, ch1, ch2, ch3] = found as [number, number, number, number];
    return { found, holds: ch0 > ch1 && ch1 > ch2 && near(ch2, ch3, 0.02) };
  },
  'fig5-8k': () => one(ratio4(contiguous(8 * KiB))),
  'fig5-range': () => {
    const [gain, none] = [powers(4 * KiB, 64 * KiB), [KiB, 2 * KiB, 128 * KiB, 256 * KiB]].map((sizes) =>
      sizes.map((bytes) => ratio4(contiguous(bytes))),
    ) as [number[], number[]];
    const holds = gain.every((ratio) => ratio >= 1.01) && none.every((ratio) => near(ratio, 1, 0.03));
    return { found: { gain, none }, holds };
  },
  'fig5-monotone': () => {
    const found = powers(4 * KiB, 64 * KiB).map((bytes) =>
      all.map((last) => bytes / putNs(contiguous(bytes), all.slice(0, last + 1))),
    );
    const rises = (speeds: readonly number[]) =>
      speeds.slice(1).every((speed, at) => speed >= 0.97 * speeds[at]!);
    return { found, holds: found.every(rises) };
  },
  'fig5-16k': () => one(1 - 1 / ratio4(contiguous(16 * KiB))),
  'fig5-32k': () => one(1 - 1 / ratio4(contiguous(32 * KiB))),
  'fig6-range': () => {
    const gain = [32, 64].flatMap((N) => [ratio4(plane(N)), ratio4(blockStride(N))]);
    const none = [128, 256].map((N) => ratio4(plane(N)));
    const holds = gain.every((ratio) => ratio >= 1.03) && none.every((ratio) => near(ratio, 1, 0.03));
    return { found: { gain, none }, holds };
  },
  'fig6-n16-bs': () => {
    const found = ratio4(blockStride(16));
    return { found, holds: found > 1.02 };
  },
  'fig6-tca-vs-ib': () => {
    const found = [32, 64].map((N) => {
      const bytes = 8 * N * N;
      return {
        block: (1000 * mpiUs(bytes)!) / putNs(plane(N), all),
        blockStride: (1000 * mpiBlockStrideUs(bytes)!) / putNs(blockStride(N), all),
      };
    });
    return { found, holds: found.every((gain) => gain.block >= 1.2 && gain.blockStride >= 2.5) };
  },
  'fig7-2node': () => reductions('2x1x1', '1x2x1'),
  'fig7-4node': () => reductions('4x1x1', '1x4x1', '2x2x1'),
  'fig7-2x2-expected': () => one(reductionOf('2x2x1', 'ideal')),
  'fig7-total': () => ({
    parts: (Object.keys(decompositions) as DecompositionName[]).map((name) => {
      const { calculation, convergence } = calculationAndConvergenceNs(name);
      const whole = (channels: readonly number[]) =>
        calculation + convergence + haloNs(name, channels, 'charged');
      return { name, found: whole(all) / whole([0]) };
    }),
  }),
  'whatif-32-32': () => {
    const found = powers(4 * KiB, 64 * KiB).map((bytes) => ({
      four: putNs(contiguous(bytes), all),
      two: tunedPut(contiguous(bytes), [0, 1], twoOf32).tuned.totalNs,
    }));
    return { found, holds: found.every(({ four, two }) => two <= four) };
  },
  'gasnet-latency': () => one(putNs(contiguous(8), [0]) / directNs(contiguous(8), 0) - 1),
};

/** Claims whose value is a table. */
const tables: Readonly<Record<string, () => unknown>> = {
  tags: () => {
    const { tagsPerChannel } = configFor(0).parameters;
    return [...tagsPerChannel, tagsPerChannel.reduce((sum, tags) => sum + tags, 0)];
  },
  'halo-bytes': () =>
    Object.fromEntries(
      ['2x2x1', '2x1x1', '1x2x1', '4x1x1', '1x4x1'].map((name) => {
        const bytes = new Set(haloShapes(name as DecompositionName).map(bytesOf));
        return [name, bytes.size === 1 ? [...bytes][0] : [...bytes]];
      }),
    ),
};

/** Claims that no model can meet or miss, with the reason. */
const notMeasured: Readonly<Record<string, string>> = {
  iters: 'how long the benchmark runs, which the model does not decide',
  axes: 'ranges of axes of lost drawings',
};

/** Compares with every claim that the model can measure; the others are skipped by name. */
export function* claimRows({ claims }: z.output<typeof claimsSchema>): Iterable<Row> {
  for (const claim of claims) yield* rowsOf(claim);
}

function* rowsOf(claim: Claim): Iterable<Row> {
  const { id, quantity: what, value, rule } = claim;
  const table = Object.hasOwn(tables, id) ? tables[id] : undefined;
  const measure = Object.hasOwn(measured, id) ? measured[id] : undefined;
  if (table) {
    const found = table();
    const passed = JSON.stringify(found) === JSON.stringify(value);
    yield { id, what, expected: value, found, tolerance: null, passed };
  } else if (measure) {
    const held = measure();
    if ('holds' in held)
      yield { id, what, expected: rule ?? value, found: held.found, tolerance: null, passed: held.holds };
    else for (const { name, found } of held.parts) yield toleratedRow(claim, name, found);
  } else {
    const skipped = notMeasured[id] ?? 'nobody measures a claim of this name';
    yield { id, what, expected: value, found: null, tolerance: null, passed: true, skipped };
  }
}

/** A number within the tolerance of its claim, which may be an interval. */
function toleratedRow({ id, quantity, value, relTol, absTol }: Claim, name: string, found: number): Row {
  const ends = (Array.isArray(value) ? value : [value]) as readonly number[];
  const slack = (end: number): number => absTol ?? (relTol ?? 0) * Math.abs(end);
  const passed = found >= ends[0]! - slack(ends[0]!) && found <= ends.at(-1)! + slack(ends.at(-1)!);
  return {
    id: name === '' ? id : `${id} ${name}`,
    what: absTol === undefined ? quantity : `${quantity}, within ${absTol}`,
    expected: value,
    found,
    tolerance: absTol === undefined ? (relTol ?? 0) : null,
    passed,
  };
}
