import { judged, property } from '../property.ts';
import { type CellContext, nameOfDma, shown } from './context.ts';

/** A DMA module never gives two requests the same id (Cell specification 12, CK-01). */
export const idsAreDistinct = property<CellContext>('the ids of a DMA module are pairwise distinct', (run) =>
  judged(shown(run, 'REQ'), (found) => {
    const given = new Set<string>();
    return {
      see({ spu, id }) {
        const name = `${spu} ${id}`;
        if (given.has(name)) found([nameOfDma(spu)], `a second request got the id ${id}`);
        given.add(name);
      },
    };
  }),
);
