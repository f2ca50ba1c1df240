import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { networkConfig } from '../../machines/chiplet/config.ts';
import type { CurveSettings } from '../../machines/chiplet/load-curve.ts';
import { NetworkRun } from '../../machines/chiplet/network-run.ts';
import { networkMisfits, planOf } from '../../machines/chiplet/plan.ts';
import type { NetworkResult } from '../../machines/chiplet/result.ts';
import { readTrace } from '../../machines/chiplet/trace-text.ts';
import { readTransactions } from '../../machines/chiplet/transaction-text.ts';
import { explainIssues } from '../../scenarios/explain.ts';
import { LocatedJson } from '../../scenarios/json-text.ts';
import { DamagedReference, equalRow, type ReferenceFile, type Row } from '../../scenarios/reference-kind.ts';
import { significantDigits } from '../chiplet/significant-digits.ts';

/** Parameters of a reference row, by popnet's letters. */
export const popnetParams = z.looseObject({
  A: z.number(),
  c: z.number().default(2),
  V: z.number(),
  B: z.number(),
  O: z.number(),
  F: z.number(),
  L: z.number(),
  T: z.number().default(1e9),
  r: z.number(),
  R: z.number(),
});

/** What a reference says of a run; each figure is compared when it is there. */
export const popnetFigures = z.looseObject({
  finished: z.number(),
  avgDelay: z.number(),
  endTime: z.number().optional(),
  memPower: z.number().optional(),
  crossbarPower: z.number().optional(),
  arbiterPower: z.number().optional(),
  linkPower: z.number().optional(),
  totalPower: z.number().optional(),
  counters: z.record(z.string(), z.number()).optional(),
});

/** Parameters that have been checked. */
export type PopnetParams = z.output<typeof popnetParams>;

/** Figures that have been checked. */
export type PopnetFigures = z.output<typeof popnetFigures>;

/** The kinds of run that references have been made with (chiplet specification 5.3, 5.6, 5.11). */
export const editions = {
  fifo: {},
  heapFixed: { ties: 'heap', firstStart: 'trace' },
  seedEdition: { ties: 'heap', firstStart: 'zero' },
  legosimEdition: { ties: 'legosim' },
  perRouter: { random: 'perRouter' },
} as const;

/** The part of a network's configuration that says whether each virtual channel is an actor. */
export const detailOf = ({ explicit }: ReferenceFile): Pick<CurveSettings, 'detail'> =>
  explicit ? { detail: 'channel' } : {};

/** What a run gave, with a line for each packet in the order of arrival. */
export interface PopnetOutcome {
  readonly result: NetworkResult;
  readonly delays: readonly string[];
}

