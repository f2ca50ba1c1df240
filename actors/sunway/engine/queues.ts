import { type Descriptor, isDma } from '../descriptor.ts';

/** The two sides of an engine. */
export type Side = 'dma' | 'rma';

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

/** Whether a descriptor moves nothing and only orders. */
export const isBarrier = ({ kind }: Pick<Descriptor, 'kind'>): boolean => kind.endsWith('Barrier');

/** Whether a barrier operation orders the transfers of a side (specification 7.2). */
export const ordersSide = ({ kind }: Pick<Descriptor, 'kind'>, side: Side): boolean =>
  kind === 'allBarrier' || kind === `${side}Barrier`;

/** The side that carries a transfer out. */
export const sideOf = (descriptor: Pick<Descriptor, 'kind'>): Side => (isDma(descriptor) ? 'dma' : 'rma');

const sides: readonly Side[] = ['dma', 'rma'];

/** Takes out barrier operations whose earlier transfers are all complete; what they held back is ready from this cycle on (specification 7.2). */
export function passBarriers(queue: CpeQueue, at: number): void {
  for (let k = 0; k < queue.waiting.length; ) {
    const { descriptor } = queue.waiting[k]!;
    if (!isBarrier(descriptor)) {
      k++;
      continue;
    }
    const earlier = queue.waiting.slice(0, k);
    const isOver = sides.every(
      (side) =>
        !ordersSide(descriptor, side) ||
        (queue.unfinished[side] === 0 &&
          earlier.every((one) => isBarrier(one.descriptor) || sideOf(one.descriptor) !== side)),
    );
    if (!isOver) {
      k++;
      continue;
    }
    queue.waiting.splice(k, 1);
    for (let later = k; later < queue.waiting.length; later++) {
      const held = queue.waiting[later]!;
      const isHeld = !isBarrier(held.descriptor) && ordersSide(descriptor, sideOf(held.descriptor));
      if (isHeld && held.ready < at) queue.waiting[later] = { ...held, ready: at };
    }
  }
}

/** The place of the next transfer of a side that no barrier operation holds back; -1 when there is none. */
export function nextOfSide(queue: CpeQueue, side: Side): number {
  for (let k = 0; k < queue.waiting.length; k++) {
    const { descriptor } = queue.waiting[k]!;
    if (isBarrier(descriptor)) {
      if (ordersSide(descriptor, side)) return -1;
    } else if (sideOf(descriptor) === side) return k;
  }
  return -1;
}

/** How many places at the end of a queue a descriptor may take when the schedule reorders: none before a barrier operation, which stays behind all. */
export function freePlaces(queue: CpeQueue, descriptor: Pick<Descriptor, 'kind'>): number {
  if (isBarrier(descriptor)) return 1;
  let places = 1;
  for (let k = queue.waiting.length - 1; k >= 0 && !isBarrier(queue.waiting[k]!.descriptor); k--) places++;
  return places;
}
