import type { Pending } from '../../kernel/explore/observer.ts';
import type { CellLogHeader } from '../../machines/cell/log-events.ts';
import { cellProperty, nameOfDma } from './context.ts';

/** A run until idle leaves no accepted request behind (Cell specification 12, CK-23). */
export const everyRequestFinishes = cellProperty(
  'every accepted request of a run until idle finishes',
  ['REQ', 'XEND'],
  /** By request: the number of its SPU. */
  (): Record<string, number> => ({}),
  ({ header }) => ({
    about: nameOf,
    see(open, event) {
      const name = nameOf(event);
      if (event.type === 'XEND') delete open[name];
      // An empty request is over by itself.
      else if (event.size > 0) open[name] = event.spu;
    },
    atRest(open, found) {
      for (const { actors, why } of unfinished(header, open)) found(actors, why);
    },
    pending: (open) => unfinished(header, open),
  }),
);

const nameOf = ({ spu, id }: { readonly spu: number; readonly id: number }) => `request ${id} of SPU ${spu}`;

const unfinished = ({ cycles }: CellLogHeader, open: Record<string, number>): readonly Pending[] =>
  cycles === null
    ? Object.entries(open)
        .sort()
        .map(([name, spu]) => ({ key: name, actors: [nameOfDma(spu)], why: `${name} has not finished` }))
    : [];
