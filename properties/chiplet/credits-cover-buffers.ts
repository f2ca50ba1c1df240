import { count } from '../judging.ts';
import { type ChipletContext, judging, routerIn } from './context.ts';

interface Places {
  /** By output channel: flits whose place has not come back. */
  readonly ahead: Record<string, number>;
  /** By input channel: flits in its buffer. */
  readonly held: Record<string, number>;
  /** True once the simulation has ended with packets under way. */
  isCut: boolean;
}

/** A channel never has more flits ahead than its buffer holds, and gets back every place (chiplet specification 14, N2, N3). */
export const creditsCoverBuffers = ({ config, links }: ChipletContext) =>
  judging({
    sentence: 'no more flits are sent to a buffer than it holds, and the place of each comes back once',
    watches: ['switch.passed', 'flit.arrive', 'credit.return', 'network.stop'],
    about: ({ to, event }) => (event.type === 'network.stop' ? undefined : to),
    begin: (): Places => ({ ahead: {}, held: {}, isCut: false }),
    see(places, { to: actor, event }, tell) {
      const { ahead, held } = places;
      if (event.type === 'network.stop') {
        places.isCut = true;
        return;
      }
      const { B, V } = config;
      const router = routerIn(actor);
      if (event.type === 'switch.passed') {
        const sent = count(ahead, `${router}.${event.output}`, 1);
        // Where packets may be lost, nobody waits for a place.
        if (sent > B && !config.loss)
          tell([actor], `${sent} flits are sent through channel ${event.output}, its buffer holds ${B}`);
        if (event.input >= V) count(held, `${router}.${event.input}`, -1);
        return;
      }
      const channel = event.port * V + event.channel;
      if (event.type === 'flit.arrive') {
        count(held, `${router}.${channel}`, 1);
        return;
      }
      if (count(ahead, `${router}.${channel}`, -1) < 0)
        tell([actor], `a place behind channel ${channel} comes back that was not taken`);
      if (!links.has(`${router}.${event.port}`))
        tell([actor], `a credit for port ${event.port}, where no link is`);
    },
    atRest({ ahead, held, isCut }, tell) {
      // A flit that is dropped took no place.
      if (isCut || config.loss || Object.values(held).some((flits) => flits < 0)) return;
      for (const [channel, flits] of Object.entries(ahead))
        if (flits > 0)
          tell(
            [`Router[${channel.split('.')[0]}]`],
            `${flits} places behind channel ${channel} have not come back`,
          );
    },
  });
