import { z } from 'zod';
import { floatBits } from '../../actors/tca/himeno/checksums.ts';
import { decompose } from '../../actors/tca/himeno/decomposition.ts';
import { gridSizes } from '../../actors/tca/himeno/grid.ts';
import { variants } from '../../actors/tca/himeno/initial-values.ts';
import { type HimenoResult, Problem, runDecomposed } from '../../actors/tca/himeno/problem.ts';
import { equalRow, type Row } from '../reference-row.ts';

const { imax: imaxMost, jmax: jmaxMost, kmax: kmaxMost } = gridSizes.XL;
/** Iterations of one case: more are a slip of the pen, and nothing is compared while they run. */
const iterationsMost = 10_000;
const hexDigits = (count: number) => z.string().regex(new RegExp(`^0x[0-9a-f]{${count}}$`));

const caseSchema = z.strictObject({
  variant: z.enum(variants),
  imax: z.int().min(3).max(imaxMost),
  jmax: z.int().min(3).max(jmaxMost),
  kmax: z.int().min(3).max(kmaxMost),
  iterations: z.int().min(1).max(iterationsMost),
  gosaF32Seq: z.number(),
  gosaF32SeqBits: hexDigits(8),
  gosaF64: z.number(),
  pSumF64: z.number(),
  pMidBits: hexDigits(8),
  pFnv1a64: hexDigits(16),
  pCrc32: hexDigits(8),
});

/** Golden data of the Himeno kernel; a key that nobody compares is refused (TCA specification 13). */
export const himenoGoldenSchema = z.strictObject({
  origin: z.string(),
  rules: z.string(),
  cases: z.array(caseSchema).min(1),
  decomposed: z.strictObject({
    note: z.string(),
    classic: hexDigits(8),
    mixed: hexDigits(8),
    mixed_2x2x1_without_edges: hexDigits(8),
  }),
});

/** Golden data of the Himeno kernel (TCA specification 13). */
export type HimenoGolden = Readonly<z.output<typeof himenoGoldenSchema>>;

type HimenoCase = HimenoGolden['cases'][number];

/** What the note of the golden data says of its decomposed runs; it has no keys of its own for it. */
const decomposedRuns = {
  size: { imax: 16, jmax: 16, kmax: 32 },
  iterations: 10,
  counts: [
    [2, 1],
    [1, 2],
    [4, 1],
    [1, 4],
    [2, 2],
  ],
} as const;

/**
 * How far the residual of a decomposed run may be from the sequential one, as a share of it (TCA
 * specification 13).
 */
const residualTolerance = 1e-12;

/** Compares with every figure of the golden data (TCA specification 13, acceptance A4). */
export function* himenoRows({ cases, decomposed }: HimenoGolden): Iterable<Row> {
  for (const group of groupsOf(cases)) yield* sequentialRows(group);
  for (const variant of variants) {
    const { size, iterations } = decomposedRuns;
    const sequential = cases.find((one) => idOf(one) === idOf({ variant, ...size, iterations }));
    for (const [A, B] of decomposedRuns.counts) {
      const found = runDecomposed(decompose(size, A, B), variant, 'sequential', iterations);
      yield* decomposedRows(`${variant} ${A}x${B}x1`, found, decomposed[variant], sequential);
    }
    const unordered = runDecomposed(decompose(size, 2, 2), variant, 'concurrent', iterations);
    yield equalRow(
      `${variant} 2x2x1 concurrent pCrc32`,
      'CRC-32 of p when both axes are exchanged from one snapshot',
      variant === 'classic' ? decomposed.classic : decomposed.mixed_2x2x1_without_edges,
      unordered.pCrc32,
    );
  }
}

const idOf = (one: Pick<HimenoCase, 'variant' | 'imax' | 'jmax' | 'kmax' | 'iterations'>): string =>
  `${one.variant} ${one.imax}x${one.jmax}x${one.kmax} ${one.iterations}`;

/** Cases of one problem, fewest iterations first: one run passes through all of them. */
function groupsOf(cases: readonly HimenoCase[]): readonly (readonly [HimenoCase, ...HimenoCase[]])[] {
  const groups = new Map<string, [HimenoCase, ...HimenoCase[]]>();
  for (const one of cases) {
    const problem = idOf({ ...one, iterations: 0 });
    const group = groups.get(problem);
    if (group) group.push(one);
    else groups.set(problem, [one]);
  }
  return [...groups.values()].map((group) => group.sort((one, other) => one.iterations - other.iterations));
}

function* sequentialRows(group: readonly [HimenoCase, ...HimenoCase[]]): Iterable<Row> {
  const [{ variant, imax, jmax, kmax }] = group;
  const problem = new Problem(decompose({ imax, jmax, kmax }, 1, 1), variant, 'sequential');
  for (const one of group) {
    problem.iterateTo(one.iterations);
    const found = problem.result;
    const gosaF32Seq = found.gosaF32Seq!;
    const row = (key: Exclude<keyof HimenoCase, 'variant'>, what: string, value: unknown) =>
      equalRow(`${idOf(one)} ${key}`, what, one[key], value);
    // The file has nine significant digits, which tell every 32-bit float from every other.
    yield row('gosaF32Seq', 'residual summed in 32 bits', Number(gosaF32Seq.toPrecision(9)));
    yield row('gosaF32SeqBits', 'its bits', floatBits(gosaF32Seq));
    yield row('gosaF64', 'residual summed in 64 bits', found.gosaF64);
    yield row('pSumF64', 'sum of p in 64 bits', found.pSumF64);
    yield row('pMidBits', 'bits of the value in the middle of p', found.pMidBits);
    yield row('pFnv1a64', 'FNV-1a 64 of p', found.pFnv1a64);
    yield row('pCrc32', 'CRC-32 of p', found.pCrc32);
  }
}

function* decomposedRows(
  id: string,
  found: HimenoResult,
  pCrc32: string,
  sequential: HimenoCase | undefined,
): Iterable<Row> {
  yield equalRow(`${id} pCrc32`, 'CRC-32 of p when the axes are exchanged in turn', pCrc32, found.pCrc32);
  if (!sequential) return;
  yield equalRow(`${id} pFnv1a64`, 'FNV-1a 64 of p', sequential.pFnv1a64, found.pFnv1a64);
  yield {
    id: `${id} gosaF64`,
    what: 'residual added up over the blocks',
    expected: sequential.gosaF64,
    found: found.gosaF64,
    tolerance: residualTolerance,
    passed: Math.abs(found.gosaF64 - sequential.gosaF64) <= residualTolerance * Math.abs(sequential.gosaF64),
  };
}
