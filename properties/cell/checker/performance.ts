import { ARBITER, dmaName } from './entity-names.ts';
import type { FindingList, LogPlace } from './findings.ts';
import type { RunState } from './run-state.ts';
import { shortLength } from './segment.ts';
import type { Transfer } from './transfer.ts';

/** Waiting times: CK-24, CK-25 and CK-26 (Cell specification 12, 14 and 17.5). */
export class Performance {
  private readonly state: RunState;
  private readonly findings: FindingList;
  /** Requests accepted in this cycle, in log order. */
  private arrivals: Transfer[] = [];
  /** Requests without a start before this cycle's decision, in FIFO order (issue, initiator, id). */
  private pending: Transfer[] = [];
  private granted = 0;
  /** Something happened since the last decision that could free or want a segment. */
  private changed = false;
  private sizeMax = 0;
  private totalWait = 0;

  constructor(state: RunState, findings: FindingList) {
    this.state = state;
    this.findings = findings;
  }

  /** Enters an accepted request; one of size 0 never waits. */
  request(transfer: Transfer): void {
    if (transfer.size === 0) return;
    this.arrivals.push(transfer);
    this.sizeMax = Math.max(this.sizeMax, transfer.size);
  }

  /** Enters a grant. */
  grant(transfer: Transfer): void {
    this.granted++;
    this.totalWait += transfer.start - (transfer.issue + 1);
  }

  /** CK-25 and CK-26 after the decision at the end of a cycle. */
  endCycle(at: LogPlace): void {
    if (this.arrivals.length > 0) {
      this.pending.push(...this.arrivals.sort((a, b) => a.spu - b.spu || a.id - b.id));
      this.arrivals = [];
      this.changed = true;
    }
    if (this.pending.length === 0) return;
    this.judgeBounds(at.t + 1, at.t + 1, at);
    if (this.granted > 0) {
      this.pending = this.pending.filter((transfer) => transfer.start < 0);
      this.granted = 0;
    }
    if (!this.changed && !this.state.running.some((transfer) => transfer.last <= at.t)) return;
    this.changed = false;
    this.judgeWaiting(at);
  }

  /** CK-25 and CK-26 over cycles first..last that were skipped or done in bulk: nothing arrived and nothing was granted in them. */
  pass(first: number, last: number, at: LogPlace): void {
    if (this.pending.length === 0) return;
    this.judgeBounds(first + 1, last + 1, at);
    this.judgeWaiting({ t: last, n: at.n });
  }

  /** CK-24: the total waiting time of the run. */
  finish(at: LogPlace): void {
    const { waitLimit } = this.state.header;
    if (waitLimit === null || this.totalWait <= waitLimit) return;
    const message = `total waiting time ${this.totalWait}, limit ${waitLimit}`;
    this.findings.add('CK-24', at, [ARBITER], [], message);
  }

  private judgeWaiting(at: LogPlace): void {
    if (!this.state.header.workConserving) return;
    for (const transfer of this.pending) {
      if (!this.state.rings.hasFreeSegment(transfer.src, transfer.dst, at.t + 1)) continue;
      const message = `${transfer.spu}:${transfer.id} waits although a segment is free for cycle ${at.t + 1}`;
      this.findings.add('CK-25', at, [ARBITER, dmaName(transfer.spu)], [transfer], message);
    }
  }

  /** CK-26 for the decisions about start cycles first..last, during which the pending requests are the same. */
  private judgeBounds(first: number, last: number, at: LogPlace): void {
    const option = this.state.header.boundedWait;
    if (option === null) return;
    const { N, K } = this.state.header;
    let work = 0;
    let sizeMax = 0;
    for (const { size, src, dst } of this.pending) {
      work += size * shortLength(N, src, dst);
      sizeMax = Math.max(sizeMax, size);
    }
    const threshold = Math.floor(option.factor * (work / (2 * K * N) + sizeMax)) + 1;
    const patience = Math.min(threshold, option.cap ?? threshold);
    for (const [older, transfer] of this.pending.entries()) {
      const urgent = transfer.issue + 1 + patience;
      if (transfer.urgentSince < 0 && urgent <= last) {
        transfer.urgentSince = Math.max(first, urgent);
        transfer.olderPending = older;
      }
      if (transfer.urgentSince >= 0) this.judgeBound(transfer, last, at);
    }
  }

  private judgeBound(transfer: Transfer, decided: number, at: LogPlace): void {
    if (transfer.boundReported) return;
    const bound = transfer.urgentSince + (transfer.olderPending + 1) * this.sizeMax;
    const start = transfer.start < 0 ? decided + 1 : transfer.start;
    if (start <= bound) return;
    transfer.boundReported = true;
    const message =
      `${transfer.spu}:${transfer.id}, urgent since ${transfer.urgentSince} with ${transfer.olderPending} older requests, ` +
      `had to start by ${bound}`;
    this.findings.add('CK-26', at, [ARBITER, dmaName(transfer.spu)], [transfer], message);
  }
}
