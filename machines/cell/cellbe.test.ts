import { describe, expect, test } from 'vitest';
import {
  getFrom,
  getListFrom,
  onBehalfOf,
  putListTo,
  putTo,
  untilCycle,
  waitForTags,
} from '../../actors/cell/eib/operations.ts';
import { Run } from '../../kernel/run.ts';
import {
  assembleCellbe,
  type CellbePrograms,
  cellbeConfig,
  cellbePrograms,
  checkCellbe,
  storeBytesOf,
} from './cellbe.ts';
import type { EibProgramFunction } from './cellbe-config.ts';
import { onePair } from './cellbe-workloads.ts';

const programs = (of: Readonly<Record<string, EibProgramFunction>>): CellbePrograms =>
  Object.fromEntries(Object.entries(of).map(([name, program]) => [name, { module: 'test', program }]));

function simulate(given: CellbePrograms, config: Readonly<Record<string, unknown>> = {}) {
  const assembly = assembleCellbe({
    name: 'test',
    config: cellbeConfig.parse(config),
    programs: given,
    mutants: [],
    scheduled: false,
  });
  const run = new Run(assembly.wiring);
  const outcome = run.toEnd();
  const byteAt = (element: string, address: number) =>
    (run.part(`Eib.${element}.Store`).context as { bytes: { read(address: number): number } }).bytes.read(
      address,
    );
  return { outcome, result: assembly.result(run), byteAt };
}

const SPE1 = 1;
const SPE3 = 2;

describe('a lone command', () => {
  test('of one packet takes 5 + 15 + 50 + 8 + 62 bus cycles, of two 8 more', () => {
    const latency = (size: number) =>
      simulate({ SPE1: [{ cycle: 100, kind: 'put', local: 0, element: 'SPE3', address: 0, size }] }).result
        .latency;

    expect(latency(128).busCycles).toEqual({ min: 140, mean: 140, max: 140 });
    expect(latency(256).busCycles.max).toBe(148);
    expect(latency(16).busCycles.max).toBe(133);
    expect(latency(128).coreCycles.max).toBe(280);
    expect(latency(128).ns.max).toBeCloseTo(87.5, 9);
  });

  test('costs as many deliveries after a million idle cycles as at once', () => {
    const at = (cycle: number) =>
      simulate({ SPE1: [{ cycle, kind: 'get', local: 0, element: 'MIC', address: 0, size: 128 }] });

    expect(at(1_000_000).outcome.deliveries).toBe(at(1).outcome.deliveries);
    expect(at(1_000_000).result.busCycles).toBe(1_000_140);
  });
});

describe('a program', () => {
  test('waits for its tags, so that it can pass on what it got', () => {
    const { byteAt, outcome } = simulate(
      programs({
        SPE1: function* () {
          yield getFrom(1024, SPE3, 0, 16, 4);
          yield waitForTags(4);
          yield putTo(1024, SPE3, 4096, 16, 4);
        },
      }),
    );

    expect(outcome.verdict).toBe('ok');
    expect(byteAt('SPE3', 4096)).toBe(byteAt('SPE3', 0));
  });

  test('gets the numbers of its commands and sleeps until a cycle', () => {
    const numbers: (number | undefined)[] = [];

    const { result } = simulate(
      programs({
        SPE1: function* () {
          numbers.push(yield putTo(0, SPE3, 0, 16));
          numbers.push(yield putListTo(0, SPE3, [{ address: 0, size: 16 }]));
          yield untilCycle(1000);
          numbers.push(yield putTo(0, SPE3, 0, 128));
        },
      }),
    );

    expect(numbers).toEqual([0, 1, 2]);
    expect(result.busCycles).toBe(1140);
  });

  test('gives commands to the MFC of another element, whose store is then the local one', () => {
    const { byteAt, result } = simulate(
      programs({
        PPE: function* () {
          yield onBehalfOf(SPE1, putTo(0, SPE3, 4096, 16));
        },
      }),
    );

    expect(byteAt('SPE3', 4096)).toBe(byteAt('SPE1', 0));
    expect(result.elements[SPE1]!.sentBytes).toBe(16);
  });

  test.each([
    [
      'a size between',
      putTo(0, SPE3, 0, 24),
      'size is 24, expected 1, 2, 4, 8 or a multiple of 16 up to 16384',
    ],
    [
      'a large size',
      putTo(0, SPE3, 0, 16400),
      'size is 16400, expected 1, 2, 4, 8 or a multiple of 16 up to 16384',
    ],
    ['an odd place', putTo(8, SPE3, 0, 16), 'local address is 8, expected a multiple of 16 for 16 bytes'],
    [
      'a place outside',
      getFrom(0, SPE3, 262144, 16),
      'address 262144 and 16 bytes leave the store of 262144 bytes',
    ],
    ['itself', putTo(0, SPE1, 0, 16), 'element is SPE1 itself, expected another one'],
    ['nobody', putTo(0, 12, 0, 16), 'element is 12, expected 0..11'],
    ['a tag too many', putTo(0, SPE3, 0, 16, 32), 'tag is 32, expected 0..31'],
    ['an empty list', putListTo(0, SPE3, []), 'the list has 0 elements, expected 1..2048'],
    ['a tag to wait for', waitForTags(40), 'tag is 40, expected 0..31'],
    [
      'its own proxy',
      onBehalfOf(SPE1, putTo(0, SPE3, 0, 16)),
      'the proxy is element 1, expected another element of this bus',
    ],
  ])('that asks for %s is stopped with the reason', (_what, operation, why) => {
    const { outcome, result } = simulate(
      programs({
        SPE1: function* () {
          yield operation;
        },
      }),
    );

    expect(outcome.verdict).toBe('violated');
    expect(result.exceptions).toEqual([{ element: 'SPE1', why }]);
  });
});

