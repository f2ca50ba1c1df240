import { describe, expect, test } from 'vitest';
import { type CoreId, cpeCore, mpeCore } from '../race/race-event.ts';
import type { CoreStanding, Meeting, StandStill, WaitsFor } from './blocked.ts';
import { analyseDeadlock, circleSentence } from './deadlock-analysis.ts';
import { deadlockText } from './deadlock-text.ts';
import { reachedFrom, waitForGraph } from './wait-for-graph.ts';

const at = (meeting: Meeting): WaitsFor => ({ kind: 'meeting', meeting });
const rowMeeting = (row: number, mask = 0xff): Meeting => ({
  kind: 'row',
  name: `row ${row} with mask 0x${mask.toString(16)}`,
  members: Array.from({ length: 8 }, (_, column) => column)
    .filter((column) => (mask >> column) & 1)
    .map((column) => cpeCore(8 * row + column)),
});
const columnMeeting = (column: number): Meeting => ({
  kind: 'column',
  name: `column ${column} with mask 0xff`,
  members: Array.from({ length: 8 }, (_, row) => cpeCore(8 * row + column)),
});
const pairMeeting = (a: number, b: number): Meeting => ({
  kind: 'pair',
  name: `pair ${Math.min(a, b)} ${Math.max(a, b)}`,
  members: [cpeCore(a), cpeCore(b)],
});
const lock = (name: string): WaitsFor => ({ kind: 'lock', lock: name });
const waits = (core: CoreId, waitsFor: WaitsFor): CoreStanding => ({
  core,
  is: 'waiting',
  since: 10,
  operation: { name: 'call', step: 1 },
  waitsFor,
});
const finished = (core: CoreId): CoreStanding => ({ core, is: 'finished', since: 5 });
const still = (
  cores: readonly CoreStanding[],
  owners: readonly (readonly [string, CoreId])[] = [],
): StandStill => ({
  cycle: 100,
  cores,
  owners: new Map(owners),
});
const reply = (core: CoreId, current: number, value: number, inFlight = 0): WaitsFor => ({
  kind: 'reply',
  word: { space: core, offset: 0x2000 },
  current,
  value,
  inFlight: Array.from({ length: inFlight }, () => ({
    issuer: core,
    operation: { name: 'dma_iget', step: 3 },
  })),
});

/** All CPEs in an array barrier but one: those of its row stay in the row, the others in their columns. */
function arrayWithout(absent: number, instead: CoreStanding): readonly CoreStanding[] {
  return Array.from({ length: 64 }, (_, tid) => {
    if (tid === absent) return instead;
    return waits(cpeCore(tid), at(tid >> 3 === absent >> 3 ? rowMeeting(tid >> 3) : columnMeeting(tid % 8)));
  });
}

