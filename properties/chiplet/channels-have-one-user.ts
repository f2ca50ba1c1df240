import { closes, judging, routerIn } from './context.ts';

/** An output channel belongs to one packet from its grant to its tail (chiplet specification 14, N5). */
export const channelsHaveOneUser = () =>
  judging({
    sentence: 'an output channel belongs to one input channel, from the grant until the tail has passed',
    watches: ['channel.granted', 'switch.passed'],
    about: ({ to }) => to,
    /** By output channel: the input channel that has it. */
    begin: (): Record<string, number> => ({}),
    see(users, { to: actor, event }, tell) {
      const output = `${routerIn(actor)}.${event.output}`;
      const user = users[output];
      if (event.type === 'channel.granted') {
        if (user !== undefined)
          tell([actor], `channel ${event.output} is given to ${event.input} while ${user} has it`);
        users[output] = event.input;
        return;
      }
      if (user !== event.input)
        tell([actor], `channel ${event.input} sends through ${event.output}, which ${user ?? 'nobody'} has`);
      if (closes(event.flit)) delete users[output];
    },
  });
