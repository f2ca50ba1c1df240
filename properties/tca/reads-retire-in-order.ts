import { judged, property } from '../property.ts';
import { isDmac, type Piece, piecesOf, said, type TcaContext } from './context.ts';

/** A read of a chain, and its bytes once they have come. */
interface Expected {
  readonly piece: Piece;
  /** Whether a tag was granted for it. */
  asked: boolean;
  tag: number;
  data: Uint8Array;
}

const looksAt = [
  'dmac.doorbell',
  'doorbell.lost',
  'tag.grant',
  'tlp.read',
  'tlp.completion',
  'tlp.write',
  'channel.error',
] as const;

/** Reads retire as writes in the order of the requests, to their places and with their bytes (TCA specification 19, I4). */
export const readsRetireInOrder = property<TcaContext>(
  'the reads of a channel retire in the order of its requests, with their bytes',
  (run, { config }) =>
    judged(said(run, ...looksAt), (found) => {
      const { bytesPerTag } = config.parameters;
      /** By channel: reads that have not retired, asked for or not; and whether its next doorbell is one that was lost. */
      const channels = new Map<string, { deaf: boolean; waiting: Expected[] }>();
      const of = (name: string) => {
        const known = channels.get(name) ?? { deaf: false, waiting: [] };
        channels.set(name, known);
        return known;
      };
      const ofMemory = ({ piece }: Expected) => piece.descriptor.data === undefined;

      return {
        see({ from, to, event }) {
          switch (event.type) {
            case 'doorbell.lost':
              of(from).deaf = true;
              return;
            case 'dmac.doorbell': {
              const { deaf } = of(to);
              of(to).deaf = false;
              if (deaf) return;
              for (const descriptor of event.chain)
                for (const piece of piecesOf(descriptor, bytesPerTag)) {
                  const data = descriptor.data?.slice(0, piece.bytes) ?? new Uint8Array(piece.bytes);
                  of(to).waiting.push({ piece, asked: false, tag: -1, data });
                }
              return;
            }
            case 'tag.grant': {
              const next = of(to).waiting.find(({ asked }) => !asked);
              if (next) next.asked = true;
              return;
            }
            case 'channel.error': {
              // What the channel has not asked for will not come; the last it asked for is what failed.
              const channel = of(from);
              channel.waiting = channel.waiting.filter(({ asked }) => asked);
              if (event.code === 'EUR') channel.waiting.pop();
              return;
            }
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