/** Text of a file beside a reference; undefined when there is none. */
export function besideOf({ path }: ReferenceFile, name: string): string | undefined {
  const file = join(dirname(path), name);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Runs a network as a reference says. Errors: `DamagedReference` for parameters or traces that are none. */
export function runPopnet(
  params: PopnetParams,
  trace: string,
  changes: object = {},
  keepsDelays = false,
): PopnetOutcome {
  const { A, c, V, B, O, F, L, T, r, R } = params;
  const given = { A, c, V, B, O, F, L, T, R, seed: r, ...changes };
  const parsed = networkConfig.safeParse(given, { reportInput: true });
  if (!parsed.success) {
    const faults = explainIssues(parsed.error.issues, networkConfig, new LocatedJson('', 'params', given));
    throw new DamagedReference(faults.map(({ what }) => what).join('; '));
  }
  const [misfit] = networkMisfits(parsed.data);
  if (misfit) throw new DamagedReference(`found ${misfit.found}, expected ${misfit.expected}`);
  const packets = readTrace(trace, { side: A, coordinates: c });
  if ('code' in packets)
    throw new DamagedReference(
      `trace, line ${packets.line}: found ${packets.found}, expected ${packets.expected}`,
    );
  const network = new NetworkRun(planOf(parsed.data, packets), L);
  const delays: string[] = [];
  if (keepsDelays)
    network.follow(({ time, source, target, delay }) =>
      delays.push([time, ...source, ...target, delay].map((one) => significantDigits(one, 10)).join(' ')),
    );
  return { result: network.toEnd(), delays };
}

/** Runs a trace of transactions and gives their latency records, in the order of ending. Errors: as `runPopnet`. */
export function runTransactions(
  { A, V, B, O, F, L, T, r, R }: PopnetParams,
  trace: string,
  edition: object,
): readonly string[] {
  const config = networkConfig.parse({ A, c: 2, V, B, O, F, L, T, R, seed: r, ...edition });
  const requests = readTransactions(trace, { side: A, coordinates: 2 });
  if ('code' in requests) throw new DamagedReference(`trace, line ${requests.line}: found ${requests.found}`);
  const packets = requests.map(({ packet }) => packet);
  const network = new NetworkRun(planOf(config, packets, requests), L);
  const records: string[] = [];
  network.followTransactions(requests, (line) => records.push(line));
  network.toEnd();
  return records;
}

/** A row for a figure that may be off by a share of what is expected. */
export const near = (id: string, what: string, expected: number, found: number, tolerance: number): Row => ({
  id,
  what,
  expected,
  found,
  tolerance,
  passed: Math.abs(found - expected) <= tolerance * Math.abs(expected),
});

const powers = ['memPower', 'crossbarPower', 'arbiterPower', 'linkPower', 'totalPower'] as const;

/** How far averages and powers may be from an exact reference: it prints nine digits. */
const exactTolerance = 1e-6;

/** Compares everything that an exact reference says. */
export function* exactRows(id: string, expected: PopnetFigures, { result }: PopnetOutcome): Iterable<Row> {
  const equal = (what: string, wanted: number, found: number): Row => ({
    id,
    what,
    expected: wanted,
    found,
    tolerance: 0,
    passed: wanted === found,
  });
  yield equal('packets finished', expected.finished, result.finished);
  yield near(id, 'average delay', expected.avgDelay, result.avgDelay, exactTolerance);
  if (expected.endTime !== undefined) yield equal('end time', expected.endTime, result.endTime);
  for (const key of powers) {
    const wanted = expected[key];
    if (wanted !== undefined) yield near(id, key, wanted, result[key], exactTolerance);
  }
  for (const [key, wanted] of Object.entries(expected.counters ?? {}))
    yield equal(key, wanted, result.counters[key as keyof NetworkResult['counters']] ?? Number.NaN);
}

/** Figures of the LegoSim edition, which prints them with this many digits. */
const printedDigits = 6;

/** Requesters of an arbiter that the table of the original has room for; with more of them its arbiter power is undefined (chiplet specification 5.9). */
const requestersMax = 10;

/** Compares what the LegoSim edition prints, digit for digit; arbiter power and with it the total where the original defines them. */
export function* printedRows(
  id: string,
  { V, c }: PopnetParams,
  expected: PopnetFigures,
  { result }: PopnetOutcome,
): Iterable<Row> {
  const defined = (2 * c + 1) * V <= requestersMax;
  yield equalRow(id, 'packets finished', expected.finished, result.finished);
  for (const key of ['avgDelay', ...powers] as const) {
    const wanted = expected[key];
    if (wanted === undefined || (!defined && (key === 'arbiterPower' || key === 'totalPower'))) continue;
    yield equalRow(id, key, wanted, Number(result[key].toPrecision(printedDigits)));
  }
}

/** Compares powers of a run with other data words. */
export function* powerRows(
  id: string,
  expected: PopnetFigures,
  { result }: PopnetOutcome,
  tolerance: number,
): Iterable<Row> {
  for (const key of powers) {
    const wanted = expected[key];
    if (wanted !== undefined) yield near(id, key, wanted, result[key], tolerance);
  }
}
