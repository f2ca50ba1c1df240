import { describe, expect, test } from 'vitest';
import { INVARIANTS } from './catalogue.ts';
import type { LogEvent, LogHeader } from './log.ts';
import { check, drop, edit, type Log, move, patch, raised, run, withHeader } from './log-edits.ts';
import { logHash } from './log-hash.ts';
import { referenceLog, type TimedInstruction } from './reference-log.ts';
import { CellStatistics } from './statistics.ts';

const isStatus = (t: number) => (e: LogEvent) => e.t === t && e.ev === 'STATUS';
const answer = (log: Log, t: number, status: number) =>
  patch(patch(log, isStatus(t), { status }), (e) => e.t === t && e.ev === 'OBS' && e.op === 'status', {
    value: status,
  });
const ofCycle =
  (t: number, ...kinds: string[]) =>
  (e: LogEvent) =>
    e.t === t && kinds.includes(e.ev);
const isWorkOf = (id: number) => (e: LogEvent) =>
  (e.ev === 'GRANT' ||
    e.ev === 'XSTART' ||
    e.ev === 'XEND' ||
    e.ev === 'FREE' ||
    e.ev === 'RD' ||
    e.ev === 'WR') &&
  e.id === id;

/** One put of 4 bytes from 0 to 2, issued in cycle 0, asked about in every cycle. */
const onePut = () =>
  run([
    [[0, 'p', 10, 2, 20, 4], ...[0, 1, 2, 3, 4, 5].map((t): TimedInstruction => [t, 's', 0])],
    [],
    [],
    [],
  ]);
/** The put alone, without questions. */
const quietPut = (memory: LogHeader['memory'] = 'zero') =>
  run([[[0, 'p', 10, 2, 20, 4]], [], [], []], { memory });
const readsAndWrites = (memory: LogHeader['memory'] = 'zero') =>
  run(
    [
      [
        [0, 'w', 3, 7],
        [0, 'r', 3],
        [0, 'r', 4],
        [1, 'r', 5],
      ],
      [],
      [],
      [],
    ],
    { memory },
  );
/** A request that is never served, in a run of so many cycles. */
const starved = (cycles: number) =>
  drop(
    run([[[0, 'p', 10, 2, 20, 4]], [], [], []], { cycles }),
    (e) => isWorkOf(0)(e) || ['CMD', 'BUS', 'MEM'].includes(e.ev),
  );

/** Two transfers whose memories' clocks order them in a circle, each having read what the other wrote. */
function circularOrder(): Log {
  const log = run(
    [
      [
        [0, 'p', 10, 1, 20, 1],
        [0, 'g', 10, 1, 20, 1],
      ],
      [],
      [],
      [],
    ],
    { N: 2, memory: 'zero' },
  );
  const writes = log.events.filter((e) => e.ev === 'WR');
  // The two writes come first, with the same value, and the two reads see it.
  const moved = move(log, ofCycle(1, 'RD'), (e) => e.n > Math.max(...writes.map((w) => w.n)), {});
  const stamps = new Map<number, number>();
  return edit(moved, (e) => {
    if (e.ev === 'MEM') return { ...e, bytes: e.bytes.map(([a]) => [a, 9] as const) };
    if (e.ev !== 'RD' && e.ev !== 'WR') return e;
    const stamp = stamps.get(e.mem) ?? 0;
    stamps.set(e.mem, stamp + 2);
    return { ...e, v: 9, in: stamp, out: stamp + 1 };
  });
}

