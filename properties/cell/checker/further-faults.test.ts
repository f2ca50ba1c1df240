import { describe, expect, test } from 'vitest';
import type { LogEvent } from './log.ts';
import { drop, edit, type Log, move, patch, raised, run, withHeader } from './log-edits.ts';
import { referenceLog, type TimedInstruction } from './reference-log.ts';

const ofCycle =
  (t: number, ...kinds: string[]) =>
  (e: LogEvent) =>
    e.t === t && kinds.includes(e.ev);
const isDone = (who: string, id: number, t: number) => (e: LogEvent) =>
  e.t === t && e.ev === 'DONE' && e.who === who && e.id === id;

/** One put of 4 bytes from 0 to 2 in cycles 1..4, then a read of another SPU in cycle 6. */
const put = (...others: readonly TimedInstruction[]) =>
  run([[[0, 'p', 10, 2, 20, 4], ...others], [], [], [[6, 'r', 0]]]);
const reads = () =>
  run([
    [
      [0, 'w', 3, 7],
      [0, 'r', 3],
      [1, 'r', 5],
    ],
    [],
    [],
    [],
  ]);

/** Two puts of one module to the same peer; the second byte moves first, and there is only one command. */
function oneCommandForTwo(): Log {
  const log = run(
    [
      [
        [0, 'p', 10, 1, 20, 1],
        [0, 'p', 11, 1, 21, 1],
      ],
      [],
      [],
      [],
    ],
    { K: 2 },
  );
  const second = (e: LogEvent) => (e.ev === 'RD' || e.ev === 'WR') && e.id === 1;
  const moved = move(log, second, (e) => e.ev === 'RD' && e.id === 0);
  const last = moved.events.findLastIndex((e) => e.ev === 'CMD');
  const clocks = new Map<number, number>();
  return edit(moved, (e, n) => {
    if (n === last) return [];
    if (e.ev !== 'RD' && e.ev !== 'WR') return e;
    const stamp = clocks.get(e.mem) ?? 0;
    clocks.set(e.mem, stamp + 2);
    return { ...e, in: stamp, out: stamp + 1 };
  });
}

/** Bytes of cycle 4 once more in cycle 5. */
function oneByteTooMany(): Log {
  const log = put();
  const bytes = log.events.filter(ofCycle(4, 'RD', 'WR')).map((e) => ({ ...e, t: 5, in: 90, out: 91 }));
  const contents = log.events.filter(ofCycle(4, 'MEM')).map((e) => ({ ...e, t: 5 }));
  return edit(log, (e) =>
    isDone('dma', 0, 5)(e) ? [...bytes, e] : ofCycle(5, 'BARRIER')(e) ? [...contents, e] : e,
  );
}

