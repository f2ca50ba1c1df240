import type { Descriptor } from '../../descriptor.ts';
import { firstOver, holdsBack, type Side } from '../queues.ts';

/** A descriptor in the queue of its CPE. */
export interface Queued {
  readonly descriptor: Descriptor;
  /** When the CPE was through with issuing it. */
  readonly ready: number;
  readonly jitter: number;
}

/** What an engine holds for one CPE. */
export interface CpeQueue {
  /** In the order of service: that of issue, unless the schedule changes it. */
  waiting: Queued[];
  /** Its place is not taken yet: the CPE waits until there is one. */
  beyond: Queued[];
  /** Transfers that have begun and are not complete, puts that are not written included. */
  unfinished: Record<Side, number>;
  /** Whether the CPE waits until all its transfers are complete. */
  draining: boolean;
}

/** The queue of a CPE that has asked for nothing. */
export const emptyQueue = (): CpeQueue => ({
  waiting: [],
  beyond: [],
  unfinished: { dma: 0, rma: 0 },
  draining: false,
});

/** Takes out barrier operations whose earlier transfers are all complete; what they held back is ready from this cycle on (specification 7.2). */
export function passBarriers(queue: CpeQueue, at: number): void {
  const { waiting, unfinished } = queue;
  for (let k = firstOver(waiting, unfinished); k >= 0; k = firstOver(waiting, unfinished, k)) {
    const [{ descriptor }] = waiting.splice(k, 1) as [Queued];
    for (let later = k; later < waiting.length; later++) {
      const held = waiting[later]!;
      if (holdsBack(descriptor, held.descriptor) && held.ready < at) waiting[later] = { ...held, ready: at };
    }
  }
}