/** For each invariant a log that breaks it and nothing else. */
const FAULTS: Readonly<Record<string, () => Log>> = {
  'CK-01': () => {
    const log = run([
      [
        [0, 'g', 0, 1, 0, 0],
        [0, 'g', 0, 1, 0, 0],
      ],
      [],
      [],
      [],
    ]);
    return patch(
      patch(log, (e) => e.ev === 'REQ' && e.id === 1, { id: 0 }),
      (e) => e.ev === 'OBS' && e.value === 1,
      { value: 0 },
    );
  },
  'CK-02': () => answer(onePut(), 2, 7),
  'CK-03': () => answer(onePut(), 4, 3),
  'CK-04': () => patch(onePut(), isStatus(2), { ring: 1 }),
  'CK-05': () => answer(onePut(), 3, 1),
  'CK-06': () => {
    const log = run([[[1, 'p', 10, 2, 20, 1]], [], [], []]);
    const grant = move(log, ofCycle(1, 'GRANT'), (e) => e.t === 1 && e.ev === 'DONE' && e.who === 'dma', {
      start: 1,
    });
    return move(
      grant,
      ofCycle(2, 'XSTART', 'CMD', 'BUS', 'RD', 'WR', 'XEND', 'FREE', 'MEM'),
      (e) => e.t === 1 && e.ev === 'DONE' && e.who === 'dma',
      { t: 1 },
    );
  },
  'CK-07': () => drop(quietPut(), ofCycle(2, 'RD', 'WR')),
  'CK-08': () => patch(quietPut(), ofCycle(4, 'FREE'), { ring: 1 }),
  'CK-09': () => patch(quietPut(), ofCycle(0, 'GRANT'), { nodes: [0, 1] }),
  'CK-10': () => {
    const log = run([[[0, 'p', 10, 2, 20, 4]], [[0, 'p', 10, 3, 20, 4]], [], []], { K: 2 });
    return patch(log, (e) => 'ring' in e && e.ring === 1, { ring: 0 });
  },
  'CK-11': () => drop(quietPut(), ofCycle(4, 'FREE')),
  'CK-12': () => patch(quietPut(), ofCycle(2, 'RD'), { a: 40 }),
  'CK-13': () => patch(quietPut(), ofCycle(2, 'CMD'), { dest: 3 }),
  'CK-14': () => patch(quietPut(), ofCycle(2, 'BUS'), { in: 0 }),
  'CK-15': () => edit(quietPut(), (e) => (ofCycle(2, 'CMD')(e) ? [e, e] : e)),
  'CK-16': () =>
    edit(quietPut(), (e) => (e.t === 2 && e.ev === 'DONE' && e.who === 'dma' && e.id === 3 ? [e, e] : e)),
  'CK-17': () =>
    move(
      quietPut(),
      (e) => e.t === 0 && e.ev === 'DONE' && e.who === 'spu' && e.id === 3,
      (e) => e.t === 1,
      {},
      true,
    ),
  'CK-18': () => patch(quietPut(), (e) => e.ev === 'STOP', { cycles: 6 }),
  'CK-19': () => {
    const log = readsAndWrites();
    const one = patch(log, (e) => e.ev === 'RD' && e.a === 3, { in: 2, out: 4 });
    return patch(one, (e) => e.ev === 'RD' && e.a === 4, { in: 3, out: 5 });
  },
  'CK-20': () => patch(readsAndWrites(), (e) => e.ev === 'MEM', { bytes: [[3, 0]] }),
  'CK-21': () => patch(readsAndWrites(), (e) => e.ev === 'RD' && e.a === 5, { a: 64 }),
  'CK-22': () => edit(quietPut(), (e) => (e.ev === 'GRANT' ? [e, e] : e)),
  'CK-23': () => withHeader(run([[[0, 'p', 10, 2, 20, 4]], [], [], []], { cycles: 3 }), { cycles: null }),
  'CK-24': () =>
    withHeader(
      run([
        [
          [0, 'p', 0, 1, 0, 3],
          [0, 'p', 9, 1, 9, 3],
          [0, 'p', 20, 1, 20, 1],
        ],
        [],
        [],
        [],
      ]),
      { waitLimit: 2 },
    ),
  'CK-25': () => starved(3),
  'CK-26': () => withHeader(starved(30), { workConserving: false, boundedWait: { factor: 1, cap: null } }),
  'CK-28': () => drop(readsAndWrites(), (e) => e.ev === 'OBS' && e.k === 3),
};

