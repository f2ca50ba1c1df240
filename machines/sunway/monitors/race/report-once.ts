import type { RaceReport } from './race-report.ts';

/** Hands reports on, each once: what is found of the same two operations again says nothing new. */
export class ReportOnce {
  readonly #found: (report: RaceReport) => void;
  readonly #told = new Set<string>();

  constructor(found: (report: RaceReport) => void) {
    this.#found = found;
  }

  /** `about` is equal for what counts as the same, among reports of one kind and one space. */
  say(report: RaceReport, about: string): void {
    const key = `${report.kind} ${report.range.space} ${about}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#found(report);
  }
}
