import { judged, property } from '../property.ts';
import { arbiterName, type CellContext, shown } from './context.ts';

/** A node of a ring serves one transfer at a time, from the grant until it is freed (Cell specification 12, CK-10). */
export const ringSegmentsNeverOverlap = property<CellContext>('ring segments never overlap', (run) =>
  judged(shown(run, 'GRANT', 'FREE'), (found) => {
    const owners = new Map<string, string>();
    return {
      see({ type, spu, id, dir, ring, nodes }) {
        const transfer = `request ${id} of SPU ${spu}`;
        for (const node of nodes) {
          const point = `node ${node} of ring ${ring} in direction ${dir}`;
          const owner = owners.get(point);
          if (type === 'GRANT') {
            if (owner !== undefined)
              found([arbiterName], `${transfer} was granted ${point}, which ${owner} holds`);
            owners.set(point, transfer);
          } else if (owner === transfer) owners.delete(point);
        }
      },
    };
  }),
);