describe('planted faults', () => {
  test.each(Object.entries(FAULTS))('a log that breaks %s raises exactly that', (id, fault) => {
    const report = check(fault());

    expect([...new Set(report.findings.map((finding) => finding.invariant))]).toEqual([id]);
    expect(report.verdict).toBe(INVARIANTS.find((invariant) => invariant.id === id)?.class);
  });

  test('a run whose log differs from its twin raises exactly CK-27', () => {
    const twin = quietPut();
    const other = quietPut('pattern');

    expect(raised(twin, { expectedLogHash: logHash(twin.events) })).toEqual([]);
    expect(raised(twin, { expectedLogHash: logHash(other.events) })).toEqual(['CK-27']);
  });

  test('every invariant of the catalogue has its planted fault', () => {
    const ids = INVARIANTS.map((invariant) => invariant.id);

    expect(ids).toHaveLength(28);
    expect([...Object.keys(FAULTS), 'CK-27'].sort()).toEqual(ids);
  });

  test('orders of two memories that contradict each other are a synchronisation error', () => {
    const report = check(circularOrder());

    expect(report.findings.map(({ invariant, class: severity }) => [invariant, severity])).toEqual([
      ['CK-20', 'SYNC'],
    ]);
    expect(report.exitCode).toBe(2);
  });

  test('an exception of a program and a report of the machine keep their classes', () => {
    const exception = check(
      referenceLog({ name: 'x', N: 1, K: 1, memSize: 4, programs: [[[0, 'x', 'division by zero']]] }),
    );
    const slow = edit(quietPut(), (e) =>
      e.ev === 'STOP' ? [{ t: e.t, n: 0, ev: 'REPORT', class: 'PERF', inv: 'slow', text: 'too slow' }, e] : e,
    );

    expect([exception.verdict, exception.exitCode]).toEqual(['EXCEPTION', 4]);
    expect([check(slow).verdict, check(slow).exitCode]).toEqual(['PERF', 1]);
  });

  test('a flood of one fault is cut to twenty findings and counted', () => {
    const log = run([[[0, 'p', 0, 1, 0, 60]], [], [], []]);

    const report = check(patch(log, (e) => e.ev === 'CMD', { cmd: 'get' }));

    // Each byte has a wrong command and lacks the right one.
    expect(report.findings.filter((finding) => finding.invariant === 'CK-13')).toHaveLength(20);
    expect(report.suppressed).toEqual({ 'CK-13': 100 });
  });

  test('records that do not fit the machine are reported and do not stop the check', () => {
    const stranger = {
      t: 0,
      n: 0,
      ev: 'REQ',
      spu: 9,
      id: 0,
      kind: 'get',
      my: 0,
      peer: 0,
      addr: 0,
      size: 1,
    } as const;
    const header = quietPut().header;

    expect(raised({ header, events: [stranger] })).toEqual(
      ['CK-16', 'CK-18', 'LOG'].filter((id) => id !== 'CK-16'),
    );
  });
});

const CONTENDED: readonly (readonly TimedInstruction[])[] = [
  [
    [0, 'p', 0, 2, 0, 3],
    [0, 'p', 10, 2, 10, 3],
    [1, 'p', 20, 2, 20, 2],
    [1, 's', 2],
    [6, 's', 0],
  ],
  [[0, 'g', 30, 3, 30, 4]],
  [[1, 'p', 40, 3, 40, 3]],
  [],
];

