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
  popnetFigures,
  popnetParams,
  printedRows,
  runPopnet,
  runTransactions,
} from './popnet-run.ts';

const extensionSchema = z.looseObject({
  rows: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.enum(['routing2', 'routing3', 'protocol', 'graph']),
      params: popnetParams,
      trace: z.string().optional(),
      bench: z.string().optional(),
      topology: z.string().optional(),
      fifo: popnetFigures.optional(),
      legosimEdition: popnetFigures.optional(),
      perPacketDelays: z.array(z.string()).optional(),
      delayInfo: z.array(z.string()).optional(),
    }),
  ),
});

type ExtensionRow = z.output<typeof extensionSchema>['rows'][number];

/** Runs with other routings, on graphs, and with transactions (golden data, popnet, ext). */
export const popnetExtensions: ReferenceKind = {
  name: 'popnet extensions',
  summary:
    'other routings, graphs and transactions exactly; transactions in the order first in, first out within a cycle',
  recognises: ({ json }) => extensionSchema.safeParse(json).success,
  rows,
};

function* rows(file: ReferenceFile): Iterable<Row> {
  for (const row of referenceData(file, extensionSchema).rows) {
    const name = row.trace ?? row.bench ?? '';
    const trace = besideOf(file, name);
    const graph = row.topology === undefined ? '' : besideOf(file, row.topology);
    if (trace === undefined || graph === undefined)
      yield { ...equalRow(row.id, 'trace', name, null), skipped: `no ${name} beside it` };
    else if (row.kind === 'graph') yield* graphRows(row, trace, graph, detailOf(file));
    else if (row.kind === 'protocol') yield* protocolRows(row, trace, detailOf(file));
    else yield* routingRows(row, trace, detailOf(file));
  }
}

function* routingRows(
  { id, params, fifo, perPacketDelays = [] }: ExtensionRow,
  trace: string,
  detail: object,
): Iterable<Row> {
  const outcome = runPopnet(params, trace, detail, true);
  if (fifo) yield* exactRows(id, fifo, outcome);
  for (const [at, line] of perPacketDelays.entries())
    yield equalRow(id, `packet ${at}`, line, outcome.delays[at] ?? 'none');
}

function* graphRows(
  { id, params, legosimEdition, perPacketDelays = [] }: ExtensionRow,
  trace: string,
  graph: string,
  detail: object,
): Iterable<Row> {
  const outcome = runPopnet(params, trace, { ...editions.legosimEdition, ...detail, graphText: graph }, true);
  const { delays } = outcome;
  if (legosimEdition) yield* printedRows(id, params, legosimEdition, outcome);
  yield equalRow(id, 'packets finished', perPacketDelays.length, delays.length);
  const keyOf = (line: string): string => line.slice(0, line.lastIndexOf(' '));
  const delayOf = (line: string): number => Number(line.slice(line.lastIndexOf(' ') + 1));
  for (const line of perPacketDelays) {
    const found = delays.find((one) => keyOf(one) === keyOf(line));
    yield {
      id,
      what: `delay of packet ${keyOf(line)}`,
      expected: delayOf(line),
      found: found === undefined ? null : delayOf(found),
      tolerance: null,
      passed: found !== undefined && delayOf(found) === delayOf(line),
    };
  }
}

/** Cycles by which a latency may be off in another order of what falls together. */
const cyclesOff = 1;

/** The records of the edition that wrote them line for line; those of the order first in, first out by what they are about, a cycle off at most. */
function* protocolRows(
  { id, params, delayInfo = [] }: ExtensionRow,
  trace: string,
  detail: object,
): Iterable<Row> {
  const exact = runTransactions(params, trace, { ...editions.legosimEdition, ...detail });
  yield equalRow(id, 'transactions', delayInfo.length, exact.length);
  for (const [at, line] of delayInfo.entries()) yield equalRow(id, `record ${at}`, line, exact[at] ?? 'none');
  const left = runTransactions(params, trace, detail).map((line) => line.split(' ').map(Number));
  yield equalRow(id, 'transactions, first in, first out', delayInfo.length, left.length);
  // Cycle, source, target and descriptor tell what a record is about; equal ones are compared in order.
  const about = 6;
  for (const line of delayInfo) {
    const expected = line.split(' ').map(Number);
    const at = left.findIndex((found) => expected.slice(0, about).every((one, i) => found[i] === one));
    const [found] = at < 0 ? [undefined] : left.splice(at, 1);
    yield {
      id,
      what: 'latencies of a transaction, first in, first out',
      expected: line,
      found: found?.join(' ') ?? null,
      tolerance: null,
      passed:
        found?.length === expected.length &&
        expected.every((one, i) => Math.abs(one - found[i]!) <= (i > about ? cyclesOff : 0)),
    };
  }
}
