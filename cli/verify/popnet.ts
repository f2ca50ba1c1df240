import { z } from 'zod';
import { referenceData } from '../../scenarios/json-data.ts';
import {
  equalRow,
  type ReferenceFile,
  type ReferenceKind,
  type Row,
} from '../../scenarios/reference-kind.ts';
import {
  besideOf,
  detailOf,
  editions,
  exactRows,
  near,
  type PopnetOutcome,
  popnetFigures,
  popnetParams,
  powerRows,
  printedRows,
  runPopnet,
} from './popnet-run.ts';

const spread = z.looseObject({ mean: z.number(), sd: z.number() });

const goldenSchema = z.looseObject({
  traces: z.record(z.string(), z.looseObject({ packets: z.number() })),
  rows: z.array(
    z.looseObject({
      id: z.string(),
      trace: z.string(),
      params: popnetParams,
      tags: z.array(z.string()),
      fifo: popnetFigures,
      heapFixed: popnetFigures.nullish(),
      seedEdition: popnetFigures.nullish(),
      legosimEdition: popnetFigures.nullish(),
      seedSpread: spread.nullish(),
      perPacketDelays: z.string().optional(),
    }),
  ),
});

type GoldenRow = z.output<typeof goldenSchema>['rows'][number];

/** Runs of popnet (golden data, popnet): exact ones by both orders of events, and by averages with other random numbers. */
export const popnetRuns: ReferenceKind = {
  name: 'popnet runs',
  summary:
    'counters and delays of each packet exactly, in all orders of events; averages with other random numbers',
  recognises: ({ json }) => goldenSchema.safeParse(json).success,
  rows,
};

function* rows(file: ReferenceFile): Iterable<Row> {
  const { rows: runs, traces } = referenceData(file, goldenSchema);
  for (const row of runs) {
    const trace = besideOf(file, `traces/${row.trace}.txt`);
    if (trace === undefined) {
      yield {
        ...equalRow(row.id, 'trace', row.trace, null),
        skipped: `no traces/${row.trace}.txt beside it`,
      };
      continue;
    }
    const run = (edition: keyof typeof editions, keepsDelays = false): PopnetOutcome =>
      runPopnet(row.params, trace, { ...editions[edition], ...detailOf(file) }, keepsDelays);
    const delays = row.perPacketDelays === undefined ? undefined : besideOf(file, row.perPacketDelays);
    const fifo = run('fifo', delays !== undefined);
    yield* exactRows(`${row.id} fifo`, row.fifo, fifo);
    if (delays !== undefined) yield delayRow(row.id, delays, fifo.delays);
    for (const edition of ['heapFixed', 'seedEdition'] as const) {
      const expected = row[edition];
      if (expected) yield* exactRows(`${row.id} ${edition}`, expected, run(edition));
    }
    if (row.legosimEdition)
      yield* printedRows(`${row.id} legosimEdition`, row.params, row.legosimEdition, run('legosimEdition'));
    const packets = traces[row.trace]?.packets ?? 0;
    const ofSeed = (r: number): number =>
      runPopnet({ ...row.params, r }, trace, { ...editions.perRouter, ...detailOf(file) }).result.avgDelay;
    const perRouter = run('perRouter', row.tags.includes('zero-load'));
    yield* statisticalRows(row, packets, perRouter, delays, ofSeed);
  }
}

const delayRow = (id: string, expected: string, found: readonly string[]): Row => {
  const lines = expected.trim().split('\n');
  const at = lines.findIndex((line, index) => line !== found[index]);
  const equal = at < 0 && lines.length === found.length;
  return equalRow(
    id,
    'delay of each packet, in order',
    equal ? 'the same' : (lines[at] ?? `${lines.length} lines`),
    equal ? 'the same' : (found[at] ?? `${found.length} lines`),
  );
};

/** The seeds of the reference beside the first one. */
const otherSeeds = [2, 3, 4, 5];

/** Powers of runs with other random numbers, so with other data words, may differ by this share. */
const powerTolerance = 0.04;

/** Compares a run with other random numbers (golden data, popnet, how to compare, 2 and 3). */
function* statisticalRows(
  { id, tags, params, fifo, seedSpread }: GoldenRow,
  packets: number,
  outcome: PopnetOutcome,
  exactDelays: string | undefined,
  delayOfSeed: (seed: number) => number,
): Iterable<Row> {
  const name = `${id} perRouter`;
  const { finished, avgDelay } = outcome.result;
  const cutoff = tags.includes('cutoff');
  yield {
    id: name,
    what: 'packets finished',
    expected: fifo.finished,
    found: finished,
    tolerance: cutoff ? 0.02 : 0,
    passed: Math.abs(finished - fifo.finished) <= (cutoff ? 0.02 : 0) * fifo.finished,
  };
  if (seedSpread) {
    const { mean, sd } = seedSpread;
    const loose = params.B <= 2 || params.V === 1 || cutoff;
    const share = loose ? 0.05 : packets < 300 ? 0.02 : 0.01;
    const tolerance = Math.max(share, (4 * sd) / mean, 0.05 / mean);
    // A mean of five seeds is compared with a mean of five seeds; without contention all seeds give the same.
    const delays = [avgDelay, ...(sd > 0 ? otherSeeds.map(delayOfSeed) : [])];
    yield near(
      name,
      'average delay',
      mean,
      delays.reduce((sum, one) => sum + one, 0) / delays.length,
      tolerance,
    );
  }
  yield* powerRows(name, fifo, outcome, powerTolerance);
  if (tags.includes('zero-load') && exactDelays !== undefined) {
    const sorted = (lines: readonly string[]): string => [...lines].sort().join('\n');
    const same = sorted(exactDelays.trim().split('\n')) === sorted(outcome.delays);
    yield equalRow(name, 'delay of each packet', true, same);
  }
}
