import type { CoreId } from '../race/race-event.ts';
import type {
  Activity,
  CallSpan,
  LinkTraffic,
  ScratchpadUse,
  TransferActivity,
  WaitingSpan,
} from './activity.ts';

/** Where operations of a thread are written, by their number; told when the thread is over. */
export interface PlacesRecord {
  readonly record: 'places';
  readonly core: CoreId;
  /** The cycle in which the thread was started. */
  readonly from: number;
  readonly places: readonly (readonly [step: number, place: string])[];
}

/** A record of the event log of a node: a call, a wait or a transfer that is over, and what a thread tells at its end. */
export type ActivityRecord =
  | ({ readonly record: 'call' } & CallSpan)
  | ({ readonly record: 'wait' } & WaitingSpan)
  | ({ readonly record: 'transfer' } & TransferActivity)
  | ({ readonly record: 'scratchpad' } & ScratchpadUse)
  | ({ readonly record: 'link' } & LinkTraffic)
  | PlacesRecord;

/** What a node did, from the records of its event log. */
export function activityOf(records: readonly object[]): Activity {
  const calls: CallSpan[] = [];
  const waiting: WaitingSpan[] = [];
  const transfers: TransferActivity[] = [];
  const scratchpads: ScratchpadUse[] = [];
  const links: LinkTraffic[] = [];
  const threads = new Map<CoreId, Thread[]>();
  let cycles = 0;
  // The log of a machine holds the records that the machine has written.
  for (const one of records as readonly ActivityRecord[])
    switch (one.record) {
      case 'call':
        calls.push(one);
        cycles = Math.max(cycles, one.to);
        break;
      case 'wait':
        waiting.push(one);
        cycles = Math.max(cycles, one.to);
        break;
      case 'transfer':
        transfers.push(one);
        cycles = Math.max(cycles, one.done ?? one.issued);
        break;
      case 'scratchpad':
        scratchpads.push(one);
        break;
      case 'link':
        links.push(one);
        break;
      case 'places':
        threads.set(one.core, [
          ...(threads.get(one.core) ?? []),
          { from: one.from, places: new Map(one.places) },
        ]);
        break;
    }
  const placed = <One extends { readonly step: number }>(core: CoreId, cycle: number, one: One): One => {
    const place = threads
      .get(core)
      ?.findLast(({ from }) => from <= cycle)
      ?.places.get(one.step);
    return place === undefined ? one : { ...one, place };
  };
  return {
    cycles,
    calls,
    waiting: waiting.map((one) => placed(one.core, one.from, one)),
    transfers: transfers.map((one) => placed(one.issuer, one.issued, one)),
    scratchpads,
    links,
  };
}

interface Thread {
  readonly from: number;
  readonly places: ReadonlyMap<number, string>;
}
