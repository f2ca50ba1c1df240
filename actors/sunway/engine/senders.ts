import type { Envelope, Outbox } from '../../../kernel/kit.ts';
import type { Fixed } from '../../../kernel/resource.ts';
import type { RmaSender } from '../messages.ts';
import { senderTax } from '../timing/rma-time.ts';
import { perCycle } from '../timing/thousandths.ts';
import type { TboxInput } from './tbox-input.ts';

/** What an engine knows of the CPEs of its array that send by RMA; nothing while senders do not slow each other down. */
export interface Senders {
  /** By tid: transfers under way, and when the last one ended. */
  active: Map<number, { underWay: number; endedAt: number }>;
  /** By tid, for the own cluster: when its next transfer may begin, in thousandths. */
  freeAt: Map<number, number>;
}

/** Who knows them. */
export interface Sending {
  readonly spec: Fixed<Pick<TboxInput, 'timing' | 'engines' | 'self'>>;
  senders: Senders;
}

/** Nobody has sent anything. */
export const noSenders = (): Senders => ({ active: new Map(), freeAt: new Map() });

const isTaxed = ({ spec }: Sending): boolean => spec.value.timing.rma.sharedOpTax > 0;

/**
 * Tells the engines of the array that a CPE sends, or has ended a transfer.
 *
 * Details: nothing is told where the tax is 0, which is the default.
 */
export function tellSenders(c: Sending, tid: number, begins: boolean, out: Outbox<RmaSender>): void {
  if (!isTaxed(c)) return;
  for (const to of new Set(c.spec.value.engines))
    if (to === c.spec.value.self) noteSender(c, { tid, begins }, out);
    else out.post({ to, type: 'rma.sender', tid, begins, delay: 1 });
}

/** Notes what is told of a sender. */
export function noteSender(
  c: Sending,
  { tid, begins }: Pick<RmaSender, 'tid' | 'begins'>,
  { now }: Pick<Envelope, 'now'>,
): void {
  const known = c.senders.active.get(tid);
  if (known === undefined) c.senders.active.set(tid, { underWay: begins ? 1 : 0, endedAt: now });
  else {
    known.underWay += begins ? 1 : -1;
    known.endedAt = now;
  }
}

/**
 * What an operation of a CPE takes longer because others send as well, in thousandths (specification 9.3).
 *
 * Details: the cause of what was measured is unknown. A sender counts until it has been still for twice the time of a small put, so that one
 * which waits for each of its puts is a sender all the time.
 */
export function taxOf(c: Sending, tid: number, at: number): number {
  if (!isTaxed(c)) return 0;
  const { timing } = c.spec.value;
  const stillFor = 2 * (timing.rma.issueCost + timing.rma.localTail);
  let senders = 1;
  for (const [other, { underWay, endedAt }] of c.senders.active)
    if (other !== tid && (underWay > 0 || endedAt + stillFor >= at)) senders++;
  return senderTax(timing, senders);
}

/** When the next transfer of a CPE may begin, in thousandths. */
export const senderFreeAt = (c: Sending, tid: number): number => c.senders.freeAt.get(tid) ?? 0;

/** A transfer of a CPE occupies its engine until a time, and keeps the CPE's next one waiting for the tax. */
export function holdSender(c: Sending, tid: number, end: number, at: number): void {
  if (isTaxed(c)) c.senders.freeAt.set(tid, end + taxOf(c, tid, at));
}

/** The tax of an issue, in whole cycles. */
export const issueTax = (c: Sending, tid: number, at: number): number =>
  Math.round(taxOf(c, tid, at) / perCycle);
