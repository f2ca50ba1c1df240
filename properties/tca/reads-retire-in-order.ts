import { judged, property } from '../property.ts';
import { isDmac, type Piece, piecesOf, said, type TcaContext } from './context.ts';

/** A read of a chain, and its bytes once they have come. */
interface Expected {
  readonly piece: Piece;
  tag: number;
  data: Uint8Array;
}

/** Reads retire as writes in the order of the requests, to their places and with their bytes (TCA specification 19, I4). */
export const readsRetireInOrder = property<TcaContext>(
  'the reads of a channel retire in the order of its requests, with their bytes',
  (run, { config }) =>
    judged(said(run, 'dmac.doorbell', 'tlp.read', 'tlp.completion', 'tlp.write'), (found) => {
      const { bytesPerTag } = config.parameters;
      /** By channel: reads still to be asked for, and reads that have not retired. */
      const channels = new Map<string, { asked: number; waiting: Expected[] }>();
      const of = (name: string) => {
        const known = channels.get(name) ?? { asked: 0, waiting: [] };
        channels.set(name, known);
        return known;
      };
      const ofMemory = ({ piece }: Expected) => piece.descriptor.data === undefined;

      return {
        see({ from, to, event }) {
          switch (event.type) {
            case 'dmac.doorbell':
              for (const descriptor of event.chain)
                for (const piece of piecesOf(descriptor, bytesPerTag)) {
                  const data = descriptor.data?.slice(0, piece.bytes) ?? new Uint8Array(piece.bytes);
                  of(to).waiting.push({ piece, tag: -1, data });
                }
              return;
            case 'tlp.read': {
              if (!isDmac(from)) return;
              const next = of(from).waiting.find((one) => ofMemory(one) && one.tag < 0);
              if (next?.piece.src !== event.addr || next.piece.bytes !== event.bytes)
                found(
                  [from],
                  `${event.bytes} bytes at ${event.addr} are read, which is not next in the chain`,
                );
              if (next) next.tag = event.tag;
              return;
            }
            case 'tlp.completion': {
              if (!isDmac(to)) return;
              const read = of(to).waiting.findLast(({ tag }) => tag === event.tag);
              if (read && event.offset + event.data.length <= read.data.length)
                read.data.set(event.data, event.offset);
              return;
            }
            case 'tlp.write': {
              if (!isDmac(from)) return;
              const next = of(from).waiting.shift();
              if (!next || next.piece.dst !== event.addr || next.piece.bytes !== event.data.length)
                found(
                  [from],
                  `${event.data.length} bytes are written to ${event.addr}, ` +
                    `next are ${next?.piece.bytes ?? 'no'} bytes to ${next?.piece.dst ?? 'anywhere'}`,
                );
              else if (next.data.some((byte, k) => byte !== event.data[k]))
                found([from], `the bytes written to ${event.addr} are not those that were read`);
            }
          }
        },
      };
    }),
);
