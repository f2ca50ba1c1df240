import { ARBITER, dmaName } from './entity-names.ts';
import type { FindingList, LogPlace, RequestName } from './findings.ts';
import type { FreeEvent, GrantEvent, TransferEndEvent, TransferStartEvent } from './log.ts';
import type { RunState } from './run-state.ts';
import { namesSegment, segmentNodes } from './segment.ts';
import type { Transfer } from './transfer.ts';

/** Grants, starts, ends and ring occupation: CK-06..CK-11, CK-22 and CK-23, except the bytes themselves (Cell specification 12). */
export class TimingAndRings {
  private readonly state: RunState;
  private readonly findings: FindingList;

  constructor(state: RunState, findings: FindingList) {
    this.state = state;
    this.findings = findings;
  }

  /** CK-22, CK-06, CK-08, CK-09 and CK-10 of one decision; true when the request is granted by it. */
  grant(e: GrantEvent): boolean {
    const { N, K } = this.state.header;
    const transfer = this.state.find(e.spu, e.id);
    const wrong =
      transfer === undefined
        ? 'there is no such request'
        : transfer.size === 0
          ? 'a transfer of size 0 never goes to the arbiter'
          : transfer.start >= 0
            ? `it was granted before, to start in ${transfer.start}`
            : null;
    if (transfer === undefined || wrong !== null) {
      this.add('CK-22', e, [ARBITER], [e], `grant of ${e.spu}:${e.id}: ${wrong}`);
      return false;
    }
    if (e.start <= transfer.issue)
      this.add('CK-06', e, [ARBITER], [e], `start ${e.start}, issued in ${transfer.issue}`);
    else if (e.start !== e.t + 1)
      this.add('CK-06', e, [ARBITER], [e], `start ${e.start} decided in cycle ${e.t}`);
    this.state.grant(transfer, e.start, e.dir, e.ring);
    if ((e.dir !== 0 && e.dir !== 1) || e.ring < 0 || e.ring >= K) {
      this.add('CK-08', e, [ARBITER], [e], `there is no ring (${e.dir}, ${e.ring})`);
      return true;
    }
    if (!namesSegment(e.nodes, N, e.dir, transfer.src, transfer.dst))
      this.wrongSegment(e, transfer, 'reserved');
    const conflict = this.state.rings.claim(transfer);
    if (conflict !== undefined)
      this.add(
        'CK-10',
        e,
        [ARBITER],
        [e, conflict],
        `from cycle ${e.start} on ${e.spu}:${e.id} shares a node of ring (${e.dir}, ${e.ring}) with ` +
          `${conflict.spu}:${conflict.id}, which holds it to the end of ${conflict.last}`,
      );
    return true;
  }

  /** CK-22, CK-08 and CK-07: a transfer begins as granted. */
  started(e: TransferStartEvent): void {
    const transfer = this.state.find(e.spu, e.id);
    if (transfer === undefined || transfer.start < 0) {
      this.add('CK-22', e, [dmaName(e.spu)], [e], `${e.spu}:${e.id} starts without a grant`);
      return;
    }
    if (!this.sameRing(e, transfer)) {
      transfer.startSeen = true;
      return;
    }
    if (transfer.startSeen) this.add('CK-07', e, [dmaName(e.spu)], [e], 'the transfer starts twice');
    else if (e.t !== transfer.start)
      this.add('CK-07', e, [dmaName(e.spu)], [e], `starts in ${e.t}, granted for ${transfer.start}`);
    transfer.startSeen = true;
  }

  /** CK-11: a transfer ends with its last byte. */
  ended(e: TransferEndEvent): void {
    const transfer = this.state.find(e.spu, e.id);
    if (transfer === undefined || transfer.start < 0)
      this.add('CK-11', e, [dmaName(e.spu)], [e], `${e.spu}:${e.id} ends, but it never started`);
    else if (transfer.endSeen) this.add('CK-11', e, [dmaName(e.spu)], [e], 'the transfer ends twice');
    else if (e.t !== transfer.last && !transfer.overdue)
      this.add('CK-11', e, [dmaName(e.spu)], [e], `ends in ${e.t}, its last byte is due in ${transfer.last}`);
    if (transfer !== undefined) transfer.endSeen = true;
  }

