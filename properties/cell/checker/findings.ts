import { classOf, type ErrorClass } from './catalogue.ts';

/** A request by its initiator and id (Cell specification 3). */
export interface RequestName {
  readonly spu: number;
  readonly id: number;
}

/** One violation of an invariant (Cell specification 13). */
export interface LogFinding {
  readonly class: ErrorClass;
  /** Id in the catalogue, or the name given by a REPORT record. */
  readonly invariant: string;
  readonly cycle: number;
  readonly entities: readonly string[];
  readonly requests: readonly RequestName[];
  readonly message: string;
  /** Serial number of the record at which it was noticed. */
  readonly position: number;
}

/** Everything the checker says about one log (Cell specification 13). */
export interface CheckReport {
  /** The worst class found, or ok. */
  readonly verdict: ErrorClass | 'ok';
  /** Exit code of the command-line checker: 0 ok, 1 PERF, 2 SYNC, 3 FATAL, 4 EXCEPTION. */
  readonly exitCode: number;
  /** In log order, at most FINDINGS_MAX for one invariant. */
  readonly findings: readonly LogFinding[];
  /** How many more there were for each invariant. */
  readonly suppressed: Readonly<Record<string, number>>;
  /** Records read. */
  readonly events: number;
  /** Cycles of the run. */
  readonly cycles: number;
  /** Hash of the log, when it was asked for. */
  readonly logHash: string | null;
}

/** Findings kept for one invariant; the others are only counted. */
export const FINDINGS_MAX = 20;

/** The exit code of each verdict (Cell specification 13). */
export const EXIT_CODES: Readonly<Record<ErrorClass | 'ok', number>> = {
  ok: 0,
  PERF: 1,
  SYNC: 2,
  FATAL: 3,
  EXCEPTION: 4,
};

/** Where in the log something was noticed: the cycle and the serial number of the record. */
export interface LogPlace {
  readonly t: number;
  readonly n: number;
}

/** Collects findings and keeps the flood out: the first FINDINGS_MAX of each invariant (Cell specification 13). */
export class FindingList {
  private readonly kept: LogFinding[] = [];
  private readonly counts = new Map<string, number>();

  /** Adds a violation; its class is the catalogue's unless one is given. */
  add(
    invariant: string,
    at: LogPlace,
    entities: readonly string[],
    requests: readonly RequestName[],
    message: string,
    severity: ErrorClass = classOf(invariant),
  ): void {
    const count = (this.counts.get(invariant) ?? 0) + 1;
    this.counts.set(invariant, count);
    if (count > FINDINGS_MAX) return;
    this.kept.push({
      class: severity,
      invariant,
      cycle: at.t,
      entities,
      requests: requests.map(({ spu, id }) => ({ spu, id })),
      message,
      position: at.n,
    });
  }

  /** The findings behind the first so many, in the order in which they were made. */
  since(count: number): readonly LogFinding[] {
    return this.kept.slice(count);
  }

  /** The findings in log order. */
  sorted(): readonly LogFinding[] {
    return this.kept.toSorted((a, b) => a.position - b.position);
  }

  /** The worst class of all findings, or ok. */
  verdict(): ErrorClass | 'ok' {
    let worst: ErrorClass | 'ok' = 'ok';
    for (const finding of this.kept) if (EXIT_CODES[finding.class] > EXIT_CODES[worst]) worst = finding.class;
    return worst;
  }

  /** For each invariant with more than FINDINGS_MAX findings, how many were left out. */
  suppressed(): Readonly<Record<string, number>> {
    const over = [...this.counts].filter(([, count]) => count > FINDINGS_MAX);
    return Object.fromEntries(over.map(([id, count]) => [id, count - FINDINGS_MAX]));
  }
}