const cases: readonly {
  readonly what: string;
  readonly run: StandStill;
  readonly kind: string;
  readonly cores: readonly CoreId[];
  readonly says: string;
}[] = [
  {
    what: 'a lock that its owner takes twice (E17)',
    run: still([waits(3, lock('array'))], [['array', 3]]),
    kind: 'self',
    cores: [3],
    says: 'self: CPE 3 waits for the lock array, which it holds itself',
  },
  {
    what: 'a peer that names a third CPE (E18)',
    run: still(
      [waits(1, at(pairMeeting(1, 2))), waits(2, at(pairMeeting(2, 3))), waits(3, at(pairMeeting(3, 2)))]
        .slice(0, 2)
        .concat(finished(3)),
    ),
    kind: 'finishedMember',
    cores: [3],
    says: 'CPE 3 has finished (in cycle 5) and never comes to pair 2 3, where CPE 2 is in call',
  },
  {
    what: 'three peers in a circle (E18)',
    run: still([
      waits(1, at(pairMeeting(1, 2))),
      waits(2, at(pairMeeting(2, 3))),
      waits(3, at(pairMeeting(1, 3))),
    ]),
    kind: 'pairMismatch',
    cores: [1, 2],
    says: 'CPE 1 waits at pair 1 2, CPE 2 at pair 2 3: they wait for each other at different barriers',
  },
  {
    what: 'two masks in one row that both contain the other (E20)',
    run: still([
      waits(0, at(rowMeeting(0, 0x0f))),
      waits(1, at(rowMeeting(0, 0xff))),
      ...[2, 3].map((tid) => waits(tid, at(rowMeeting(0, 0x0f)))),
      ...[4, 5, 6, 7].map((tid) => waits(tid, at(rowMeeting(0)))),
    ]),
    kind: 'maskMismatch',
    cores: [0, 1],
    says: 'CPE 0 waits at row 0 with mask 0xf, CPE 1 at row 0 with mask 0xff: they wait for each other at different barriers',
  },
  {
    what: 'a word that no transfer will add to (E21)',
    run: still([waits(7, reply(7, 0, 1))]),
    kind: 'noTransfer',
    cores: [7],
    says: 'CPE 7 waits for its reply word at 0x2000 to reach 1 (it is 0), but none is in flight: no transfer can ever satisfy this',
  },
  {
    what: 'a wait for more increments than transfers',
    run: still([waits(7, reply(7, 1, 4, 2))]),
    kind: 'tooFewTransfers',
    cores: [7],
    says: 'CPE 7 waits for its reply word at 0x2000 to reach 4 (it is 1), but only 2 in flight will add to it',
  },
  {
    what: 'a collective that one CPE leaves out (E30)',
    run: still(arrayWithout(13, finished(13))),
    kind: 'finishedMember',
    cores: [13],
    says: 'CPE 13 has finished (in cycle 5) and never comes to column 5 with mask 0xff, where CPE 5 is in call',
  },
  {
    what: 'two locks taken in different order',
    run: still(
      [waits(4, lock('row 0')), waits(5, lock('array'))],
      [
        ['array', 4],
        ['row 0', 5],
      ],
    ),
    kind: 'lockCircle',
    cores: [4, 5],
    says: 'CPE 4 waits for the lock row 0 of CPE 5; CPE 5 waits for the lock array of CPE 4: each waits for the next, the last for the first',
  },
  {
    what: 'a lock whose owner has finished',
    run: still([waits(4, lock('array')), finished(9)], [['array', 9]]),
    kind: 'ownerFinished',
    cores: [9],
    says: 'CPE 9 has finished (in cycle 5) and never gave back the lock array',
  },
  {
    what: 'a master synchronisation that the host never joins, since it waits for the thread',
    run: still([
      waits(5, at({ kind: 'host', name: 'the host with CPE 5', members: [5, mpeCore()] })),
      waits(mpeCore(), { kind: 'threads', threads: [5] }),
    ]),
    kind: 'circle',
    cores: [5, mpeCore()],
    says: 'CPE 5 waits at the host with CPE 5; MPE waits for its threads to end: each waits for the next, the last for the first',
  },
  {
    what: 'a node synchronisation without one core group',
    run: still([
      waits(
        cpeCore(0),
        at({ kind: 'node', name: 'the arrays of the node', members: [cpeCore(0), cpeCore(0, 1)] }),
      ),
      finished(cpeCore(0, 1)),
    ]),
    kind: 'finishedMember',
    cores: [cpeCore(0, 1)],
    says: 'CPE 0 of CG 1 has finished (in cycle 5) and never comes to the arrays of the node, where CPE 0 is in call',
  },
  {
    what: 'a row against a column barrier',
    run: still(
      [
        ...rowMeeting(0)
          .members.filter((core) => core !== 1)
          .map((core) => waits(core, at(rowMeeting(0)))),
        waits(1, at(columnMeeting(1))),
        ...columnMeeting(1)
          .members.filter((core) => core > 8)
          .map((core) => waits(core, at(columnMeeting(1)))),
        waits(9, lock('l')),
      ],
      [['l', 0]],
    ),
    kind: 'circle',
    cores: [0, 1, 9],
    says: 'CPE 0 waits at row 0 with mask 0xff; CPE 1 waits at column 1 with mask 0xff; CPE 9 waits for the lock l of CPE 0: each waits for the next, the last for the first',
  },
  {
    what: 'a member on which no thread was started',
    run: still([waits(0, at(pairMeeting(0, 1)))]),
    kind: 'absentMember',
    cores: [1],
    says: 'CPE 1 runs no thread and never comes to pair 0 1, where CPE 0 is in call',
  },
];

describe('the root cause of a run that stands still', () => {
  test.each(cases)('$what', ({ run, kind, cores, says }) => {
    const { causes } = analyseDeadlock(run);

    expect(causes).toHaveLength(1);
    expect(causes[0]!.sentence).toBe(says);
    expect([causes[0]!.kind, [...causes[0]!.cores]]).toEqual([kind, cores]);
  });

  test.each(cases)('is reached by everybody who waits: $what', ({ run }) => {
    const { blocked, causes } = analyseDeadlock(run);
    const graph = waitForGraph(run);

    for (const { standing } of blocked) {
      const reached = [...reachedFrom(standing.core, graph)];
      const reaches = causes.some(
        ({ cores }) =>
          cores.some((core) => reached.includes(core)) ||
          reached.some((core) => graph.get(core)?.deadEnds.some((end) => cores.includes(end.core))),
      );
      expect(reaches).toBe(true);
    }
  });
});