/** The mutants of Cell specification 21.4 as changes of a log, and the ids of which each must raise one at least. */
const MUTANTS: Readonly<Record<string, readonly [expected: readonly string[], mutant: () => Log]>> = {
  'M-01': [['CK-06'], () => FAULTS['CK-06']?.() ?? quietPut()],
  'M-02': [['CK-10'], () => run(CONTENDED, {}, { freeShift: -1 })],
  'M-03': [['CK-25'], () => run(CONTENDED, {}, { freeShift: 1 })],
  'M-04': [['CK-09', 'CK-10'], () => patch(quietPut(), (e) => e.ev === 'GRANT', { nodes: [0, 1] })],
  'M-05': [['CK-09', 'CK-10'], () => patch(quietPut(), (e) => e.ev === 'GRANT', { nodes: [1, 2] })],
  'M-06': [
    ['CK-09', 'CK-10'],
    () => patch(run(CONTENDED), (e) => e.ev === 'GRANT' && e.dir === 1, { nodes: [0, 1, 2] }),
  ],
  'M-07': [
    ['CK-08'],
    () =>
      edit(run(CONTENDED, { K: 2 }), (e) =>
        e.ev === 'XSTART' && e.id === 0 ? [e, { ...e, ring: 1 - e.ring }] : e,
      ),
  ],
  'M-08': [['CK-07'], () => drop(quietPut('pattern'), ofCycle(2, 'CMD', 'BUS', 'RD', 'WR', 'MEM'))],
  'M-09': [['CK-07'], () => edit(quietPut('pattern'), (e) => (ofCycle(2, 'WR')(e) ? [e, e] : e))],
  'M-10 (dropped)': [
    ['CK-07', 'CK-11', 'CK-20'],
    () => drop(quietPut('pattern'), ofCycle(4, 'RD', 'WR', 'MEM')),
  ],
  'M-10 (one too many)': [
    ['CK-07', 'CK-11', 'CK-20'],
    () => {
      const log = run([
        [
          [0, 'p', 10, 2, 20, 4],
          [6, 'r', 0],
        ],
        [],
        [],
        [],
      ]);
      const extra = log.events.filter(ofCycle(4, 'RD', 'WR')).map((e) => ({ ...e, t: 5 }));
      return edit(log, (e) =>
        e.t === 5 && e.ev === 'DONE' && e.who === 'dma' && e.id === 0 ? [...extra, e] : e,
      );
    },
  ],
  'M-11': [
    ['CK-12', 'CK-13'],
    () =>
      edit(quietPut('pattern'), (e) =>
        (e.ev === 'RD' || e.ev === 'WR') && e.by === 'dma' ? { ...e, mem: 2 - e.mem, a: 30 - e.a } : e,
      ),
  ],
  'M-12': [['CK-01'], () => FAULTS['CK-01']?.() ?? quietPut()],
  'M-13': [['CK-17'], () => FAULTS['CK-17']?.() ?? quietPut()],
  'M-14': [['CK-16'], () => FAULTS['CK-16']?.() ?? quietPut()],
  'M-15': [
    ['CK-16', 'CK-18'],
    () => drop(quietPut(), (e) => e.ev === 'DONE' && e.who === 'dma' && e.id === 3),
  ],
  'M-16': [
    ['CK-14'],
    () => {
      const swapped = move(quietPut(), ofCycle(2, 'BUS'), ofCycle(2, 'CMD'));
      return edit(swapped, (e) =>
        e.t !== 2 ? e : e.ev === 'BUS' ? { ...e, out: e.out - 1 } : e.ev === 'CMD' ? { ...e, q: e.q + 1 } : e,
      );
    },
  ],
  'M-17': [['CK-13', 'CK-15'], () => drop(quietPut(), ofCycle(2, 'CMD'))],
  'M-18': [['CK-03'], () => answer(onePut(), 4, 3)],
  'M-19': [['CK-04'], () => patch(onePut(), isStatus(3), { ring: 1 })],
  'M-20': [
    ['CK-20'],
    () => {
      const log = run([[[0, 'p', 0, 2, 5, 1]], [[0, 'p', 1, 2, 5, 1]], [], []], {
        memory: [[11], [0, 12], [], []],
      });
      return patch(log, (e) => e.ev === 'MEM', { bytes: [[5, 11]] });
    },
  ],
  'M-21': [
    ['CK-07', 'CK-20'],
    () => {
      const log = run([
        [
          [0, 'p', 10, 2, 20, 4],
          [2, 'w', 13, 99],
        ],
        [],
        [],
        [],
      ]);
      const stale = patch(log, ofCycle(4, 'RD', 'WR'), { v: 0 });
      return patch(stale, ofCycle(4, 'MEM'), { bytes: [[23, 0]] });
    },
  ],
  'M-22': [['CK-10'], () => FAULTS['CK-10']?.() ?? quietPut()],
  'M-23': [['CK-22'], () => FAULTS['CK-22']?.() ?? quietPut()],
  'M-25': [
    ['CK-13'],
    () =>
      move(quietPut(), ofCycle(3, 'CMD', 'BUS'), (e) => e.t === 2 && e.ev === 'DONE' && e.who === 'dma', {
        t: 2,
      }),
  ],
  'M-26': [['CK-19'], () => FAULTS['CK-19']?.() ?? quietPut()],
};

describe('mutants of the machine', () => {
  test.each(Object.entries(MUTANTS))('%s is caught', (_, [expected, mutant]) => {
    const found = raised(mutant());

    expect(
      found.some((id) => expected.includes(id)),
      `raised ${found.join(', ')}`,
    ).toBe(true);
  });

  test('M-24: the wait is counted from the cycle after the issue, as in the worked example', () => {
    const { header, events } = run(
      [
        [
          [2, 'p', 0, 1, 0, 3],
          [2, 'p', 10, 1, 10, 3],
          [3, 'p', 20, 1, 20, 1],
        ],
        [],
        [],
        [],
      ],
      { memSize: 256 },
    );
    const statistics = new CellStatistics(header);
    for (const event of events) statistics.event(event);

    expect(statistics.finish().wait).toMatchObject({ total: 2, max: 2, mean: 2 / 3 });
  });
});
