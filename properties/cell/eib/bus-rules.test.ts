import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EibProbe } from '../../../actors/cell/eib/protocol.ts';
import { RandomChoices } from '../../../kernel/choices.ts';
import type { Outcome } from '../../../kernel/outcome.ts';
import { Run, type RunOptions } from '../../../kernel/run.ts';
import {
  assembleCellbe,
  type CellbePrograms,
  type CellbeResult,
  cellbeConfig,
  storeBytesOf,
  storePattern,
} from '../../../machines/cell/cellbe.ts';
import { elementNumber } from '../../../machines/cell/cellbe-config.ts';
import {
  adjacentPairs,
  allToMemory,
  fourPairs,
  fourPairsRows,
  hotSpot,
  onePair,
  shifted,
} from '../../../machines/cell/cellbe-workloads.ts';
import { judgeBus, publishedBusRules } from './bus-rules.ts';

const { elements } = cellbeConfig.parse({});

interface Simulated {
  readonly outcome: Outcome;
  readonly result: CellbeResult;
  readonly probes: readonly EibProbe[];
  readonly stores: readonly Uint8Array[];
  readonly fingerprint: string;
}

function simulate(
  programs: CellbePrograms,
  {
    config = {},
    mutants = [],
    options = {},
  }: {
    readonly config?: Readonly<Record<string, unknown>>;
    readonly mutants?: readonly string[];
    readonly options?: RunOptions;
  } = {},
): Simulated {
  const given = {
    name: 'rules',
    config: cellbeConfig.parse({ memory: 'zero', ...config }),
    programs,
    mutants,
    scheduled: false,
  };
  const assembly = assembleCellbe(given);
  const run = new Run(assembly.wiring, options);
  const probes: EibProbe[] = [];
  run.probes$.subscribe(({ probe }) => probes.push(probe as EibProbe));
  const outcome = run.toEnd();
  return {
    outcome,
    result: assembly.result(run),
    probes,
    stores: elements.map((name) =>
      (run.part(`Eib.${name}.Store`).context as { bytes: { slice(): Uint8Array } }).bytes.slice(),
    ),
    fingerprint: run.fingerprint,
  };
}

const judged = (simulated: Simulated) => [
  ...new Set(judgeBus(publishedBusRules, simulated.probes).map(({ property }) => property)),
];

const loads: readonly (readonly [string, CellbePrograms])[] = [
  ...fourPairsRows.map((pairs) => [pairs.join(' '), fourPairs(pairs, 16384)] as const),
  ['one pair, 128-byte chunks', onePair(128, 4096)],
  ['hot spot', hotSpot(8192 * 2)],
  ['all to memory', allToMemory(8192 * 2)],
  ['neighbours', shifted(elements, 1, 16384)],
  ['every second', shifted(elements, 2, 16384)],
  ['the opposite', shifted(elements, 6, 16384)],
  ['adjacent pairs', adjacentPairs(elements, 16384)],
];

