import { type Descriptor, isDma } from '../descriptor.ts';

/*
 * The rules of the queue of a CPE at its engine: what a barrier operation holds back, and who is next (specification 7.2, 8.4).
 */

/** The two sides of an engine. */
export type Side = 'dma' | 'rma';

type Kind = Pick<Descriptor, 'kind'>;
/** Something in a queue. */
interface Waiting {
  readonly descriptor: Kind;
}

/** Whether a descriptor moves nothing and only orders. */
export const isBarrier = ({ kind }: Kind): boolean => kind.endsWith('Barrier');

/** Whether a barrier operation orders the transfers of a side (specification 7.2). */
export const ordersSide = ({ kind }: Kind, side: Side): boolean =>
  kind === 'allBarrier' || kind === `${side}Barrier`;

/** The side that carries a transfer out. */
export const sideOf = (descriptor: Kind): Side => (isDma(descriptor) ? 'dma' : 'rma');

const sides: readonly Side[] = ['dma', 'rma'];

/** Whether the barrier operation at a place of a queue is over: all earlier transfers that it orders are complete (specification 7.2). */
export function isOver(
  waiting: readonly Waiting[],
  place: number,
  unfinished: Readonly<Record<Side, number>>,
): boolean {
  const { descriptor } = waiting[place]!;
  const isEarlier = (side: Side): boolean => {
    for (let k = 0; k < place; k++) {
      const earlier = waiting[k]!.descriptor;
      if (!isBarrier(earlier) && sideOf(earlier) === side) return true;
    }
    return false;
  };
  return sides.every((side) => !ordersSide(descriptor, side) || (unfinished[side] === 0 && !isEarlier(side)));
}

/** The place of the first barrier operation that is over, from a place on; -1 when there is none. */
export function firstOver(
  waiting: readonly Waiting[],
  unfinished: Readonly<Record<Side, number>>,
  from = 0,
): number {
  for (let k = from; k < waiting.length; k++)
    if (isBarrier(waiting[k]!.descriptor) && isOver(waiting, k, unfinished)) return k;
  return -1;
}

/** Whether a barrier operation holds a transfer back. */
export const holdsBack = (barrier: Kind, later: Kind): boolean =>
  !isBarrier(later) && ordersSide(barrier, sideOf(later));

/** The place of the next transfer of a side that no barrier operation holds back; -1 when there is none. */
export function nextOfSide({ waiting }: { readonly waiting: readonly Waiting[] }, side: Side): number {
  for (let k = 0; k < waiting.length; k++) {
    const { descriptor } = waiting[k]!;
    if (isBarrier(descriptor)) {
      if (ordersSide(descriptor, side)) return -1;
    } else if (sideOf(descriptor) === side) return k;
  }
  return -1;
}

/** How many places at the end of a queue a descriptor may take when the schedule reorders: none before a barrier operation, which stays behind all. */
export function freePlaces({ waiting }: { readonly waiting: readonly Waiting[] }, descriptor: Kind): number {
  if (isBarrier(descriptor)) return 1;
  let places = 1;
  for (let k = waiting.length - 1; k >= 0 && !isBarrier(waiting[k]!.descriptor); k--) places++;
  return places;
}
