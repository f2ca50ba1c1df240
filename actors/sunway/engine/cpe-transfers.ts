import type { Descriptor } from '../descriptor.ts';
import type { Side } from './queues.ts';

/** A transfer in the queue of its CPE: what decides when it has its turn. */
export interface QueueEntry {
  readonly descriptor: Pick<Descriptor, 'kind' | 'transfer' | 'tid'>;
  /** When the CPE was through with issuing it. */
  readonly ready: number;
}

/** What an engine keeps of the transfers of one CPE. */
export interface CpeTransfers {
  /** In the order of service: that of issue, unless the schedule changes it. */
  waiting: QueueEntry[];
  /** Its place is not taken yet: the CPE waits until there is one. */
  beyond: QueueEntry[];
  /** Transfers that have begun and are not complete, puts that are not written included. */
  unfinished: Record<Side, number>;
  /** Whether the CPE waits until all its transfers are complete. */
  draining: boolean;
  /** When the last of its DMA transfers ends at its own side. */
  lastEnd: number;
  /** Members of its family of transfers that are in use, ascending. */
  used: number[];
}

/** A CPE that has asked for nothing. */
export const noTransfers = (): CpeTransfers => ({
  waiting: [],
  beyond: [],
  unfinished: { dma: 0, rma: 0 },
  draining: false,
  lastEnd: 0,
  used: [],
});

/** Takes the first member of a family that is not in use. */
export function takeMember(used: number[]): number {
  let member = 0;
  while (used[member] === member) member++;
  used.splice(member, 0, member);
  return member;
}