describe('the rules of the bus', () => {
  test.each(loads)('hold for %s, ideal and calibrated', (_name, programs) => {
    const ideal = simulate(programs);
    const calibrated = simulate(programs, { config: { calibrated: true } });

    expect([ideal.outcome.verdict, calibrated.outcome.verdict]).toEqual(['ok', 'ok']);
    expect(ideal.probes.length).toBeGreaterThan(100);
    expect([judged(ideal), judged(calibrated)]).toEqual([[], []]);
  });

  test.each([
    ['eib-short-path', shifted(elements, 2, 16384), 'a link carries one packet at a time'],
    ['eib-hasty-start', adjacentPairs(elements, 16384), 'a ring keeps the gap between two starts'],
    [
      'eib-lost-packet',
      onePair(1024, 4096),
      'every byte of every command arrives before the command is complete',
    ],
  ])('catch the planted fault %s', (mutant, programs, property) => {
    const sound = simulate(programs);
    const faulty = simulate(programs, { mutants: [mutant] });

    expect(judged(sound)).toEqual([]);
    expect(judged(faulty)).toContain(property);
  });

  test('catch the planted fault eib-crowded-ring where starts two cycles apart are allowed', () => {
    // With the published gap of 3 a fourth packet of 8 cycles never finds its ring with three on it.
    const config = { ringStartGapBusCycles: 2 };
    const rules = { ...publishedBusRules, ...config };
    const programs = shifted(elements, 1, 16384);

    const sound = judgeBus(rules, simulate(programs, { config }).probes);
    const faulty = judgeBus(rules, simulate(programs, { config, mutants: ['eib-crowded-ring'] }).probes);

    expect(sound).toEqual([]);
    expect(faulty.map(({ property }) => property)).toContain('a ring carries at most so many packets');
  });

  test('a lost packet leaves a deadlock in which its MFC waits for it', () => {
    const { outcome, result } = simulate(onePair(1024, 4096), { mutants: ['eib-lost-packet'] });

    expect(outcome.verdict).toBe('deadlock');
    expect(outcome.deadlock?.waiting.map(({ waitsFor }) => waitsFor)).toEqual(['packets under way']);
    expect(result.incomplete).toBe(true);
  });

  test('tell a port that sends twice, a detour, a command out of turn and a packet across lines', () => {
    const packet = {
      initiator: 1,
      issuer: 1,
      command: 0,
      part: 0,
      source: 1,
      target: 2,
      sourceAddress: 0,
      targetAddress: 0,
      size: 128,
    };
    const start = { type: 'START', t: 60, packet, dir: 0, ring: 0, beats: 8, hold: 8 } as const;

    const findings = judgeBus(publishedBusRules, [
      { type: 'COMMAND', t: 1, packet },
      { type: 'COMMAND', t: 1, packet: { ...packet, part: 1 } },
      start,
      { ...start, t: 67, ring: 1, packet: { ...packet, target: 9, part: 1, targetAddress: 64 } },
    ]).map(({ property }) => property);

    expect(findings).toContain('a port sends or receives one packet at a time');
    expect(findings).toContain('a path has at most so many hops');
    expect(findings).toContain('the command bus takes at most so many commands a cycle');
    expect(findings).toContain('a packet lies in one line');
  });

  test('tell packets that overtake each other, a queue that is too full, and an arbiter that sleeps', () => {
    const packet = {
      initiator: 1,
      issuer: 1,
      command: 0,
      part: 0,
      source: 1,
      target: 2,
      sourceAddress: 0,
      targetAddress: 0,
      size: 128,
    };
    const second = { ...packet, part: 1, sourceAddress: 128, targetAddress: 128 };
    const at = (t: number, one: typeof packet): EibProbe[] => [
      { type: 'START', t, packet: one, dir: 0, ring: 0, beats: 8, hold: 8 },
      { type: 'ARRIVE', t: t + 70, packet: one },
    ];
    const commands = (first: typeof packet, next: typeof packet): EibProbe[] => [
      { type: 'COMMAND', t: 1, packet: first },
      { type: 'COMMAND', t: 2, packet: next },
    ];
    const accepts = (count: number): EibProbe[] =>
      Array.from({ length: count }, (_, command) => ({
        type: 'ACCEPT',
        t: 0,
        initiator: 1,
        issuer: 1,
        command,
        bytes: command === 0 ? 256 : 0,
        issued: 0,
      }));
    const found = (probes: readonly EibProbe[]) =>
      judgeBus(publishedBusRules, probes, false).map(({ property }) => property);

    expect(
      found([...accepts(16), ...commands(packet, second), ...at(51, packet), ...at(59, second)]),
    ).toEqual([]);
    expect(found([...commands(second, packet), ...at(51, packet), ...at(59, second)])).toEqual([
      'the packets of an element are commanded in their order',
    ]);
    expect(found([...accepts(17)])).toEqual(['an MFC has at most so many open commands']);
    expect(found([...commands(packet, second), ...at(52, packet), ...at(60, second)])).toEqual([
      'no packet waits while no packet is under way',
    ]);
  });
});

