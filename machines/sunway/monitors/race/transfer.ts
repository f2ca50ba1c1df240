import { Access } from './access.ts';
import type { Rules, Stamp } from './clock.ts';
import { Ending, type Gate } from './ending.ts';
import type { OrderCount, Orders } from './orders.ts';
import { type CoreId, type IssueEvent, mainMemory } from './race-event.ts';

/** A transfer between its issue and the moment when everybody concerned knows that it is over. */
export class Transfer {
  readonly issue: IssueEvent;
  /** What its issuer knew. */
  readonly start: Stamp;
  readonly order: OrderCount;
  readonly source: Access;
  readonly copies: readonly Access[];
  /** By reply: when it has been incremented. */
  readonly replies: readonly Ending[];
  /** Moments since which one party knows that its end is over. */
  readonly known: { readonly core: CoreId; readonly time: number }[] = [];
  readonly #behind: readonly Gate[];

  constructor(issue: IssueEvent, start: Stamp, orders: Orders) {
    this.issue = issue;
    this.start = start;
    this.order = orders.count;
    const gates = orders.before(issue.engine);
    this.#behind = orders.behind(issue.engine);
    const what = { time: start.own, settled: false, transfer: this, gates };
    this.source = new Access(issue.source, issue, { ...what, sort: 'source' });
    const { space, address, bytes } = issue.source;
    this.copies = issue.copies.map((blocks, copy) => {
      const rewrites = blocks.space === space && blocks.address === address && blocks.bytes === bytes;
      return new Access(blocks, issue, { ...what, sort: 'copy', copy, rewrites });
    });
    this.replies = issue.replies.map(() => new Ending(gates));
  }

  /** A put to main memory: its local reply says that the bytes have left the LDM, not that they are in memory. */
  get putsToMemory(): boolean {
    return this.issue.engine === 'dma' && this.issue.action === 'put';
  }

  /** Source and copies. */
  get accesses(): readonly Access[] {
    return [this.source, ...this.copies];
  }

  /** True when each CPE knows of all that happens in its own LDM that it is over: a synchronisation has nothing to add. */
  isSettled(stampOf: (core: CoreId) => Stamp, rules: Rules): boolean {
    const isOver = (end: Ending, space: number): boolean => end.isBefore(stampOf(space), rules);
    return (
      this.issue.replies.every(({ word }, reply) => isOver(this.replies[reply]!, word.space)) &&
      this.accesses.every((access) => access.space === mainMemory || isOver(access, access.space))
    );
  }

  /** True when nobody knows of any end of it. */
  get uncovered(): boolean {
    return !this.accesses.some((access) => access.isKnown);
  }

  /** Who knows this moment knows that this reply was incremented, and so that what it announces is over, and what must be over before. */
  repliedAt(reply: number, core: CoreId, time: number, only?: Rules): void {
    const { announces } = this.issue.replies[reply]!;
    this.replies[reply]!.coveredAt(core, time, only);
    this.source.coveredAt(core, time, only);
    if (announces !== 'source') this.copies[announces]!.coveredAt(core, time, only);
    else if (this.putsToMemory) this.copies[0]!.coveredAt(core, time, only, true);
    for (const gate of this.#behind) gate.passedAt(core, time, only);
  }

  /** Who knows this moment knows that all of it is over. */
  overAt(core: CoreId, time: number): void {
    for (const end of [...this.accesses, ...this.replies]) end.coveredAt(core, time);
    for (const gate of this.#behind) gate.passedAt(core, time);
  }

  /** True when a barrier operation of their issuer makes `later` start after this one (Sunway specification 7.2). */
  isOrderedBefore(later: Transfer): boolean {
    if (this.issue.core !== later.issue.core) return false;
    if (later.order.both > this.order.both) return true;
    if (this.issue.engine !== later.issue.engine) return false;
    return later.order[this.issue.engine] > this.order[this.issue.engine];
  }
}
