import { type CellProbe, cellProperty, controllerName, type Tell } from './context.ts';

interface Memory {
  /** By number, the parties that have reported the end of the cycle under way. */
  reported: Record<number, true>;
  /** The cycle whose barrier opened last. */
  opened: number;
  /** The cycle under way; the same as `opened` between two cycles. */
  cycle: number;
}

/** A cycle ends when all 2N+1 parties have reported its end, each once; nothing of another cycle happens before (Cell specification 8 and 12, CK-16 to CK-18). */
export const barrierWaitsForAll = cellProperty(
  'the barrier opens when each of the 2N+1 parties has reported once',
  [
    'REQ',
    'GRANT',
    'FREE',
    'XSTART',
    'XEND',
    'CMD',
    'BUS',
    'RD',
    'WR',
    'STATUS',
    'OBS',
    'EXC',
    'HALT',
    'DONE',
    'BARRIER',
  ],
  (): Memory => ({ reported: {}, opened: -1, cycle: -1 }),
  ({ header: { N } }) => {
    const parties = 2 * N + 1;

    function report(memory: Memory, { t, who, id }: CellProbe<'DONE'>, found: Tell): void {
      const party = (who === 'arb' ? 0 : who === 'spu' ? 1 : 2) + 3 * id;
      if (memory.reported[party]) found([controllerName], `${who} ${id} reports the end of cycle ${t} twice`);
      memory.reported[party] = true;
    }

    function open(memory: Memory, { t, gen }: CellProbe<'BARRIER'>, found: Tell): void {
      const { cycle } = memory;
      const reported = Object.keys(memory.reported).length;
      if (gen !== cycle) found([controllerName], `generation ${gen} opens in cycle ${cycle}`);
      if (reported !== parties)
        found([controllerName], `the barrier of cycle ${t} opens with ${reported} of ${parties} reports`);
      memory.reported = {};
      memory.opened = cycle;
    }

    return {
      // Within a cycle each party is judged by itself; the barrier ends it for all. What two actors do in different cycles at once is found in either order.
      about: (event, actor) =>
        event.type === 'BARRIER' ? undefined : event.type === 'DONE' ? `${event.who} ${event.id}` : actor,
      see(memory, event, found) {
        if (memory.cycle === memory.opened && event.t > memory.opened) memory.cycle = event.t;
        const { cycle, opened } = memory;
        if (event.t !== cycle || cycle === opened) {
          const place = cycle === opened ? `after the barrier of cycle ${opened}` : `in cycle ${cycle}`;
          found([controllerName], `${event.type} of cycle ${event.t} comes ${place}`);
        } else if (event.type === 'DONE') report(memory, event, found);
        else if (event.type === 'BARRIER') open(memory, event, found);
      },
      atRest({ reported, cycle }, found) {
        const count = Object.keys(reported).length;
        if (count > 0)
          found([controllerName], `the run ends with ${count} of ${parties} reports of cycle ${cycle}`);
      },
    };
  },
);