describe('the bytes', () => {
  /** One command with places that nobody else touches: sources below 48 KiB + 1 KiB, targets in a slot of its own above. */
  const command = fc.record({
    element: fc.nat(11),
    other: fc.nat(10),
    kind: fc.constantFrom('get' as const, 'put' as const),
    cycle: fc.nat(300),
    size: fc.oneof(
      fc.constantFrom(1, 2, 4, 8),
      fc.integer({ min: 1, max: 64 }).map((quads) => 16 * quads),
    ),
    from: fc.nat(3000),
    to: fc.nat(63),
  });

  test('of any commands all arrive, at their places, in any order of delivery, and nothing else changes', () => {
    fc.assert(
      fc.property(fc.array(command, { minLength: 1, maxLength: 30 }), fc.nat(), (wishes, seed) => {
        const sizes = { memory: 'pattern', localStoreBytes: 114688, memoryBytes: 114688 };
        const config = cellbeConfig.parse(sizes);
        const expected = storeBytesOf(config).map((size, element) =>
          Uint8Array.from({ length: size }, (_, address) => storePattern(element, address)),
        );
        const programs: Record<
          string,
          {
            cycle: number;
            kind: 'get' | 'put';
            local: number;
            element: number;
            address: number;
            size: number;
          }[]
        > = {};
        wishes.forEach(({ element, other, kind, cycle, size, from, to }, index) => {
          const peer = other >= element ? other + 1 : other;
          const source = from * Math.min(size, 16);
          const target = 49152 + 2048 * index + to * Math.min(size, 16);
          const [local, address] = kind === 'put' ? [source, target] : [target, source];
          const name = elements[element]!;
          programs[name] = [...(programs[name] ?? []), { cycle, kind, local, element: peer, address, size }];
          const [sender, receiver] = kind === 'put' ? [element, peer] : [peer, element];
          for (let i = 0; i < size; i++) expected[receiver]![target + i] = storePattern(sender, source + i);
        });

        const simulated = simulate(programs, { config: sizes });
        const shuffled = simulate(programs, {
          config: sizes,
          options: { choices: new RandomChoices(seed) },
        });

        expect(simulated.outcome.verdict).toBe('ok');
        expect(judged(simulated)).toEqual([]);
        expect(simulated.result.bytes).toBe(wishes.reduce((sum, { size }) => sum + size, 0));
        simulated.stores.forEach((store, element) => {
          expect(Buffer.compare(store, expected[element]!)).toBe(0);
        });
        // No decision of the machine hangs on the order of messages within a cycle.
        expect(shuffled.result).toEqual(simulated.result);
      }),
      { numRuns: 4, seed: 5 },
    );
  });

  test('sent and received agree, element by element', () => {
    const { result } = simulate(allToMemory(16384));

    const memory = result.elements[elementNumber(cellbeConfig.parse({}), 'MIC')]!;
    expect(result.bytes).toBe(8 * 16384);
    expect([memory.sentBytes, memory.receivedBytes]).toEqual([4 * 16384, 4 * 16384]);
  });
});

test('XState itself, the compiled tables, immutable state and a run continued from a snapshot end alike', () => {
  const programs = onePair(512, 4096);
  const compiled = simulate(programs);

  const interpreted = simulate(programs, { options: { engine: 'xstate' } });
  const immutable = simulate(programs, { options: { state: 'immutable' } });
  const given = {
    name: 'rules',
    config: cellbeConfig.parse({ memory: 'zero' }),
    programs,
    mutants: [],
    scheduled: false,
  };
  const first = assembleCellbe(given);
  const run = new Run(first.wiring);
  run.until(150);
  const snapshot = run.snapshot();
  run.toEnd();
  const continued = Run.restore(first.wiring, snapshot);
  continued.toEnd();

  expect(interpreted.result).toEqual(compiled.result);
  expect(interpreted.probes).toEqual(compiled.probes);
  expect(interpreted.fingerprint).toBe(compiled.fingerprint);
  expect(immutable.fingerprint).toBe(compiled.fingerprint);
  expect(run.fingerprint).toBe(compiled.fingerprint);
  expect(continued.fingerprint).toBe(compiled.fingerprint);
});