describe('the configuration', () => {
  test('says which keys do not fit together', () => {
    const messages = (config: object) =>
      cellbeConfig.safeParse(config).error?.issues.map(({ path }) => path.join('.'));

    expect(messages({ beatsPerPacket: 4 })).toEqual(['beatsPerPacket']);
    expect(messages({ maxHops: 5 })).toEqual(['maxHops']);
    expect(messages({ elements: ['A', 'A', 'MIC'], maxHops: 1 })).toEqual(['elements']);
    expect(messages({ priority: ['DMA'] })).toEqual(['priority']);
    expect(messages({})).toBeUndefined();
  });

  test('describes every key', () => {
    for (const [key, schema] of Object.entries(cellbeConfig.shape))
      expect(schema.description, key).toBeTruthy();
  });

  test('finds programs for and commands to elements that do not exist', () => {
    const given = cellbePrograms.parse({
      SPE9: [],
      '1': [],
      SPE1: [[0, 'put', 0, 'SPE4', 0, 16]],
      PPE: [[0, 'get', 0, 'GPU', 0, 16]],
    });

    const all = checkCellbe(cellbeConfig.parse({}), given);
    const findings = all.map(({ path, found }) => [...path, found]);

    expect(all.find(({ found }) => found === 'GPU')?.expected).toBe(
      'one of PPE, SPE1, SPE3, SPE5, SPE7, IOIF1, IOIF0, SPE6, SPE4, SPE2, SPE0, MIC, or 0..11',
    );
    expect(findings).toHaveLength(3);
    expect(findings).toContainEqual(['programs', 'SPE1', 'a second program of SPE1']);
    expect(findings).toContainEqual(['programs', 'PPE', 0, 3, 'GPU']);
    expect(findings).toContainEqual(['programs', 'SPE9', 'SPE9']);
  });
});

describe('a program as data', () => {
  test('does what the same program as a generator does: lists, tags, proxies, waits', () => {
    const data = cellbePrograms.parse({
      SPE1: [
        [
          10,
          'putList',
          0,
          'SPE3',
          [
            [1024, 128],
            [4096, 256],
          ],
          3,
        ],
        [10, 'get', 512, 'SPE3', 0, 16, 1],
        [10, 'wait', [3]],
        [0, 'proxy', 'SPE3', 'put', 0, 'SPE1', 2048, 128],
        [0, 'getList', 8192, 'SPE3', [[0, 16]]],
      ],
    });
    const generator = programs({
      *SPE1() {
        yield untilCycle(10);
        const pieces = [
          { address: 1024, size: 128 },
          { address: 4096, size: 256 },
        ];
        yield putListTo(0, SPE3, pieces, 3);
        yield getFrom(512, SPE3, 0, 16, 1);
        yield waitForTags(3);
        yield onBehalfOf(SPE3, putTo(0, SPE1, 2048, 128));
        yield getListFrom(8192, SPE3, [{ address: 0, size: 16 }]);
      },
    });

    const [one, other] = [simulate(data), simulate(generator)];

    expect(one.outcome.verdict).toBe('ok');
    expect(one.result).toEqual(other.result);
    expect(one.result.commands).toBe(4);
  });

  test('names elements that exist, also those who carry something out', () => {
    const given = cellbePrograms.parse({
      SPE1: [
        [0, 'proxy', 'GPU', 'put', 0, 'SPE3', 0, 16],
        [0, 'proxy', 'SPE3', 'put', 0, 'SPE4711', 0, 16],
        [0, 'wait', [40]],
      ],
    });

    const findings = checkCellbe(cellbeConfig.parse({}), given).map(({ path, found }) => [...path, found]);

    expect(findings).toEqual([
      ['programs', 'SPE1', 0, 2, 'GPU'],
      ['programs', 'SPE1', 1, 5, 'SPE4711'],
    ]);
  });

  test('with a command that no MFC can carry out is a finding, or told in the result only', () => {
    const wrong = cellbePrograms.parse({ SPE1: [[0, 'wait', [40]]] });

    const [finding, result] = [simulate(wrong), simulate(wrong, { programErrors: 'result' })];

    expect([finding.outcome.verdict, result.outcome.verdict]).toEqual(['violated', 'ok']);
    expect(result.result.exceptions).toEqual([{ element: 'SPE1', why: 'tag is 40, expected 0..31' }]);
  });
});

test('the result adds up: bytes, packets, rings, commands', () => {
  const { result } = simulate(onePair(1024, 16384));

  expect(result.bytes).toBe(2 * 16384);
  expect(result.commands).toBe(32);
  expect(result.packets).toBe(256);
  expect(result.rings.reduce((sum, { packets }) => sum + packets, 0)).toBe(256);
  expect(result.GBps).toBeCloseTo(result.bytes / result.seconds / 1e9, 9);
  expect(result.seconds).toBeCloseTo(result.busCycles / 1.6e9, 15);
  expect(result.rings[0]!.occupation).toBeCloseTo((128 * 8) / (12 * result.busCycles), 9);
});

test('an SPE has a local store, every other element the bytes of memory', () => {
  const config = cellbeConfig.parse({ localStoreBytes: 65_536, memoryBytes: 131_072 });

  expect(storeBytesOf(config)).toEqual(
    config.elements.map((name) => (name.startsWith('SPE') ? 65_536 : 131_072)),
  );
  expect(new Set(storeBytesOf(config)).size).toBe(2);
});