test('two causes that have nothing to do with each other are both told', () => {
  const { causes } = analyseDeadlock(
    still([waits(7, reply(7, 0, 1)), waits(3, lock('array'))], [['array', 3]]),
  );

  expect(causes.map(({ kind }) => kind)).toEqual(['noTransfer', 'self']);
});

test('who waits for a circle is no cause of his own', () => {
  const { causes } = analyseDeadlock(
    still(
      [waits(8, lock('b')), waits(4, lock('b')), waits(5, lock('a'))],
      [
        ['a', 4],
        ['b', 5],
      ],
    ),
  );

  expect(causes.map(({ cores }) => [...cores].sort())).toEqual([[4, 5]]);
});

test('an explanation names those who wait in groups and fits on a screen', () => {
  const text = deadlockText(analyseDeadlock(still(arrayWithout(13, waits(13, reply(13, 0, 1))))));

  const lines = text.split('\n');
  expect(lines).toEqual([
    'deadlock in cycle 100: 64 cores wait',
    'root cause:',
    '  CPE 13 waits for its reply word at 0x2000 to reach 1 (it is 0), but none is in flight: no transfer can ever satisfy this; CPE 13 is in call',
    'blocked:',
    '  CPE 0-7, 16-63 in call, since cycle 10: at columns 0-7 with mask 0xff, where CPE 8-15 have not come',
    '  CPE 8-12, 14-15 in call, since cycle 10: at row 1 with mask 0xff, where CPE 13 has not come',
    '  CPE 13 in call, since cycle 10: for its reply word at 0x2000 to reach 1 (it is 0)',
  ]);
});

test('causes and waits that differ only in their cores are told once, with all of them', () => {
  const words = [1, 2, 9].map((core) => waits(core, reply(core, core === 9 ? 1 : 0, 2)));
  const rows = [16, 24].map((core, n) => waits(core, lock(`8spe:${n + 2}`)));
  const owners = [['8spe:2', 17] as const, ['8spe:3', 25] as const];

  const places = { placeOf: (core: CoreId) => (core === 24 ? 'kernel.ts:9' : 'kernel.ts:7') };
  const text = deadlockText(
    analyseDeadlock(still([...words, ...rows, finished(17), finished(25)], owners)),
    places,
  );

  expect(text.split('\n')).toEqual([
    'deadlock in cycle 100: 5 cores wait',
    'root causes:',
    '  CPE 1-2 each wait for their reply word at 0x2000 to reach 2 (it is 0), but none is in flight: no transfer can ever satisfy this; CPE 1 is in call (kernel.ts:7)',
    '  CPE 9 waits for its reply word at 0x2000 to reach 2 (it is 1), but none is in flight: no transfer can ever satisfy this; CPE 9 is in call (kernel.ts:7)',
    '  CPE 17 has finished (in cycle 5) and never gave back the lock 8spe:2',
    '  CPE 25 has finished (in cycle 5) and never gave back the lock 8spe:3',
    'blocked:',
    '  CPE 1-2, 9 in call (kernel.ts:7), since cycle 10: for their reply words at 0x2000 to reach 2 (they are 0 to 1)',
    '  CPE 16 in call (kernel.ts:7), since cycle 10: for the lock 8spe:2',
    '  CPE 24 in call (kernel.ts:9), since cycle 10: for the lock 8spe:3',
  ]);
});

test('a circle alone is told as it is among others that go on', () => {
  const run = still(
    [waits(4, lock('b')), waits(5, lock('a')), { core: 6, is: 'running', since: 0 }],
    [
      ['a', 4],
      ['b', 5],
    ],
  );

  expect(circleSentence(run, [4, 5])).toBe(
    'CPE 4 waits for the lock b of CPE 5; CPE 5 waits for the lock a of CPE 4: each waits for the next, the last for the first',
  );
});

test('a circle that also waits for somebody who never comes is no cause beside that one', () => {
  const [a, b, gone] = [4, 5, 6];
  const three: Meeting = { kind: 'row', name: 'row 0 with mask 0x70', members: [a, b, gone] };

  const { causes } = analyseDeadlock(
    still([waits(a, at(three)), waits(b, lock('l')), finished(gone)], [['l', a]]),
  );

  expect(causes.map(({ kind, cores }) => [kind, ...cores])).toEqual([['finishedMember', gone]]);
});
