import type { Pending } from '../../kernel/explore/observer.ts';
import { byName, nodeIn, type TcaKnown, tcaProperty } from './context.ts';

/** A ring by its ends and class, as both sides name it. */
const ringName = (from: number, to: number, ring: number): string => `${from} to ${to}, class ${ring}`;

/** Peer and class of a sender, out of its name. */
function wayOf(name: string): { readonly peer: number; readonly ring: number } {
  const [, peer, kind] = /\[(\d+)\]\.(Requests|Replies)$/.exec(name) ?? [];
  return { peer: Number(peer), ring: kind === 'Requests' ? 0 : 1 };
}

/** Packets of a ring that were begun, told to be sent, freed and handed over. */
interface Ring {
  begun: number;
  sent: number;
  freed: number;
  seen: number;
}

const unsentIn = (rings: Record<string, Ring>): readonly Pending[] =>
  byName(rings)
    .filter(([, { sent, seen }]) => seen > sent)
    .map(([name, { sent, seen }]) => ({
      key: `${name} ${seen}`,
      actors: [name],
      why: `ring ${name}: ${seen} packets were handed over, ${sent} sent`,
    }));

/** Packets come out of a ring as they went in, and none is put where one lies that is not freed (TCA specification 11; 19, I10). */
export const packetsStayInOrder = ({ config: { gasnet } }: TcaKnown) =>
  tcaProperty({
    sentence: 'a ring hands over its packets in order, each once, and keeps each until it is freed',
    watches: ['tx.slot', 'tx.posted', 'ring.freed', 'packet.content'],
    begin: (): Record<string, Ring> => ({}),
    see(rings, { from, to, event }, found) {
      if (event.type === 'packet.content') {
        const name = ringName(event.peer, nodeIn(to), event.ring);
        const number = of(rings, name).seen++;
        const { sequence, source } = event.header;
        if (sequence !== number || source !== event.peer)
          found([from], `ring ${name}: packet ${sequence} of ${source} is handed over as number ${number}`);
        return;
      }
      const side = event.type === 'tx.slot' ? from : to;
      const { peer, ring: kind } = wayOf(side);
      const name = ringName(nodeIn(side), peer, kind);
      const ring = of(rings, name);
      if (event.type === 'tx.slot') {
        ring.begun++;
        return;
      }
      if (event.type === 'ring.freed') {
        const before = ring.freed;
        // What comes along with a packet may have been overtaken by a message of its own.
        const older = event.freed < before && !from.includes('.PacketRx[');
        // Its doorbell rings before its sender has told that it is posted.
        if (older || event.freed > ring.begun)
          found([to], `ring ${name}: ${event.freed} of ${ring.begun} packets are freed after ${before}`);
        ring.freed = Math.max(before, event.freed);
        return;
      }
      ring.sent++;
      const lying = ring.sent - ring.freed;
      const slots = gasnet?.slots ?? 0;
      if (lying > slots) found([to], `ring ${name}: ${lying} packets lie in ${slots} slots`);
    },
    atRest: (rings, found) => {
      for (const { actors, why } of unsentIn(rings)) found(actors, why);
    },
    // A packet may be handed over before its sender has told that it is posted.
    pending: unsentIn,
  });

function of(rings: Record<string, Ring>, name: string): Ring {
  rings[name] ??= { begun: 0, sent: 0, freed: 0, seen: 0 };
  return rings[name];
}
