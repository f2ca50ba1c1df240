/** Tools of the tests that plant faults in correct logs. */
import { expect } from 'vitest';
import { CellChecker, type CheckOptions } from './check.ts';
import type { CheckReport } from './findings.ts';
import type { LogEvent, LogHeader } from './log.ts';
import {
  type ReferenceLog,
  type ReferenceOptions,
  type ReferenceWorkload,
  referenceLog,
  type TimedInstruction,
} from './reference-log.ts';

/** A log to be changed. */
export type Log = Pick<ReferenceLog, 'header' | 'events'>;

/** Checks a log. */
export function check({ header, events }: Log, options: CheckOptions = {}): CheckReport {
  const checker = new CellChecker(header, options);
  for (const event of events) checker.event(event);
  return checker.finish();
}

/** The ids a log raises, each once, in order. */
export function raised(log: Log, options: CheckOptions = {}): string[] {
  return [...new Set(check(log, options).findings.map((finding) => finding.invariant))].sort();
}

/** Changes, drops or multiplies records and numbers them anew. */
export function edit(log: Log, change: (e: LogEvent, n: number) => LogEvent | readonly LogEvent[]): Log {
  const events = log.events.flatMap(change).map((e, n) => ({ ...e, n }));
  return { header: log.header, events };
}

/** Changes the fields of the records that fit. */
export function patch(log: Log, fits: (e: LogEvent) => boolean, fields: object): Log {
  expect(log.events.some(fits), 'the fault is planted').toBe(true);
  return edit(log, (e) => (fits(e) ? ({ ...e, ...fields } as LogEvent) : e));
}

/** Leaves out the records that fit. */
export function drop(log: Log, fits: (e: LogEvent) => boolean): Log {
  expect(log.events.some(fits), 'the fault is planted').toBe(true);
  return edit(log, (e) => (fits(e) ? [] : e));
}

/** Takes the records that fit and puts them, changed, before (or after) the first record that `there` accepts. */
export function move(
  log: Log,
  fits: (e: LogEvent) => boolean,
  there: (e: LogEvent) => boolean,
  fields: object = {},
  after = false,
): Log {
  const moved = log.events.filter(fits).map((e) => ({ ...e, ...fields }) as LogEvent);
  expect(moved.length, 'the fault is planted').toBeGreaterThan(0);
  const rest = log.events.filter((e) => !fits(e));
  const at = rest.findIndex(there) + (after ? 1 : 0);
  return {
    header: log.header,
    events: [...rest.slice(0, at), ...moved, ...rest.slice(at)].map((e, n) => ({ ...e, n })),
  };
}

/** The same records under another header. */
export const withHeader = (log: Log, header: Partial<LogHeader>): Log => ({
  header: { ...log.header, ...header },
  events: log.events,
});

/** Writes a correct log of a machine of four SPUs and one ring per direction, unless the machine says otherwise. */
export function run(
  programs: readonly (readonly TimedInstruction[])[],
  machine: Partial<ReferenceWorkload> = {},
  options: ReferenceOptions = {},
): ReferenceLog {
  const log = referenceLog(
    { name: 'fault', N: 4, K: 1, memSize: 64, memory: 'zero', ...machine, programs },
    options,
  );
  if (options.freeShift === undefined) expect(raised(log)).toEqual([]);
  return log;
}