/** Variants of the faults, each with exactly the ids that it raises. */
const FAULTS: readonly (readonly [name: string, expected: readonly string[], fault: () => Log])[] = [
  [
    'a RUNNING answer with the wrong direction',
    ['CK-04'],
    () => patch(put([2, 's', 0]), ofCycle(2, 'STATUS'), { dir: 1 }),
  ],
  [
    'an instruction that is skipped in the count',
    ['CK-28'],
    () => patch(reads(), ofCycle(1, 'OBS'), { k: 3 }),
  ],
  [
    'a read that the program sees with another value',
    ['CK-28'],
    () => patch(reads(), ofCycle(1, 'OBS'), { value: 9 }),
  ],
  [
    'a segment that is freed before its last cycle',
    ['CK-09'],
    () => move(put(), ofCycle(4, 'FREE'), isDone('arb', 0, 3), { t: 3 }),
  ],
  [
    'a segment that is freed after its last cycle',
    ['CK-11'],
    () => move(put(), ofCycle(4, 'FREE'), isDone('arb', 0, 5), { t: 5 }),
  ],
  [
    'a transfer that ends a cycle early',
    ['CK-11'],
    () => move(put(), ofCycle(4, 'XEND'), isDone('dma', 0, 3), { t: 3 }),
  ],
  [
    'a transfer that starts without a grant',
    ['CK-22'],
    () => {
      const log = withHeader(run([[[0, 'p', 1, 2, 1, 1]], [], [], []], { cycles: 2 }), {
        workConserving: false,
      });
      return drop(log, (e) => ['GRANT', 'CMD', 'BUS', 'RD', 'WR', 'XEND', 'FREE', 'MEM'].includes(e.ev));
    },
  ],
  [
    'a jump over cycles of a running transfer',
    ['CK-07'],
    () =>
      patch(
        drop(put(), (e) => e.t === 2 || e.t === 3),
        ofCycle(1, 'BARRIER'),
        { next: 4 },
      ),
  ],
  [
    'a jump that was not announced',
    ['CK-17'],
    () =>
      edit(
        referenceLog(
          {
            name: 'jump',
            N: 1,
            K: 1,
            memSize: 4,
            programs: [
              [
                [0, 'r', 0],
                [9, 'r', 0],
              ],
            ],
          },
          { skipIdle: true },
        ),
        (e) => (ofCycle(0, 'BARRIER')(e) ? { t: 0, n: 0, ev: 'BARRIER', gen: 0 } : e),
      ),
  ],
  [
    'a run until idle that stops in the last cycle but one of a transfer',
    ['CK-23'],
    () => withHeader(run([[[0, 'p', 10, 2, 20, 4]], [], [], []], { cycles: 4 }), { cycles: null }),
  ],
  ['a command before the bus was acquired', ['CK-14'], () => patch(put(), ofCycle(2, 'CMD'), { q: 2 })],
  [
    'a byte that changes on its way',
    ['CK-12'],
    () => patch(patch(put(), ofCycle(2, 'WR'), { v: 5 }), ofCycle(2, 'MEM'), { bytes: [[21, 5]] }),
  ],
  ['one command for two bytes', ['CK-13', 'CK-15'], oneCommandForTwo],
  ['a byte too many', ['CK-11'], oneByteTooMany],
  [
    'a module that leaves the barrier for good',
    ['CK-16', 'CK-18'],
    () => drop(put(), (e) => e.ev === 'DONE' && e.who === 'dma' && e.id === 3),
  ],
  ['a module that leaves one barrier out', ['CK-16'], () => drop(put(), isDone('dma', 3, 2))],
  [
    'an SPU that works after its report',
    ['CK-16'],
    () => move(reads(), isDone('spu', 0, 1), ofCycle(1, 'OBS')),
  ],
  [
    'an entity that does not exist',
    ['CK-16'],
    () => edit(put(), (e) => (isDone('dma', 3, 2)(e) ? [e, { ...e, id: 4 } as LogEvent] : e)),
  ],
  ['an access that lasts too long', ['CK-19'], () => patch(reads(), ofCycle(1, 'RD'), { out: 6 })],
  ['written bytes whose content is not logged', ['CK-20'], () => drop(put(), ofCycle(2, 'MEM'))],
  [
    'an unwritten byte that changes',
    ['CK-20'],
    () =>
      patch(put(), ofCycle(2, 'MEM'), {
        bytes: [
          [21, 0],
          [50, 1],
        ],
      }),
  ],
  [
    'a stale read',
    ['CK-20'],
    () =>
      patch(
        patch(reads(), (e) => e.t === 0 && e.ev === 'RD', { v: 0 }),
        (e) => e.ev === 'OBS' && e.k === 1,
        { value: 0 },
      ),
  ],
  [
    'a command of the next cycle before the last report',
    ['CK-17'],
    () => move(put(), ofCycle(1, 'CMD', 'BUS'), isDone('arb', 0, 0)),
  ],
  ['a record after its barrier', ['CK-17'], () => move(reads(), ofCycle(1, 'HALT'), (e) => e.ev === 'STOP')],
  ['a log that is cut off', ['CK-18'], () => drop(put(), (e) => e.ev === 'STOP')],
  ['a run that is shorter than configured', ['CK-18'], () => withHeader(put(), { cycles: 20 })],
  [
    'a program that goes on after its end',
    ['CK-28'],
    () => move(reads(), ofCycle(1, 'HALT'), ofCycle(1, 'OBS')),
  ],
];

describe('further faults', () => {
  test.each(FAULTS)('%s', (_, expected, fault) => {
    expect(raised(fault())).toEqual(expected);
  });

  test('a request that starts within its bound is accepted, and one cycle later it would not be', () => {
    const puts = [0, 1, 2].map((i): TimedInstruction => [0, 'p', 10 * i, 1, 10 * i, 5]);
    const log = run([puts, []], { N: 2 });

    // The third request is urgent from start cycle 2 on, with nobody before it: bound 2 + 5, start 6.
    expect(raised(withHeader(log, { boundedWait: { factor: 0, cap: null } }))).toEqual([]);
    const longer = run([[...puts, [0, 'p', 40, 1, 40, 1] as const, [0, 'p', 42, 1, 42, 1] as const], []], {
      N: 2,
    });
    const grants = longer.events.flatMap((e) => (e.ev === 'GRANT' ? [[e.id, e.start]] : []));
    expect(grants).toEqual([
      [0, 1],
      [1, 1],
      [2, 6],
      [3, 6],
      [4, 7],
    ]);
    expect(raised(withHeader(longer, { boundedWait: { factor: 0, cap: 0 } }))).toEqual([]);
  });

  test('work-conserving policies may let a request wait for a segment that is taken', () => {
    const log = run(
      [
        [
          [0, 'p', 0, 1, 0, 9],
          [0, 'p', 20, 1, 20, 9],
          [0, 'p', 40, 1, 40, 9],
        ],
        [],
      ],
      { N: 2 },
    );

    expect(raised(withHeader(log, { workConserving: true }))).toEqual([]);
  });
});