  /** CK-08, CK-09 and CK-11: the whole segment is freed, once and not too early; `endCycle` sees when it is too late. */
  freed(e: FreeEvent): void {
    const transfer = this.state.find(e.spu, e.id);
    if (transfer === undefined || transfer.start < 0) {
      this.add('CK-11', e, [ARBITER], [e], `${e.spu}:${e.id} is freed, but it occupies nothing`);
      return;
    }
    if (!this.sameRing(e, transfer)) {
      transfer.freeSeen = true;
      return;
    }
    const { dir, src, dst } = transfer;
    if (!namesSegment(e.nodes, this.state.header.N, dir, src, dst)) this.wrongSegment(e, transfer, 'freed');
    if (transfer.freeSeen) this.add('CK-11', e, [ARBITER], [e], 'the segment is freed twice');
    else if (e.t < transfer.last)
      this.add('CK-09', e, [ARBITER], [e], `freed in ${e.t}, but occupied to the end of ${transfer.last}`);
    transfer.freeSeen = true;
  }

  /** CK-07 and CK-11: what had to start or end in this cycle did. */
  endCycle(at: LogPlace): void {
    for (const transfer of this.state.running) {
      if (transfer.start <= at.t && !transfer.startSeen) {
        transfer.startSeen = true;
        const message = `${transfer.spu}:${transfer.id} did not start in ${transfer.start}`;
        this.add('CK-07', at, [dmaName(transfer.spu)], [transfer], message);
      }
      if (transfer.last > at.t || (transfer.endSeen && transfer.freeSeen) || transfer.overdue) continue;
      transfer.overdue = true;
      const what = transfer.freeSeen ? 'is still running' : 'still occupies its segment';
      const message = `${transfer.spu}:${transfer.id} ${what} after its last cycle ${transfer.last}`;
      this.add('CK-11', at, [ARBITER, dmaName(transfer.spu)], [transfer], message);
    }
  }

  /** CK-07: no transfer is under way in cycles that were skipped as idle. */
  skip(first: number, last: number, at: LogPlace): void {
    for (const transfer of this.state.running) {
      if (transfer.start > last || transfer.last < first) continue;
      const message = `${transfer.spu}:${transfer.id} moves bytes in ${first}..${last}, which are skipped`;
      this.add('CK-07', at, [dmaName(transfer.spu)], [transfer], message);
    }
  }

  /** CK-23: in a run until idle every request has finished. */
  finish(cycles: number, at: LogPlace): void {
    if (this.state.header.cycles !== null) return;
    for (const transfer of this.state.transfers) {
      if (transfer.size === 0 || (transfer.start >= 0 && transfer.last < cycles)) continue;
      const what = transfer.start < 0 ? 'was never granted' : `would end in ${transfer.last}`;
      this.add('CK-23', at, [dmaName(transfer.spu)], [transfer], `${transfer.spu}:${transfer.id} ${what}`);
    }
  }

  private sameRing(e: TransferStartEvent | FreeEvent, transfer: Transfer): boolean {
    if (e.dir === transfer.dir && e.ring === transfer.ring) return true;
    const message = `ring (${e.dir}, ${e.ring}), granted (${transfer.dir}, ${transfer.ring})`;
    this.add('CK-08', e, [dmaName(e.spu)], [e], message);
    return false;
  }

  private wrongSegment(e: GrantEvent | FreeEvent, transfer: Transfer, what: string): void {
    const nodes = segmentNodes(this.state.header.N, transfer.dir, transfer.src, transfer.dst);
    this.add('CK-09', e, [ARBITER], [e], `${what} nodes ${e.nodes.join(',')}, segment ${nodes.join(',')}`);
  }

  private add(
    invariant: string,
    at: LogPlace,
    entities: readonly string[],
    requests: readonly RequestName[],
    message: string,
  ): void {
    this.findings.add(invariant, at, entities, requests, message);
  }
}
