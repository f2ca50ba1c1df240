import { closes, judging, numberOf, opens } from './context.ts';

interface Order {
  /** By place: the number of the flit that must come next; absent where a head must. */
  readonly next: Record<string, number>;
  readonly dropped: Record<number, true>;
}

/** Flits of a packet follow each other in a channel (chiplet specification 14, N4, N10); one that is missing was dropped, and told. */
export const packetsStayTogether = () =>
  judging({
    sentence: 'in a channel the flits of a packet come one after the other, head first, tail last',
    watches: ['flit.arrive', 'switch.passed', 'flit.dropped'],
    about: ({ to, event }) => (event.type === 'flit.dropped' ? undefined : to),
    begin: (): Order => ({ next: {}, dropped: {} }),
    see({ next, dropped }, { to: actor, event }, tell) {
      if (event.type === 'flit.dropped') {
        dropped[numberOf(event.flit)] = true;
        return;
      }
      const place =
        event.type === 'flit.arrive'
          ? `${actor} arriving at ${event.port}.${event.channel}`
          : `${actor} leaving channel ${event.input}`;
      const { flit } = event;
      const number = numberOf(flit);
      const expected = next[place];
      if (expected === undefined && !opens(flit)) tell([actor], `${place}: flit ${number} without its head`);
      if (expected !== undefined && number !== expected && !areGone(dropped, expected, number))
        tell([actor], `${place}: flit ${number}, where ${expected} must come`);
      if (closes(flit)) delete next[place];
      else next[place] = number + 1;
    },
  });

function areGone(dropped: Order['dropped'], from: number, to: number): boolean {
  for (let flit = from; flit < to; flit++) if (!dropped[flit]) return false;
  return from <= to;
}
