import type { Probe, Report } from './message.ts';

/* What a recipe puts out besides messages, as plain JavaScript may write it: nobody else would tell that it is nothing. */

const keysOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).join(', ') || 'nothing'
    : String(JSON.stringify(value) ?? value);

/** Errors: a `TypeError` for what is no report. */
export function verifyReport(report: Report): void {
  if (typeof report?.property !== 'string' || typeof report.why !== 'string')
    throw new TypeError(
      `found a report with ${keysOf(report ?? {})} in it, expected { property, why }: the sentence that does not hold, and what was found, as texts`,
    );
}

/** Errors: a `TypeError` for what no property could watch. */
export function verifyProbe(probe: Probe): void {
  if (typeof probe?.type !== 'string')
    throw new TypeError(
      `found a probe with ${keysOf(probe ?? {})} in it, expected { type, … }: a text by which properties watch it`,
    );
}

/** Errors: a `TypeError` for what is no type of an event. */
export function verifyTimer(type: string): void {
  if (typeof type !== 'string' || type === '')
    throw new TypeError(
      `found a timer of ${keysOf(type)}, expected the type of the event in which it goes off`,
    );
}
