import { listOf } from '../judging.ts';
import { type ChipletContext, judging, linkIn, numberOf } from './context.ts';

/** A flit on the wire, with the first and the last cycle in which it may be seen. */
interface Flying {
  readonly flit: number;
  readonly first: number;
  readonly last: number;
}

/** Each flit takes the time of its wire (chiplet specification 5.3, 5.7). */
export const wiresKeepTheirTime = ({ links, config }: ChipletContext) =>
  judging({
    sentence: 'a flit is seen at the other end of its wire when the wire takes it there, and only there',
    watches: ['link.carry', 'flit.arrive'],
    about: ({ to, event }) => (event.type === 'link.carry' ? `Router[${links.get(linkIn(to))?.to}]` : to),
    /** By router, port and channel. */
    begin: (): Record<string, Flying[]> => ({}),
    see(flying, { from, to: actor, event }, tell) {
      if (event.type === 'link.carry') {
        const link = links.get(linkIn(actor));
        if (!link) return;
        const { to, port, delay, periods } = link;
        const [here, there] = periods;
        // A flit that arrives with a turn is late unless the turn was planned after it; a heap decides by its shape. Where there is no turn, none is missed.
        const hasTurn = (event.cycle + delay) % there === 0;
        const planned = !hasTurn || delay > there || (delay === there && here > there);
        const isWhole = Number.isInteger(delay);
        const first =
          event.cycle + (isWhole && config.ties === 'fifo' && !planned ? delay + 1 : Math.ceil(delay));
        const last = isWhole && config.ties !== 'fifo' ? first + 1 : first;
        listOf(flying, `Router[${to}] ${port}.${event.channel}`).push({ flit: event.flit, first, last });
        return;
      }
      const place = `${actor} ${event.port}.${event.channel}`;
      const next = flying[place]?.shift();
      if (flying[place]?.length === 0) delete flying[place];
      if (next?.flit !== event.flit)
        tell([actor], `flit ${numberOf(event.flit)} arrives that is not next on the wire`);
      // The flit with which the simulation ends comes from the clock, with the cycle in which it left.
      else if (from === 'Clock' && next.first > config.T) return;
      else if (event.cycle < next.first || event.cycle > next.last)
        tell([actor], `flit ${numberOf(event.flit)} is seen in cycle ${event.cycle}, not in ${next.first}`);
    },
  });
