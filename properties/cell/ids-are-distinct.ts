import { cellProperty, nameOfDma } from './context.ts';

/** A DMA module never gives two requests the same id (Cell specification 12, CK-01). */
export const idsAreDistinct = cellProperty(
  'the ids of a DMA module are pairwise distinct',
  ['REQ'],
  /** By SPU: the ids given so far. */
  (): Record<number, Set<number>> => ({}),
  () => ({
    see(given, { spu, id }, found) {
      given[spu] ??= new Set();
      const own = given[spu];
      if (own.has(id)) found([nameOfDma(spu)], `a second request got the id ${id}`);
      own.add(id);
    },
  }),
);
