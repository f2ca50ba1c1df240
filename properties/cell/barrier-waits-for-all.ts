import { judged, property } from '../property.ts';
import { allShown, type CellContext, type CellProbe, controllerName } from './context.ts';

/** A cycle ends when all 2N+1 parties have reported its end, each once; nothing of another cycle happens before (Cell specification 8 and 12, CK-16 to CK-18). */
export const barrierWaitsForAll = property<CellContext>(
  'the barrier opens when each of the 2N+1 parties has reported once',
  (run, { header }) =>
    judged(allShown(run), (found) => {
      const parties = 2 * header.N + 1;
      const reported = new Set<string>();
      /** The cycle whose barrier opened last. */
      let opened = -1;
      /** The cycle under way; the same as `opened` between two cycles. */
      let cycle = -1;

      function report({ t, who, id }: CellProbe<'DONE'>): void {
        const party = `${who} ${id}`;
        if (reported.has(party)) found([controllerName], `${party} reports the end of cycle ${t} twice`);
        reported.add(party);
      }

      function open({ t, gen }: CellProbe<'BARRIER'>): void {
        if (gen !== cycle) found([controllerName], `generation ${gen} opens in cycle ${cycle}`);
        if (reported.size !== parties)
          found(
            [controllerName],
            `the barrier of cycle ${t} opens with ${reported.size} of ${parties} reports`,
          );
        reported.clear();
        opened = cycle;
      }

      return {
        see(event) {
          if (event.type === 'STOP') return;
          if (cycle === opened && event.t > opened) cycle = event.t;
          if (event.t !== cycle || cycle === opened) {
            const place = cycle === opened ? `after the barrier of cycle ${opened}` : `in cycle ${cycle}`;
            found([controllerName], `${event.type} of cycle ${event.t} comes ${place}`);
          } else if (event.type === 'DONE') report(event as CellProbe<'DONE'>);
          else if (event.type === 'BARRIER') open(event as CellProbe<'BARRIER'>);
        },
        end() {
          if (run.ended && reported.size > 0)
            found(
              [controllerName],
              `the run ends with ${reported.size} of ${parties} reports of cycle ${cycle}`,
            );
        },
      };
    }),
);
