import { judged, property } from '../property.ts';
import { type ChipletContext, closes, routerIn, said } from './context.ts';

/** An output channel belongs to one packet from its grant to its tail (chiplet specification 14, N5). */
export const channelsHaveOneUser = property<ChipletContext>(
  'an output channel belongs to one input channel, from the grant until the tail has passed',
  (run) =>
    judged(said(run, 'channel.granted', 'switch.passed'), (found) => {
      const users = new Map<string, number>();

      return {
        see({ actor, event }) {
          const output = `${routerIn(actor)}.${event.output}`;
          const user = users.get(output);
          if (event.type === 'channel.granted') {
            if (user !== undefined)
              found([actor], `channel ${event.output} is given to ${event.input} while ${user} has it`);
            users.set(output, event.input);
            return;
          }
          if (user !== event.input)
            found(
              [actor],
              `channel ${event.input} sends through ${event.output}, which ${user ?? 'nobody'} has`,
            );
          if (closes(event.flit)) users.delete(output);
        },
      };
    }),
);
