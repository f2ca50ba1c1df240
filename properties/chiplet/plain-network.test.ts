import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Run } from '../../kernel/run.ts';
import { effort } from '../../kernel/testing/effort.ts';
import { networkConfig } from '../../machines/chiplet/config.ts';
import { networkMachine } from '../../machines/chiplet/network-machine.ts';
import { firstDifference, referenceSentence } from '../with-reference.ts';
import { networkMachineProperties } from './machine-properties.ts';
import { plainNetwork } from './plain/plain-network.ts';
import { patternFault, plainPackets } from './plain/plain-traffic.ts';
import { busy, givenOf, trial } from './trial.ts';

/** Numbers measured from the network that the specification describes. */
const golden = new URL('golden/popnet/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, golden), 'utf8');

interface Figures {
  readonly finished: number;
  readonly endTime: number;
  readonly totalDelay: number;
  readonly totalPower: number;
  readonly counters: Readonly<Record<string, number>>;
}
interface GoldenRow
  extends Partial<Record<'fifo' | 'heapFixed' | 'seedEdition' | 'legosimEdition', Figures | null>> {
  readonly id: string;
  readonly trace: string;
  readonly params: Readonly<Record<string, number>>;
}

const rows: readonly GoldenRow[] = JSON.parse(read('golden.json')).rows;
const others: readonly GoldenRow[] = JSON.parse(read('ext.json')).rows.filter(
  ({ kind }: { readonly kind: string }) => kind.startsWith('routing'),
);

const editions = {
  fifo: {},
  heapFixed: { ties: 'heap', firstStart: 'trace' },
  seedEdition: { ties: 'heap' },
  legosimEdition: { ties: 'legosim' },
} as const;

/** What the plain network makes of a row, and what was measured: counts that are equal, and printed fractions that are near. */
function compared(
  { params: { r, ...params }, ...row }: GoldenRow,
  edition: keyof typeof editions,
  trace: string,
) {
  const config = networkConfig.parse({ ...params, seed: r, ...editions[edition] });
  const { result } = plainNetwork(config, plainPackets(config, { file: trace, text: read(trace) })!)!;
  const seen = result as unknown as Record<string, unknown>;
  // That edition prints six digits, and reads powers of arbitration outside its tables.
  const isPrinted = edition === 'legosimEdition';
  const measured = Object.entries(row[edition]!).filter(
    ([key]) => key in seen && !(isPrinted && /^(arbiter|total)Power/.test(key)),
  );
  const isFraction = (key: string): boolean => /Delay|Power/.test(key);
  return {
    counts: measured
      .filter(([key]) => !isFraction(key))
      .map(([key, value]) => ({ key, seen: seen[key], value })),
    fractions: measured
      .filter(([key]) => isFraction(key))
      .map(
        ([key, value]) => Number(isPrinted ? Number(seen[key]).toPrecision(6) : seen[key]) / Number(value),
      ),
  };
}

const cases = [
  ...rows.flatMap((row) =>
    (Object.keys(editions) as (keyof typeof editions)[])
      .filter((edition) => row[edition] && (edition === 'fifo' || row.trace !== 'inc8'))
      .map((edition) => [row.id, edition, row, `traces/${row.trace}.txt`] as const),
  ),
  ...others.map((row) => [row.id, 'fifo', row, row.trace] as const),
];

describe('the plain network', () => {
  test.each(cases)('does what was measured of %s, %s', (_id, edition, row, trace) => {
    const { counts, fractions } = compared(row, edition, trace);

    for (const { key, seen, value } of counts) expect(seen, key).toEqual(value);
    for (const fraction of fractions) expect(fraction).toBeCloseTo(1, 6);
  });

  test('gives up where a comparison would take too long', () => {
    const config = networkConfig.parse({ A: 2, T: 1000 });

    expect(plainNetwork(config, [{ time: 0, source: 0, target: 3, size: 50 }], 20)).toBeUndefined();
  });
});

/** What properties find in a run of one network that is given as another. */
function foundAs(run: object, told: object, programs: object): readonly string[] {
  const assembly = networkMachine.assemble(givenOf(run, programs));
  const carried = new Run(assembly.wiring, {});
  const watching = networkMachineProperties.watch(carried, givenOf(told, programs), assembly);
  carried.toEnd();
  watching.end();
  return carried.outcome.violations.map(({ property }) => property);
}

describe('runs compared with the plain network', () => {
  test.each([
    ['a longer link', { L: 1000 }, { L: 1001 }],
    ['another seed', { seed: 2 }, { seed: 3 }],
    ['another end', { T: 4000 }, { T: 4001 }],
  ])('are told from one with %s', (_what, run, told) => {
    expect(foundAs(told, told, busy)).toEqual([]);
    expect(foundAs(run, told, busy)).toContain(referenceSentence);
  });

  test('flits that are dropped are not written: the words before them count', () => {
    const { raised, result } = trial(givenOf({ loss: true, V: 1, B: 1, random: 'perRouter' }, busy));

    expect(result.droppedFlits).toBeGreaterThan(0);
    expect(raised).toEqual([]);
  });

  test('packets that are under way when the simulation ends are not missed', () => {
    const { raised, result } = trial(givenOf({ T: 30 }, busy));

    expect(result.injectedPackets).toBeGreaterThan(result.finished);
    expect(raised).toEqual([]);
  });

  test('the LegoSim edition, too, carries out the first event after the end: the turns in which a second packet arrives', () => {
    const packet = [0, 0, 0, 0, 0, 1];
    const { raised, result } = trial(
      givenOf({ A: 2, V: 1, B: 1, O: 1, ties: 'legosim', T: 0 }, { packets: [packet, packet] }),
    );

    expect(raised).toEqual([]);
    expect(result.finished).toBe(2);
  });

  test('a few packets do so whenever the simulation ends', () => {
    const router = fc.nat(3);
    const packet = fc.tuple(fc.nat({ max: 12 }), router, router, fc.integer({ min: 1, max: 3 }));
    const mesh = fc.constant({ A: 2, c: 2, R: 0 });
    const graph = fc
      .record({ period: fc.constantFrom(1, 1, 2), weight: fc.constantFrom(0.9, 1, 2, 2.5) })
      .map(({ period, weight }) => ({
        A: 4,
        c: 1,
        R: 4,
        period,
        graphText: `graph { node[pipeline_stage_delay=${period}] edge[weight="${weight}"] 0--1 1--2 2--3 }`,
      }));
    const drawn = fc.record({
      shape: fc.oneof(mesh, graph),
      ties: fc.constantFrom('fifo', 'fifo', 'heap', 'legosim'),
      random: fc.constantFrom('shared', 'perRouter'),
      // Halves of a cycle: an end may lie between turns.
      T: fc.nat(24).map((halves) => halves / 2),
      V: fc.integer({ min: 1, max: 2 }),
      B: fc.integer({ min: 1, max: 2 }),
      O: fc.integer({ min: 1, max: 2 }),
      L: fc.constantFrom(1000, 2500),
      packets: fc
        .array(packet, { minLength: 1, maxLength: 4 })
        .map((all) => all.map(([time, ...rest]) => [time / 2, ...rest] as const).sort(([a], [b]) => a - b)),
    });

    fc.assert(
      fc.property(drawn, ({ packets, shape, ...network }) => {
        const { period = 1, ...topology } = { period: 1, ...shape };
        // The editions with a heap have one stream, and no stage delays.
        const ties = period === 1 ? network.ties : 'fifo';
        const random = ties === 'fifo' ? network.random : 'shared';
        const place = (router: number) => (shape.c === 1 ? [router] : [router >> 1, router & 1]);
        const lines = packets.map(([time, from, to, size]) => [time, ...place(from), ...place(to), size]);

        expect(trial(givenOf({ ...topology, ...network, ties, random }, { packets: lines })).raised).toEqual(
          [],
        );
      }),
      { seed: 8, numRuns: effort({ short: 150, long: 5000 }) },
    );
  });

  test('where all routers take two cycles for a stage the simulation ends with the first turn after its end', () => {
    const graphText = 'graph g { node[pipeline_stage_delay=2] edge[weight=0.9] 0--1 }';
    const { raised, result } = trial(
      givenOf({ A: 2, c: 1, R: 4, graphText, T: 100 }, { packets: [[1, 0, 1, 2]] }),
    );

    expect(raised).toEqual([]);
    expect(result.endTime).toBe(102);
  });
});

describe('made-up traffic', () => {
  const given = (programs: object) => {
    const all = givenOf({}, programs);
    const packets = networkMachine.assemble(all).plan.packets;
    return { programs: all.programs as Parameters<typeof patternFault>[0], packets };
  };

  test.each(['uniform', 'hotspot', 'transpose', 'complement', 'tornado', 'neighbour', 'allToAll', 'ring'])(
    'of the pattern %s goes where the pattern says, and nowhere else',
    (pattern) => {
      const { programs, packets } = given({ pattern, rate: 0.05, cycles: 400, flits: [2, 5] });
      const strayed = packets.map((one, k) => (k === 3 ? { ...one, target: one.source } : one));

      expect(packets.length).toBeGreaterThan(100);
      expect(patternFault(programs, 4, packets, 'fifo')).toBeUndefined();
      expect(patternFault(programs, 4, strayed, 'fifo')).toContain('packet 3');
      expect(patternFault(programs, 4, packets.slice(0, 40), 'fifo')).toBeDefined();
    },
  );
});

test('made-up packets of one time come in reverse in the LegoSim edition', () => {
  const pattern = { pattern: 'allToAll', rate: 0.02, cycles: 20, flits: 1, seed: 1 } as const;

  expect(trial(givenOf({ A: 2, ties: 'legosim' }, pattern)).raised).toEqual([]);
});

test('a difference names the place, and fractions may differ by the order of their terms', () => {
  expect(firstDifference({ a: [1, 2], b: 3 }, { a: [1, 2] })).toBeUndefined();
  expect(firstDifference({ a: [1, 4] }, { a: [1, 2] })).toBe('a.1 is 4, the reference has 2');
  expect(firstDifference({ a: 0.1 + 0.2 }, { a: 0.3 })).toBeUndefined();
  expect(firstDifference({ a: 0.3001 }, { a: 0.3 })).toBeDefined();
});
