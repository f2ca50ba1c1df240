import { arbiterName, cellProperty } from './context.ts';

/** A node of a ring serves one transfer at a time, from the grant until it is freed (Cell specification 12, CK-10). */
export const ringSegmentsNeverOverlap = cellProperty(
  'ring segments never overlap',
  ['GRANT', 'FREE'],
  /** By node: the transfer that holds it. */
  (): Record<string, string> => ({}),
  () => ({
    see(owners, { type, spu, id, dir, ring, nodes }, found) {
      const transfer = `request ${id} of SPU ${spu}`;
      for (const node of nodes) {
        const point = `node ${node} of ring ${ring} in direction ${dir}`;
        const owner = owners[point];
        if (type === 'GRANT') {
          if (owner !== undefined)
            found([arbiterName], `${transfer} was granted ${point}, which ${owner} holds`);
          owners[point] = transfer;
        } else if (owner === transfer) delete owners[point];
      }
    },
  }),
);
