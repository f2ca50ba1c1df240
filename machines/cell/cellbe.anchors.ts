import { z } from 'zod';
import { putListTo } from '../../actors/cell/eib/operations.ts';
import { Run } from '../../kernel/run.ts';
import { assembleCellbe, type CellbePrograms, type CellbeResult, cellbeConfig } from './cellbe.ts';
import { adjacentPairs, allToMemory, fourPairs, hotSpot, type SpePair, shifted } from './cellbe-workloads.ts';

/** One comparison of the model with an anchor; rates in 10⁹ bytes a second. */
export interface AnchorRow {
  readonly id: string;
  readonly what: string;
  readonly expected: string | number;
  readonly found: string | number;
  /** Relative tolerance; 0 where the comparison is exact or one-sided. */
  readonly tolerance: number;
  readonly passed: boolean;
  /** The figure of the literature, for a reader's eye only: it never decides. */
  readonly measuredGBps?: number;
}

/** The shape of `eib_anchors.json`. */
export const anchorsSchema = z.object({
  format: z.literal('cell-eib-anchors/1'),
  preset: z.record(z.string(), z.unknown()),
  limits: z.array(z.object({ id: z.string(), GBps: z.number() })),
  fourPairs: z.object({
    rows: z.array(
      z.object({
        pairs: z.array(z.tuple([z.int(), z.int()])),
        hops: z.array(z.int()),
        measuredGBps: z.number(),
        calibratedModelGBps: z.number(),
      }),
    ),
    modelRegressionTolerance: z.number(),
  }),
  latency: z.object({ 'coreCyclesAt3.2GHz': z.object({ total: z.number() }) }),
});

/**
 * Compares the model with `eib_anchors.json` (Cell specification 19.3, 19.4): the constants of the preset, the seven rows of the
 * calibrated model, ideal never below calibrated, limits never exceeded, the latency of a lone put.
 *
 * Gotchas: the rows of the calibrated model are a regression test of a fit, not a validation. The two-chip limit has no row, since one chip is modelled.
 */
export function verifyAnchors({
  preset,
  limits,
  fourPairs: rows,
  latency,
}: z.output<typeof anchorsSchema>): readonly AnchorRow[] {
  return [
    ...presetRows(preset),
    ...rows.rows.flatMap((row) => fourPairsRows(row, rows.modelRegressionTolerance)),
    ...limits.flatMap(({ id, GBps }) => limitRows(id, GBps)),
    latencyRow(latency['coreCyclesAt3.2GHz'].total),
  ];
}

function simulate(programs: CellbePrograms, config: z.input<typeof cellbeConfig> = {}): CellbeResult {
  const given = {
    name: 'anchors',
    config: cellbeConfig.parse({ memory: 'zero', ...config }),
    programs,
    mutants: [],
    scheduled: false,
  };
  const assembly = assembleCellbe(given);
  const run = new Run(assembly.wiring);
  run.toEnd();
  return assembly.result(run);
}

function presetRows(preset: Readonly<Record<string, unknown>>): AnchorRow[] {
  const defaults = cellbeConfig.parse({}) as Readonly<Record<string, unknown>>;
  return Object.entries(preset).map(([key, value]) => {
    const [expected, found] = [JSON.stringify(value), JSON.stringify(defaults[key]) ?? 'missing'];
    return {
      id: `preset-${key}`,
      what: `default of ${key}`,
      expected,
      found,
      tolerance: 0,
      passed: expected === found,
    };
  });
}

interface FourPairsAnchor {
  readonly pairs: readonly SpePair[];
  readonly hops: readonly number[];
  readonly measuredGBps: number;
  readonly calibratedModelGBps: number;
}

function fourPairsRows(row: FourPairsAnchor, tolerance: number): AnchorRow[] {
  const { pairs, hops, measuredGBps, calibratedModelGBps: expected } = row;
  const name = pairs.map(([a, b]) => `${a}-${b}`).join(' ');
  const programs = fourPairs(pairs);
  const calibrated = simulate(programs, { calibrated: true }).GBps;
  const ideal = simulate(programs).GBps;
  return [
    {
      id: `four-pairs ${name} calibrated`,
      what: `calibrated model (a fit), pairs ${hops.join(' ')} hops apart`,
      expected,
      found: calibrated,
      tolerance,
      passed: Math.abs(calibrated - expected) <= tolerance * expected,
      measuredGBps,
    },
    {
      id: `four-pairs ${name} ideal`,
      what: `ideal arbiter, never below the calibrated one, pairs ${hops.join(' ')} hops apart`,
      expected: `at least ${calibrated}`,
      found: ideal,
      tolerance: 0,
      passed: ideal >= calibrated,
      measuredGBps,
    },
  ];
}

/** The loads that press hardest on each limit, and which of their figures it bounds. */
function limitRows(id: string, limit: number): AnchorRow[] {
  const { elements } = cellbeConfig.parse({});
  const total = ({ GBps }: CellbeResult) => GBps;
  const port = (result: CellbeResult) =>
    Math.max(...result.elements.flatMap(({ sentGBps, receivedGBps }) => [sentGBps, receivedGBps]));
  const press = (what: string, of: (result: CellbeResult) => number, result: CellbeResult): AnchorRow => ({
    id: `limit-${id}`,
    what,
    expected: `at most ${limit}`,
    found: of(result),
    tolerance: 0,
    passed: result.bytes > 0 && of(result) <= limit,
  });
  switch (id) {
    case 'rings-raw':
      return [
        press(
          'all rings, with a command bus of double rate',
          total,
          simulate(adjacentPairs(elements), { ...allPortsFull, commandsPerBusCycle: 2 }),
        ),
      ];
    case 'command-bus':
      return [
        press('neighbours in pairs, both directions', total, simulate(adjacentPairs(elements), allPortsFull)),
      ];
    case 'port':
      return [
        press('busiest port, seven SPEs reading from one', port, simulate(hotSpot())),
        press('busiest port, every element to the next', port, simulate(shifted(elements, 1))),
      ];
    case 'memory':
      return [press('eight SPEs at the memory', total, simulate(allToMemory()))];
    case 'hot-spot-read-from-one-SPE':
      return [press('seven SPEs reading from one', total, simulate(hotSpot()))];
    case 'peak-at-2.1GHz':
      return [
        press(
          'two-hop pairs at 2.1 GHz',
          total,
          simulate(fourPairs(fourPairsAtTwoHops), { busClockGHz: 1.05, coreClockGHz: 2.1 }),
        ),
      ];
    default:
      return [];
  }
}

/** The memory, too, sends and receives at once: otherwise its port, not the bus, limits the load. */
const allPortsFull = { sharedPort: [] };

const fourPairsAtTwoHops: readonly SpePair[] = [
  [0, 4],
  [1, 5],
  [2, 6],
  [3, 7],
];

/** A put of one packet by a list of one piece, alone on the bus: the sum of the preset's constants (Cell specification 19.1, latency). */
function latencyRow(expected: number): AnchorRow {
  const { elements } = cellbeConfig.parse({});
  const target = elements.indexOf('SPE3');
  const programs: CellbePrograms = {
    SPE1: {
      module: 'anchors',
      program: function* () {
        yield putListTo(0, target, [{ address: 0, size: 128 }]);
      },
    },
  };
  const found = simulate(programs).latency.coreCycles.max;
  return {
    id: 'latency-put',
    what: 'core cycles of a lone put of 128 bytes',
    expected,
    found,
    tolerance: 0,
    passed: found === expected,
  };
}
