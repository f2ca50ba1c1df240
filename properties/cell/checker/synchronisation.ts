import { ARBITER, CONTROLLER, dmaName, spuName } from './entity-names.ts';
import type { FindingList, LogPlace } from './findings.ts';
import type { DoneEvent, LogEvent } from './log.ts';
import type { RunState } from './run-state.ts';

/** Missing reports that are remembered so that a late one is recognised; the others count as never given. */
const MISSING_MAX = 4096;

interface MissingReport {
  readonly entity: number;
  readonly at: LogPlace;
}

/** End-of-cycle reports and the order of cycles: CK-16, CK-17 and CK-18 (Cell specification 8 and 12). */
export class Synchronisation {
  private readonly state: RunState;
  private readonly findings: FindingList;
  private readonly parties: number;
  /** Cycle of the latest report: SPUs, then DMA modules, then the arbiter. */
  private readonly reported: Float64Array;
  private reportCount = 0;
  private missing: MissingReport[] = [];

  constructor(state: RunState, findings: FindingList) {
    this.state = state;
    this.findings = findings;
    this.parties = 2 * state.header.N + 1;
    this.reported = new Float64Array(this.parties).fill(-1);
  }

  /** CK-16: enters a report of the current cycle. */
  done(e: DoneEvent): void {
    const entity = this.indexOf(e);
    if (entity < 0) this.findings.add('CK-16', e, [CONTROLLER], [], `unknown entity ${e.who} ${e.id}`);
    else if (this.reported[entity] === e.t)
      this.findings.add('CK-16', e, [this.nameOf(entity)], [], `reports the end of cycle ${e.t} twice`);
    else {
      this.reported[entity] = e.t;
      this.reportCount++;
    }
  }

  /** CK-16 and CK-17: a report of a cycle whose barrier has opened already. */
  lateDone(e: DoneEvent): void {
    const entity = this.indexOf(e);
    const index = this.missing.findIndex((gap) => gap.entity === entity && gap.at.t === e.t);
    if (index < 0) {
      const message = `reports the end of cycle ${e.t} again`;
      this.findings.add('CK-16', e, [entity < 0 ? CONTROLLER : this.nameOf(entity)], [], message);
      return;
    }
    this.missing.splice(index, 1);
    if ((this.reported[entity] ?? e.t) < e.t) this.reported[entity] = e.t;
    this.findings.add(
      'CK-17',
      e,
      [this.nameOf(entity)],
      [],
      `the barrier of cycle ${e.t} did not wait for it`,
    );
  }

  /** CK-16: an entity works in a cycle whose end it has reported. */
  works(e: LogEvent, entity: number): void {
    if (this.reported[entity] !== e.t) return;
    const message = `${e.ev} after it reported the end of cycle ${e.t}`;
    this.findings.add('CK-16', e, [this.nameOf(entity)], [], message);
  }

  /** CK-17: a record of another cycle than the current one. */
  misplaced(e: LogEvent, why: string): void {
    this.findings.add('CK-17', e, [CONTROLLER], [], `${e.ev} of cycle ${e.t} ${why}`);
  }

  /** Whether all parties have reported the current cycle. */
  complete(): boolean {
    return this.reportCount === this.parties;
  }

  /** Opens the barrier; who has not reported may still do so late, or never. */
  endCycle(at: LogPlace): void {
    if (this.reportCount !== this.parties)
      for (let entity = 0; entity < this.parties; entity++) {
        if (this.reported[entity] === at.t) continue;
        if (this.missing.length < MISSING_MAX) this.missing.push({ entity, at: { t: at.t, n: at.n } });
        else this.never(entity, at);
      }
    this.reportCount = 0;
  }

  /** Every entity has done the cycles up to this one in bulk. */
  bulk(to: number): void {
    this.reported.fill(to);
    this.reportCount = 0;
  }

  /** CK-16 and CK-18: every report has come, and every entity's last cycle is the last cycle that was simulated. */
  finish(at: LogPlace): void {
    for (const gap of this.missing) this.never(gap.entity, gap.at);
    for (let entity = 0; entity < this.parties; entity++) {
      const last = this.reported[entity] ?? -1;
      if (last === this.state.cycle) continue;
      const message = `its last cycle is ${last}, the run's is ${this.state.cycle}`;
      this.findings.add('CK-18', at, [this.nameOf(entity)], [], message);
    }
  }

  private never(entity: number, at: LogPlace): void {
    this.findings.add('CK-16', at, [this.nameOf(entity)], [], `never reports the end of cycle ${at.t}`);
  }

  private indexOf(e: DoneEvent): number {
    const { N } = this.state.header;
    if (e.who === 'arb') return e.id === 0 ? 2 * N : -1;
    if (e.id < 0 || e.id >= N) return -1;
    return e.who === 'spu' ? e.id : N + e.id;
  }

  private nameOf(entity: number): string {
    const { N } = this.state.header;
    return entity < N ? spuName(entity) : entity < 2 * N ? dmaName(entity - N) : ARBITER;
  }
}
