import type { MemoryRead } from '../../actors/tca/messages.ts';
import { judged, property } from '../property.ts';
import { isDmac, isMemory, nodeIn, said, type TcaContext } from './context.ts';
import { LeftOver } from './left-over.ts';
import { WrittenBytes } from './written-bytes.ts';

/** A read on its way: what it will get, as soon as the memory has it, and which bytes have come. */
interface Read {
  readonly name: string;
  readonly request: MemoryRead;
  bytes: Uint8Array | null;
  /** 1 for each byte that has come, and how many have not. */
  readonly come: Uint8Array;
  left: number;
}

/** Every read gets exactly the bytes that were in memory, each once (TCA specification 19, I3). */
export const readsGetTheirBytes = property<TcaContext>(
  'a read gets the bytes that were in memory, each once',
  (run, { config }) =>
    judged(said(run, 'tlp.read', 'tlp.completion', 'memory.visible'), (found) => {
      const written = new WrittenBytes();
      const open = Array.from({ length: config.nodes }, () => new Map<number, Read>());
      const shown = ({ addr, bytes, tag }: MemoryRead) =>
        `the read of ${bytes} bytes at ${addr} with tag ${tag}`;

      return {
        see({ from, to, event }) {
          switch (event.type) {
            case 'memory.visible':
              written.write(event.addr, event.data);
              return;
            case 'tlp.read':
              if (isDmac(from))
                open[nodeIn(from)]!.set(event.tag, {
                  name: from,
                  request: event,
                  bytes: null,
                  come: new Uint8Array(event.bytes),
                  left: event.bytes,
                });
              if (isMemory(to)) {
                const read = open[nodeIn(to)]!.get(event.tag);
                if (read) read.bytes = written.read(event.addr, event.bytes);
              }
              return;
            case 'tlp.completion': {
              if (!isDmac(to)) return;
              const read = open[nodeIn(to)]!.get(event.tag);
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
              if (read.left === 0) open[nodeIn(to)]!.delete(event.tag);
            }
          }
        },
        end() {
          if (!run.quiet) return;
          const unanswered = new LeftOver();
          for (const reads of open)
            for (const { name, request } of reads.values())
              if (isOwn(name, request)) unanswered.add(name, shown(request));
          unanswered.tell('has not got all of its bytes', 'reads have not got all of their bytes', found);
        },
      };
    }),
);

/** False for a read of another node's memory, which is an error of the program (TCA specification 6). */
const isOwn = (name: string, { addr }: MemoryRead): boolean =>
  Math.floor(addr / (32 * 2 ** 30)) === nodeIn(name);
