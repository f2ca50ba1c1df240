import type { Operation, ReplyWord, Space } from './race-event.ts';
import { type CoreId, coreName, spaceName } from './race-event.ts';

/** The kinds of findings (Sunway specification 7.3). */
export type RaceKind =
  | 'ReadBeforeArrival'
  | 'OverwriteBeforeSent'
  | 'TransferOverlap'
  | 'RemoteConflict'
  | 'MemoryConflict'
  | 'StaleCacheRead'
  | 'CacheClobber'
  | 'ReplyResetRace'
  | 'AmbiguousWait'
  | 'UnwaitedRemoteArrival'
  | 'FreeWhileInFlight'
  | 'OrphanTransfer';

/** One of the operations that a report is about. */
export interface Involved extends Operation {
  readonly core: CoreId;
  readonly cycle: number;
  /** What it does to the bytes: `reads`, `writes`, `waits`. */
  readonly does: string;
}

/** Something that the ordering rules do not allow, or a warning. */
export interface RaceReport {
  readonly kind: RaceKind;
  readonly severity: 'error' | 'warning';
  /** When the second operation made it certain. */
  readonly cycle: number;
  readonly cores: readonly CoreId[];
  readonly first: Involved;
  /** Absent where one operation is enough. */
  readonly second: Involved | undefined;
  /** The bytes concerned, the last one excluded. */
  readonly range: { readonly space: Space; readonly from: number; readonly to: number };
  readonly word: ReplyWord | undefined;
  /** The edge that is missing between them. */
  readonly missing: string;
  readonly fix: string;
}

const hexadecimal = (address: number): string => `0x${address.toString(16)}`;

/** Finds where in its program an operation is written: `axpy.ts:31`. The cycle says in which thread of the core. */
export type Locate = (core: CoreId, operation: Operation & { readonly cycle: number }) => string | undefined;

/** A report for people, on four lines. */
export function raceText(report: RaceReport, locate: Locate = () => undefined): string {
  const { space, from, to } = report.range;
  const told = (one: Involved): string => {
    const place = locate(one.core, one) ?? `operation ${one.step}`;
    return `${coreName(one.core)} ${one.does} in ${one.name} (${place}, cycle ${one.cycle})`;
  };
  return [
    `${report.kind} in cycle ${report.cycle}: ${spaceName(space)}, ${to - from} bytes at ${hexadecimal(from)}`,
    `  ${told(report.first)}${report.second ? `; ${told(report.second)}` : ''}`,
    `  missing: ${report.missing}`,
    `  fix: ${report.fix}`,
  ].join('\n');
}
