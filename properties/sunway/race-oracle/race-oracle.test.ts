import { describe, expect, test } from 'vitest';
import { RandomChoices } from '../../../kernel/choices.ts';
import { effort } from '../../../kernel/testing/effort.ts';
import type { RaceEvent } from '../../../machines/sunway/monitors/race/race-event.ts';
import { detectedErrors, pairOf, policies, raceEvents } from './compared.ts';
import { nodeVerdict } from './on-node.ts';
import { oraclePairs } from './oracle.ts';
import type { LogLine, OracleProgram } from './oracle-program.ts';
import { drawnProgram, judgedLog, oracleVerdict } from './oracle-run.ts';
import { PlainNode } from './plain-node.ts';

const seeds = (count: number, first = 1) => Array.from({ length: count }, (_, k) => first + k);

describe('the race detector and the oracle tell the same', () => {
  test('of programs on a plain node: right ones, spoilt ones and any', () => {
    const verdicts = seeds(effort({ short: 100, long: 240 })).map((seed) => ({
      seed,
      ...oracleVerdict(seed),
    }));

    expect(verdicts.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    const reported = (kind: string) => verdicts.filter((one) => one.kind === kind && one.told > 0).length;
    const few = effort({ short: 14, long: 35 });
    expect(reported('spoilt')).toBeGreaterThan(few);
    expect(reported('any')).toBeGreaterThan(few);
    expect(new Set(verdicts.flatMap(({ kinds }) => kinds))).toEqual(
      new Set([
        ...['ReadBeforeArrival', 'OverwriteBeforeSent', 'TransferOverlap', 'RemoteConflict'],
        ...['MemoryConflict', 'ReplyResetRace', 'UnwaitedRemoteArrival', 'FreeWhileInFlight'],
        ...['StaleCacheRead', 'CacheClobber'],
      ]),
    );
  });

  test('of programs on the machine', () => {
    const verdicts = seeds(30)
      .filter((seed) => seed % 3 !== 2)
      .map((seed) => ({ seed, ...nodeVerdict(seed) }));

    expect(verdicts.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
  });
});

/** How many of some programs differ when the detector is not told of some events. */
function differing(isTold: (event: RaceEvent) => boolean): number {
  return seeds(45).filter((seed) => {
    const [drawn, pick] = drawnProgram(seed);
    const log = new PlainNode(drawn.program, pick).run();
    const events = raceEvents(drawn.program, log).filter(isTold);
    const { wrong } = judgedLog(drawn, log, (policy) => detectedErrors(events, policy).map(pairOf));
    return wrong.length > 0;
  }).length;
}

test.each(['reply.waited', 'group.leave', 'order', 'lock', 'issue', 'cache.writeBack'])(
  'they differ where the detector is not told of %s',
  (kind) => {
    expect(differing((event) => event.kind !== kind)).toBeGreaterThan(1);
  },
);

/** Two CPEs one after the other, as the lines of the log have it. */
const inOrder = (order: readonly (readonly [tid: number, index: number])[]) =>
  order.map(([tid, index]): LogLine => ({ tid, index, what: 'does' }));

test('the oracle orders what a sender did before a token by the wait for it', () => {
  const program: OracleProgram = [
    [
      { op: 'store', tid: 0, at: 0, bytes: 8 },
      { op: 'remotePut', own: 16, other: 16, tid: 1, bytes: 8, local: null, remote: 64 },
    ],
    [
      { op: 'wait', word: 64, value: 1 },
      { op: 'load', tid: 0, at: 0, bytes: 8 },
    ],
  ];
  const pairs = (order: readonly (readonly [number, number])[]) =>
    oraclePairs(program, inOrder(order)).strict.map(({ kind, first, second }) => [kind, first, second]);

  expect(
    pairs([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]),
  ).toEqual([]);
  expect(
    pairs([
      [0, 0],
      [0, 1],
      [1, 1],
    ]),
  ).toEqual([['RemoteConflict', '0.0', '1.1']]);
});

describe('a line that a CPE has in its cache while another one writes back the same line', () => {
  const sync = { op: 'sync', tids: [0, 1] } as const;
  const program = (stored: number): OracleProgram => [
    [{ op: 'cachedLoad', at: 0, bytes: 8 }, sync, sync, { op: 'cachedLoad', at: 0, bytes: 8 }],
    [sync, { op: 'cachedStore', at: stored, bytes: 8 }, { op: 'evict', at: stored, bytes: 8 }, sync],
  ];
  /** What the detector and the oracle tell. */
  const told = (stored: number) => {
    const given = program(stored);
    const log = new PlainNode(given, () => 0).run();
    const found = detectedErrors(raceEvents(given, log), 'lenient').map(pairOf);
    return [found, oraclePairs(given, log).lenient].map((pairs) => pairs.map(({ kind }) => kind));
  };

  test('is as new as memory where nobody has stored to it', () => {
    expect(told(8)).toEqual([[], []]);
    expect(told(56)).toEqual([[], []]);
  });

  test('is stale where somebody has', () => {
    expect(told(0)).toEqual([['StaleCacheRead'], ['StaleCacheRead']]);
    expect(told(7)).toEqual([['StaleCacheRead'], ['StaleCacheRead']]);
  });
});

describe('a line that a CPE has had in its cache since before another one wrote', () => {
  const sync = { op: 'sync', tids: [0, 1] } as const;
  const load = (at: number, bytes: number) => ({ op: 'cachedLoad', at, bytes }) as const;
  const store = (at: number, bytes: number) => ({ op: 'cachedStore', at, bytes }) as const;
  /** What the detector and the oracle tell of a CPE that goes on with its line behind a write of 8 bytes by the other one. */
  const told = (...behind: OracleProgram[number]) => {
    const write = { op: 'memoryStore', at: 0, bytes: 8 } as const;
    const given: OracleProgram = [
      [load(0, 8), sync, sync, ...behind],
      [sync, write, sync],
    ];
    const log = new PlainNode(given, () => 0).run();
    const found = detectedErrors(raceEvents(given, log), 'lenient').map(pairOf);
    const kinds = [found, oraclePairs(given, log).lenient].map((pairs) => [
      ...new Set(pairs.map(({ kind }) => kind)),
    ]);
    expect(kinds[0]).toEqual(kinds[1]);
    return kinds[0];
  };

  test('is not stale in what the CPE has stored to it itself since', () => {
    expect(told(store(0, 8), load(0, 8))).toEqual([]);
    expect(told(store(0, 4), store(4, 4), load(0, 8))).toEqual([]);
    expect(told(store(0, 16), load(4, 8))).toEqual([]);
  });

  test('is stale in the rest', () => {
    expect(told(store(0, 4), load(0, 8))).toEqual(['StaleCacheRead', 'CacheClobber']);
    expect(told(store(1, 7), load(0, 8))).toEqual(['StaleCacheRead', 'CacheClobber']);
    expect(told(load(0, 1), store(0, 8))).toEqual(['StaleCacheRead']);
  });
});

test('a line that is written back takes away what others had added, also where its own CPE has added to that past the line', () => {
  const sync = { op: 'sync', tids: [0, 1] } as const;
  const add = { op: 'add', at: 0 } as const;
  const program: OracleProgram = [
    [{ op: 'cachedStore', at: 8, bytes: 8 }, sync, add],
    [add, sync],
  ];
  const log = new PlainNode(program, () => 0).run();

  const found = detectedErrors(raceEvents(program, log), 'lenient').map(pairOf);

  expect(found).toEqual([{ kind: 'CacheClobber', space: -1, first: '1.0', second: '0.3' }]);
});

test('a write that a report alone orders makes no line stale', () => {
  const program: OracleProgram = [
    [{ op: 'cachedStore', at: 0, bytes: 8 }],
    [
      { op: 'cachedLoad', at: 8, bytes: 8 },
      { op: 'raise', tid: 1, at: 64, value: 1 },
      { op: 'cachedLoad', at: 0, bytes: 8 },
      { op: 'raise', tid: 1, at: 64, value: 2 },
      { op: 'cachedLoad', at: 0, bytes: 8 },
    ],
  ];
  const order = [1, 0].flatMap((tid) => [
    { tid, index: 0, what: 'fills', value: 0 } as const,
    { tid, index: 0, what: 'does' } as const,
  ]);
  const log: readonly LogLine[] = [...order, ...inOrder([1, 2, 3, 4].map((index) => [1, index]))];

  const found = detectedErrors(raceEvents(program, log), 'lenient').map(pairOf);

  expect(found).toEqual([{ kind: 'MemoryConflict', space: -1, first: '0.0', second: '1.2' }]);
});

// A later write to the same bytes, or one that counts as over since it was told, says all that there is to say of an earlier one.
test.each([4298, 6281, 4111421183, 4111421854, 4111423121])(
  'a program of which the two once told differently: seed %i',
  (seed) => {
    expect(oracleVerdict(seed).wrong).toEqual([]);
  },
);

test('what only the findings of a run make into a race is nothing that the detector has missed', () => {
  const program: OracleProgram = [
    [
      { op: 'broadcast', from: 0, to: 24, bytes: 16, tids: [1], local: 64, remote: null },
      { op: 'wait', word: 64, value: 1 },
      { op: 'store', tid: 0, at: 0, bytes: 8 },
    ],
    [
      { op: 'remotePut', own: 40, other: 40, tid: 0, bytes: 8, local: null, remote: 64 },
      { op: 'order', engine: 'both' },
      { op: 'load', tid: 1, at: 24, bytes: 8 },
      { op: 'get', ldm: 24, memory: 0, bytes: 16, word: null },
    ],
  ];
  const log: readonly LogLine[] = [
    ...inOrder([0, 1, 2, 3].map((index) => [1, index])),
    { tid: 0, index: 0, what: 'does' },
    { tid: 0, index: 1, what: 'finds', value: 1 },
    { tid: 0, index: 2, what: 'does' },
  ];
  const drawn = { kind: 'any', program, habits: 0 } as const;
  const found = policies.map((policy) => detectedErrors(raceEvents(program, log), policy).map(pairOf));

  // The role rule orders the store behind the broadcast. Were that behind the get, as the finding suggests, the wait could be for the put alone.
  expect(found.map((pairs) => pairs.map(({ kind }) => kind))).toEqual([
    ['TransferOverlap'],
    ['TransferOverlap', 'UnwaitedRemoteArrival'],
  ]);
  expect(judgedLog(drawn, log, (policy) => found[policies.indexOf(policy)]!).wrong).toEqual([]);
});

test('a group goes on behind all of a transfer between its members that had been read, however late engines are', () => {
  const group = { op: 'sync', tids: [0, 1] } as const;
  const program: OracleProgram = [
    [
      { op: 'broadcast', from: 0, to: 16, bytes: 8, tids: [0, 1], local: 64, remote: 68 },
      { op: 'wait', word: 64, value: 1 },
      group,
    ],
    [group, { op: 'set', word: 68, value: 0 }, { op: 'wait', word: 68, value: 1 }],
  ];

  for (const seed of seeds(40)) {
    const choices = new RandomChoices(seed);
    const log = new PlainNode(program, (count) => choices.pick('the program', count)).run();
    expect(log.filter(({ tid, index }) => tid === 1 && index > 1)).toEqual([]);
  }
});
