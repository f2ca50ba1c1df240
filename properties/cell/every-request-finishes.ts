import { judged, property } from '../property.ts';
import { type CellContext, nameOfDma, shown } from './context.ts';

/** A run until idle leaves no accepted request behind (Cell specification 12, CK-23). */
export const everyRequestFinishes = property<CellContext>(
  'every accepted request of a run until idle finishes',
  (run, { header }) =>
    judged(shown(run, 'REQ', 'XEND'), (found) => {
      const open = new Map<string, number>();
      return {
        see(event) {
          const name = `request ${event.id} of SPU ${event.spu}`;
          if (event.type === 'XEND') open.delete(name);
          // An empty request is over by itself.
          else if (event.size > 0) open.set(name, event.spu);
        },
        end() {
          if (!run.ended || header.cycles !== null) return;
          for (const [name, spu] of open) found([nameOfDma(spu)], `${name} has not finished`);
        },
      };
    }),
);
