import { Access, type Rules } from './access.ts';
import type { Stamp } from './clock.ts';
import type { CoreId, IssueEvent } from './race-event.ts';

/** How many barrier operations of each kind a core had queued at one moment. */
export interface OrderCount {
  readonly dma: number;
  readonly rma: number;
  readonly both: number;
}

/** A transfer between its issue and the moment when everybody concerned knows that it is over. */
export class Transfer {
  readonly issue: IssueEvent;
  /** What its issuer knew. */
  readonly start: Stamp;
  readonly order: OrderCount;
  readonly source: Access;
  readonly copies: readonly Access[];
  /** By reply: whether somebody knows, under these rules, that it was incremented. */
  readonly replied: Readonly<Record<Rules, boolean[]>>;
  /** Moments since which one party knows that its end is over. */
  readonly known: { readonly core: CoreId; readonly time: number }[] = [];

  constructor(issue: IssueEvent, start: Stamp, order: OrderCount) {
    this.issue = issue;
    this.start = start;
    this.order = order;
    const what = { time: start.own, settled: false, transfer: this };
    this.source = new Access(issue.source, issue, { ...what, sort: 'source' });
    const { space, address, bytes } = issue.source;
    this.copies = issue.copies.map((blocks, copy) => {
      const rewrites = blocks.space === space && blocks.address === address && blocks.bytes === bytes;
      return new Access(blocks, issue, { ...what, sort: 'copy', copy, rewrites });
    });
    this.replied = { lenient: issue.replies.map(() => false), strict: issue.replies.map(() => false) };
  }

  /** A put to main memory: its local reply says that the bytes have left the LDM, not that they are in memory. */
  get putsToMemory(): boolean {
    return this.issue.engine === 'dma' && this.issue.action === 'put';
  }

  /** Source and copies. */
  get accesses(): readonly Access[] {
    return [this.source, ...this.copies];
  }

  /** True when nothing is left that a synchronisation could add under these rules. */
  isComplete(rules: Rules): boolean {
    return this.replied[rules].every(Boolean) && this.accesses.every((access) => access.coveredBySomebody);
  }

  /** True when nobody knows of any end of it. */
  get uncovered(): boolean {
    return !this.accesses.some((access) => access.coveredBySomebody);
  }

  /** True when a barrier operation of their issuer makes `later` start after this one (Sunway specification 7.2). */
  isOrderedBefore(later: Transfer): boolean {
    if (this.issue.core !== later.issue.core) return false;
    if (later.order.both > this.order.both) return true;
    if (this.issue.engine !== later.issue.engine) return false;
    return later.order[this.issue.engine] > this.order[this.issue.engine];
  }
}
