import { isDmac, piecesOf, type TcaKnown, tcaProperty } from './context.ts';

/** A read of a chain, and its bytes once they have come. */
interface Expected {
  readonly src: number;
  readonly dst: number;
  readonly bytes: number;
  /** False for a word of the chip's own memory. */
  readonly ofMemory: boolean;
  /** Whether a tag was granted for it. */
  asked: boolean;
  tag: number;
  /** Null until it is read. */
  data: Uint8Array | null;
}

/** Reads of a channel that have not retired, asked for or not; and how many of them its last doorbell brought. */
interface Channel {
  rung: number;
  waiting: Expected[];
}

/** Reads retire as writes in the order of the requests, to their places and with their bytes (TCA specification 19, I4). */
export const readsRetireInOrder = ({ config: { parameters } }: TcaKnown) =>
  tcaProperty({
    sentence: 'the reads of a channel retire in the order of its requests, with their bytes',
    watches: [
      'dmac.doorbell',
      'doorbell.lost',
      'tag.grant',
      'tlp.read',
      'tlp.completion',
      'tlp.write',
      'channel.error',
    ],
    begin: (): Record<string, Channel> => ({}),
    see(channels, { from, to, event }, found) {
      switch (event.type) {
        case 'doorbell.lost': {
          const { waiting, rung } = of(channels, from);
          waiting.splice(waiting.length - rung);
          return;
        }
        case 'dmac.doorbell': {
          const channel = of(channels, to);
          const { waiting } = channel;
          const before = waiting.length;
          for (const descriptor of event.chain)
            for (const { src, dst, bytes } of piecesOf(descriptor, parameters.bytesPerTag)) {
              const data = descriptor.data?.slice(0, bytes) ?? null;
              waiting.push({ src, dst, bytes, ofMemory: data === null, asked: false, tag: -1, data });
            }
          channel.rung = waiting.length - before;
          return;
        }
        case 'tag.grant': {
          const next = of(channels, to).waiting.find(({ asked }) => !asked);
          if (next) next.asked = true;
          return;
        }
        case 'channel.error': {
          // What the channel has not asked for will not come; the last it asked for is what failed.
          const channel = of(channels, from);
          channel.waiting = channel.waiting.filter(({ asked }) => asked);
          if (event.code === 'EUR') channel.waiting.pop();
          return;
        }
        case 'tlp.read': {
          if (!isDmac(from)) return;
          const next = of(channels, from).waiting.find(({ ofMemory, tag }) => ofMemory && tag < 0);
          if (next?.src !== event.addr || next.bytes !== event.bytes)
            found([from], `${event.bytes} bytes at ${event.addr} are read, which is not next in the chain`);
          if (!next) return;
          next.tag = event.tag;
          next.data = new Uint8Array(next.bytes);
          return;
        }
        case 'tlp.completion': {
          if (!isDmac(to)) return;
          const read = of(channels, to).waiting.findLast(({ tag }) => tag === event.tag);
          if (read?.data && event.offset + event.data.length <= read.bytes)
            read.data.set(event.data, event.offset);
          return;
        }
        case 'tlp.write': {
          if (!isDmac(from)) return;
          const next = of(channels, from).waiting.shift();
          if (!next || next.dst !== event.addr || next.bytes !== event.data.length)
            found(
              [from],
              `${event.data.length} bytes are written to ${event.addr}, ` +
                `next are ${next?.bytes ?? 'no'} bytes to ${next?.dst ?? 'anywhere'}`,
            );
          else if (!isAs(event.data, next.data))
            found([from], `the bytes written to ${event.addr} are not those that were read`);
        }
      }
    },
  });

/** Whether bytes are those that were read; what never came is 0. */
function isAs(bytes: Uint8Array, read: Uint8Array | null): boolean {
  for (let k = 0; k < bytes.length; k++) if (bytes[k] !== (read?.[k] ?? 0)) return false;
  return true;
}

function of(channels: Record<string, Channel>, name: string): Channel {
  channels[name] ??= { rung: 0, waiting: [] };
  return channels[name];
}
