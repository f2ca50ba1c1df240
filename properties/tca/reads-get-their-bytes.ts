import type { TcaMessage } from '../../actors/tca/protocol.ts';
import { isDmac, isMemory, nodeIn, type TcaKnown, tcaProperty } from './context.ts';
import { mustEnd } from './left-over.ts';
import { readBytes, type WrittenBytes, writeBytes } from './written-bytes.ts';

/** A read on its way: what it will get, as soon as the memory has it, and which bytes have come. */
interface Read {
  readonly name: string;
  readonly request: Pick<TcaMessage<'tlp.read'>, 'addr' | 'bytes' | 'tag'>;
  bytes: Uint8Array | null;
  /** 1 for each byte that has come, and how many have not. */
  readonly come: Uint8Array;
  left: number;
}

interface Reads {
  readonly written: WrittenBytes;
  /** By node and tag. */
  readonly open: Record<number, Read>[];
}

const shown = ({ addr, bytes, tag }: Read['request']) =>
  `the read of ${bytes} bytes at ${addr} with tag ${tag}`;

/** Every read gets exactly the bytes that were in memory, each once (TCA specification 19, I3). */
export const readsGetTheirBytes = ({ config: { nodes } }: TcaKnown) =>
  tcaProperty({
    sentence: 'a read gets the bytes that were in memory, each once',
    watches: ['tlp.read', 'tlp.completion', 'memory.visible'],
    begin: (): Reads => ({ written: {}, open: Array.from({ length: nodes }, () => ({})) }),
    see({ written, open }, { from, to, event }, found) {
      switch (event.type) {
        case 'memory.visible':
          writeBytes(written, event.addr, event.data);
          return;
        case 'tlp.read': {
          const { addr, bytes, tag } = event;
          if (isDmac(from))
            open[nodeIn(from)]![tag] = {
              name: from,
              request: { addr, bytes, tag },
              bytes: null,
              come: new Uint8Array(bytes),
              left: bytes,
            };
          if (isMemory(to)) {
            const read = open[nodeIn(to)]![tag];
            if (read) read.bytes = readBytes(written, addr, bytes);
          }
          return;
        }
        case 'tlp.completion': {
          if (!isDmac(to)) return;
          const read = open[nodeIn(to)]![event.tag];
          if (!read?.bytes || read.name !== to) {
            found([to], `bytes come for tag ${event.tag}, which has no read`);
            return;
          }
          for (let k = 0; k < event.data.length; k++) {
            const byte = event.data[k]!;
            const at = event.offset + k;
            const wanted = read.bytes[at];
            if (read.come[at]) found([to], `byte ${at} of ${shown(read.request)} comes twice`);
            else if (byte !== wanted)
              found([to], `byte ${at} of ${shown(read.request)} is ${byte}, in memory it was ${wanted}`);
            if (read.come[at] || byte !== wanted) return;
            read.come[at] = 1;
            read.left--;
          }
          if (read.left === 0) delete open[nodeIn(to)]![event.tag];
        }
      }
    },
    ...mustEnd('has not got all of its bytes', 'reads have not got all of their bytes', ({ open }: Reads) =>
      open
        .flatMap((reads) => Object.values(reads))
        .filter(({ name, request }) => isOwn(name, request))
        .map(({ name, request }) => ({ who: name, what: shown(request), key: `${name} ${request.tag}` })),
    ),
  });

/** False for a read of another node's memory, which is an error of the program (TCA specification 6). */
const isOwn = (name: string, { addr }: Read['request']): boolean =>
  Math.floor(addr / (32 * 2 ** 30)) === nodeIn(name);
