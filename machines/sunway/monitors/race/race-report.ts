import {
  type CoreId,
  coreName,
  type Operation,
  type ReplyWord,
  type Space,
  spaceName,
} from './race-event.ts';

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
  /** Where its program has it, `axpy.ts:31`; absent until somebody has looked, and where nothing tells. */
  readonly place?: string;
}

/** Something that the ordering rules do not allow, or a warning. */
export interface RaceReport {
  readonly kind: RaceKind;
  readonly severity: 'error' | 'warning';
  /** When the second operation made it certain. */
  readonly cycle: number;
  readonly cores: readonly CoreId[];
  /** The earlier one. */
  readonly first: Involved;
  readonly second: Involved;
  /** The bytes concerned, the last one excluded. */
  readonly range: { readonly space: Space; readonly from: number; readonly to: number };
  /** The variable or the block that the first of these bytes belong to, as its program names it; absent where nothing tells. */
  readonly buffer?: string;
  /** The reply word that counts the transfer concerned; undefined where there is none. */
  readonly word: ReplyWord | undefined;
  /** The edge that is missing between them. */
  readonly missing: string;
  readonly fix: string;
}

const hexadecimal = (address: number): string => `0x${address.toString(16)}`;

/** What the programs of a run say of what is in a report. */
export interface ProgramText {
  /** Where an operation is written: `axpy.ts:31`. The cycle says in which thread of the core. */
  placeOf(core: CoreId, operation: Operation & { readonly cycle: number }): string | undefined;
  /** What is at an address in a cycle: `buffer "x 0"`. */
  bufferAt(space: Space, address: number, cycle: number): string | undefined;
}

/** The same report with places and names. */
export function placed(report: RaceReport, text: ProgramText): RaceReport {
  const { first, second, range, cycle } = report;
  const at = (one: Involved): Involved => {
    const place = text.placeOf(one.core, one);
    return place === undefined ? one : { ...one, place };
  };
  const buffer = text.bufferAt(range.space, range.from, cycle);
  const word = report.word && text.bufferAt(report.word.space, report.word.offset, cycle);
  return {
    ...report,
    first: at(first),
    second: at(second),
    ...(buffer !== undefined && { buffer }),
    ...(word?.startsWith('reply word') && {
      missing: report.missing.replace('the reply word at', `${word} at`),
    }),
  };
}

/** A report for people, on four lines. */
export function raceText({ kind, cycle, first, second, range, buffer, missing, fix }: RaceReport): string {
  const { space, from, to } = range;
  const told = ({ core, does, name, place, step, cycle: at }: Involved): string =>
    `${coreName(core)} ${does} in ${name} (${place ?? `operation ${step}`}, cycle ${at})`;
  const where = `${spaceName(space)}, ${to - from} bytes at ${hexadecimal(from)}`;
  return [
    `${kind} in cycle ${cycle}: ${where}${buffer === undefined ? '' : ` in ${buffer}`}`,
    `  ${told(first)}; ${told(second)}`,
    `  missing: ${missing}`,
    `  fix: ${fix}`,
  ].join('\n');
}
