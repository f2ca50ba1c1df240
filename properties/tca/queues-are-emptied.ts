import { byName, isDmac, isLink, isRouter, tcaProperty } from './context.ts';
import { mustEnd } from './left-over.ts';

/** By channel the writes that the router has not taken out of its queue, by link those that it has not sent. */
type Waiting = Record<string, number>;

/** Queues of a router have room for what leaves them: a channel hears of each of its writes, the router of each that goes over a link (TCA specification 6, 7). */
export const queuesAreEmptied = () =>
  tcaProperty({
    sentence: 'a queue of the router is told of each write that leaves it, once',
    watches: ['tlp.write', 'write.accepted', 'port.room'],
    begin: (): Waiting => ({}),
    judges: ({ type }) => type !== 'tlp.write',
    see(waiting, { from, to, event }, found) {
      if (event.type === 'tlp.write') {
        const queue = isDmac(from) && isRouter(to) ? from : isRouter(from) && isLink(to) ? to : undefined;
        if (queue !== undefined) waiting[queue] = (waiting[queue] ?? 0) + 1;
        return;
      }
      const queue = event.type === 'port.room' ? from : to;
      waiting[queue] = (waiting[queue] ?? 0) - 1;
      if (waiting[queue] < 0) found([queue], `more writes have left the queue of ${queue} than went in`);
    },
    ...mustEnd('has not left it', 'writes have not left their queues', (waiting: Waiting) =>
      byName(waiting).flatMap(([who, count]) =>
        Array.from({ length: Math.max(0, count) }, (_, k) => ({
          who,
          what: `a write in the queue of ${who}`,
          key: `${who} ${k}`,
        })),
      ),
    ),
  });
