import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effort } from '../../kernel/testing/effort.ts';
import { logHeader } from '../../machines/cell/event-log.ts';
import type { CellLogEvent } from '../../machines/cell/log-events.ts';
import { type CellGiven, racyGiven } from './arbitraries.ts';
import {
  type Access,
  type ByteContent,
  type CycleTrace,
  level0,
  level1,
  level2,
} from './checker/serialisability.ts';
import { noTrace, noteAccess, settle, traceOf } from './memory-is-consistent.ts';
import { trial } from './trial.ts';

/** Workloads that meet on few bytes, under a random schedule. */
const cases = fc.record({ given: racyGiven, seed: fc.nat() });

/** Looks at every cycle of a run in which memories were accessed. */
function eachCycle(given: CellGiven, log: readonly CellLogEvent[], look: (trace: CycleTrace) => void): void {
  const header = logHeader({ ...given, scheduled: true });
  const memory = noTrace();
  let after: ByteContent[] = [];
  for (const event of log) {
    if (event.ev === 'RD' || event.ev === 'WR') noteAccess(memory, { ...event, write: event.ev === 'WR' });
    else if (event.ev === 'MEM')
      after.push(...event.bytes.map(([address, value]) => ({ mem: event.mem, address, value })));
    if (event.ev !== 'BARRIER') continue;
    const trace = traceOf(header, memory, after);
    if (accessesOf(trace).length > 0) look(trace);
    settle(memory, after);
    after = [];
  }
}

const accessesOf = ({ spus, transfers }: CycleTrace): readonly Access[] => [
  ...spus.flat(),
  ...transfers.flatMap(({ read, write }) => [read, write]),
];

/** The trace with another value in one of its reads by SPUs, or in one of its final contents. */
function flipped(trace: CycleTrace, victim: number): CycleTrace {
  const reads = trace.spus.flat().filter(({ write }) => !write);
  const one = [...reads, ...trace.after][victim % (reads.length + trace.after.length)];
  const flip = <T extends { readonly value: number }>(item: T): T =>
    Object.is(item, one) ? { ...item, value: item.value ^ 1 } : item;
  return { ...trace, spus: trace.spus.map((list) => list.map(flip)), after: trace.after.map(flip) };
}

test('all levels accept every cycle of every run, level 2 at worst without an answer (P-14)', () => {
  const answers = { ok: 0, undecided: 0, violation: 0 };
  fc.assert(
    fc.property(cases, ({ given, seed }) => {
      const { log } = trial(given, { seed, properties: [], keepLog: true });

      eachCycle(given, log, (trace) => {
        expect(level1(trace).answer).toBe('ok');
        expect(level0(trace).answer).toBe('ok');
        answers[level2(trace).answer]++;
      });
    }),
    { numRuns: effort({ short: 16, long: 80 }), seed: 14 },
  );
  expect(answers.violation).toBe(0);
  expect(answers.ok).toBeGreaterThan(500);
});

test('one flipped value in a cycle is rejected by level 1 (P-15)', () => {
  let flips = 0;
  fc.assert(
    fc.property(cases, fc.nat(), ({ given, seed }, victim) => {
      const { log } = trial(given, { seed, properties: [], keepLog: true });

      eachCycle(given, log, (trace) => {
        if (trace.after.length === 0 && trace.spus.every((list) => list.every(({ write }) => write))) return;
        flips++;
        expect(level1(flipped(trace, victim)).answer).toBe('violation');
      });
    }),
    { numRuns: effort({ short: 12, long: 60 }), seed: 15 },
  );
  expect(flips).toBeGreaterThan(300);
});

test('what a serial order of one cycle leaves is accepted whichever order it was (P-15)', () => {
  fc.assert(
    fc.property(cases, fc.nat(), ({ given, seed }, order) => {
      const { log } = trial(given, { seed, properties: [], keepLog: true });

      eachCycle(given, log, (trace) => {
        const again = carriedOut(trace, order);
        expect(level1(again).answer).toBe('ok');
        expect(level0(again).answer).toBe('ok');
        expect(level2(again).answer).not.toBe('violation');
      });
    }),
    { numRuns: effort({ short: 12, long: 60 }), seed: 27 },
  );
});

/** The accesses of a cycle carried out once more in another legal order, which `order` picks, with the values that come of it. */
function carriedOut(trace: CycleTrace, order: number): CycleTrace {
  const chains: (readonly Access[])[] = [
    ...trace.spus,
    ...trace.transfers.map(({ read, write }) => [read, write]),
  ];
  const held = new Map<string, { mem: number; address: number; value: number }>();
  const clocks = new Map<number, number>();
  const done = chains.map((): Access[] => []);
  let dice = order;
  for (;;) {
    const open = chains.flatMap((chain, index) => (done[index]!.length < chain.length ? [index] : []));
    if (open.length === 0) break;
    dice = (Math.imul(dice, 1_103_515_245) + 12_345) >>> 1;
    const index = open[(dice >>> 8) % open.length]!;
    const access = chains[index]![done[index]!.length]!;
    const { mem, address } = access;
    const place = `${mem} ${address}`;
    const before = held.get(place)?.value ?? trace.before(mem, address);
    const own = index < trace.spus.length ? access.value : (done[index]![0]?.value ?? 0);
    const value = access.write ? own : before;
    if (access.write) held.set(place, { mem, address, value });
    const stamp = clocks.get(mem) ?? 0;
    clocks.set(mem, stamp + 1);
    done[index]!.push({ ...access, value, stamp });
  }
  return {
    spus: done.slice(0, trace.spus.length),
    transfers: done.slice(trace.spus.length).map(([read, write]) => ({ read: read!, write: write! })),
    before: trace.before,
    after: [...held.values()],
  };
}
