import type { Activity, CallSpan, TransferActivity, WaitingSpan } from './activity.ts';

/** A record of the event log of a node: a call, a wait or a transfer that is over. */
export type ActivityRecord =
  | ({ readonly record: 'call' } & CallSpan)
  | ({ readonly record: 'wait' } & WaitingSpan)
  | ({ readonly record: 'transfer' } & TransferActivity);

/** What a node did, from the records of its event log. */
export function activityOf(records: readonly object[]): Activity {
  const calls: CallSpan[] = [];
  const waiting: WaitingSpan[] = [];
  const transfers: TransferActivity[] = [];
  let cycles = 0;
  // The log of a machine holds the records that the machine has written.
  for (const one of records as readonly ActivityRecord[]) {
    if (one.record === 'call') calls.push(one);
    else if (one.record === 'wait') waiting.push(one);
    else transfers.push(one);
    cycles = Math.max(cycles, one.record === 'transfer' ? (one.done ?? one.issued) : one.to);
  }
  return { cycles, calls, waiting, transfers };
}
