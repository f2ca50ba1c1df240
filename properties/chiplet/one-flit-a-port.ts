import { judged, property } from '../property.ts';
import { type ChipletContext, said } from './context.ts';

/** The switch takes one flit from a port and gives one to a port, a link one in all, in each cycle (chiplet specification 14, N6). */
export const oneFlitAPort = property<ChipletContext>(
  'in a cycle one flit at most leaves an input port, enters an output port, and goes over a link',
  (run, { config }) =>
    judged(said(run, 'switch.passed', 'link.carry'), (found) => {
      /** By place: the last cycle in which a flit went by. */
      const last = new Map<string, number>();
      const pass = (actor: string, place: string, cycle: number) => {
        if (last.get(place) === cycle) found([actor], `two flits pass ${place} in cycle ${cycle}`);
        last.set(place, cycle);
      };

      return {
        see({ actor, event }) {
          if (event.type === 'link.carry') {
            pass(actor, actor, event.cycle);
            return;
          }
          pass(actor, `${actor} input port ${Math.floor(event.input / config.V)}`, event.cycle);
          pass(actor, `${actor} output port ${Math.floor(event.output / config.V)}`, event.cycle);
        },
      };
    }),
);
