import { judged, property } from '../property.ts';
import { nodeIn, said, type TcaContext } from './context.ts';

/** A ring by its ends and class, as both sides name it. */
const ringName = (from: number, to: number, ring: number): string => `${from} to ${to}, class ${ring}`;

/** Peer and class of a sender, out of its name. */
function wayOf(name: string): { readonly peer: number; readonly ring: number } {
  const [, peer, kind] = /\[(\d+)\]\.(Requests|Replies)$/.exec(name) ?? [];
  return { peer: Number(peer), ring: kind === 'Requests' ? 0 : 1 };
}

/** Packets come out of a ring as they went in, and none is put where one lies that is not freed (TCA specification 11; 19, I10). */
export const packetsStayInOrder = property<TcaContext>(
  'a ring hands over its packets in order, each once, and keeps each until it is freed',
  (run, { config }) =>
    judged(said(run, 'tx.posted', 'ring.freed', 'packet.content'), (found) => {
      const slots = config.gasnet?.slots ?? 0;
      const [sent, freed, seen] = [
        new Map<string, number>(),
        new Map<string, number>(),
        new Map<string, number>(),
      ];

      return {
        see({ from, to, event }) {
          if (event.type === 'packet.content') {
            const ring = ringName(event.peer, nodeIn(to), event.ring);
            const number = seen.get(ring) ?? 0;
            seen.set(ring, number + 1);
            const { sequence, source } = event.header;
            if (sequence !== number || source !== event.peer)
              found(
                [from],
                `ring ${ring}: packet ${sequence} of ${source} is handed over as number ${number}`,
              );
            return;
          }
          const { peer, ring: kind } = wayOf(to);
          const ring = ringName(nodeIn(to), peer, kind);
          if (event.type === 'ring.freed') {
            const before = freed.get(ring) ?? 0;
            // What comes along with a packet may have been overtaken by a message of its own.
            const older = event.freed < before && !from.includes('.PacketRx[');
            if (older || event.freed > (sent.get(ring) ?? 0))
              found(
                [to],
                `ring ${ring}: ${event.freed} of ${sent.get(ring) ?? 0} packets are freed after ${before}`,
              );
            freed.set(ring, Math.max(before, event.freed));
            return;
          }
          const count = (sent.get(ring) ?? 0) + 1;
          sent.set(ring, count);
          const lying = count - (freed.get(ring) ?? 0);
          if (lying > slots) found([to], `ring ${ring}: ${lying} packets lie in ${slots} slots`);
        },
        end() {
          if (!run.quiet) return;
          for (const [ring, count] of seen)
            if (count > (sent.get(ring) ?? 0))
              found([ring], `ring ${ring}: ${count} packets were handed over, ${sent.get(ring) ?? 0} sent`);
        },
      };
    }),
);
