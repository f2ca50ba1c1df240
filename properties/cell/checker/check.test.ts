import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CellChecker, type CheckOptions } from './check.ts';
import type { CheckReport } from './findings.ts';
import { formatLine, type LogEvent, type LogHeader, parseLog } from './log.ts';
import { type ReferenceWorkload, randomWorkload, referenceLog, TestRandom } from './reference-log.ts';
import { CellStatistics } from './statistics.ts';

function check(header: LogHeader, events: readonly LogEvent[], options: CheckOptions = {}): CheckReport {
  const checker = new CellChecker(header, options);
  for (const event of events) checker.event(event);
  return checker.finish();
}

function golden<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../golden/machine/${name}.json`, import.meta.url), 'utf8')) as T;
}

/** FNV-1a 32 over all memories (Cell specification 18.2). */
function memoryHash(memories: readonly Uint8Array[]): string {
  let hash = 0x811c9dc5;
  for (const memory of memories) for (const byte of memory) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

interface GoldenResult {
  readonly cycles: number;
  readonly bytes: number;
  readonly commands: number;
  readonly totalWait: number;
  readonly maxWait: number;
  readonly memHash: string;
}

describe('legal logs', () => {
  test('random machines in canonical order are accepted', () => {
    for (let seed = 0; seed < 300; seed++) {
      const workload = randomWorkload(new TestRandom(seed));

      const { header, events } = referenceLog(workload);
      const report = check(header, events);

      expect(report.findings, `seed ${seed}`).toEqual([]);
      expect(report.verdict).toBe('ok');
    }
  });

  test('random machines under free interleavings are accepted', () => {
    for (let seed = 0; seed < 300; seed++) {
      const workload = randomWorkload(new TestRandom(seed));

      const { header, events } = referenceLog(workload, { freeSeed: seed });
      const report = check(header, events);

      expect(report.findings, `seed ${seed}`).toEqual([]);
    }
  });

  test('skipped idle cycles and bulk records are accepted and lead to the same figures', () => {
    for (let seed = 0; seed < 100; seed++) {
      const dense = randomWorkload(new TestRandom(seed));
      const programs = dense.programs.map((list) => list.map(([t, ...rest]) => [t * 23, ...rest]));
      const workload = { ...dense, programs, ...(dense.cycles && { cycles: dense.cycles * 23 }) };

      const plain = referenceLog(workload as unknown as ReferenceWorkload);
      const short = referenceLog(workload as unknown as ReferenceWorkload, { skipIdle: true, bulk: true });
      const report = check(short.header, short.events);

      expect(report.findings, `seed ${seed}`).toEqual([]);
      expect(short.memories).toEqual(plain.memories);
      expect(figures(short.header, short.events)).toEqual(figures(plain.header, plain.events));
    }
  });

  test('a recorded memory is learned from the log', () => {
    for (let seed = 0; seed < 100; seed++) {
      const workload: ReferenceWorkload = { ...randomWorkload(new TestRandom(seed)), memory: 'recorded' };

      const { header, events } = referenceLog(workload, { freeSeed: seed });

      expect(check(header, events).findings, `seed ${seed}`).toEqual([]);
    }
  });

  test.each(['ex1', 'ex2', 'timed_n6_k2', 'timed_n8_k1'])('%s has the golden figures', (name) => {
    const workload = golden<ReferenceWorkload>(`${name}.workload`);
    const result = golden<GoldenResult>(`${name}.result`);

    const { header, events, memories } = referenceLog(workload, { header: { waitLimit: result.totalWait } });
    const run = figures(header, events);

    expect(check(header, events).findings).toEqual([]);
    expect(memoryHash(memories)).toBe(result.memHash);
    expect(run).toMatchObject({ cycles: result.cycles, bytes: result.bytes, commands: result.commands });
    expect(run.wait).toMatchObject({ total: result.totalWait, max: result.maxWait });
  });

  test('the log survives its text form', () => {
    const { header, events } = referenceLog(randomWorkload(new TestRandom(5)), {
      skipIdle: true,
      bulk: true,
    });

    const text = [header, ...events].map((record) => `${formatLine(record)}\n`).join('');
    const parsed = parseLog(text);

    expect(parsed.errors).toEqual([]);
    expect(parsed.header).toEqual(header);
    expect(parsed.events).toEqual(events);
  });
});

function figures(header: LogHeader, events: readonly LogEvent[]) {
  const statistics = new CellStatistics(header);
  for (const event of events) statistics.event(event);
  return statistics.finish();
}
