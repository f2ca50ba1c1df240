import { type ChipletContext, judging } from './context.ts';

/** The switch takes one flit from a port and gives one to a port, a link one in all, in each cycle (chiplet specification 14, N6). */
export const oneFlitAPort = ({ config: { V } }: ChipletContext) =>
  judging({
    sentence: 'in a cycle one flit at most leaves an input port, enters an output port, and goes over a link',
    watches: ['switch.passed', 'link.carry'],
    about: ({ to }) => to,
    /** By place: the last cycle in which a flit went by. */
    begin: (): Record<string, number> => ({}),
    see(last, { to: actor, event }, tell) {
      const pass = (place: string, cycle: number) => {
        if (last[place] === cycle) tell([actor], `two flits pass ${place} in cycle ${cycle}`);
        last[place] = cycle;
      };
      if (event.type === 'link.carry') {
        pass(actor, event.cycle);
        return;
      }
      pass(`${actor} input port ${Math.floor(event.input / V)}`, event.cycle);
      pass(`${actor} output port ${Math.floor(event.output / V)}`, event.cycle);
    },
  });
